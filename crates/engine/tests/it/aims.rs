//! What bots are after: the truth about their plans, and no influence on their games.

use std::cell::RefCell;
use std::rc::Rc;

use risk_engine::{HostedBot, Setup, Worker, hosted};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Player, Territory};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Aim, Answer, Bot, NullSink, Preferences, RuleQueries};
use risk_testing::games::{position, setup, tiny};

/// The aims of a bot by the name of its action's verb, or the text of the fault.
type Told = Rc<RefCell<Vec<(String, Result<Option<Aim>, String>)>>>;

/// A bot that is asked for its aim after each answer.
struct AskedBot {
    bot: Box<dyn HostedBot>,
    told: Told,
}

impl AskedBot {
    fn ask(&mut self, view: &View, action: Action) {
        let aim = self.bot.aim(view, action);
        let again = self.bot.aim(view, action);
        let aim = aim.map_err(|fault| fault.to_string());
        assert_eq!(aim, again.map_err(|fault| fault.to_string()));
        let verb = view.decl().verbs[action.verb.index()].name.clone();
        self.told.borrow_mut().push((verb, aim));
    }
}

impl Bot for AskedBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
    }

    fn preferences(&self) -> Preferences<'_> {
        self.bot.preferences()
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let answer = self.bot.answer(view, options)?;
        match &answer {
            Answer::One(action) => self.ask(view, *action),
            Answer::Steps(steps) => self.ask(view, steps[0]),
        }
        Ok(answer)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let action = self.bot.try_next(view, rules)?;
        self.ask(view, action);
        Some(action)
    }
}

/// Plays a game with one bot at the first seat, and `outnumber` at all other seats. Returns the
/// digest, and what the bot was after.
fn played(setup: &Setup, bot: &str, is_asked: bool) -> (u64, Told) {
    let mut worker = Worker::new(setup).unwrap();
    let told = Told::default();
    let mut bot = worker.bot(bot).unwrap();
    if is_asked {
        bot = hosted(AskedBot {
            bot,
            told: Rc::clone(&told),
        });
    }
    let mut bots = vec![bot];
    for _ in 1..setup.bots.len() {
        bots.push(worker.bot("outnumber").unwrap());
    }
    let finished = worker.play_with(0, &mut bots, &mut NullSink);
    assert!(finished.outcome.is_ok());
    assert_eq!(finished.game.strikes(Player(0)), 0);
    (finished.game.digest(), told)
}

#[test]
fn aims_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let moody = folder.path().join("moody.rhai");
    let script = "fn answer(view, ask) { this.asked = view.random(9); ask.random() }
fn aim(view, action) {
    this.asked = 1;
    let chance = view.random(2);
    #{ take: [view.random(TERRITORIES)], chance: chance, left: () }
}
";
    std::fs::write(&moody, script).unwrap();
    let options = [("max_turns", "40")];
    for (ruleset, bot) in [
        ("hasbro", "general"),
        ("hasbro", "general:easy"),
        ("hasbro", "oracle:10"),
        ("hasbro", "planner"),
        ("codelab", "planner"),
        ("missions", "agent"),
        ("codelab", moody.to_str().unwrap()),
    ] {
        let setup = setup(ruleset, None, &["random"; 3], 5, &options);
        let (digest, told) = played(&setup, bot, true);
        assert_eq!(played(&setup, bot, false).0, digest, "{bot}");
        let told = told.borrow();
        let attacks = told.iter().filter(|(verb, _)| verb == "attack");
        for (_, aim) in attacks {
            let aim = aim.as_ref().unwrap().as_ref();
            let aim = aim.unwrap_or_else(|| panic!("{bot} attacks without an aim"));
            assert!(!aim.take.is_empty(), "{bot}: {aim:?}");
            assert!((0.0..=1.0).contains(&aim.chance.unwrap()), "{bot}: {aim:?}");
        }
        assert!(told.iter().any(|(verb, _)| verb == "attack"), "{bot}");
    }
}

/// The two territories of one player are on either side of a stack.
#[test]
fn an_elimination_is_named() {
    let lands = [(0, 9), (1, 1), (2, 3), (2, 20), (2, 20), (1, 1)];
    let set = |(at, (who, armies)): (usize, (i32, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    let land: String = lands.into_iter().enumerate().map(set).collect();
    let set_up = land + "g.push(BEGIN_PHASE, NOBODY);";
    let (_folder, setup) = position(&set_up, 3, &[("max_turns", "1")]);
    for bot in ["general", "oracle:10"] {
        let (_, told) = played(&setup, bot, true);
        let told = told.borrow();
        let (verb, aim) = &told[0];
        let aim = aim.as_ref().unwrap().as_ref().unwrap();
        assert_eq!(verb, "place", "{bot}");
        assert_eq!(aim.target, Some(Player(1)), "{bot}: {aim:?}");
        for at in [Territory(1), Territory(5)] {
            assert!(aim.take.contains(&at), "{bot}: {aim:?}");
        }
        assert!(aim.hold.is_empty() && aim.chance.unwrap() > 0.7, "{aim:?}");
    }
}

/// A value of the hook, and facts in the fault.
const WRONG: [(&str, &[&str]); 8] = [
    ("3", &["`aim`", "map"]),
    ("#{ taek: [0] }", &["`taek`", "`take`"]),
    ("#{ take: 0 }", &["`take`", "array"]),
    ("#{ take: [TERRITORIES] }", &["`take`", "territories"]),
    ("#{ hold: [\"a\"] }", &["`hold`", "territories"]),
    ("#{ target: PLAYERS }", &["`target`", "player"]),
    ("#{ chance: 2 }", &["`chance`", "0 to 1"]),
    ("view.armies(99)", &["wrong.rhai:2:"]),
];

#[test]
fn a_fault_in_an_aim_is_no_strike() {
    let folder = tiny();
    let map = folder.path().join("tiny.yaml");
    let bot = folder.path().join("wrong.rhai");
    let setup = setup(
        "codelab",
        map.to_str(),
        &["random"; 2],
        5,
        &[("max_turns", "4")],
    );
    for (value, facts) in WRONG {
        let script = format!(
            "fn answer(view, ask) {{ ask.random() }}\nfn aim(view, action) {{ {value} }}\n"
        );
        std::fs::write(&bot, script).unwrap();
        let (_, told) = played(&setup, bot.to_str().unwrap(), true);
        let told = told.borrow();
        let text = told[0].1.as_ref().unwrap_err();
        for fact in facts {
            assert!(text.contains(fact), "{value}: {text}");
        }
    }
    for value in ["()", "#{}", "#{ target: NOBODY, chance: (), left: () }"] {
        let script = format!(
            "fn answer(view, ask) {{ ask.random() }}\nfn aim(view, action) {{ {value} }}\n"
        );
        std::fs::write(&bot, script).unwrap();
        let (_, told) = played(&setup, bot.to_str().unwrap(), true);
        assert_eq!(told.borrow()[0].1, Ok(None), "{value}");
    }
}
