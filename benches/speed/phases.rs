//! The loop alone, each standard phase, and hooks of a ruleset.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use risk_kernel::action::{Domain, LegalAction, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, PhaseInfo, SlotKind, VerbInfo};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::{Phase, Player, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::rng::GameKey;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Answer, Bot, Limits, Moment, NullSink, Rules, Sink, play};

use crate::groups::{board, games_of, setup, turns, worker};
use crate::{Row, compare};

/// Rules with one player in one phase, asked forever.
struct EndlessRules;

impl Rules for EndlessRules {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        game.push_for(Phase(0), Player(0), [0; 3])
    }

    fn enter(&mut self, _: &mut GameState, _: &Frame) -> Result<(), RuleFault> {
        Ok(())
    }

    fn options(&mut self, _: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        out.offer(Verb(0), &[Domain::Is(0)]);
        Ok(())
    }

    fn apply(
        &mut self,
        _: &mut GameState,
        _: &Frame,
        _: Player,
        _: LegalAction,
    ) -> Result<(), RuleFault> {
        Ok(())
    }
}

struct FirstOptionBot;

impl Bot for FirstOptionBot {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(ask.nth(0)))
    }
}

pub(crate) fn empty_loop() {
    let declaration = Declaration {
        verbs: vec![VerbInfo::new("wait", &[("any", SlotKind::Count)])],
        phases: vec![PhaseInfo::new("waiting")],
        ..Declaration::new("nothing")
    };
    let (declaration, board): (_, Arc<Board>) = (Arc::new(declaration), board("world"));
    let row = Row::new("a ruleset that does nothing", move || {
        let game = GameState::new(
            Arc::clone(&board),
            Arc::clone(&declaration),
            1,
            GameKey::of_numbers(1, 0),
        );
        let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(FirstOptionBot)];
        let limits = Limits {
            answers: 10_000,
            ..Limits::default()
        };
        play(
            game,
            GameKey::of_numbers(1, 0),
            &mut EndlessRules,
            &mut bots,
            &mut NullSink,
            limits,
        )
        .game
        .answers()
    });
    compare("loop: alone", "decision", vec![row]);
}

/// States of each phase with a question, with their frames.
#[derive(Default)]
struct States(BTreeMap<String, GameState>);

impl Sink for States {
    fn event(&mut self, moment: Moment<'_>, _: &Event) {
        let game: &GameState = &moment;
        if let Some(top) = game.frame().filter(|top| !top.players.is_empty()) {
            let name = &game.decl().phases[top.phase.index()].name;
            if !self.0.contains_key(name) {
                self.0.insert(name.clone(), game.clone());
            }
        }
    }
}

/// Each standard phase of hasbro: its options and one answer, on a copy of a state.
pub(crate) fn standard_phases() {
    let mut states = States::default();
    worker(setup("hasbro", None, &["random"; 3], &[])).play(1, &mut states);
    let mut rows = Vec::new();
    for (name, game) in states.0 {
        let frame = *game.frame().expect("the state was kept for its frame");
        let Some(who) = frame.players.iter().next() else {
            continue;
        };
        let facts = Facts::new(game);
        if rows.is_empty() {
            let facts = facts.clone();
            rows.push(Row::new("a copy of a state, and nothing else", move || {
                black_box(GameState::clone(&facts));
                1
            }));
        }
        let mut worker = worker(setup("hasbro", None, &["random"; 3], &[]));
        let mut ask = Options::new();
        worker
            .rules_mut()
            .options(Asked::new(&facts, &frame, who), &mut ask)
            .expect("hasbro has options");
        if ask.is_empty() {
            continue;
        }
        rows.push(Row::new(
            format!("{name}: a copy, its options, one answer"),
            move || {
                ask.clear();
                worker
                    .rules_mut()
                    .options(Asked::new(&facts, &frame, who), &mut ask)
                    .expect("hasbro has options");
                let legal = ask
                    .admit(ask.nth(ask.len() / 2))
                    .expect("an option is an option");
                let mut game = GameState::clone(&facts);
                worker
                    .rules_mut()
                    .apply(&mut game, &frame, who, legal)
                    .expect("hasbro does what it offers");
                black_box(game);
                1
            },
        ));
    }
    compare("phases: standard, of hasbro", "decision", rows);
}

/// The cost of a ruleset's hooks that run once in each turn.
pub(crate) fn hooks() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rows = vec![games_of(
        "standard(\"next_turn\")",
        setup("codelab", None, &["outnumber"; 2], &[]),
        turns,
    )];
    let bodies = [
        ("a hook that does the same", ""),
        (
            "and 100 calls of a table",
            "for i in 0..100 { attack_dice(2); }",
        ),
        ("and 100 queries", "for i in 0..100 { g.armies(7); }"),
        ("and one bulk query", "g.fronts(me);"),
    ];
    for (index, (name, body)) in bodies.into_iter().enumerate() {
        let path = folder.path().join(format!("hook{index}.rhai"));
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"hook\", phases: #{{ turn_end: script() }} }} }}\n\
             fn turn_end_enter(g, me) {{ {body} g.next_turn(me); }}\n"
        );
        std::fs::write(&path, text).expect("a file");
        rows.push(games_of(
            name,
            setup(path.to_str().expect("a path"), None, &["outnumber"; 2], &[]),
            turns,
        ));
    }
    compare("hooks: one in each turn of codelab", "turn", rows);
}
