//! Every sentence of the full story, held number by number against the facts of the events: in the
//! shipped rulesets, and in six that users invented. A line that no pattern explains fails, and so
//! does a fact that no line tells.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use risk_engine::{Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{FinishedGame, Moment, Sink};
use risk_maps::files::FileKind;
use risk_report::story::Story;
use risk_testing::by_case::each;
use risk_testing::games::{library, setup};
use risk_text::paint::{Paint, cut};

use crate::claims::Claims;
use crate::ledger::{Fight, Ledger, Round};

/// The rulesets in `tests/rulesets`.
pub(crate) const INVENTED: [&str; 7] = [
    "bombardment",
    "costs",
    "objectives",
    "own_dice",
    "plague",
    "support",
    "two_kinds",
];

const NAMES: [&str; 5] = ["ann", "bob", "cid", "eve", "fay"];

/// A page on which no line wraps and all dice fit.
const WIDE: Form = Form(
    Paint {
        colour: false,
        width: 4000,
    },
    false,
);

/// Writes the story and keeps the facts.
struct Both<W: std::io::Write> {
    story: Story<W>,
    ledger: Ledger,
}

impl<W: std::io::Write> Sink for Both<W> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.story.event(moment, event);
        self.ledger.event(moment, event);
    }
}

/// A page, and whether the story on it has the short form.
#[derive(Clone, Copy)]
struct Form(Paint, bool);

/// Plays a game. Returns its story in this form, its facts and its end.
fn play(setup: &Setup, players: usize, form: Form) -> (String, Ledger, FinishedGame) {
    let names: Vec<String> = NAMES[..players].iter().map(|&it| it.to_owned()).collect();
    let mut buffer = Vec::new();
    let Form(paint, is_brief) = form;
    let story = Story::new(&mut buffer, paint, names.clone());
    let mut both = Both {
        story: if is_brief { story.in_brief() } else { story },
        ledger: Ledger::new(names),
    };
    let mut worker = Worker::new(setup).unwrap();
    let finished = worker.play(0, &mut both);
    let Both { story, ledger } = both;
    let outcome = finished.outcome.as_ref().unwrap();
    story.finish(&finished.game, outcome).unwrap();
    (String::from_utf8(buffer).unwrap(), ledger, finished)
}

/// Sets up a game of a shipped ruleset with its own bots, or with random ones.
pub(crate) fn shipped_setup(ruleset: &str, seed: u64) -> (Setup, usize) {
    let manifest = risk_engine::load_ruleset(library(), ruleset)
        .unwrap()
        .manifest;
    let (least, most) = manifest.players;
    let players = 3_usize.clamp(least, most.min(NAMES.len()));
    let own = manifest.bots.iter().map(String::as_str);
    let bots: Vec<&str> = match seed % 2 {
        0 => own.cycle().take(players).collect(),
        _ => vec!["random"; players],
    };
    let options = [("max_turns", "40")];
    (setup(ruleset, None, &bots, seed, &options), players)
}

/// Plays a game of a shipped ruleset.
fn shipped(ruleset: &str, seed: u64, form: Form) -> (String, Ledger, FinishedGame) {
    let (setup, players) = shipped_setup(ruleset, seed);
    play(&setup, players, form)
}

/// Plays a game of an invented ruleset.
fn invented(ruleset: &str, seed: u64, form: Form) -> (String, Ledger, FinishedGame) {
    play(&invented_setup(ruleset, seed), 2, form)
}

/// Sets up a game of an invented ruleset.
pub(crate) fn invented_setup(ruleset: &str, seed: u64) -> Setup {
    let path = format!("./tests/rulesets/{ruleset}.rhai");
    setup(&path, None, &["outnumber", "random"], seed, &[])
}

/// Returns a line of the standings as words with single spaces, without its bars.
fn plain(line: &str) -> String {
    let words = line.split_whitespace();
    let words: Vec<&str> = words
        .filter(|word| !word.chars().all(|c| "▏▎▍▌▋▊▉█".contains(c)))
        .collect();
    words.join(" ")
}

/// Holds a whole story against the facts of its game. Returns the number of lines.
fn hold(what: &str, story: &str, ledger: &Ledger, finished: &FinishedGame) -> usize {
    let game = &finished.game;
    let mut lines = story.lines().peekable();
    for facts in &ledger.rounds {
        let round = facts.number;
        if round > 0 {
            assert_eq!(lines.next(), Some(""), "{what}");
            let title = lines.next().unwrap().trim_matches(['─', ' ']).to_owned();
            assert_eq!(title, format!("Round {round}"), "{what}");
            for expected in &facts.standings {
                let line = plain(lines.next().unwrap());
                assert_eq!(&line, expected, "{what}, round {round}");
            }
            assert_eq!(lines.next(), Some(""), "{what}");
        }
        let mut claims = Claims::new(game, &ledger.names, facts.clone());
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            let holds = claims.hold(line);
            assert!(holds, "{what}, round {round}: no event explains {line:?}");
        }
        let left = claims.left();
        assert!(left.is_empty(), "{what}, round {round}: untold: {left:#?}");
    }
    hold_end(what, lines, ledger, finished);
    story.lines().count()
}

/// Returns the number of rolls with its noun: of dice, of chances in percent, or of both. Returns
/// `None` for a game without them.
fn rolls(what: &str, ledger: &Ledger, game: &GameState) -> Option<String> {
    let noun = match ledger.chances {
        [false, false] => {
            assert_eq!(game.battle_rounds(), 0, "{what}");
            return None;
        }
        [true, false] => "dice round",
        [false, true] => "chance roll",
        [true, true] => "random roll",
    };
    let many = if game.battle_rounds() == 1 { "" } else { "s" };
    Some(format!("{} {noun}{many}", game.battle_rounds()))
}

/// Holds the last standings, the ending, the places and the totals.
fn hold_end<'a>(
    what: &str,
    mut lines: impl Iterator<Item = &'a str>,
    ledger: &Ledger,
    finished: &FinishedGame,
) {
    let game = &finished.game;
    let outcome = finished.outcome.as_ref().unwrap();
    let mut next = || {
        lines
            .next()
            .unwrap_or_else(|| panic!("{what}: no more lines"))
    };
    assert_eq!(next(), "", "{what}");
    let rounds = ledger.rounds.last().unwrap().number;
    let rounds = match rounds {
        1 => "1 round".to_owned(),
        many => format!("{many} rounds"),
    };
    let title = next().trim_matches(['─', ' ']);
    assert_eq!(title, format!("The end, after {rounds}"), "{what}");
    for expected in ledger.last(game) {
        assert_eq!(plain(next()), expected, "{what}");
    }
    assert_eq!(next(), "", "{what}");
    let winners: Vec<&str> = outcome
        .winners
        .iter()
        .map(|player| ledger.names[player.index()].as_str())
        .collect();
    let head = match winners.as_slice() {
        [] => "Nobody wins".to_owned(),
        [one] => format!("{one} wins"),
        many => format!("{} share the win", many.join(" and ")),
    };
    let why = game.decl().sentences.of_ending(&outcome.reason);
    assert_eq!(next().trim(), format!("{head}: {why}"), "{what}");
    for rank in &outcome.ranking {
        let name = &ledger.names[rank.player.index()];
        let expected = format!("{}. {name} score {}", rank.place, rank.score);
        assert_eq!(plain(next()), expected, "{what}");
    }
    let counted = |count: u64, word: &str| match count {
        1 => format!("1 {word}"),
        many => format!("{many} {word}s"),
    };
    let turns = counted(ledger.turn.into(), "turn");
    let mut totals = vec![turns, counted(ledger.answers, "decision")];
    totals.extend(rolls(what, ledger, game));
    let last = next().trim().to_owned();
    let expected = format!("{} · digest ", totals.join(" · "));
    assert!(
        last.starts_with(&expected),
        "{what}: {last:?} is not {expected:?}"
    );
    assert_eq!(lines.next(), None, "{what}");
}

#[test]
fn every_number_of_a_shipped_rulesets_story_is_that_of_an_event() {
    each(library().names(FileKind::Ruleset), |ruleset| {
        for seed in 1..5 {
            let (story, ledger, finished) = shipped(ruleset, seed, WIDE);
            let what = format!("{ruleset}, seed {seed}");
            let lines = hold(&what, &story, &ledger, &finished);
            assert!(lines > 20, "{what}: a story of {lines} lines");
        }
    });
}

#[test]
fn every_number_of_an_invented_rulesets_story_is_that_of_an_event() {
    each(INVENTED, |ruleset| {
        for seed in 1..4 {
            let (story, ledger, finished) = invented(ruleset, seed, WIDE);
            let what = format!("{ruleset}, seed {seed}");
            hold(&what, &story, &ledger, &finished);
        }
    });
}

/// Returns a story with the first digit of a line made larger by one.
fn falsified(lines: &[&str], index: usize) -> Option<String> {
    let line = lines[index];
    let at = line.find(|c: char| c.is_ascii_digit())?;
    let digit = line.as_bytes()[at] - b'0';
    let wrong = format!("{}{}{}", &line[..at], (digit + 1) % 10, &line[at + 1..]);
    let mut all: Vec<&str> = lines.to_vec();
    all[index] = &wrong;
    Some(all.join("\n"))
}

/// The check can fail: no line with a number holds with another number.
#[test]
fn a_wrong_number_does_not_hold() {
    for ruleset in ["codelab", "two_kinds", "costs"] {
        let (story, ledger, finished) = match ruleset {
            "codelab" => shipped(ruleset, 2, WIDE),
            _ => invented(ruleset, 2, WIDE),
        };
        let lines: Vec<&str> = story.lines().collect();
        for index in 0..lines.len().min(60) {
            let Some(wrong) = falsified(&lines, index) else {
                continue;
            };
            let held = catch_unwind(AssertUnwindSafe(|| hold("", &wrong, &ledger, &finished)));
            assert!(
                held.is_err(),
                "{ruleset}: {:?} with another number",
                lines[index]
            );
        }
    }
}

/// A story of the events from one answer on.
struct Late<W: std::io::Write> {
    story: Story<W>,
    from: u64,
    began: bool,
}

impl<W: std::io::Write> Sink for Late<W> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.began |= matches!(event, Event::Answered { number, .. } if *number == self.from);
        if self.began {
            self.story.event(moment, event);
        }
    }
}

/// Returns a story from its first whole round after `skipped` rounds on, without captions.
fn rounds(story: &str, skipped: usize) -> Vec<&str> {
    let lines = story
        .lines()
        .filter(|line| !line.starts_with("    attack  "));
    let mut left = skipped + 1;
    let lines = lines.skip_while(move |line| {
        left -= usize::from(left > 0 && line.starts_with("── Round"));
        left > 0
    });
    lines.collect()
}

/// A game that goes on from a position has the numbers of the whole game.
#[test]
fn a_story_from_a_position_has_the_boards_numbers() {
    each(["codelab", "hasbro", "simplified", "warzone"], |ruleset| {
        let (whole, ledger, _) = shipped(ruleset, 1, WIDE);
        let (setup, _) = shipped_setup(ruleset, 1);
        let mut buffer = Vec::new();
        let mut late = Late {
            story: Story::new(&mut buffer, WIDE.0, ledger.names.clone()),
            from: ledger.answers * 3 / 4,
            began: false,
        };
        let finished = Worker::new(&setup).unwrap().play(0, &mut late);
        let outcome = finished.outcome.as_ref().unwrap();
        late.story.finish(&finished.game, outcome).unwrap();
        let late = String::from_utf8(buffer).unwrap();
        let late = rounds(&late, 0);
        let all = story_rounds(&whole).count();
        let told = late
            .iter()
            .filter(|line| line.starts_with("── Round"))
            .count();
        assert!(told > 0 && told < all, "{ruleset}: {told} of {all} rounds");
        assert_eq!(late, rounds(&whole, all - told), "{ruleset}");
    });
}

/// Returns the headings of a story's rounds.
fn story_rounds(story: &str) -> impl Iterator<Item = &str> {
    story.lines().filter(|line| line.starts_with("── Round"))
}

/// Reports whether the lines of a round list a conquest, with forces that hold.
fn lists(lines: &[&str], place: &str, holds: impl Fn(&str) -> bool) -> bool {
    let parts = lines.iter().flat_map(|line| line.split("; "));
    let mut taken = parts.filter_map(|part| Some(part.split_once("takes ")?.1));
    taken.any(|names| {
        let rest = |name: &str| {
            name.strip_prefix(place)
                .map(|rest| holds(rest.trim_start()))
        };
        names.split(", ").any(|name| rest(name) == Some(true))
    })
}

/// Holds the number of failed attacks of each player in a round with one line per player: of
/// territories whose last attack took nothing.
fn hold_failed(what: &str, facts: &Round, lines: &[&str], names: &[String]) {
    for (seat, name) in names.iter().enumerate() {
        let head = format!("● {name}");
        let own = lines.iter().enumerate();
        let own = own.filter(|(_, line)| {
            let rest = line.strip_prefix(&head);
            rest.is_some_and(|rest| rest.starts_with(' '))
        });
        let own: Vec<usize> = own.map(|(at, _)| at).collect();
        let [at] = own[..] else { continue };
        // A long line goes on below, indented.
        let more = lines[at + 1..].iter();
        let more = more.take_while(|line| line.starts_with("     "));
        let more: Vec<&str> = more.map(|line| line.trim()).collect();
        let line = format!("{} {}", &lines[at][head.len()..], more.join(" "));
        let player = Player::from_index(seat);
        let fights = facts.fights.iter().filter(|it| it.player == player);
        let is_short = |it: &&Fight| !it.is_volley() || it.taken.is_some() || it.emptied;
        let places: BTreeSet<_> = fights
            .clone()
            .filter(is_short)
            .map(|it| it.round.to)
            .collect();
        let fell = |at: &Territory| {
            let last = fights.clone().rfind(|it| it.round.to == *at);
            let given = facts.owners.iter();
            let given = given.filter(|it| it.at == *at && it.to == Some(player));
            last.is_some_and(|it| it.taken.is_some() || it.emptied) || given.count() > 0
        };
        let failed = places.iter().filter(|at| !fell(at)).count();
        let shown = line
            .split("; ")
            .find(|part| part.contains(" failed attack"));
        let expected = match failed {
            0 => None,
            1 => Some("1 failed attack".to_owned()),
            many => Some(format!("{many} failed attacks")),
        };
        assert_eq!(
            shown.map(str::trim),
            expected.as_deref(),
            "{what}, {name}: {line}"
        );
    }
}

/// Holds a story in the short form: it has all conquests, counters, eliminations and the ending.
fn hold_brief(what: &str, story: &str, ledger: &Ledger, finished: &FinishedGame) {
    let mut sections: Vec<Vec<&str>> = vec![Vec::new()];
    for line in story.lines() {
        if line.starts_with("── ") {
            sections.push(Vec::new());
        }
        sections.last_mut().unwrap().push(line);
    }
    let board = finished.game.board();
    for (facts, lines) in ledger.rounds.iter().zip(&sections) {
        let round = facts.number;
        let fights = facts.fights.iter().filter(|it| it.taken.is_some());
        for fight in fights {
            let name = cut(&board.info(fight.round.to).name, 24);
            let forces = facts.forces(fight);
            let shown = lists(lines, &name, |rest| forces.iter().any(|it| it == rest));
            let what = format!("{what}, round {round}");
            assert!(shown, "{what}: {name} is hidden, or not {forces:?}");
        }
        for capture in &facts.captures {
            let name = cut(&board.info(capture.to).name, 24);
            let shown = lists(lines, &name, str::is_empty);
            assert!(shown, "{what}, round {round}: {name} is hidden");
        }
        for owner in facts.owners.iter().filter(|it| facts.is_left(it)) {
            let name = cut(&board.info(owner.at).name, 24);
            let shown = lines.join(" ").contains(&name);
            assert!(shown, "{what}, round {round}: {name} is hidden");
        }
        hold_failed(
            &format!("{what}, round {round}"),
            facts,
            lines,
            &ledger.names,
        );
        for text in &facts.must {
            let shown = lines.iter().any(|line| line.contains(text));
            assert!(shown, "{what}, round {round}: {text:?} is hidden");
        }
    }
    let why = &finished.outcome.as_ref().unwrap().reason;
    let why = finished.game.decl().sentences.of_ending(why);
    assert!(
        sections
            .last()
            .unwrap()
            .iter()
            .any(|line| line.ends_with(why)),
        "{what}"
    );
}

#[test]
fn the_short_form_hides_no_conquest_counter_elimination_or_ending() {
    let short = Form(WIDE.0, true);
    each(library().names(FileKind::Ruleset), |ruleset| {
        for seed in 1..3 {
            let (story, ledger, finished) = shipped(ruleset, seed, short);
            hold_brief(ruleset, &story, &ledger, &finished);
        }
    });
    for ruleset in INVENTED {
        let (story, ledger, finished) = invented(ruleset, 1, short);
        hold_brief(ruleset, &story, &ledger, &finished);
    }
}

/// The page of the golden texts.
const PAGE: Form = Form(
    Paint {
        colour: false,
        width: 100,
    },
    false,
);

/// Returns the first 60 and the last 30 lines of a story.
fn screens(story: &str) -> String {
    let lines: Vec<&str> = story.lines().collect();
    if lines.len() <= 90 {
        return lines.join("\n");
    }
    let (first, last) = (&lines[..60], &lines[lines.len() - 30..]);
    format!("{}\n\n[…]\n\n{}", first.join("\n"), last.join("\n"))
}

#[test]
fn shipped_stories_begin_and_end_as_they_were_read() {
    for ruleset in library().names(FileKind::Ruleset) {
        let (story, ..) = shipped(ruleset, 6, PAGE);
        insta::assert_snapshot!(ruleset, screens(&story));
    }
}

#[test]
fn invented_stories_begin_and_end_as_they_were_read() {
    for ruleset in INVENTED {
        let (story, ..) = invented(ruleset, 5, PAGE);
        insta::assert_snapshot!(ruleset, screens(&story));
    }
}
