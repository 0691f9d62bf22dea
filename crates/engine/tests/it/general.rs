//! `general`: its levels, each stronger than the one before, and play on any map.

use risk_bots::{Features, FightTable, PositionModel, TurnEnd};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::ScriptLimits;
use risk_engine::{BuiltIn, MatchSpec, RuleSetup, Setup, Worker, made_for};
use risk_kernel::event::{Event, Status};
use risk_kernel::id::Player;
use risk_kernel::view::View;
use risk_kernel::{Moment, NullSink, Sink};
use risk_maps::files::FileKind;
use risk_testing::facts::has_words;
use risk_testing::games::library;

use risk_testing::games::{position, setup};

/// Returns the wins of each bot, and the faults of all of them.
fn play(setup: &Setup, games: u64) -> (Vec<u32>, u32) {
    let mut worker = Worker::new(setup).unwrap();
    let mut wins = vec![0; setup.bots.len()];
    let mut faults = 0;
    for number in 0..games {
        let seating = setup.seating(number);
        let finished = worker.play(number, &mut NullSink);
        for winner in finished.outcome.unwrap().winners.iter() {
            wins[seating[winner.index()]] += 1;
        }
        faults += (0..seating.len())
            .map(|seat| finished.game.strikes(Player::from_index(seat)))
            .sum::<u32>();
    }
    (wins, faults)
}

#[test]
fn levels_are_part_of_the_name() {
    for spec in [
        "general",
        "general:easy",
        "general:normal",
        "general:hard",
        "general:learned",
    ] {
        let read = BotSpec::parse(library(), spec).unwrap();
        assert_eq!((read.name.as_str(), read.bot.as_str()), (spec, spec));
    }
    // The wrong level, and what the help names.
    for (spec, level, names) in [
        ("general:brutal", "`brutal`", "easy normal hard"),
        ("general:", "``", "easy normal hard"),
        ("odds:hard", "`hard`", "odds"),
    ] {
        let failure = BotSpec::parse(library(), spec).unwrap_err();
        let finding = &failure.findings[0];
        assert_eq!(finding.code, "bot::level", "{spec}");
        assert!(finding.text.contains(level), "{spec}: {finding:?}");
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(has_words(help, names), "{spec}: {help}");
    }
}

#[test]
fn each_level_is_stronger() {
    for (ruleset, bots, least) in [
        ("hasbro", ["general:learned", "general", "general"], 6),
        ("hasbro", ["general", "odds", "holder"], 9),
        ("hasbro", ["general", "general:normal", "general:easy"], 7),
        ("hasbro", ["general:normal", "general:easy", "random"], 8),
        ("hasbro", ["general:easy", "random", "random"], 11),
    ] {
        let setup = setup(ruleset, None, &bots, 3, &[]);
        let (wins, faults) = play(&setup, 12);
        assert!(wins[0] >= least, "{bots:?} won {wins:?}");
        assert_eq!(faults, 0, "{bots:?}");
    }
}

/// Covers small and odd maps, rulesets that extend the standard ones, fog, and games of another
/// kind.
#[test]
fn it_makes_no_faults_anywhere() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets/examples/");
    let example = |name: &str| format!("{examples}{name}.rhai");
    for (ruleset, map, options) in [
        ("hasbro", Some("random:5:1"), &[][..]),
        ("hasbro", Some("ring"), &[("two_players", "true")]),
        ("hasbro", Some("grid:2x3"), &[("max_turns", "40")]),
        ("hasbro", Some("starwars"), &[("max_turns", "40")]),
        ("hasbro", Some("random:150:2"), &[("max_turns", "20")]),
        ("codelab", Some("duel"), &[("manual_setup", "true")]),
        ("simplified", None, &[("allow_pass", "true")]),
        ("simplified", Some("grid:1x6"), &[]),
        (
            &example("fog"),
            None,
            &[("fog", "heavy"), ("max_turns", "60")],
        ),
        (&example("capital"), None, &[]),
        (&example("scored"), None, &[]),
        ("warzone", None, &[("max_turns", "20")]),
        ("warlight2", None, &[("max_turns", "20")]),
    ] {
        let players: &[&str] = match ruleset {
            "warlight2" => &["general", "general:normal"],
            _ => &["general", "general:normal", "general:learned"],
        };
        let setup = setup(ruleset, map, players, 4, options);
        let (_, faults) = play(&setup, 1);
        assert_eq!(faults, 0, "{ruleset} on {map:?}");
    }
}

/// Where gains are small, three generals do not wait for each other forever.
#[test]
fn three_of_them_end_their_games() {
    let setup = setup("codelab", Some("random:5:1"), &["general"; 3], 7, &[]);
    let (wins, faults) = play(&setup, 2);
    assert_eq!((wins.iter().sum::<u32>(), faults), (2, 0));
}

/// The two territories of one player are on either side of a stack that could complete a continent
/// instead.
#[test]
fn a_player_is_ended_who_can_be() {
    let lands = [(0, 9), (1, 1), (2, 3), (2, 20), (2, 20), (1, 1)];
    let set = |(at, (who, armies)): (usize, (i32, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    let land: String = lands.into_iter().enumerate().map(set).collect();
    let set_up = land + "g.push(BEGIN_PHASE, NOBODY);";
    let (_folder, setup) = position(&set_up, 3, &[("max_turns", "1")]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut ended = 0;
    for number in 0..10 {
        let mut bots: Vec<_> = ["general", "random", "random"]
            .iter()
            .map(|bot| worker.bot(bot).unwrap())
            .collect();
        let finished = worker.play_with(number, &mut bots, &mut NullSink);
        let status = finished.game.status(Player(1));
        ended += u32::from(status == Status::Eliminated);
    }
    assert!(ended >= 8, "ended {ended} times in 10 games");
}

/// The lists are written down, because lists of bots must not bind every ruleset.
#[test]
fn bots_know_the_rulesets_that_they_are_made_for() {
    let mut known = Vec::new();
    for ruleset in library().names(FileKind::Ruleset) {
        let rules = RuleSetup::load(library(), ruleset, None, &[]).unwrap();
        let players = rules.ruleset.manifest.players.0;
        let bound = rules.bind(players, &ScriptLimits::default()).unwrap();
        assert!(BuiltIn::Holder.knows(&bound.decl));
        if BuiltIn::from_name("general").unwrap().knows(&bound.decl) {
            known.push(ruleset);
        }
    }
    for name in ["general", "general:easy", "oracle"] {
        assert_eq!(
            BuiltIn::from_name(name).unwrap().made_for(),
            known,
            "{name}"
        );
    }
    assert!(BuiltIn::Holder.made_for().is_empty());
}

#[test]
fn scripts_play_the_rulesets_that_they_are_made_for() {
    let is_made_for = |bot: &str, ruleset: &str| {
        let spec = MatchSpec {
            bots: vec![bot.to_owned()],
            ..MatchSpec::new(ruleset)
        };
        let setup = spec.load(library()).unwrap();
        let players = setup.bots.len();
        let bound = setup.rules.bind(players, &setup.limits);
        let bot = &setup.bots[0].source;
        let known = bot.is_made_for(&setup.rules.ruleset, &bound.unwrap().decl);
        (known, play(&setup, 1).1)
    };
    for bot in library().names(FileKind::Bot) {
        for ruleset in made_for(library().text(FileKind::Bot, bot).unwrap()) {
            let (known, faults) = is_made_for(bot, ruleset);
            assert!(known && faults == 0, "{bot}, {ruleset}: {faults} faults");
        }
    }
    let (known, faults) = is_made_for("marshal", "hasbro");
    assert!(!known && faults > 0);
    assert!(!is_made_for("admiral", "warzone").0);
    assert!(is_made_for("greedy", "hasbro").0);
}

/// The features of the value net are shares, so they have the same sum on any map.
#[test]
fn features_of_all_players_add_up() {
    struct Turns(Vec<Features>);
    impl Sink for Turns {
        fn event(&mut self, moment: Moment<'_>, event: &Event) {
            if let &Event::TurnBegan {
                player: Some(player),
                turn: 2..,
                ..
            } = event
            {
                let view = View::new(moment.facts(), player);
                let scene = PositionModel::new(&view);
                let end = TurnEnd::new(&scene, player.index());
                let features = end.features(&scene, &FightTable::new(None));
                // The player whose turn begins is the first to move.
                let first = features.players.iter().find(|(_, own)| own[15] == 1.0);
                assert_eq!(first.map(|&(seat, _)| seat), Some(player.index()));
                self.0.push(features);
            }
        }
    }
    for map in ["world", "ring", "random:20:1"] {
        let options = [("max_turns", "40")];
        let setup = setup(
            "hasbro",
            Some(map),
            &["general", "odds", "holder"],
            3,
            &options,
        );
        let mut turns = Turns(Vec::new());
        let _ = Worker::new(&setup).unwrap().play(0, &mut turns);
        assert!(turns.0.len() > 5, "{map}");
        for Features { players, common } in turns.0 {
            let sum = |feature: usize| players.iter().map(|(_, own)| own[feature]).sum::<f32>();
            // Territories, armies and income.
            for feature in 0..3 {
                assert!((sum(feature) - 1.0).abs() < 1e-4, "{map}: {feature}");
            }
            assert_eq!(common[0], players.len() as f32 / 6.0);
            let all = players.iter().flat_map(|(_, own)| own).chain(&common);
            assert!(
                all.clone().all(|value| (0.0..=2.0).contains(value)),
                "{map}"
            );
        }
    }
}
