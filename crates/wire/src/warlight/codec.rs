//! The engine's side of the protocol. Messages are sent in the same order as by the challenges'
//! engines.

use std::fmt::Write;

use super::Challenge;
use super::map;
use super::moves::{self, Move};
use super::seen_moves::SeenMoves;
use super::vocabulary::WarlightVocabulary;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::error::ProtocolError;
use risk_engine::TimeLeft;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player, Territory};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Preferences};

/// The time per answer that the first challenge announces, in milliseconds.
const PER_ANSWER: u128 = 2_000;

pub(super) struct Warlight {
    challenge: Challenge,
    vocabulary: WarlightVocabulary,
    rng: Option<Stream>,
    /// Whether the bot has received the map and, in `knows_picks`, the other player's picks.
    knows_map: bool,
    knows_picks: bool,
    /// The last round announced to the bot.
    round: u32,
    seen: SeenMoves,
    /// Attacks that arrived together with the placements. They are executed first.
    early: Vec<Move>,
    /// The last question, as phase, round and number of available regions.
    asked: Option<(Phase, u32, usize)>,
    /// The number of unanswered questions, including the last question.
    outstanding: u32,
    clock: Option<TimeLeft>,
}

impl Warlight {
    pub(super) fn new(decl: &Declaration, challenge: Challenge) -> Result<Self, ProtocolError> {
        Ok(Self {
            challenge,
            vocabulary: WarlightVocabulary::new(decl, challenge)?,
            rng: None,
            knows_map: false,
            knows_picks: false,
            round: 0,
            seen: SeenMoves::default(),
            early: Vec::new(),
            asked: None,
            outstanding: 0,
            clock: None,
        })
    }

    /// Returns the time to announce, in milliseconds. This is the time on the bot's clock, or the
    /// time announced by the challenges' engines if the bot has no clock.
    fn time(&self) -> u128 {
        match (self.clock, self.challenge) {
            (Some(clock), _) => clock.left.as_millis(),
            (None, Challenge::First) => PER_ANSWER,
            (None, Challenge::Second) => map::BANK,
        }
    }

    fn introduction(&mut self, view: &View, lines: &mut String) {
        if self.knows_map {
            return;
        }
        self.knows_map = true;
        match self.challenge {
            Challenge::First => {
                map::name_lines(view.me(), lines);
                map::map_lines(view.board(), lines);
            }
            Challenge::Second => {
                let control = self.clock.map(|clock| clock.control);
                map::settings_lines(view.me(), map::rounds(view), control, lines);
                map::map_lines(view.board(), lines);
                map::start_lines(&self.vocabulary, view, lines);
            }
        }
    }

    fn open(&self, view: &View) -> Vec<Territory> {
        map::by_super_region(view, map::territories(view, self.vocabulary.pickable, None))
    }

    fn ask_for_picks(&self, view: &View, lines: &mut String) {
        let words = match self.challenge {
            Challenge::First => format!("pick_starting_regions {}", self.time()),
            Challenge::Second => format!("pick_starting_region {}", self.time()),
        };
        map::region_line(&words, &self.open(view), lines);
    }

    /// Writes the lines that precede the placements of a round.
    fn news(&mut self, view: &View, lines: &mut String) {
        if self.challenge == Challenge::Second && !self.knows_picks {
            let other = Some(Player(1 - view.me().0));
            let picks = map::territories(view, self.vocabulary.picked, other);
            map::region_line("setup_map opponent_starting_regions", &picks, lines);
        }
        self.knows_picks = true;
        if self.round == view.round() {
            return;
        }
        self.round = view.round();
        let armies = view.counter(self.vocabulary.reserve, Some(view.me()));
        let _ = writeln!(
            lines,
            "settings starting_armies {}",
            armies.unwrap_or_default()
        );
        map::update_line(view, lines);
        self.seen.line(view, lines);
        self.seen.look(view);
    }

    /// Parses a single pick, or a list of preferred regions. Replaces an invalid pick with a random
    /// one.
    fn picks(&mut self, view: &View, options: &Options, text: &str) -> Answer {
        let wanted = text
            .split_whitespace()
            .filter_map(|word| moves::territory(view, word));
        let claim = |at: Territory| Action::new(self.vocabulary.claim, &[at.number()]);
        let offered = |action: &Action| options.admit(*action).is_ok();
        match self.challenge {
            Challenge::First => {
                let most = view
                    .counter(self.vocabulary.picks, None)
                    .unwrap_or_default();
                let mut steps: Vec<Action> = Vec::new();
                for action in wanted.map(claim).filter(offered) {
                    if !steps.contains(&action) && (steps.len() as i64) < most {
                        steps.push(action);
                    }
                }
                self.fill_wishes(options, most, &mut steps);
                Answer::Steps(steps)
            }
            Challenge::Second => {
                let name = text.trim();
                let pick = moves::territory(view, name).map(claim).filter(offered);
                Answer::One(pick.unwrap_or_else(|| options.nth(self.below(options.len()))))
            }
        }
    }

    /// Completes the list of preferred regions at random.
    fn fill_wishes(&mut self, options: &Options, most: i64, steps: &mut Vec<Action>) {
        let all = (0..options.len()).map(|number| options.nth(number));
        let mut left: Vec<Action> = all.filter(|action| !steps.contains(action)).collect();
        while (steps.len() as i64) < most && !left.is_empty() {
            let index = self.below(left.len() as u64) as usize;
            steps.push(left.remove(index));
        }
    }

    /// Returns the action for a bot that did not answer.
    fn no_move(&mut self, phase: Phase, options: &Options) -> Action {
        if phase == self.vocabulary.picking {
            return options.nth(self.below(options.len()));
        }
        Action::new(self.vocabulary.done, &[])
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.as_mut().map_or(0, |rng| rng.below(bound))
    }
}

fn plan(mut steps: Vec<Action>) -> Answer {
    match steps.as_slice() {
        [one] => Answer::One(*one),
        _ => Answer::Steps(std::mem::take(&mut steps)),
    }
}

impl Codec for Warlight {
    fn start(&mut self, _: &[String], rng: Stream) {
        self.rng = Some(rng);
        self.seen = SeenMoves::default();
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.clock = Some(clock);
    }

    /// Resets the record of the bot's knowledge, because a new process knows nothing.
    fn game(&mut self, _: &View, _: bool) -> Option<Message> {
        self.knows_map = false;
        self.knows_picks = false;
        self.round = 0;
        self.early.clear();
        self.asked = None;
        self.outstanding = 0;
        None
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, ProtocolError> {
        let phase = view.frame().ok_or("no decision is open")?.phase;
        let asked = Some((phase, view.round(), self.open(view).len()));
        if std::mem::replace(&mut self.asked, asked) == asked {
            // The bot did not answer in time. The question is not repeated. Instead, the bot makes
            // a random pick or no move.
            return Ok(Question::Known(self.no_move(phase, options)));
        }
        let mut lines = String::new();
        self.introduction(view, &mut lines);
        if phase == self.vocabulary.picking {
            self.ask_for_picks(view, &mut lines);
        } else if phase == self.vocabulary.placing {
            self.news(view, &mut lines);
            let _ = writeln!(lines, "go place_armies {}", self.time());
        } else if phase == self.vocabulary.orders {
            let _ = writeln!(lines, "go attack/transfer {}", self.time());
        } else {
            return Err(ProtocolError::NoQuestion);
        }
        self.outstanding += 1;
        // The transport adds the last line end.
        lines.truncate(lines.trim_end_matches('\n').len());
        Ok(Question::Ask(Message {
            path: "",
            body: lines,
            content_type: "text/plain",
        }))
    }

    /// Each question has a one-line answer. One late line is dropped for each missing answer. Lines
    /// without a question are also dropped.
    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        if text.contains("VM warning") {
            return false;
        }
        let is_late = self.outstanding > u32::from(!early);
        if is_late {
            self.outstanding -= 1;
        } else if !early {
            self.outstanding = 0;
        }
        !early && !is_late
    }

    fn answer(
        &mut self,
        view: &View,
        options: &Options,
        text: &str,
    ) -> Result<Answer, AnswerError> {
        let phase = view.frame().ok_or("no decision is open")?.phase;
        if phase == self.vocabulary.picking {
            return Ok(self.picks(view, options, text));
        }
        let moves_read = moves::read(view, text);
        if phase == self.vocabulary.placing {
            let goes = |one: &Move| matches!(one, Move::Go(..));
            self.early = moves_read.iter().copied().filter(goes).collect();
            return Ok(plan(moves::placements(&self.vocabulary, view, &moves_read)));
        }
        let mut all = std::mem::take(&mut self.early);
        all.extend(moves_read);
        Ok(plan(moves::marches(&self.vocabulary, view, options, &all)))
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            listens: true,
            ..Preferences::default()
        }
    }

    fn saw(&mut self, view: &View, event: &Event, _: bool) -> Option<Message> {
        self.seen.see(&self.vocabulary, view, event);
        None
    }

    /// Sends no message, because the protocol announces the end of a game only by closing the bot's
    /// input.
    fn finish(&mut self, _: &View, _: GameOver<'_>, _: bool) -> Option<Message> {
        None
    }
}
