//! Bots and variants of rulesets made of random calls to all functions of scripts. A test plays
//! some of them, a fuzz target any number.

use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{Recorder, header, read, verify};
use risk_engine::script::reference::{Surface, entries};
use risk_engine::script::{Budget, Ruleset, Script, ScriptLimits};
use risk_engine::{BotSource, BuiltIn, RuleSetup, Seats, Setup, Worker, load_script};
use risk_kernel::Limits;
use risk_maps::files::FileKind;
use risk_maps::lint::Levels;
use risk_testing::games::library;

struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(first)
    }

    fn of<'b>(&mut self, all: &[&'b str]) -> &'b str {
        all[self.next() % all.len()]
    }
}

const VALUES: [&str; 16] = [
    "0",
    "1",
    "41",
    "-1",
    "99999",
    "9223372036854775807",
    "\"alaska\"",
    "\"reserve\"",
    "\"attack\"",
    "[]",
    "[0, 1]",
    "#{}",
    "()",
    "0.5",
    "true",
    "|x| x",
];

fn value(choices: &mut Choices<'_>, object: &str, depth: usize) -> String {
    match choices.next() % 4 {
        0 if depth < 3 => call(choices, object, depth + 1),
        1 => choices
            .of(&["me", "at", "x", "view", "ask", "g", "this"])
            .to_owned(),
        _ => choices.of(&VALUES).to_owned(),
    }
}

/// Returns a call of a function of the surface, with arbitrary arguments.
fn call(choices: &mut Choices<'_>, object: &str, depth: usize) -> String {
    let surface = if object == "view" {
        Surface::View
    } else {
        Surface::Game
    };
    let all = entries(surface);
    let entry = &all[(choices.next() * 256 + choices.next()) % all.len()];
    let name = entry.call.split([' ', '(']).next().unwrap_or_default();
    let Some((_, rest)) = entry.call.split_once('(') else {
        return name.to_owned();
    };
    let count = rest
        .split(')')
        .next()
        .unwrap_or_default()
        .split(", ")
        .filter(|part| !part.is_empty())
        .count();
    let arguments: Vec<String> = (0..count).map(|_| value(choices, object, depth)).collect();
    format!("{name}({})", arguments.join(", "))
}

fn body(choices: &mut Choices<'_>, object: &str) -> String {
    let mut text = "let x = 0; ".to_owned();
    for _ in 0..1 + choices.next() % 6 {
        let call = call(choices, object, 0);
        text.push_str(&match choices.next() % 6 {
            0 => format!("x = {call}; "),
            1 => format!("for i in 0..{} {{ {call}; }} ", choices.of(&VALUES)),
            2 => format!("if x == 0 {{ {call}; }} "),
            3 => format!("try {{ {call}; }} catch {{ }} "),
            _ => format!("{call}; "),
        });
    }
    text
}

/// Returns the texts of a bot and of a ruleset, one of which follows the choices.
fn texts(choices: &mut Choices<'_>, kind: usize, base: &str) -> (String, String) {
    let bot = if kind.is_multiple_of(2) {
        let body = body(choices, "view");
        format!(
            "fn answer(view, ask) {{ let me = view.me; let at = 3; let g = view; {body} ask.random() }}"
        )
    } else {
        String::new()
    };
    let hook = choices.of(&[
        "fn on_conquest(g, me, at)",
        "fn on_eliminated(g, me, at)",
        "fn setup(g)",
    ]);
    let start = if hook.contains("setup") {
        "let me = 0; let at = 1; base::setup(g);"
    } else {
        ""
    };
    let body = if kind % 2 == 1 {
        body(choices, "g")
    } else {
        String::new()
    };
    let rules = format!(
        "fn ruleset() {{ #{{ extends: \"{base}\", name: \"fuzzed\" }} }}\n{hook} {{ let view = g; let ask = g; {start} {body} }}"
    );
    (bot, rules)
}

/// Plays some turns of a game made of these choices. Returns the number of answers, if the scripts
/// load.
pub(crate) fn play(data: &[u8]) -> Option<u64> {
    let mut choices = Choices(data);
    let kind = choices.next();
    let base = choices.of(&["hasbro", "codelab", "simplified", "warzone"]);
    let (bot_text, rules) = texts(&mut choices, kind, base);
    let scripts = vec![
        Script::alone("fuzzed", &rules),
        load_script(library(), FileKind::Ruleset, base).expect("the ruleset is built in"),
    ];
    let Ok(ruleset) = Ruleset::read(scripts) else {
        return None;
    };
    let bot = |text: &str| BotSpec {
        name: "bot".to_owned(),
        bot: "bot".to_owned(),
        source: if text.is_empty() {
            BotSource::BuiltIn(BuiltIn::Outnumber)
        } else {
            BotSource::Script(Script::alone("bot", text))
        },
        clock: None,
    };
    let loaded = RuleSetup {
        library: library().clone(),
        options: ruleset.options(&[]).expect("the defaults are values"),
        board: risk_maps::load(library(), "grid:4x3", &Levels::default()).expect("a grid is a map"),
        map_spec: "grid:4x3".to_owned(),
        ruleset_spec: base.to_owned(),
        ruleset,
        assumed: Vec::new(),
    };
    let setup = Setup {
        bots: vec![bot(&bot_text), bot(""), bot("")],
        seed: 1.into(),
        seats: Seats::Fixed,
        limits: ScriptLimits {
            budget: Budget(10_000),
            ..ScriptLimits::default()
        },
        ..Setup::new(loaded, Vec::new())
    };
    let Ok(mut worker) = Worker::new(&setup) else {
        return None;
    };
    worker.limits = LIMITS;
    let head = header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &head);
    let finished = worker.play(0, &mut recorder);
    let record = recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .expect("a short record");
    if finished.outcome.is_ok() && kind / 2 % 4 == 0 {
        replays(
            &setup,
            std::str::from_utf8(&record).expect("a record is text"),
            &bot_text,
            &rules,
        );
    }
    Some(finished.game.answers())
}

const LIMITS: Limits = Limits {
    answers: 120,
    events: 100_000,
    idle: 1_000,
};

fn replays(setup: &Setup, text: &str, bot: &str, rules: &str) {
    let record = read(text).unwrap_or_else(|broken| panic!("{broken:?}\n{bot}\n{rules}\n{text}"));
    let again = record.header.setup(setup.rules.clone());
    let again = Setup {
        limits: setup.limits.clone(),
        ..again.expect("the same ruleset and map")
    };
    let mut worker = Worker::new(&again).expect("it was played before");
    worker.limits = LIMITS;
    match verify(&record, &mut worker) {
        Ok(verified) => assert!(
            verified.whole,
            "{:?}\n{bot}\n{rules}\n{text}",
            record.broken
        ),
        Err(refuted) => panic!("{refuted:?}\n{bot}\n{rules}\n{text}"),
    }
}

/// Changes the last bytes of a seed until its scripts play again: they pick functions by number, so
/// that a new function changes what they say.
fn renewed(seed: &[u8]) -> Vec<u8> {
    use risk_kernel::rng::{Purpose, Stream};
    let mut luck = Stream::new(1, seed.len() as u64, Purpose::Setup);
    for changed in 1..10_000 {
        let mut seed = seed.to_vec();
        let first = seed.len().saturating_sub(1 + changed / 20).max(3);
        seed[first..].fill_with(|| luck.below(256) as u8);
        if play(&seed).is_some() {
            return seed;
        }
    }
    panic!("no change helps");
}

/// The seeds of the fuzz target: one for each ruleset, kind of script and hook.
#[test]
fn seeds_of_scripts_do_no_harm() {
    use risk_testing::by_case::{each, files, root};
    let mut answers: Vec<u64> = Vec::new();
    let all = each(files("fuzz/seeds/scripts"), |path| {
        let seed = std::fs::read(root().join(path)).unwrap();
        let mut played = play(&seed);
        if played.is_none() && std::env::var_os("RISK_RENEW").is_some() {
            let seed = renewed(&seed);
            played = play(&seed);
            std::fs::write(root().join(path), seed).unwrap();
        }
        answers.push(played.expect("each seed is played"));
    });
    assert!(
        !all || answers.len() >= 20 && answers.iter().sum::<u64>() > 500,
        "{answers:?}"
    );
}

#[test]
fn random_scripts_do_no_harm() {
    use risk_kernel::rng::{Purpose, Stream};
    use risk_testing::by_case::each;
    let mut loaded = 0;
    let mut answers = 0;
    let all = each(0..300, |&number| {
        let mut luck = Stream::new(77, number, Purpose::Setup);
        let data: Vec<u8> = (0..80).map(|_| luck.below(256) as u8).collect();
        if let Some(played) = play(&data) {
            loaded += 1;
            answers += played;
        }
    });
    assert!(
        !all || loaded > 100 && answers > 1_000,
        "{loaded} of 300 scripts were played, with {answers} answers"
    );
}
