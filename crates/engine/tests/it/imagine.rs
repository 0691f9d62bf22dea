//! Games that a player imagines: they match what it sees, deal by chance what it does not see, and
//! reveal nothing of that.

use risk_testing::games::library;
use std::collections::BTreeMap;

use risk_engine::record::{Recorder, header, read, verify};
use risk_engine::script::ScriptRules;
use risk_engine::{FirstFaults, Setup, Worker};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Pile, Player};
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::stepper::Stepper;
use risk_kernel::view::View;
use risk_kernel::{HiddenFacts, Tee};
use risk_maps::files::FileKind;

use risk_testing::by_case::each;
use risk_testing::facts::has_words;
use risk_testing::games as support;
use risk_testing::stepped::begin;

/// Returns the cards of all piles, sorted, and the size of each pile.
fn cards(game: &GameState) -> (Vec<Card>, Vec<usize>) {
    let piles = (0..game.decl().piles.len()).map(Pile::from_index);
    let holders = |pile| {
        let seats = game.seats().map(Some).chain([None]);
        seats.map(move |of| (pile, of))
    };
    let piles: Vec<&[Card]> = piles
        .flat_map(holders)
        .map(|(pile, of)| game.pile(pile, of))
        .collect();
    let mut all = piles.concat();
    all.sort_unstable();
    (all, piles.iter().map(|pile| pile.len()).collect())
}

/// The number of decisions after which a game is long enough.
const MOST_DECISIONS: u64 = 1_500;

/// Compares games that this player imagines with the real one.
fn check(stepper: &Stepper, rules: &mut ScriptRules, me: Player, seed: u64) {
    let seen = stepper.view(me).position();
    let one = stepper.imagine(rules, me, seed).unwrap();
    let other = stepper.imagine(rules, me, seed + 1).unwrap();
    // In a secret phase, those who are done are asked again.
    let hidden = HiddenFacts::of(stepper.game().decl());
    let asks_again = !hidden.phases.is_empty() && !rules.imagines();
    let mine = |stepper: &Stepper| {
        let mut all = stepper.decisions().iter();
        all.find(|decision| decision.player == me)
            .map(|decision| format!("{:?}", decision.options))
    };
    assert!(mine(stepper).is_some());
    for copy in [&one, &other] {
        let (mut view, mut seen) = (copy.view(me).position(), seen.clone());
        if asks_again {
            view.frames.clear();
            seen.frames.clear();
        }
        assert_eq!(view, seen, "the view stays as it is");
        assert_eq!(mine(copy), mine(stepper), "the same may be decided");
        assert_eq!(cards(copy.game()), cards(stepper.game()));
        let frame = *copy.game().frame().unwrap();
        if asks_again && hidden.phases.contains(&frame.phase) {
            assert_eq!(frame.players, copy.game().playing());
        } else {
            assert_eq!(copy.game().stack(), stepper.game().stack());
        }
    }
    // Three games with the same view give the same imagined game.
    let again = |game: &Stepper, rules: &mut ScriptRules| {
        let copy = game.imagine(rules, me, seed + 2).unwrap();
        (copy.game().cells(), copy.game().digest())
    };
    let of_real = again(stepper, rules);
    assert_eq!(again(&one, rules), of_real);
    assert_eq!(again(&other, rules), of_real);
    // So does another process, which has only the position.
    let game = stepper.game();
    let elsewhere = View::new(&seen.facts(game.board(), game.decl()).unwrap(), me);
    let elsewhere = elsewhere.imagine(rules, seed + 2).unwrap();
    assert_eq!((elsewhere.cells(), elsewhere.digest()), of_real);
    play_out(one, rules, seed);
}

/// Plays an imagined game on by chance, to check that the ruleset accepts it.
fn play_out(mut game: Stepper, rules: &mut ScriptRules, seed: u64) {
    let mut luck = Stream::new(seed, 1, Purpose::Seats);
    for _ in 0..200 {
        let Some(decision) = game.decisions().first().cloned() else {
            return;
        };
        let action = decision.options.nth(luck.below(decision.options.len()));
        game.apply(rules, decision.player, action).unwrap();
    }
}

/// The cards that have been on each pile of a real game. Cards of one kind are of one sort, as are
/// cards that have been on one pile together.
#[derive(Default)]
struct KnownCards(BTreeMap<(Pile, Option<Player>), std::collections::BTreeSet<Card>>);

impl KnownCards {
    fn of(game: &GameState) -> Self {
        let mut known = Self::default();
        known.see(game);
        known
    }

    fn see(&mut self, game: &GameState) {
        for pile in (0..game.decl().piles.len()).map(Pile::from_index) {
            for of in game.seats().map(Some).chain([None]) {
                let cards = game.pile(pile, of).iter().copied();
                self.0.entry((pile, of)).or_default().extend(cards);
            }
        }
    }

    /// Returns the least card of the sort of each card.
    fn sorts(&self, decl: &Declaration) -> Vec<Card> {
        let first = |kind| {
            decl.cards
                .iter()
                .position(|card| card.kind == kind)
                .unwrap()
        };
        let kinds = decl.cards.iter().map(|card| card.kind);
        let mut sorts: Vec<Card> = kinds.map(|kind| Card::from_index(first(kind))).collect();
        for together in self.0.values() {
            let Some(least) = together.iter().map(|card| sorts[card.index()]).min() else {
                continue;
            };
            let merged: Vec<Card> = together.iter().map(|card| sorts[card.index()]).collect();
            for sort in &mut sorts {
                if merged.contains(sort) {
                    *sort = least;
                }
            }
        }
        sorts
    }

    /// Checks that imagined games have no card on a pile where none of its sort ever was.
    fn allows(&self, imagined: &Self, decl: &Declaration) {
        let sorts = self.sorts(decl);
        for (place, found) in &imagined.0 {
            let were: Vec<Card> = self.0[place]
                .iter()
                .map(|card| sorts[card.index()])
                .collect();
            for card in found {
                assert!(were.contains(&sorts[card.index()]), "{card:?} on {place:?}");
            }
        }
    }
}

/// Plays a game with the setup's bots, and checks imagined games every few decisions.
fn walk(setup: &Setup, wanted: usize) {
    let (mut rules, mut stepper, mut table) = begin(setup, 0);
    let mut looked = 0;
    let mut decided = 0;
    let mut known = KnownCards::of(stepper.game());
    let mut imagined = KnownCards::default();
    while let Some(decision) = stepper.decisions().first().cloned()
        && decided < MOST_DECISIONS
    {
        known.see(stepper.game());
        if decided % 23 == 0 {
            for decision in stepper.decisions().to_vec() {
                check(&stepper, &mut rules, decision.player, decided);
                let game = stepper.imagine(&mut rules, decision.player, decided);
                imagined.see(game.unwrap().game());
                looked += 1;
            }
        }
        decided += 1;
        let action = table.answer(&stepper, &decision);
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
    assert!(looked >= wanted, "{looked} looks");
    known.allows(&imagined, stepper.game().decl());
}

#[test]
fn every_ruleset_can_be_imagined() {
    each(library().names(FileKind::Ruleset), |ruleset| {
        let manifest = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest;
        let folder = support::tiny();
        let tiny = folder.path().join("tiny.yaml");
        let map = if *ruleset == "starwars" {
            "starwars"
        } else {
            tiny.to_str().unwrap()
        };
        let (least, most) = manifest.players;
        for count in [least, 3_usize.clamp(least, most)] {
            let setup = support::setup(
                ruleset,
                Some(map),
                &vec!["random"; count],
                5,
                &[("max_turns", "40")],
            );
            walk(&setup, 4);
        }
    });
}

/// Hands fill up as players conquer land: no mission is in a hand, and no territory card is a
/// mission.
#[test]
fn missions_stay_missions() {
    for number in 0..3 {
        let bots = ["outnumber"; 4];
        let setup = support::setup("missions", None, &bots, number, &[("max_turns", "60")]);
        walk(&setup, 5);
    }
}

#[test]
fn what_fog_hides_is_made_up() {
    for fog in ["light", "normal", "dense"] {
        let options = [("fog", fog), ("max_turns", "30")];
        let setup = support::setup("warzone", None, &["random"; 3], 5, &options);
        walk(&setup, 20);
    }
    let setup = support::setup("warlight2", Some("random:40:2"), &["random"; 2], 5, &[]);
    walk(&setup, 20);
}

/// Returns codelab with these declarations.
fn codelab_with(declared: &str) -> String {
    format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"dark\", about: \"-\", {declared} }} }}\n"
    )
}

#[test]
fn hidden_facts_are_guessed_without_the_hook() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rulesets/");
    let of_reports = concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/rulesets/");
    let folder = support::tiny();
    let dark = [
        "sight: #{ units: \"near\" },",
        "sight: #{ units: \"near\", owners: \"near\" },",
        "counters: #{ own: \"owner\", unseen: \"nobody\" },",
    ];
    let mut rows: Vec<String> = Vec::new();
    for (number, declared) in dark.into_iter().enumerate() {
        let path = folder.path().join(format!("dark{number}.rhai"));
        std::fs::write(&path, codelab_with(declared)).unwrap();
        rows.push(path.to_str().unwrap().to_owned());
    }
    let untuned = [
        "auction",
        "majority",
        "evacuation",
        "ring_race",
        "terrain",
        "frontier",
        "parley",
    ];
    rows.extend(untuned.map(|name| format!("{own}{name}.rhai")));
    rows.extend(["support", "plague"].map(|name| format!("{of_reports}{name}.rhai")));
    each(&rows, |ruleset| {
        for players in 2..=4 {
            let setup = support::setup(ruleset, None, &vec!["random"; players], 5, &[]);
            walk(&setup, 1);
        }
    });
    // Closed borders belong to what a player sees.
    let (winter, map) = (format!("{own}winter.rhai"), format!("{own}straits.yaml"));
    walk(
        &support::setup(&winter, Some(&map), &["random"; 3], 5, &[]),
        3,
    );
}

#[test]
fn guesses_fill_in_what_is_hidden() {
    let folder = support::tiny();
    let path = folder.path().join("dark.rhai");
    let declared = "sight: #{ units: \"near\", owners: \"near\" }, counters: #{ gold: \"owner\" },";
    let hook =
        "fn setup(g) { base::setup(g); for who in g.players { g.set(who, GOLD, 5 + who); } }";
    std::fs::write(&path, codelab_with(declared) + hook).unwrap();
    let setup = support::setup(path.to_str().unwrap(), None, &["random"; 3], 5, &[]);
    let (mut rules, mut stepper, mut table) = begin(&setup, 0);
    while stepper.game().round() < 3 {
        let decision = stepper.decisions()[0].clone();
        let action = table.answer(&stepper, &decision);
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
    let me = stepper.decisions()[0].player;
    let gold = stepper.game().decl().counter("gold").unwrap();
    let imagined = stepper.view(me).imagine(&mut rules, 1).unwrap();
    for at in imagined.board().territories() {
        assert!(
            imagined.owner(at).is_some() && imagined.armies(at) > 0,
            "{at:?}"
        );
    }
    for player in imagined.seats() {
        assert!(imagined.territory_count(player) > 0, "{player:?}");
        assert_eq!(imagined.counter(gold, Some(player)), 5 + i64::from(me.0));
        assert_eq!(
            stepper.game().counter(gold, Some(player)),
            5 + i64::from(player.0)
        );
    }
    let visible = stepper.view(me).imagine_visible(&mut rules, 1).unwrap();
    assert!(
        visible
            .board()
            .territories()
            .any(|at| visible.owner(at).is_none())
    );
}

/// The rules choose for a bot if they fail in a game that it imagines. This is no strike, and the
/// record says what happened.
#[test]
fn a_hook_that_fails_in_an_imagined_game_is_not_the_bots_fault() {
    let folder = support::tiny();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (ruleset, bot) = (path("dreams.rhai"), path("dreamer.rhai"));
    let hook = "fn imagine(g, me) { throw \"no dreams\"; }\n";
    std::fs::write(&ruleset, codelab_with("") + hook).unwrap();
    let answers = [
        ("view.imagine(); ask.random()", FaultKind::Rules),
        (
            "try { view.imagine(); } catch { } throw \"me\"",
            FaultKind::Script,
        ),
        ("view.imagine().apply(7); ask.random()", FaultKind::Rules),
    ];
    for (answer, kind) in answers {
        std::fs::write(&bot, format!("fn answer(view, ask) {{ {answer} }}")).unwrap();
        let options = [("max_turns", "6")];
        let setup = support::setup(&ruleset, None, &[&bot, "random"], 5, &options);
        let mut worker = Worker::new(&setup).unwrap();
        let mut recorder = Recorder::new(Vec::new(), &header(&worker, 0));
        let mut faults = FirstFaults::default();
        let finished = worker.play(0, &mut Tee(vec![&mut recorder, &mut faults]));
        assert!(finished.outcome.is_ok());
        let fault = &faults.faults[0];
        assert_eq!(fault.kind, kind, "{answer}: {}", fault.text);
        let is_struck = finished.game.strikes(Player(0)) > 0;
        assert_eq!(is_struck, kind != FaultKind::Rules, "{answer}");
        let text = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
        let record = read(&String::from_utf8(text.unwrap()).unwrap()).unwrap();
        assert_eq!(record.broken, None, "{answer}");
        assert!(verify(&record, &mut worker).unwrap().whole, "{answer}");
    }
}

/// Returns a game of hasbro in which the second player holds this many cards.
fn with_cards(hands: usize) -> (ScriptRules, Stepper) {
    let setup = support::setup("hasbro", None, &["outnumber"; 3], 3, &[]);
    let (mut rules, mut stepper, mut table) = begin(&setup, 0);
    loop {
        let decision = stepper.decisions().first().cloned().unwrap();
        let hand = stepper.game().decl().pile("hand").unwrap();
        let held = stepper.game().pile(hand, Some(Player(1))).len();
        if held == hands && decision.player == Player(0) {
            return (rules, stepper);
        }
        let action = table.answer(&stepper, &decision);
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
}

#[test]
fn hidden_cards_are_dealt_evenly() {
    const DEALS: u64 = 4_000;
    let (mut rules, stepper) = with_cards(2);
    let hand = stepper.game().decl().pile("hand").unwrap();
    let deck = stepper.game().decl().pile("deck").unwrap();
    let mut held: BTreeMap<Card, u64> = BTreeMap::new();
    let view = stepper.view(Player(0));
    for seed in 0..DEALS {
        let game = view.imagine(&mut rules, seed).unwrap();
        for &card in game.pile(hand, Some(Player(1))) {
            *held.entry(card).or_default() += 1;
        }
    }
    let game = stepper.game();
    let unseen = game.pile(deck, None).len()
        + game.pile(hand, Some(Player(1))).len()
        + game.pile(hand, Some(Player(2))).len();
    assert_eq!(held.len(), unseen, "each hidden card is dealt at times");
    let expected = (DEALS * 2) as f64 / unseen as f64;
    let chi: f64 = held
        .values()
        .map(|&count| (count as f64 - expected).powi(2) / expected)
        .sum();
    // The mean is the degrees of freedom; five standard deviations are allowed.
    let free = unseen as f64 - 1.0;
    assert!((chi - free).abs() < 5.0 * (2.0 * free).sqrt(), "{chi}");
}

#[test]
fn a_hook_that_fails_in_an_imagined_game_is_named() {
    let rows = [
        (
            "",
            "fn imagine(g, me) { g.push(ATTACK_PHASE, me); }",
            "imagine phases",
        ),
        (
            "",
            "fn imagine(g, me) { g.deal_among(me, (me + 1) % 3, HAND, []); throw \"so far\"; }",
            "so far",
        ),
    ];
    for (declared, hook, wanted) in rows {
        let folder = support::tiny();
        let path = folder.path().join("position.rhai");
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"position\", about: \"-\", {declared} }} }}\n{hook}\n"
        );
        std::fs::write(&path, text).unwrap();
        let setup = support::setup(path.to_str().unwrap(), None, &["random"; 3], 1, &[]);
        let (mut rules, stepper, _) = begin(&setup, 0);
        let me = stepper.decisions()[0].player;
        let fault = stepper.imagine(&mut rules, me, 1).unwrap_err();
        assert!(has_words(fault.text(), wanted), "{fault}");
    }
}
