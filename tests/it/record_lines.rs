//! Lines of records: what each may hold, to the word, read in this process from a record made by
//! hand.

use std::sync::Arc;

use risk_cli::kernel::action::Options;
use risk_cli::kernel::declare::Strikes;
use risk_cli::kernel::event::Event;
use risk_cli::kernel::fault::{BotFault, Exchange, FaultKind};
use risk_cli::kernel::id::{Phase, Player, PlayerSet};
use risk_cli::kernel::outcome::{Outcome, Rank};
use risk_cli::kernel::state::GameState;
use risk_cli::kernel::view::View;
use risk_cli::kernel::{Answer, Bot, NullSink};
use risk_cli::matches::{Setup, Worker};
use risk_cli::record::{Line, Playback, Recorder, Refuted, header, read, verify};

use crate::laws::{LENIENT, board, declaration};
use crate::support::{setup, without_sum};

/// A record with a line of each kind; the sums are to be added.
const PLAIN: &str = concat!(
    r#"{"record":"risk-cli","format":2,"version":"0.1.0","ruleset":"hasbro","#,
    r#""ruleset_hash":"0123456789abcdef0123456789abcdef","map":"m","#,
    r#""map_hash":"0123456789abcdef0123456789abcdef","options":{"a":"1"},"seed":7,"game":0,"players":["#,
    r#"{"seat":1,"name":"x","bot":"random","hash":"0123456789abcdef0123456789abcdef"},"#,
    r#"{"seat":2,"name":"y","bot":"http://h/"}],"strikes":{"limit":3,"per":"game","then":"skip"}}"#,
    "\n",
    r#"{"line":"answer","n":1,"seat":1,"say":"done"}"#,
    "\n",
    r#"{"line":"fault","n":2,"seat":2,"strikes":1,"kind":"script","text":"t","exchange":{"request":"q","answer":"p"}}"#,
    "\n",
    r#"{"line":"turn","turn":1,"round":1,"seat":1,"digest":"0123456789abcdef"}"#,
    "\n",
    r#"{"line":"note","text":"so it is"}"#,
    "\n",
    r#"{"line":"end","reason":"conquest","winners":[1],"ranking":[{"seat":1,"score":3,"place":1},"#,
    r#"{"seat":2,"score":-1,"place":2}],"answers":1,"digest":"0123456789abcdef"}"#,
    "\n",
);

/// Adds the sums, in the words of docs/records.md: to what has the end of an object.
fn summed(text: &str) -> String {
    let (mut before, mut all) = (String::new(), String::new());
    for line in text.lines() {
        if let Some(body) = line.strip_suffix('}') {
            before = blake3::hash(format!("{before}{body}").as_bytes()).to_hex()[..16].to_owned();
            all.push_str(&format!("{body},\"sum\":\"{before}\"}}"));
        } else {
            all.push_str(line);
        }
        all.push('\n');
    }
    all
}

/// What is put in the place of what, in which line that is found, and what is said.
const WRONG: &[(&str, &str, usize, &str)] = &[
    (
        "\"n\":1,",
        "\"n\":0,",
        2,
        "key `n` of an answer line: expected a whole number from 1 on, found 0",
    ),
    (
        "\"n\":1,",
        "\"n\":-1,",
        2,
        "key `n` of an answer line: expected a whole number from 1 on, found -1",
    ),
    (
        "\"say\":\"done\"",
        "\"say\":1",
        2,
        "key `say` of an answer line: expected a text, found 1",
    ),
    (
        "\"done\"",
        "\"done\",\"by_policy\":false",
        2,
        "key `by_policy` of an answer line: expected true, or that it is left out, found false",
    ),
    (
        "\"strikes\":1",
        "\"strikes\":4294967296",
        3,
        "key `strikes` of a fault line: expected a whole number from 1 to 4294967295, found 4294967296",
    ),
    (
        "\"kind\":\"script\"",
        "\"kind\":\"weather\"",
        3,
        "key `kind` of a fault line: expected one of illegal, script, budget, timeout, connection, found \"weather\"",
    ),
    (
        "\"request\":\"q\",",
        "",
        3,
        "key `request` of an exchange is missing: expected a text",
    ),
    (
        "\"answer\":\"p\"",
        "\"answer\":\"p\",\"x\":1",
        3,
        "`x` is no key of an exchange, which has request, answer",
    ),
    (
        "\"turn\":1",
        "\"turn\":\"x\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, found \"x\"",
    ),
    (
        "\"seat\":1,\"digest\"",
        "\"seat\":3,\"digest\"",
        4,
        "key `seat` of a turn line: expected a whole number from 1 to 2, found 3",
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcdeF\"",
        4,
        "key `digest` of a turn line: expected 16 digits 0 to 9 and a to f, found \"0123456789abcdeF\"",
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcde\"",
        4,
        "key `digest` of a turn line: expected 16 digits 0 to 9 and a to f, found \"0123456789abcde\"",
    ),
    (
        "\"so it is\"",
        "null",
        5,
        "key `text` of a note line: expected a text, found null",
    ),
    (
        "\"so it is\"",
        "\"so it is\",\"clock\":1",
        5,
        "key `clock` of a note line (a player's clock) is one that this version of risk-cli does not know; a later one does",
    ),
    (
        "\"so it is\"",
        "\"so it is\",\"cloak\":1",
        5,
        "`cloak` is no key of a note line, which has line, text, sum",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[3]",
        6,
        "key `winners` of the end line: there is no seat 3",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[0]",
        6,
        "key `winners` of the end line: there is no seat 0",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":1",
        6,
        "key `winners` of the end line: expected a list of seats, found 1",
    ),
    (
        "\"place\":2",
        "\"place\":3",
        6,
        "key `place` of an entry of `ranking`: expected a whole number from 1 to 2, found 3",
    ),
    (
        "\"score\":3",
        "\"score\":3.5",
        6,
        "key `score` of an entry of `ranking`: expected a whole number, found 3.5",
    ),
    // What is quoted has a limit: forty characters, the quotation marks counted.
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, \
         found \"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
    ),
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklm\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, \
         found \"abcdefghijklmnopqrstuvwxyzabcdefghijklm…",
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq\"",
        5,
        "key `line`: expected answer, fault, turn, note or end, found \"abcdefghijklmnopqrstuvwxyzabcdefghijklmn\"",
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"pause\"",
        5,
        "key `line`: a line of the kind pause (the game was put aside here) is one that this version of risk-cli does \
         not know; a later one does",
    ),
    // Lines between, and after the end.
    (
        "{\"line\":\"note\"",
        "\n{\"line\":\"note\"",
        5,
        "expected a line of JSON: EOF while parsing a value at column 0",
    ),
    (
        "{\"line\":\"note\"",
        "[\n{\"line\":\"note\"",
        5,
        "expected a line of JSON: EOF while parsing a list at column 1",
    ),
    // The header: no record at all.
    (
        "\"format\":2",
        "\"format\":\"2\"",
        1,
        "key `format` of the header: expected a whole number",
    ),
    (
        "\"format\":2",
        "\"format\":3",
        1,
        "the record has format 3, and this program reads format 2",
    ),
    (
        "{\"a\":\"1\"}",
        "[]",
        1,
        "key `options` of the header: expected an object of texts",
    ),
    (
        "\"a\":\"1\"",
        "\"a\":1",
        1,
        "key `a` of `options` in the header: expected a text",
    ),
    (
        "\"per\":\"game\"",
        "\"per\":\"week\"",
        1,
        "key `per` of the fault policy in the header: expected one of game, decision, found \"week\"",
    ),
    (
        "\"then\":\"skip\"",
        "\"then\":\"jump\"",
        1,
        "key `then` of the fault policy in the header: expected one of skip, first-option, neutral, forfeit, hook, found \"jump\"",
    ),
    (
        "\"seat\":2,\"name\"",
        "\"seat\":1,\"name\"",
        1,
        "key `seat` of a player in the header: expected a whole number from 2 to 2, found 1",
    ),
    (
        "\"map_hash\":\"0",
        "\"map_hash\":\"g",
        1,
        "key `map_hash` of the header: expected 32 digits 0 to 9 and a to f, found \"g123456789abcdef0123456789abcdef\"",
    ),
];

#[test]
fn what_is_wrong_in_a_line_is_said_to_the_word() {
    let whole = read(&summed(PLAIN)).unwrap();
    assert!(
        whole.is_whole() && whole.lines.len() == 5 && whole.answers() == 1,
        "{whole:?}"
    );
    for &(from, to, line, said) in WRONG {
        assert!(PLAIN.contains(from), "{from}");
        let text = summed(&PLAIN.replacen(from, to, 1));
        let broken = read(&text).map_or_else(|broken| broken, |record| record.broken.unwrap());
        assert_eq!((broken.line, broken.text.as_str()), (line, said), "{to}");
    }
}

#[test]
fn a_record_has_one_to_thirty_two_players() {
    let with = |count: usize| {
        let seats: Vec<String> = (1..=count)
            .map(|seat| format!("{{\"seat\":{seat},\"name\":\"x\",\"bot\":\"random\"}}"))
            .collect();
        let start = PLAIN.find("\"players\":[").unwrap() + 11;
        let end = PLAIN.find("],\"strikes\"").unwrap();
        read(&summed(&format!(
            "{}{}{}",
            &PLAIN[..start],
            seats.join(","),
            &PLAIN[end..]
        )))
    };
    let refused = |count: usize| {
        format!("key `players` of the header: expected 1 to 32 players, found {count}")
    };
    assert_eq!(with(0).unwrap_err().text, refused(0));
    assert_eq!(with(32).unwrap().header.players.len(), 32);
    assert_eq!(with(33).unwrap_err().text, refused(33));
}

#[test]
fn a_line_has_a_mebibyte_at_the_most() {
    let with = |blanks: usize| summed(&PLAIN.replacen("done", &"x".repeat(blanks), 1));
    let fixed = with(0).lines().nth(1).unwrap().len();
    let most = 1_048_576;
    assert_eq!(read(&with(most - fixed)).unwrap().broken, None);
    let broken = read(&with(most - fixed + 1)).unwrap().broken.unwrap();
    let text = "the line has 1048577 bytes, and 1048576 are the most";
    assert_eq!((broken.line, broken.text.as_str()), (2, text));
}

#[test]
fn where_a_record_ends_is_said_with_its_line() {
    let text = summed(PLAIN);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let cut = "the record is cut off in the middle of a line";
    let early = "the record ends before the game does";
    // So much of the text; the line, and what is said.
    let rows = [
        (ends[3], Some((5, early))),
        (ends[3] - 1, Some((5, early))),
        (ends[3] - 2, Some((4, cut))),
        (ends[2] + 1, Some((4, cut))),
        (ends[5] - 1, None),
        (ends[5], None),
    ];
    for (len, wanted) in rows {
        let record = read(&text[..len]).unwrap();
        let found = record
            .broken
            .as_ref()
            .map(|broken| (broken.line, broken.text.as_str()));
        assert_eq!(found, wanted, "{len} bytes");
    }
    // Damage before the last line is no cut, whether the text ends with a line or not; nor is it in
    // a last line that is ended.
    for (text, line) in [
        (text.replacen("\"n\":1,", "\"n\":1", 1), 2),
        (text.replacen("\"answers\":1,", "", 1), 6),
    ] {
        let broken = read(&text).unwrap().broken.unwrap();
        assert!(broken.line == line && broken.text != cut, "{broken:?}");
    }
    let broken = read(text.replacen("\"n\":1,", "\"n\":1", 1).trim_end())
        .unwrap()
        .broken
        .unwrap();
    assert!(broken.line == 2 && broken.text != cut, "{broken:?}");
}

/// What a fault with such an exchange leaves in a record.
fn kept(text: &str, request: &str, answer: &str) -> (String, String, String) {
    let game = GameState::new(board(), Arc::new(declaration(LENIENT)), 2, 1, 0);
    let exchange = Exchange {
        request: request.to_owned(),
        answer: answer.to_owned(),
    };
    let event = Event::Faulted {
        who: Player(1),
        kind: FaultKind::Connection,
        text: text.to_owned(),
        strikes: 2,
        phase: None,
        number: 5,
        exchange: Some(Box::new(exchange)),
    };
    match Line::of(&game, &event, String::new()) {
        Some(Line::Fault {
            n: 5,
            seat: 2,
            strikes: 2,
            kind,
            text,
            exchange: Some(said),
        }) => {
            assert_eq!(kind, "connection");
            (text, said.request, said.answer)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_long_texts_the_beginning_is_kept() {
    let (request, answer) = (64 * 1024, 16 * 1024);
    let long = |bytes: usize| "x".repeat(bytes);
    assert_eq!(
        kept("t", "q", "a"),
        ("t".to_owned(), "q".to_owned(), "a".to_owned())
    );
    assert_eq!(
        kept("", &long(request), &long(answer)),
        (String::new(), long(request), long(answer))
    );
    let (_, asked, said) = kept("", &long(request + 1), &long(answer + 1));
    assert_eq!(asked, format!("{} … (65537 bytes in all)", long(request)));
    assert_eq!(said, format!("{} … (16385 bytes in all)", long(answer)));
    // No character is cut in two.
    let (_, _, said) = kept("", "", &format!("{}ß{}", long(answer - 1), long(9)));
    assert_eq!(said, format!("{} … (16394 bytes in all)", long(answer - 1)));
    assert_eq!(kept(&"ß".repeat(2_001), "", "").0, "ß".repeat(2_000));
}

#[test]
fn the_last_line_counts_seats_from_one() {
    let game = GameState::new(board(), Arc::new(declaration(LENIENT)), 3, 1, 0);
    let rank = |who: u8, score: i64, place: u32| Rank {
        who: Player(who),
        score,
        place,
    };
    let outcome = Outcome {
        reason: "why".to_owned(),
        winners: PlayerSet(0b110),
        ranking: vec![rank(1, 5, 1), rank(2, 5, 1), rank(0, -2, 3)],
    };
    let digest = format!("{:016x}", game.digest());
    let wanted = format!(
        "{{\"line\":\"end\",\"reason\":\"why\",\"winners\":[2,3],\"ranking\":[{{\"seat\":2,\"score\":5,\"place\":1}},\
         {{\"seat\":3,\"score\":5,\"place\":1}},{{\"seat\":1,\"score\":-2,\"place\":3}}],\"answers\":0,\"digest\":\"{digest}\"}}"
    );
    assert_eq!(
        serde_json::to_string(&Line::end(&outcome, &game)).unwrap(),
        wanted
    );
}

#[test]
fn a_header_has_hashes_of_the_bots_that_are_known() {
    let setup = setup(
        "hasbro",
        None,
        &[
            "random",
            "holder",
            "random",
            "greedy",
            "http://127.0.0.1:9/",
        ],
        1,
        &[],
    );
    let head = header(&setup, ("hasbro", "hacker-risk"), LENIENT, 0);
    let mut hashes: Vec<(String, Option<String>)> = head
        .players
        .into_iter()
        .map(|seat| (seat.bot, seat.hash))
        .collect();
    hashes.sort();
    hashes.dedup();
    // The same for the same bot, another for each other one, and none of one elsewhere.
    assert_eq!(hashes.len(), 4, "{hashes:?}");
    for (bot, hash) in &hashes {
        assert_eq!(
            hash.as_ref().map(String::len),
            (!bot.starts_with("http")).then_some(32),
            "{bot}"
        );
    }
    hashes.sort_by(|a, b| a.1.cmp(&b.1));
    hashes.dedup_by(|a, b| a.1 == b.1);
    assert_eq!(hashes.len(), 4, "{hashes:?}");
}

/// Says the first option, and fails at every third question with more said than a record keeps.
struct Talker(u32);

impl Bot for Talker {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.0 += 1;
        if self.0.is_multiple_of(3) {
            return Err(BotFault::strike(FaultKind::Connection, "no".to_owned()));
        }
        Ok(Answer::One(ask.nth(0)))
    }

    fn exchange(&mut self) -> Option<Exchange> {
        Some(Exchange {
            request: "q".repeat(70_000),
            answer: "a".repeat(20_000),
        })
    }
}

#[test]
fn faults_with_long_exchanges_hold_and_forged_ones_do_not() {
    let mut setup = setup("hasbro", None, &["random"; 3], 1, &[("max_turns", "3")]);
    let policy = Strikes {
        limit: 0,
        ..LENIENT
    };
    setup.strikes = Some(policy);
    let mut worker = Worker::new(&setup).unwrap();

    let mut recorder = Recorder::new(
        Vec::new(),
        &header(&setup, ("hasbro", "hacker-risk"), policy, 0),
    );
    let mut bots: Vec<Box<dyn Bot>> = (0..3)
        .map(|_| Box::new(Talker(0)) as Box<dyn Bot>)
        .collect();
    let finished = worker.play_with(0, &mut bots, &mut recorder);
    let text = recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let record = read(&text).unwrap();
    let count = |kind: &str| text.matches(&format!("{{\"line\":\"{kind}\"")).count() as u64;
    assert!(count("fault") > 10 && text.contains("… (70000 bytes in all)"));
    let verified = verify(&record, &mut worker).unwrap();
    assert!(verified.whole && verified.lines == text.lines().count());
    assert_eq!(
        (verified.answers, verified.digests),
        (count("answer"), count("turn") + count("end"))
    );
    // The first line of a kind, what is put in the place of what there, and what is said of it.
    let forged = [
        ("fault", "\"n\":", "\"n\":9", "`n` is 9"),
        ("fault", "\"strikes\":", "\"strikes\":7", "`strikes` is 7"),
        // Another state shows in the digest too: what it comes from is told.
        ("turn", "\"round\":", "\"round\":5", "`round` is 5"),
    ];
    for (kind, from, to, said) in forged {
        let at = text.find(&format!("{{\"line\":\"{kind}\"")).unwrap();
        let unsummed: String = format!("{}{}", &text[..at], text[at..].replacen(from, to, 1))
            .lines()
            .map(|line| format!("{}}}\n", without_sum(line)))
            .collect();
        let unsummed = if kind == "turn" {
            other_digest(&unsummed)
        } else {
            unsummed
        };
        let Err(Refuted::Differs(mismatch)) =
            verify(&read(&summed(&unsummed)).unwrap(), &mut worker)
        else {
            panic!("{to} is believed");
        };
        assert!(mismatch.text.starts_with(said), "{to}: {}", mismatch.text);
    }
}

/// The text with another first digit in its first digest.
fn other_digest(text: &str) -> String {
    let at = text.find("\"digest\":\"").unwrap() + 10;
    let digit = if text[at..].starts_with('0') {
        "1"
    } else {
        "0"
    };
    format!("{}{digit}{}", &text[..at], &text[at + 1..])
}

/// Wants to decide wherever it may, and says another option each time.
struct Chooser(u64);

impl Bot for Chooser {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.0 += 7;
        Ok(Answer::One(ask.nth(self.0 % ask.len())))
    }

    fn wants(&self, _: Phase) -> bool {
        true
    }
}

/// A game of choosers, as a record.
fn chosen(setup: &Setup, worker: &mut Worker<'_>) -> String {
    let head = header(setup, ("r", "m"), worker.decl().strikes, 0);
    let mut recorder = Recorder::new(Vec::new(), &head);
    let mut bots: Vec<Box<dyn Bot>> = (0..setup.bots.len())
        .map(|seat| Box::new(Chooser(seat as u64)) as Box<dyn Bot>)
        .collect();
    let finished = worker.play_with(0, &mut bots, &mut recorder);
    String::from_utf8(
        recorder
            .finish(finished.outcome.as_ref().ok(), &finished.game)
            .unwrap(),
    )
    .unwrap()
}

#[test]
fn what_a_player_may_leave_to_the_rules_and_does_not_is_replayed() {
    let setup = setup("starwars", None, &["random"; 2], 2, &[("max_turns", "200")]);
    let mut worker = Worker::new(&setup).unwrap();
    let text = chosen(&setup, &mut worker);
    assert!(text.contains("\"say\":\"hit "));
    verify(&read(&text).unwrap(), &mut worker).unwrap();
}

#[test]
fn the_replay_of_a_record_that_was_cut_off_adds_no_answers() {
    let setup = setup("warzone", None, &["random"; 3], 1, &[("max_turns", "2")]);
    let mut worker = Worker::new(&setup).unwrap();
    let text = chosen(&setup, &mut worker);
    let ends = text.match_indices('\n').map(|(at, _)| at + 1).take(90);
    for cut in ends.map(|end| read(&text[..end]).unwrap()) {
        let mut playback = Playback::new(&cut, None);
        let game = worker.play_with(0, &mut playback.seats, &mut NullSink).game;
        assert_eq!(playback.mismatch(), None);
        assert!(
            game.answers() <= cut.answers(),
            "{} of {}",
            game.answers(),
            cut.answers()
        );
    }
}

#[test]
fn a_ruleset_that_fails_again_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fails.rhai");
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"fails\" } }\nfn on_conquest(g, me, at) { throw \"no\" }\n";
    std::fs::write(&path, rules).unwrap();
    let mut setup = setup("hasbro", None, &["random"; 3], 1, &[]);
    setup.ruleset = risk_cli::load::ruleset(path.to_str().unwrap()).unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let record = read(&chosen(&setup, &mut worker)).unwrap();
    assert!(!record.is_whole());
    assert!(matches!(
        verify(&record, &mut worker),
        Err(Refuted::Rules(_))
    ));
}
