//! The frames of a game's page: one for each step, with the changes, the story and the drawing of
//! that step.

use std::collections::{BTreeMap, BTreeSet};

use risk_engine::acts::Eyes;
use risk_engine::record::{self, Recorder};
use risk_engine::{Setup, Worker};
use risk_kernel::declare::Visibility;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::{FinishedGame, Moment, Sink, Tee};
use risk_report::story::{ONE_LINE, Story};
use risk_report::viewer::Frames;
use serde_json::Value;

use crate::numbers::{invented_setup, shipped_setup};

/// A page's frames, with the numbers of answers and executed orders.
struct Collector {
    frames: Frames,
    orders: usize,
    turns: usize,
}

impl Sink for Collector {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.orders += usize::from(matches!(event, Event::Executed { .. }));
        self.turns += usize::from(matches!(event, Event::TurnBegan { .. }));
        self.frames.event(moment, event);
    }
}

/// Plays a game. Returns its frames, without what a frame of the last state would add.
fn frames_of(setup: &Setup, players: usize) -> (Vec<Value>, Collector, FinishedGame) {
    let names = (0..players).map(|seat| format!("player {seat}")).collect();
    let mut collector = Collector {
        frames: Frames::new(names, Eyes::All),
        orders: 0,
        turns: 0,
    };
    let finished = Worker::new(setup).unwrap().play(0, &mut collector);
    let frames = collector.frames.take(&finished.game);
    let last = collector.frames.take_last(&finished.game);
    let read = |text: &String| serde_json::from_str(text).unwrap();
    let drift: Vec<Value> = last.iter().map(read).collect();
    for frame in &drift {
        for key in ["l", "m", "n", "p"] {
            assert_eq!(frame.get(key), None, "the events lead elsewhere: {frame}");
        }
    }
    (frames.iter().map(read).collect(), collector, finished)
}

/// Returns the entries of a frame under a key.
fn entries<'a>(frame: &'a Value, key: &str) -> &'a [Value] {
    frame[key].as_array().map_or(&[], Vec::as_slice)
}

fn acts<'a>(frame: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a Value> {
    let all = entries(frame, "a").iter();
    all.filter(move |act| act[0] == kind)
}

const SHIPPED: [&str; 6] = [
    "hasbro",
    "simplified",
    "warzone",
    "codelab",
    "starwars",
    "missions",
];
const INVENTED: [&str; 4] = ["support", "two_kinds", "costs", "plague"];

fn each_game(check: impl Fn(&str, &Setup, usize)) {
    for ruleset in SHIPPED {
        let (setup, players) = shipped_setup(ruleset, 4);
        check(ruleset, &setup, players);
    }
    for ruleset in INVENTED {
        check(ruleset, &invented_setup(ruleset, 4), 2);
    }
}

#[test]
fn frames_lead_to_the_last_state() {
    each_game(|ruleset, setup, players| {
        let (frames, collector, finished) = frames_of(setup, players);
        let answers = finished.game.answers() as usize;
        assert!(frames.len() > answers, "{ruleset}");
        let most = answers + collector.orders + collector.turns + 1;
        assert!(frames.len() <= most, "{ruleset}: {}", frames.len());
    });
}

/// Fights, moves and captures change the board in their own frame.
#[test]
fn what_is_drawn_changes_the_board_of_its_frame() {
    each_game(|ruleset, setup, players| {
        let (frames, ..) = frames_of(setup, players);
        let mut drawn = 0;
        for frame in &frames {
            let changed: BTreeMap<u64, &Value> = entries(frame, "l")
                .iter()
                .map(|land| (land[0].as_u64().unwrap(), land))
                .collect();
            for fight in acts(frame, "fight") {
                let to = fight[2].as_u64().unwrap();
                let is_lost = fight[7].as_i64().unwrap() > 0;
                assert!(!is_lost || changed.contains_key(&to), "{ruleset}: {frame}");
                match fight[8].as_i64() {
                    Some(2) => assert_eq!(changed[&to][1], fight[3], "{ruleset}: {frame}"),
                    Some(1) => assert_eq!(changed[&to][1], -1, "{ruleset}: {frame}"),
                    _ => {}
                }
                drawn += 1;
            }
        }
        assert!(drawn > 0 || ruleset == "support", "{ruleset}");
    });
}

/// Spectators receive `null` for values that are hidden from a player, not 0.
#[test]
fn hidden_numbers_are_null_in_public() {
    each_game(|ruleset, setup, players| {
        let names = (0..players).map(|seat| format!("player {seat}")).collect();
        let mut frames = Frames::new(names, Eyes::Public);
        let finished = Worker::new(setup).unwrap().play(0, &mut frames);
        frames.begin_anew();
        let last = frames.take_last(&finished.game);
        let frame: Value = serde_json::from_str(&last[0]).unwrap();
        let decl = finished.game.decl();
        for land in entries(&frame, "m") {
            for (value, info) in std::iter::zip(land[1].as_array().unwrap(), &decl.marks) {
                let is_hidden = info.seen != Visibility::All;
                assert_eq!(value.is_null(), is_hidden, "{ruleset}: {}", info.name);
            }
        }
        let numbers = entries(&frame, "n");
        for seat in 0..players {
            assert_eq!(numbers[3 * seat + 2][1], Value::Null, "{ruleset}: orders");
        }
        for (counter, info) in finished.game.decl().counters.iter().enumerate() {
            let place = 3 * players + counter * (players + 1);
            let is_hidden = info.seen != Visibility::All;
            assert_eq!(
                numbers[place][1].is_null(),
                is_hidden,
                "{ruleset}: {}",
                info.name
            );
        }
    });
}

/// A game that is recorded and watched in all forms is never copied: it stays where it is.
#[test]
fn a_watched_game_is_not_copied() {
    #[derive(Default)]
    struct Places(BTreeSet<usize>);
    impl Sink for Places {
        fn event(&mut self, moment: Moment<'_>, _: &Event) {
            self.0
                .insert(std::ptr::from_ref::<GameState>(&moment).addr());
        }
    }
    let (setup, players) = shipped_setup("warlight1", 4);
    let names: Vec<String> = (0..players).map(|seat| format!("player {seat}")).collect();
    let all = [Eyes::All, Eyes::Public, Eyes::Player(Player(0))];
    let mut frames = all.map(|eyes| Frames::new(names.clone(), eyes));
    let mut story = Story::new(Vec::new(), ONE_LINE, names);
    let mut worker = Worker::new(&setup).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &record::header(&worker, 0));
    let mut places = Places::default();
    let mut tee = Tee(vec![&mut places, &mut story, &mut recorder]);
    tee.0
        .extend(frames.iter_mut().map(|it| it as &mut dyn Sink));
    let finished = worker.play(0, &mut tee);
    assert!(finished.game.answers() > 100);
    assert_eq!(places.0.len(), 1, "places of the game in memory");
}

/// Returns the texts of a frame, each with its player's seat or -1.
fn texts(frame: &Value) -> impl Iterator<Item = (i64, &str)> {
    let all = entries(frame, "t").iter();
    all.map(|text| (text[0].as_i64().unwrap(), text[1].as_str().unwrap()))
}

/// A page says of a fight what it draws: the player, the losses and the result.
#[test]
fn a_fight_has_its_text_in_its_frame() {
    each_game(|ruleset, setup, players| {
        let (frames, ..) = frames_of(setup, players);
        let mut found = 0;
        for frame in &frames {
            for fight in acts(frame, "fight").filter(|fight| fight[4] != 0) {
                let number = |at: usize| fight[at].as_i64().unwrap();
                let [by, lost, killed] = [number(3), number(6), number(7)];
                let result = ["held", "emptied", "taken"][number(8) as usize];
                let losses = match [lost, killed] {
                    [0, 0] => "no losses".to_owned(),
                    _ => format!("loses {lost} for {killed}"),
                };
                let says = |(seat, text): (i64, &str)| {
                    // Kinds of units are listed, and volleys have their hits.
                    let says_losses = text.contains(&losses) || text.contains("loses");
                    let is_volley = text.contains("hit");
                    seat == by && (is_volley || (says_losses && text.contains(result)))
                };
                assert!(texts(frame).any(says), "{ruleset}: {fight} in {frame}");
                found += 1;
            }
        }
        assert!(found > 0 || ruleset == "support", "{ruleset}");
    });
}

/// Each card that a player draws is in the text of that player, also if several players draw at
/// the end of the same step.
#[test]
fn texts_have_their_own_players() {
    #[derive(Default)]
    struct Draws(Vec<i64>);
    impl Sink for Draws {
        fn event(&mut self, moment: Moment<'_>, event: &Event) {
            if let Event::Card { from, to, .. } = event
                && moment.decl().pile("deck") == Some(from.0)
                && moment.decl().pile("hand") == Some(to.0)
            {
                self.0.extend(to.1.map(|player| player.index() as i64));
            }
        }
    }
    let mut shared = 0;
    for ruleset in ["hasbro", "warzone", "warlight1"] {
        let (setup, players) = shipped_setup(ruleset, 4);
        let mut draws = Draws::default();
        Worker::new(&setup).unwrap().play(0, &mut draws);
        let (frames, ..) = frames_of(&setup, players);
        let mut said = Vec::new();
        for frame in &frames {
            let drawn = texts(frame).filter(|(_, text)| text.starts_with("draws "));
            said.extend(drawn.map(|(seat, _)| seat));
            let seats: BTreeSet<i64> = texts(frame).map(|(seat, _)| seat).collect();
            shared += usize::from(seats.len() > 1);
        }
        assert_eq!(said, draws.0, "{ruleset}");
    }
    assert!(shared > 0, "no step with texts of several players");
}

/// An order's text is in the frame of the order.
#[test]
fn an_order_has_its_text_in_its_frame() {
    let (setup, players) = shipped_setup("warzone", 4);
    let (frames, collector, _) = frames_of(&setup, players);
    let mut orders = 0;
    for frame in &frames {
        let placed = texts(frame).map(|(_, text)| text);
        let placed = placed.filter(|text| text.starts_with('+') && text.contains(" in "));
        let placed: Vec<&str> = placed.collect();
        if let [text] = placed.as_slice() {
            orders += 1;
            let number = text[1..].split(' ').next().unwrap();
            let lands = entries(frame, "l");
            assert_eq!(lands.len(), 1, "{frame}");
            assert!(lands[0][2].as_i64() >= number.parse().ok(), "{frame}");
        }
        assert!(placed.len() <= 1, "{frame}");
    }
    assert!(orders > 20 && orders <= collector.orders, "{orders}");
}

/// Names from right to left are isolated in all texts of a page, so that numbers stay beside them.
#[test]
fn names_from_right_to_left_are_isolated() {
    let (setup, _) = shipped_setup("codelab", 2);
    let names = ["דוד", "سارة", "bob"].map(str::to_owned);
    let mut all = Vec::new();
    for game in 0..40 {
        let mut frames = Frames::new(names.to_vec(), Eyes::All);
        let finished = Worker::new(&setup).unwrap().play(game, &mut frames);
        all.extend(frames.take(&finished.game));
        all.extend(frames.take_last(&finished.game));
    }
    let mut found = 0;
    for text in &all {
        for (before, after) in [("\u{2068}דוד", "\u{2069}"), ("\u{2068}سارة", "\u{2069}")] {
            let name = &before[3..];
            found += text.matches(name).count();
            let isolated = format!("{before}{after}");
            assert_eq!(
                text.matches(name).count(),
                text.matches(&isolated).count(),
                "{text}"
            );
        }
    }
    assert!(found > 20, "{found}");
}
