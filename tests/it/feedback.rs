//! `saw(event, view)`: the results of an action, in numbers.

use crate::support::run_in;

/// A bot that sums events from each action to the next turn, and throws if the sums differ from
/// what it sees. Its choices depend on what it saw.
const SUMS: &str = r#"
const KINDS = ["xwing", "ywing", "bwing", "falcon", "tie", "executor"];

fn orders(view, ask) {
    let hand = view.cards("hand");
    [ask.act("choose", hand[2]), ask.act("choose", hand[1]), ask.act("choose", hand[0])]
}

fn ships(view) {
    let all = #{};
    for kind in KINDS {
        let sum = 0;
        for at in 0..TERRITORIES { sum += view.units(at, kind); }
        all[kind] = sum;
    }
    all
}

fn new_game(view) { this.luck = 0; }

fn action(view, ask) {
    this.before = view;
    this.told = #{ track: 0, bonus: 0, ships: ships(view), now: #{} };
    let plans = ask.plans();
    plans[this.luck % plans.len()]
}

fn saw(event, view) {
    if !("before" in this) { return; }
    let told = this.told;
    switch event.kind {
        "units" => {
            told.ships[event.unit] += event.by;
            told.now[event.unit + event.at] = [event.at, event.unit, event.now];
        },
        "moved" => {
            told.now.remove(event.unit + event.from);
            told.now.remove(event.unit + event.to);
        },
        "counter" => if event.counter == "track" && event.player == TABLE { told.track += event.by; },
        "card" => if event.to_player == view.me && event.from == "deck" && event.to == "stack" { told.bonus += 1; },
        _ => {},
    }
    this.told = told;
    if event.kind != "turn" { return; }
    if told.ships != ships(view) { throw `ships: ${told.ships}, seen ${ships(view)}`; }
    let steps = view.get(TABLE, "track") - this.before.get(TABLE, "track");
    if told.track != steps { throw `track: ${told.track}, seen ${steps}`; }
    for key in told.now.keys() {
        let last = told.now[key];
        if view.units(last[0], last[1]) != last[2] { throw `${key}: ${last[2]}`; }
    }
    let more = view.count(view.me, "stack") - this.before.count(view.me, "stack");
    if told.bonus < more { throw `cards: ${told.bonus}, seen ${more}`; }
    this.luck += 7 * told.bonus + 3 * steps + view.turn;
    this.remove("before");
}

fn answer(view, ask) { ask.random() }
"#;

#[test]
fn what_came_of_an_action_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sums.rhai"), SUMS).unwrap();
    let play = |more: &[&str]| {
        let args = "play --ruleset starwars --games 2 --option max_turns=60 --seed 5 --quiet \
                    --bot ./sums.rhai --bot ./sums.rhai --format json";
        let args: Vec<&str> = args.split_whitespace().collect();
        run_in(folder.path(), &[&args[..], more].concat())
    };
    let own = play(&[]);
    assert_eq!(own.code, 0, "{}", own.err);
    assert_eq!(
        own.out.matches("\"faults\": 0,").count() + own.out.matches("\"faults\": 0\n").count(),
        2,
        "{}",
        own.out
    );
    let isolated = play(&["--isolate"]);
    let digests = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("\"digest\""));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    assert!(!digests(&own.out).is_empty(), "{}", own.out);
    assert_eq!(digests(&own.out), digests(&isolated.out));
}

/// Over a wire, events come without the view.
#[test]
fn a_bot_that_sees_the_game_after_events_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sums.rhai"), SUMS).unwrap();
    let bot = "cmd:risk-cli bot serve ./sums.rhai --protocol json --stdio";
    let args = "play --ruleset starwars --seed 5 --bot random --bot";
    let args: Vec<&str> = args.split(' ').chain([bot]).collect();
    let ran = run_in(folder.path(), &args);
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("saw(event)"), "{said}");
}
