//! Stories in parts: of people who set a game up, of games that go on, and what a short form
//! leaves out.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::Worker;
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::view::Facts;
use risk_kernel::{EventFold, Moment, Sink};
use risk_report::story::Story;
use risk_testing::games::setup;
use risk_text::paint::Paint;

const BOTS: [&str; 3] = ["odds", "outnumber", "random"];

const PAGE: Paint = Paint {
    colour: false,
    width: 100,
};

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

/// Plays a game of three players and gives its events to a function.
fn watch(ruleset: &str, bots: [&str; 3], seed: u64, take: impl FnMut(Moment<'_>, &Event)) {
    struct Each<F>(F);
    impl<F: FnMut(Moment<'_>, &Event)> Sink for Each<F> {
        fn event(&mut self, moment: Moment<'_>, event: &Event) {
            (self.0)(moment, event);
        }
    }
    let options = [("max_turns", "60")];
    let setup = setup(ruleset, None, &bots, seed, &options);
    Worker::new(&setup).unwrap().play(0, &mut Each(take));
}

fn names() -> Vec<String> {
    ["ann", "bob", "cid"].map(str::to_owned).to_vec()
}

/// A claim puts an army on the territory, and one statement says both.
#[test]
fn claims_tell_their_armies_once() {
    let pages = Shared::default();
    let mut story = Story::new(pages.clone(), PAGE, names()).seen_by(Eyes::Player(Player(0)));
    let mut answers = 0;
    watch("hasbro", BOTS, 1, |game, event| {
        if matches!(event, Event::Answered { .. }) {
            // One claim of each player, then two of each.
            if [3, 9].contains(&answers) {
                story.pause();
            }
            answers += 1;
        }
        if answers < 10 {
            story.event(game, event);
        }
    });
    let text = pages.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    for (index, line) in lines.iter().enumerate() {
        let (_, claims) = line.split_once("  claims ").unwrap();
        let (ends, has_and) = match index {
            0..3 => (" with 1 army", false),
            _ => (" with 1 army each", true),
        };
        assert!(claims.ends_with(ends), "{line}");
        assert_eq!(claims.contains(" and "), has_and, "{line}");
        assert!(!line.contains('+'), "{line}");
    }
}

/// A story that goes on in the middle of a round does not begin that round again.
#[test]
fn a_resumed_round_has_no_second_heading() {
    let mut events: Vec<(Facts, EventFold, Event)> = Vec::new();
    watch("codelab", BOTS, 2, |game, event| {
        if game.round() < 4 {
            let now = (game.facts().clone(), game.before().clone(), event.clone());
            events.push(now);
        }
    });
    let is_answer = |event: &Event| matches!(event, Event::Answered { .. });
    let mut seen = 0;
    for from in 0..events.len() {
        if !is_answer(&events[from].2) {
            continue;
        }
        let began = |events: &[(Facts, EventFold, Event)]| {
            let rounds = events.iter().filter_map(|(_, _, event)| match event {
                Event::TurnBegan { round, .. } => Some(*round),
                _ => None,
            });
            rounds.max().unwrap_or(0)
        };
        let [before, last] = [began(&events[..from]), began(&events)];
        let pages = Shared::default();
        let mut story = Story::new(pages.clone(), PAGE, names());
        for (facts, before, event) in &events[from..] {
            story.event(Moment::new(facts, before), event);
        }
        story.pause();
        let text = pages.text();
        let heads = text
            .lines()
            .filter_map(|line| line.strip_prefix("── Round "));
        let heads: Vec<&str> = heads.map(|head| &head[..1]).collect();
        let expected: Vec<String> = (before + 1..=last).map(|it| it.to_string()).collect();
        assert_eq!(heads, expected, "from event {from}");
        seen += usize::from(before == 1);
    }
    assert!(seen > 10, "positions in the first round: {seen}");
}

/// The short form says what it leaves out, and how many of each kind.
#[test]
fn the_short_form_counts_what_it_leaves_out() {
    let mut found = 0;
    for seed in 1..9 {
        let pages = Shared::default();
        let wide = Paint {
            width: 4000,
            ..PAGE
        };
        let mut story = Story::new(pages.clone(), wide, names()).in_brief();
        watch("warzone", BOTS, seed, |game, event| {
            story.event(game, event)
        });
        for line in pages.text().lines() {
            assert!(!line.ends_with(" more"), "{line}");
            let Some((_, hidden)) = line.split_once("; and ") else {
                continue;
            };
            let (count, kinds) = hidden.split_once(" more: ").unwrap();
            // Commas within outcomes separate nothing.
            let mut depth = 0;
            let mut items = vec![String::new()];
            for c in kinds.chars() {
                depth += i32::from(c == '(') - i32::from(c == ')');
                match c {
                    ',' if depth == 0 => items.push(String::new()),
                    c if depth == 0 && c != ')' => items.last_mut().unwrap().push(c),
                    _ => {}
                }
            }
            let number = |item: &String| {
                let words: Vec<&str> = item.split_whitespace().collect();
                match words.as_slice() {
                    [.., "twice"] => 2,
                    [.., many, "times"] | [many, "other" | "others"] => many.parse().unwrap(),
                    _ => 1,
                }
            };
            let sum: usize = items.iter().map(number).sum();
            assert_eq!(count.parse(), Ok(sum), "{line}");
            assert!(sum > 1, "{line}");
            found += 1;
        }
    }
    assert!(found > 2, "lines that leave something out: {found}");
}

/// A table has one head while its columns stay the same, with and without dice.
#[test]
fn fights_without_dice_go_on_with_a_table() {
    let mut empty = 0;
    for seed in 1..12 {
        let pages = Shared::default();
        let mut story = Story::new(pages.clone(), PAGE, names());
        watch("simplified", ["general"; 3], seed, |game, event| {
            story.event(game, event)
        });
        let text = pages.text();
        let is_head = |line: &&str| line.starts_with("    attack  ");
        assert_eq!(text.lines().filter(is_head).count(), 1, "{text}");
        empty += text.matches(" v 0 ").count();
    }
    assert!(empty > 0, "no territory was empty");
}

/// A game that is resumed begins a part after each answer. Each turn has one head all the same.
#[test]
fn the_parts_of_a_turn_have_one_head() {
    let pages = Shared::default();
    let mut story = Story::new(pages.clone(), PAGE, names());
    let is_fight = |line: &&str| line.contains(" → ") && line.contains(" v ");
    let is_head = |line: &&str| line.starts_with("    attack  ");
    let [mut turns, mut several] = [0, 0];
    let mut end_turn = || {
        let text = std::mem::take(&mut *pages.0.borrow_mut());
        let text = String::from_utf8(text).unwrap();
        let fights = text.lines().filter(is_fight).count();
        let heads = text.lines().filter(is_head).count();
        assert_eq!(heads, fights.min(1), "{text}");
        turns += usize::from(fights > 0);
        several += usize::from(fights > 1);
    };
    watch("codelab", BOTS, 1, |game, event| {
        story.event(game, event);
        match event {
            Event::Answered { .. } => {
                story.pause();
                story.begin_part();
            }
            Event::TurnBegan { .. } => end_turn(),
            _ => {}
        }
    });
    assert!(turns > 5 && several > 3, "{turns} turns, {several}");
}

#[test]
fn players_in_messages_have_names() {
    let names = ["ann", "player 1", "cid"].map(str::to_owned);
    for (text, shown) in [
        ("destroy player 1", "destroy ann"),
        ("player 2, then player 3.", "player 1, then cid."),
        ("player 4 and player 0", "player 4 and player 0"),
        ("multiplayer 1, a player", "multiplayer 1, a player"),
        ("player 99999999999999999999", "player 99999999999999999999"),
        ("player 10", "player 10"),
        ("", ""),
    ] {
        assert_eq!(
            risk_report::decision::with_names(text, &names),
            shown,
            "{text}"
        );
    }
}
