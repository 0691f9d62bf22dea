//! Bounds, the short way to know whether an action is offered, agree with the options: in every
//! phase of every ruleset, for all actions that are offered and all that bounds admit.

use risk_testing::games::library;
use std::collections::{BTreeMap, BTreeSet};

use risk_engine::script::ScriptRules;
use risk_kernel::Rules;
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::Verb;
use risk_kernel::phases::Asked;
use risk_kernel::stepper::Decision;
use risk_kernel::view::Facts;
use risk_maps::files::FileKind;

use risk_testing::by_case::each;
use risk_testing::games as support;
use risk_testing::stepped::begin;

/// Returns the lists of all parameters but the last that a verb might have, with some that no board
/// knows.
fn prefixes(facts: &Facts, verb: Verb) -> Vec<Vec<i32>> {
    let slots = &facts.decl().verbs[verb.index()].slots;
    let mut all = vec![Vec::new()];
    for (_, kind) in slots.iter().take(slots.len().saturating_sub(1)) {
        let count = match kind {
            SlotKind::Territory => facts.board().len(),
            SlotKind::Continent => facts.board().continents().len(),
            SlotKind::Player => facts.players(),
            SlotKind::Card => facts.decl().cards.len(),
            SlotKind::Unit => facts.decl().units.len(),
            SlotKind::Count => 4,
        };
        let values = -1..=count as i32;
        all = all
            .iter()
            .flat_map(|given| values.clone().map(|value| [&given[..], &[value]].concat()))
            .collect();
    }
    all
}

#[derive(Default)]
struct BoundsCoverage {
    /// Phases with known bounds.
    phases: BTreeSet<String>,
    /// Actions with known bounds: refused and admitted.
    known: [u64; 2],
    /// Decisions with known verbs.
    verbs: u64,
}

impl BoundsCoverage {
    fn decision(&mut self, rules: &mut ScriptRules, facts: &Facts, decision: &Decision) {
        let Decision {
            player: who,
            ref options,
        } = *decision;
        let frame = facts.frame().unwrap();
        let asked = Asked::new(facts, frame, who);
        let verbs = rules.verbs(frame);
        let mut offered = options.offers().iter().map(|offer| offer.verb);
        assert!(
            verbs.is_empty() || offered.all(|verb| verbs.contains(&verb)),
            "{frame:?}: {verbs:?} {options:?}"
        );
        self.verbs += u64::from(!verbs.is_empty());
        // All options, or up to 500 from one end to the other.
        let step = options.len().div_ceil(500);
        for number in (0..options.len()).step_by(step as usize) {
            let offered = options.nth(number);
            let given = &offered.args()[..offered.args().len().saturating_sub(1)];
            let bounds = rules.bounds_of(asked, offered.verb, given).unwrap();
            let admitted = bounds == Bounds::Unknown || bounds.admit(offered).is_some();
            assert!(admitted, "{frame:?} {offered:?} is offered; {bounds:?}");
            let of_options = options.bounds_of(offered.verb, given).admit(offered);
            assert!(of_options.is_some(), "{frame:?} {offered:?}");
        }
        for verb in (0..facts.decl().verbs.len()).map(Verb::from_index) {
            for given in prefixes(facts, verb) {
                let bounds = rules.bounds_of(asked, verb, &given).unwrap();
                if let Bounds::Span { low, high } = bounds {
                    self.span(options, (verb, &given), (low, high), facts);
                    let phase = &facts.decl().phases[frame.phase.index()].name;
                    self.phases.insert(phase.clone());
                }
            }
        }
    }

    /// Checks every last parameter within bounds, and some on both sides of them.
    fn span(
        &mut self,
        options: &Options,
        (verb, given): (Verb, &[i32]),
        (low, high): (i32, i32),
        facts: &Facts,
    ) {
        let bounds = Bounds::Span { low, high };
        let slots = facts.decl().verbs[verb.index()].slots.len();
        let last = if slots == 0 {
            vec![None]
        } else {
            (low.min(high) - 2..=high.max(low) + 2).map(Some).collect()
        };
        for value in last {
            let args: Vec<i32> = given.iter().copied().chain(value).collect();
            let action = Action::new(verb, &args);
            let legal = options.admit(action).is_ok();
            assert_eq!(
                bounds.admit(action).is_some(),
                legal,
                "{action:?} {bounds:?}"
            );
            self.known[usize::from(legal)] += 1;
        }
    }
}

fn walk(ruleset: &str) -> BoundsCoverage {
    let folder = support::tiny();
    let tiny = folder.path().join("tiny.yaml");
    let manifest = risk_engine::load_ruleset(library(), ruleset)
        .unwrap()
        .manifest;
    let terrain = format!("{FOLDER}/terrain.yaml");
    let maps: &[&str] = match ruleset {
        // Only its own map has its motherships and its Death Star.
        "starwars" => &["starwars"],
        _ if ruleset.ends_with(".rhai") => &[terrain.as_str()],
        _ => &[manifest.map.as_str(), tiny.to_str().unwrap()],
    };
    // In simplified, few actions are within bounds at a time.
    let (games, other) = match ruleset {
        "simplified" => (32, ("allow_pass", "true")),
        "hasbro" => (2, ("fortify_to", "anywhere")),
        _ if ruleset.ends_with(".rhai") => (12, ("max_turns", "40")),
        _ => (1, ("max_turns", "40")),
    };
    let mut looked = BoundsCoverage::default();
    for (&map, game) in maps
        .iter()
        .flat_map(|map| (0..games).map(move |game| (map, game)))
    {
        let (least, most) = manifest.players;
        let bots = ["random", "outnumber", "holder"].into_iter().cycle();
        let bots: Vec<&str> = bots.take(3_usize.clamp(least, most)).collect();
        let mut options = vec![("max_turns", "40")];
        if game % 2 == 1 && other.0 != "max_turns" {
            options.push(other);
        }
        let setup = support::setup(ruleset, Some(map), &bots, 5, &options);
        let (mut rules, mut stepper, mut table) = begin(&setup, game);
        let mut seen: BTreeMap<u8, u64> = BTreeMap::new();
        while !stepper.decisions().is_empty() {
            let decisions = stepper.decisions().to_vec();
            let facts = Facts::new(stepper.game().clone());
            let seen = seen.entry(facts.frame().unwrap().phase.0).or_default();
            *seen += 1;
            // The first few decisions of each phase, and now and then a later one.
            if *seen < 12 || seen.is_multiple_of(37) {
                for decision in &decisions {
                    looked.decision(&mut rules, &facts, decision);
                }
            }
            for decision in &decisions {
                let action = table.answer(&stepper, decision);
                stepper.apply(&mut rules, decision.player, action).unwrap();
            }
        }
    }
    looked
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rulesets");

#[test]
fn bounds_agree_with_options_where_phases_are_bent() {
    each(["frontier", "parley", "terrain"], |&name| {
        let looked = walk(&format!("{FOLDER}/{name}.rhai"));
        let expected: &[&str] = match name {
            "frontier" => &["attack", "deploy", "fortify", "muster", "occupy"],
            "parley" => &["orders"],
            _ => &["attack", "deploy", "fortify", "occupy"],
        };
        let phases: Vec<&str> = looked.phases.iter().map(String::as_str).collect();
        assert_eq!(phases, expected, "{name}: where bounds are known");
        assert!(
            looked.known.iter().all(|&count| count > 200),
            "{:?}",
            looked.known
        );
    });
}

#[test]
fn bounds_agree_with_options_in_every_ruleset() {
    each(library().names(FileKind::Ruleset), |&ruleset| {
        let looked = walk(ruleset);
        let phases: Vec<&str> = looked.phases.iter().map(String::as_str).collect();
        let expected: &[&str] = match ruleset {
            "codelab" | "capital" | "scored" => &["attack", "deploy", "fortify", "occupy"],
            "hasbro" | "fog" | "missions" | "teams" => {
                &["attack", "deploy", "fortify", "muster", "occupy"]
            }
            "syncs2024" => &["attack", "defend", "deploy", "fortify", "muster", "occupy"],
            "simplified" => &["assault", "placement", "press_on"],
            "warzone" => &["orders"],
            "warlight1" | "warlight2" => &["orders", "placing"],
            _ => &[],
        };
        assert_eq!(phases, expected, "{ruleset}: where bounds are known");
        let by_orders = matches!(ruleset, "warzone" | "warlight1" | "warlight2");
        let standard = !by_orders && !expected.is_empty();
        assert_eq!(looked.verbs > 20, standard, "{ruleset}: {}", looked.verbs);
        let enough = looked.known.iter().all(|&count| count > 500);
        assert!(
            enough || expected.is_empty(),
            "{ruleset}: {:?}",
            looked.known
        );
    });
}
