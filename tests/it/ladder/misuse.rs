//! Requests that a ladder must refuse.

use serde_json::json;

use super::{bearer, got, hand_in, ladder, person};
use risk_testing::web::code;

/// A ruleset whose check is quick.
const QUICK: &str = "--ruleset simplified";
const PLAIN: &str = "fn answer(view, ask) { ask.random() }";

/// Names of bots, which are refused with `ladder::name` unless they are accepted.
const NAMES: [(&str, u16); 14] = [
    ("fine-1_x", 200),
    ("..", 400),
    ("%2e%2e%2fpeople", 400),
    ("a%2fb", 400),
    ("a%00b", 400),
    ("a%0ab", 400),
    ("a@2", 400),
    ("A", 400),
    ("1a", 400),
    ("a.rhai", 400),
    ("none", 400),
    ("random", 400),
    ("greedy", 400),
    ("aaaaaaaaaaaaaaaaaaaaa", 400),
];

#[test]
fn names_are_names() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), QUICK);
    let ann = person(&program, "Ann");
    for (name, status) in NAMES {
        let (found, told) = hand_in(&program, &ann, name, PLAIN);
        assert_eq!(found, status, "{name}: {told}");
        let named = told["code"] == "ladder::name";
        assert_eq!(named, status == 400, "{name}: {told}");
    }
    for name in [
        "",
        " ",
        "a\u{202e}b",
        "Ann",
        "ann ",
        "A nn",
        "null",
        &"x".repeat(31),
    ] {
        let (key, secret) = bearer(super::SECRET);
        let body = json!({ "name": name }).to_string();
        let (status, text) = program.post("/people", &[(key, &secret)], &body);
        // Ann gets a new token when she registers again.
        assert_eq!(status == 200, name == "Ann", "{name}: {status} {text}");
    }
    assert_eq!(
        hand_in(&program, &ann, "more", PLAIN).0,
        401,
        "the old token is void"
    );
}

#[test]
fn nobody_takes_a_name_that_looks_like_anothers() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), &format!("{QUICK} --open --registrations 100"));
    let status_of = |name: &str| {
        let body = json!({ "name": name }).to_string();
        program.post("/people", &[], &body).0
    };
    for (name, status) in [
        ("Ann", 200),
        ("ANN", 409),
        ("A nn", 409),
        // Cyrillic, alone and mixed with Latin letters.
        ("\u{410}nn", 409),
        ("\u{410}NN", 409),
        // Letters with another form: full-width and mathematical.
        ("\u{ff21}nn", 400),
        ("\u{1d400}nn", 400),
        ("Bill", 200),
        ("Bi1l", 409),
        ("BiIl", 409),
        ("Ольга", 200),
        ("Zoë", 200),
        // The same, as two characters.
        ("Zoe\u{308}", 400),
        ("Zoe", 200),
        ("Łukasz", 200),
        ("李雷", 200),
    ] {
        assert_eq!(status_of(name), status, "{name}");
    }
}

/// One address may register only a few people; refused names don't count.
#[test]
fn an_address_registers_few_people() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), &format!("{QUICK} --open"));
    let register = |name: &str, headers: &[(&str, &str)]| {
        program.post("/people", headers, &json!({ "name": name }).to_string())
    };
    for name in ["none", "", "a\u{202e}b"] {
        assert_eq!(register(name, &[]).0, 400);
    }
    let told: Vec<u16> = (0..40)
        .map(|number| register(&format!("Person {number}"), &[]).0)
        .collect();
    assert_eq!(told[..5], [200; 5]);
    assert_eq!(told[5..], [429; 35]);
    assert_eq!(code(&register("Eve", &[]).1), "ladder::too-many-people");
    // The operator can register anyone.
    let (key, secret) = bearer(super::SECRET);
    assert_eq!(register("Eve", &[(key, &secret)]).0, 200);
}

/// A script, its status, and a code in the answer: of the refusal or of a finding.
fn scripts() -> Vec<(&'static str, String, u16, &'static str)> {
    let huge = format!("// {}\n{PLAIN}", "x".repeat(70_000));
    let bomb = "fn answer(view, ask) { let s = \"x\"; loop { s += s; } }";
    let list = "fn answer(view, ask) { let a = []; loop { a.push([1, 2, 3]); } }";
    let deep = format!(
        "fn answer(view, ask) {{ {}1{} }}",
        "(".repeat(5_000),
        ")".repeat(5_000)
    );
    vec![
        (
            "loops",
            "fn answer(view, ask) { loop {} }".to_owned(),
            422,
            "budget",
        ),
        ("doubles", bomb.to_owned(), 422, "ladder::unfit"),
        ("hoards", list.to_owned(), 422, "ladder::unfit"),
        (
            "throws",
            "fn answer(view, ask) { throw 1; }".to_owned(),
            422,
            "ladder::unfit",
        ),
        (
            "broken",
            "fn answer(view, ask) { let".to_owned(),
            422,
            "script::syntax",
        ),
        ("empty", String::new(), 422, "ladder::unfit"),
        (
            "prints",
            "fn answer(view, ask) { print(1); ask.random() }".to_owned(),
            422,
            "print",
        ),
        ("huge", huge, 413, "ladder::too-large"),
        ("deep", deep, 422, "ladder::unfit"),
        (
            "imports",
            format!("import \"../../../secret\" as s;\n{PLAIN}"),
            422,
            "ladder::unfit",
        ),
        (
            "neighbour",
            format!("import \"imports\" as s;\n{PLAIN}"),
            422,
            "ladder::unfit",
        ),
    ]
}

#[test]
fn scripts_that_do_harm_are_not_taken() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), QUICK);
    let ann = person(&program, "Ann");
    for (name, script, status, text) in scripts() {
        let (found, told) = hand_in(&program, &ann, name, &script);
        let told = told.to_string();
        assert!(
            found == status && told.contains(text),
            "{name}: {found} {told}"
        );
        assert!(
            !told.contains("correct-horse") && !told.contains("/L/"),
            "{name}: {told}"
        );
    }
    assert!(
        std::fs::read_dir(home.path().join("L/incoming"))
            .unwrap()
            .next()
            .is_none()
    );
    assert!(
        std::fs::read_dir(home.path().join("L/scripts"))
            .unwrap()
            .next()
            .is_none()
    );
    let bytes = [0xff, 0xfe, 0xfa];
    let (status, _) = hand_in(&program, &ann, "bytes", &String::from_utf8_lossy(&bytes));
    assert_eq!(status, 422);
    assert_eq!(got(&program, "/standings")["bots"], json!([]));
}

/// Others can't withdraw, replace or read a bot, and joining needs a token.
#[test]
fn what_is_somebodys_is_nobody_elses() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), QUICK);
    let (ann, bob) = (person(&program, "Ann"), person(&program, "Bob"));
    assert_eq!(hand_in(&program, &ann, "mine", PLAIN).0, 200);
    let (status, told) = hand_in(&program, &bob, "mine", PLAIN);
    assert_eq!(
        (status, &told["code"]),
        (409, &json!("ladder::name-taken")),
        "{told}"
    );
    let nobody = "00000000-0000-0000-0000-000000000000";
    for token in ["", nobody, super::SECRET, &ann[1..]] {
        let (status, told) = hand_in(&program, token, "other", PLAIN);
        assert_eq!(
            (status, &told["code"]),
            (401, &json!("ladder::token")),
            "{token}"
        );
    }
    for (path, wanted, reason) in [
        ("/bots/mine/script", 401, "ladder::token"),
        ("/bots/yours", 404, "ladder::unknown"),
        ("/bots/%2e%2e%2fpeople.jsonl/script", 404, "ladder::unknown"),
        ("/games/1", 404, ""),
        ("/games?count=501", 400, "request::query"),
    ] {
        let (status, text) = program.get(path);
        assert_eq!(
            (status, code(&text).as_str()),
            (wanted, reason),
            "{path}: {text}"
        );
    }
    let (status, text) = program.post("/people", &[], "{\"name\": \"Eve\"}");
    assert_eq!(
        (status, code(&text).as_str()),
        (401, "ladder::secret"),
        "{text}"
    );
    // A person may have three bots.
    assert_eq!(hand_in(&program, &ann, "mine2", PLAIN).0, 200);
    assert_eq!(hand_in(&program, &ann, "mine3", PLAIN).0, 200);
    let (status, told) = hand_in(&program, &ann, "mine4", PLAIN);
    assert_eq!(
        (status, &told["code"]),
        (429, &json!("ladder::full")),
        "{told}"
    );
    assert_eq!(hand_in(&program, &ann, "mine3", PLAIN).1["bot"], "mine3@2");
    let ran = crate::support::run(&["serve", "--ladder", "L", "--records", "r"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    for option in ["--ladder", "--records"] {
        assert!(ran.err.contains(option), "{}", ran.err);
    }
    let ran = crate::support::run(&["serve", "--ladder", "L"]);
    ran.refuses(2, "serve::no-secret");
    let ran = crate::support::run(&["serve", "--protocol", "json", "--enough", "3"]);
    ran.refuses(2, "serve::ladder");
    assert!(ran.err.contains("--enough"), "{}", ran.err);
}

/// A journal whose last line is cut off resumes before it; damage in the middle is an error.
#[test]
fn what_was_cut_off_is_left_out() {
    let home = tempfile::tempdir().unwrap();
    let mut program = ladder(home.path(), QUICK);
    let ann = person(&program, "Ann");
    assert_eq!(hand_in(&program, &ann, "mine", PLAIN).0, 200);
    program.kill();
    let path = home.path().join("L/people.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        format!("{whole}{{\"line\":\"withdrawn\",\"bot\":\"mi"),
    )
    .unwrap();
    let mut program = ladder(home.path(), QUICK);
    assert_eq!(got(&program, "/bots/mine")["plays"], true);
    let serve = |ruleset: &str| {
        let line = format!("serve --ladder L --open --port 0 --ruleset {ruleset}");
        crate::support::run_in(home.path(), &crate::support::words(&line))
    };
    let ran = serve("simplified");
    ran.refuses(2, "ladder::journal");
    assert!(!ran.err.contains("line 1"), "{}", ran.err);
    program.kill();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    std::fs::write(&path, whole.replacen("Ann", "Eve", 1)).unwrap();
    let ran = serve("simplified");
    ran.refuses(2, "ladder::journal");
    assert!(ran.err.contains("line 1"), "{}", ran.err);
    std::fs::write(&path, &whole).unwrap();
    let ran = serve("codelab");
    ran.refuses(2, "tournament::plan-differs");
}
