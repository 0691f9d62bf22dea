//! A bot that requests everything in line-JSON knows as much as one within the program, and invalid
//! messages are refused.

use std::sync::Arc;

use risk_engine::{Worker, hosted};
use risk_kernel::action::Options;
use risk_kernel::board::Board;
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, NullSink, Preferences, RuleQueries};
use risk_maps::lint::{LINTS, Levels};
use risk_maps::map::check;
use risk_text::diag::{Level, TextFile};
use risk_wire::line_json::{AskMessage, GameMessage, PROTOCOL};
use risk_wire::{Codec, Question};
use serde_json::{Map, Value, json};

/// Plays at random, and compares line-JSON's messages with the game.
struct LineJsonChecker {
    codec: Box<dyn Codec>,
    game: Option<GameMessage>,
    rng: Option<Stream>,
    asked: u64,
}

fn object(body: &str) -> Map<String, Value> {
    let Value::Object(message) = serde_json::from_str(body).unwrap() else {
        panic!("{body}");
    };
    message
}

impl Bot for LineJsonChecker {
    fn start(&mut self, view: &View, rng: Stream) {
        let names: Vec<String> = (0..view.players()).map(|seat| format!("p{seat}")).collect();
        self.codec.start(&names, rng.clone());
        let message = self.codec.game(view, false).unwrap();
        let game = GameMessage::read(object(&message.body)).unwrap();
        let seen = game.view(view.shared_board(), view.decl()).unwrap();
        game.fits(&seen).unwrap();
        assert_eq!(seen.position(), view.position());
        let levels = Levels::new(
            LINTS
                .iter()
                .filter(|it| !it.hard)
                .map(|it| (it.code, Level::Allow)),
            false,
        );
        let map = check(&TextFile::new("m", &game.map), &levels.unwrap().into())
            .board
            .unwrap();
        let board = view.board();
        let of_groups =
            |board: &Board| Vec::from_iter(board.groups().iter().map(|it| it.data.clone()));
        assert_eq!(
            (map.data(), of_groups(&map)),
            (board.data(), of_groups(board))
        );
        let mut told = game.stream.clone().unwrap();
        let mut own = rng.clone();
        assert_eq!([told.word(), told.word()], [own.word(), own.word()]);
        self.game = Some(game);
        self.rng = Some(rng);
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            listens: true,
            ..self.codec.preferences()
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let message = object(&self.codec.saw(view, event, true).unwrap().body);
        let game = self.game.as_ref().unwrap();
        let seen = game.state(view, &message).unwrap().unwrap();
        assert_eq!(seen.position(), view.position(), "{event:?}");
        assert_eq!(GameMessage::events(&seen, &message).unwrap().len(), 1);
    }

    fn try_next(
        &mut self,
        _: &View,
        _: &mut dyn RuleQueries,
    ) -> Option<risk_kernel::action::Action> {
        None
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let Question::Ask(message) = self.codec.question(view, options).unwrap() else {
            panic!("line-JSON asks");
        };
        let (board, decl) = (view.shared_board(), view.decl());
        let read =
            |message: &str| AskMessage::read(board, decl, view.me(), view.players(), message);
        let there = read(&message.body).unwrap();
        assert_eq!(
            View::new(&there.facts, view.me()).position(),
            view.position()
        );
        let (ask, here) = (&there.options, options);
        assert_eq!((ask.len(), ask.plans()), (here.len(), here.plans()));
        for number in (0..ask.len()).step_by(1 + ask.len() as usize / 50) {
            assert_eq!(ask.nth(number), here.nth(number));
        }
        for number in (0..ask.plans()).step_by(1 + ask.plans() as usize / 50) {
            assert_eq!(ask.nth_plan(number), here.nth_plan(number));
        }
        self.asked += 1;
        if self.asked % 40 == 1 {
            let whole: Value = serde_json::from_str(&message.body).unwrap();
            for path in paths(&whole) {
                for wrong in [
                    json!(null),
                    json!(-1),
                    json!(1_u64 << 40),
                    json!("x"),
                    json!([[]]),
                ] {
                    let mut broken = whole.clone();
                    *broken.pointer_mut(&path).unwrap() = wrong;
                    // An error or another question is fine, a panic is not.
                    let _ = read(&broken.to_string());
                }
            }
        }
        let rng = self.rng.as_mut().unwrap();
        Ok(Answer::One(options.nth(rng.below(options.len()))))
    }
}

/// Returns the JSON Pointers of all values in a message; of long lists only some.
fn paths(value: &Value) -> Vec<String> {
    let mut all = vec![String::new()];
    let nested: Vec<(String, &Value)> = match value {
        Value::Object(keys) => keys
            .iter()
            .map(|(key, value)| (key.clone(), value))
            .collect(),
        Value::Array(items) => {
            let some = items.iter().enumerate().step_by(1 + items.len() / 3);
            some.map(|(index, value)| (index.to_string(), value))
                .collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in nested {
        all.extend(paths(value).into_iter().map(|path| format!("/{key}{path}")));
    }
    all
}

#[test]
fn nothing_is_lost_on_the_way_to_a_bot_that_wants_all() {
    let rulesets = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/rulesets/");
    let (winter, straits) = (
        &*format!("{rulesets}winter.rhai"),
        &*format!("{rulesets}straits.yaml"),
    );
    let frontier = &*format!("{rulesets}frontier.rhai");
    let plague = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../report/tests/rulesets/plague.rhai"
    );
    for (ruleset, players, options) in [
        ("hasbro", 3, &[("max_turns", "12")][..]),
        ("fog", 3, &[("max_turns", "9")]),
        ("warzone", 3, &[("max_turns", "6")]),
        ("codelab", 2, &[("max_turns", "12")]),
        ("simplified", 3, &[]),
        ("starwars", 2, &[("max_turns", "12")]),
        (winter, 3, &[("max_turns", "12")]),
        (frontier, 3, &[("max_turns", "12")]),
        (plague, 3, &[("max_turns", "12")]),
    ] {
        let bots = vec!["random"; players];
        let map = (ruleset == winter).then_some(straits);
        let setup = risk_testing::games::setup(ruleset, map, &bots, 5, options);
        let mut worker = Worker::new(&setup).unwrap();
        let decl = Arc::clone(worker.decl());
        let optional = decl.phases.iter().filter(|phase| phase.optional);
        let optional: Vec<&str> = optional.map(|phase| phase.name.as_str()).collect();
        // With words, and with numbers instead of them.
        let all = ["events", "states", "plans", "course", "indices"];
        let wants = &all[..if players == 2 { 5 } else { 4 }];
        let hello = json!({
            "protocol": 1, "wants": wants, "phases": optional,
        });
        let bot = || {
            let mut codec = (PROTOCOL.codec)(&decl, 0).unwrap();
            codec.greeted(&hello.to_string()).unwrap();
            LineJsonChecker {
                codec,
                game: None,
                rng: None,
                asked: 0,
            }
        };
        let mut seats: Vec<_> = (0..players).map(|_| hosted(bot())).collect();
        let finished = worker.play_with(0, &mut seats, &mut NullSink);
        assert!(
            finished.outcome.is_ok(),
            "{ruleset}: {:?}",
            finished.outcome
        );
        assert!(finished.game.answers() > 20, "{ruleset}");
    }
}
