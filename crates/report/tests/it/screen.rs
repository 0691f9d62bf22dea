//! Games on the screen of a terminal: at every moment, in every ruleset and at any size, the lines
//! fit, words are complete, and a seat's screen shows nothing that the seat does not see.

use risk_testing::games::library;
use std::collections::BTreeSet;
use std::io::Write;

use risk_engine::Worker;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_kernel::{Moment, Sink};
use risk_maps::files::FileKind;
use risk_report::picture::Outlines;
use risk_report::screen::Screen;
use risk_text::Outlet;
use unicode_width::UnicodeWidthStr;

use risk_testing::by_case::each;
use risk_testing::games::setup;

const SIZES: [(usize, usize); 5] = [(40, 12), (60, 24), (80, 24), (120, 40), (200, 50)];
const OWN: &str = "round turn decision set-up as sees it land armies units cards card eliminated neutral \
                   forfeited q leave space pause";

fn plain(line: &str) -> String {
    let mut out = Outlet::new(Vec::new(), false);
    out.write_all(line.as_bytes()).unwrap();
    out.flush().unwrap();
    String::from_utf8(out.into_inner()).unwrap()
}

/// Checks the screen at regular intervals of decisions.
struct ScreenChecker {
    outlines: Outlines,
    names: Vec<String>,
    every: u64,
    seen: u64,
    /// The number of numbers on screens of 60 columns, and the expected one.
    numbers: (usize, usize),
}

impl ScreenChecker {
    fn screen<'a>(
        &'a self,
        game: &'a GameState,
        seat: Option<Player>,
        story: &'a [String],
        keys: &'a [String],
    ) -> Screen<'a> {
        Screen {
            game,
            seat,
            names: &self.names,
            title: "a game on a map, seed 7",
            done: None,
            ending: None,
            story,
            keys,
        }
    }

    fn look(&mut self, game: &GameState) {
        let story = [
            "ann takes Western Elsewhere from bob, who has seen it coming for long and \
                      could do nothing; she moves every army that she has into it at once"
                .to_owned(),
        ];
        let keys = ["q leave", "space pause"].map(str::to_owned);
        let mut known: BTreeSet<String> = OWN.split_whitespace().map(str::to_owned).collect();
        let board = game.board();
        let titles = board.territories().map(|at| board.info(at).name.clone());
        let given = titles.chain(self.names.clone()).chain(story.clone());
        for text in given.chain(["a game on a map, seed 7".to_owned()]) {
            known.extend(text.split_whitespace().map(str::to_owned));
        }
        for (wide, high) in SIZES {
            for colour in [false, true] {
                let screen = self.screen(game, None, &story, &keys);
                let lines = screen.lines(&self.outlines, wide, high, colour);
                assert_eq!(lines.len(), high);
                let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
                for line in &lines {
                    assert!(line.width() <= wide, "{wide}: {line:?}");
                }
                if colour {
                    check_words(&lines, &known, wide);
                    self.count(&lines, (wide, high), board.len());
                }
            }
        }
        for seat in game.seats() {
            let view = View::new(&Facts::new(game.clone()), seat);
            let real = self.screen(game, Some(seat), &story, &keys);
            let seen = view.seen();
            let hidden = self.screen(&seen, Some(seat), &story, &keys);
            assert_eq!(
                real.lines(&self.outlines, 80, 24, true),
                hidden.lines(&self.outlines, 80, 24, true),
                "seat {seat:?} sees more than it may"
            );
        }
        self.seen += 1;
    }

    fn count(&mut self, lines: &[String], size: (usize, usize), territories: usize) {
        if size == (60, 24) {
            let map = lines[1..].iter().take_while(|line| !is_player(line));
            let digits = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
            let words = map.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
            self.numbers.0 += words.filter(|word| !word.is_empty()).filter(digits).count();
            self.numbers.1 += territories;
        }
    }
}

fn is_player(line: &str) -> bool {
    line.starts_with(['●', '▶'])
}

/// Checks that no word of the screen is cut.
fn check_words(lines: &[String], known: &BTreeSet<String>, wide: usize) {
    for line in lines {
        let line: String = line
            .chars()
            .map(|c| {
                if "▏▔▌▀·░…●▶".contains(c) {
                    ' '
                } else {
                    c
                }
            })
            .collect();
        for word in line.split_whitespace() {
            // `3+`: 3 of one kind, and others.
            let digits = word.trim_end_matches([',', '+']);
            let is_number = digits.parse::<i64>().is_ok() || word == "?";
            // `+land`: more may be hidden.
            let bare = word.trim_start_matches('+');
            assert!(
                is_number || known.contains(word) || known.contains(bare),
                "{wide}: {word:?} in {line:?}"
            );
        }
    }
}

impl Sink for ScreenChecker {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        if let Event::Answered { number, .. } = event
            && number % self.every == 1
        {
            self.look(game);
        }
    }
}

#[test]
fn screens_fit_say_whole_words_and_hide_what_is_hidden() {
    let _ = each(library().names(FileKind::Ruleset), |ruleset| {
        let (least, most) = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest
            .players;
        let bots = &["random"; 5][..3_usize.clamp(least, most)];
        let setup = setup(ruleset, None, bots, 5, &[("max_turns", "6")]);
        let mut worker = Worker::new(&setup).unwrap();
        let mut looks = ScreenChecker {
            outlines: Outlines::new(&setup.rules.board),
            names: ["ann", "Robert", "眼睛", "Eva", "Fay"]
                .map(str::to_owned)
                .into(),
            every: 29,
            seen: 0,
            numbers: (0, 0),
        };
        looks.names.truncate(bots.len());
        let _ = worker.play(0, &mut looks);
        assert!(looks.seen > 0, "{ruleset}: nothing was looked at");
        let (shown, all) = looks.numbers;
        assert!(
            shown * 100 >= all * 95,
            "{ruleset}: {shown} of {all} numbers"
        );
    });
}

/// On every map there is space for the armies.
#[test]
fn all_maps_have_their_armies_on_a_large_screen() {
    for map in [
        "world",
        "europe",
        "archipelago",
        "ring",
        "duel",
        "starwars",
        "grid:6x6",
        "hex:3",
    ] {
        let ruleset = if map == "starwars" {
            "starwars"
        } else {
            "codelab"
        };
        let map = (map != "starwars").then_some(map);
        let setup = setup(ruleset, map, &["random", "random"], 5, &[]);
        let outlines = Outlines::new(&setup.rules.board);
        let mut worker = Worker::new(&setup).unwrap();
        let game = worker.empty_board(0);
        let _ = &mut worker;
        let names = ["ann", "bob"].map(str::to_owned);
        let screen = Screen {
            game: &game,
            seat: None,
            names: &names,
            title: "",
            done: None,
            ending: None,
            story: &[],
            keys: &[],
        };
        let lines = screen.lines(&outlines, 200, 50, true);
        let text: String = lines
            .iter()
            .map(|line| plain(line))
            .collect::<Vec<_>>()
            .join(" ");
        let zeros = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| *word == "0");
        // Two players have neither territories nor armies.
        let zeros = zeros.count();
        assert!(zeros >= setup.rules.board.len(), "{map:?}: {zeros}");
    }
}
