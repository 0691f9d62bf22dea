//! A game as a readable story, written only from its acts. Fights, moves and placements are
//! described by their effects, and everything else in sentences declared by the ruleset.

mod brief;
mod changes;
mod ending;
mod fights;
mod items;
mod orders;
mod parts;
mod set_up;
mod table;
mod texts;
mod wording;

use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::acts::{Act, Acts, Cause, Eyes};
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player, PlayerSet};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, is_open};
use risk_kernel::{EventFold, Moment, Sink};
use risk_text::names::name_column;
use risk_text::paint::Paint;
use risk_text::plural::counted;

use brief::Summary;
use changes::Changes;
use ending::ChanceKinds;
pub use ending::{ONE_LINE, ended, ending};
use fights::NarratedFight;
use items::{Note, Placing, Rank};
use orders::Orders;
use set_up::SetUp;
pub use texts::{StoryText, StoryTexts};
use wording::Wording;

/// A sink that writes a game as a story. The first write error is returned at the end.
#[derive(Debug)]
pub struct Story<W: Write> {
    out: W,
    paint: Paint,
    names: Vec<String>,
    error: Option<io::Error>,
    /// The summary of each player since the last line, in the short form.
    brief: Option<Vec<(Player, Summary)>>,
    /// Further players whose actions the short form describes in full.
    also_in_full: PlayerSet,
    /// Whether to leave out the heading and the standings of each round.
    bare: bool,
    /// The words of the game; `None` before its first event.
    wording: Option<Rc<Wording>>,
    acts: Acts,
    round: u32,
    /// The phase that began last.
    phase: Option<Phase>,
    /// The heading of the phase, and the player whose phase it is, until a line follows.
    heading: Option<(Option<Player>, String)>,
    /// What each player claimed and placed before the first round.
    set_up: Vec<(Player, SetUp)>,
    /// The fight or the placement that may go on.
    pending: Pending,
    /// An attack whose defender has not answered yet.
    attack: Option<Act>,
    /// Texts that come after the pending part.
    notes: Vec<Note>,
    /// Changes that no line explains, by the player whom their line is about.
    changes: Vec<(Option<Player>, Changes)>,
    orders: Orders,
    /// Lines about the game that wait for the short form's lines about players.
    remarks: Vec<String>,
    /// The player whose name was last written before a line.
    shown: Option<Player>,
    /// The room for the forces in the last table, until a turn begins in another part.
    caption: Option<usize>,
    /// Whether a new part has begun in this turn.
    begins_part: bool,
    /// Whether the last lines are the standings.
    at_table: bool,
    /// The only reader of the story, whom the ending addresses.
    reader: Option<Player>,
    /// The kinds of chance so far.
    chances: ChanceKinds,
    /// Whether the story lacks the first events of the game.
    is_late: bool,
}

/// The part of a story that may go on with the next act.
#[derive(Debug, Default)]
enum Pending {
    #[default]
    Nothing,
    Placed(Placing),
    Fight(NarratedFight),
}

impl<W: Write> Story<W> {
    /// Creates a story about players with these names.
    pub fn new(out: W, paint: Paint, names: Vec<String>) -> Self {
        Self {
            out,
            paint,
            names,
            error: None,
            brief: None,
            also_in_full: PlayerSet::default(),
            bare: false,
            wording: None,
            acts: Acts::default(),
            round: 0,
            phase: None,
            heading: None,
            set_up: Vec::new(),
            pending: Pending::Nothing,
            attack: None,
            notes: Vec::new(),
            changes: Vec::new(),
            orders: Orders::default(),
            remarks: Vec::new(),
            shown: None,
            caption: None,
            begins_part: false,
            at_table: false,
            reader: None,
            chances: ChanceKinds::default(),
            is_late: false,
        }
    }

    /// Sets the viewer: the story says nothing that is hidden from it.
    #[must_use]
    pub fn seen_by(self, eyes: Eyes) -> Self {
        Self {
            acts: Acts::seen_by(eyes),
            ..self
        }
    }

    /// Returns the player who sees the game, if the story says only what one player sees.
    const fn viewer(&self) -> Option<Player> {
        match self.acts.eyes() {
            Eyes::Player(player) => Some(player),
            Eyes::All | Eyes::Revealed | Eyes::Public => None,
        }
    }

    /// Turns on the short form: one line per player-turn, without dice and moves.
    #[must_use]
    pub fn in_brief(self) -> Self {
        Self {
            brief: Some(Vec::new()),
            ..self
        }
    }

    /// Describes the actions of these players in full, even in the short form.
    #[must_use]
    pub fn with_full(self, players: PlayerSet) -> Self {
        Self {
            also_in_full: players,
            ..self
        }
    }

    /// Sets the only reader of the story: the ending says "You win" instead of a name.
    #[must_use]
    pub fn read_by(self, player: Option<Player>) -> Self {
        Self {
            reader: player,
            ..self
        }
    }

    /// Reports whether the story describes a player's actions in full.
    fn is_in_full(&self, player: Player) -> bool {
        self.viewer() == Some(player) || self.also_in_full.has(player)
    }

    /// Begins a part that is read elsewhere or later: names come again, and from the next turn on
    /// the heads of tables too. A turn has one head, because a game that is resumed begins a part
    /// after each of its answers.
    pub fn begin_part(&mut self) {
        self.shown = None;
        self.begins_part = true;
    }

    /// Omits the heading and the standings of each round because the caller displays them
    /// elsewhere.
    #[must_use]
    pub fn without_standings(self) -> Self {
        Self { bare: true, ..self }
    }

    fn line(&mut self, text: &str) {
        self.at_table &= text.is_empty();
        if self.error.is_none() {
            self.error = writeln!(self.out, "{text}").err();
        }
    }

    /// Writes the heading of a game.
    pub fn begin(&mut self, title: &str) {
        for line in self.paint.wrapped("", "  ", title) {
            self.line(&self.paint.bold(&line));
        }
        let seats: Vec<String> = self
            .names
            .iter()
            .enumerate()
            .map(|(seat, name)| self.paint.seat(seat, &format!("●\u{a0}{name}")))
            .collect();
        for line in self.paint.wrapped("", "", &seats.join("   ")) {
            self.line(&line.replace('\u{a0}', " "));
        }
    }

    /// Writes the pending lines so that the story so far is complete.
    pub fn pause(&mut self) {
        self.end_act();
        self.print_claims();
        self.print_brief();
        for text in std::mem::take(&mut self.remarks) {
            self.write_remark(&text);
        }
    }

    /// Writes a line that is not an event, such as debug output of a script.
    pub fn aside(&mut self, text: &str) {
        self.pause();
        let text = self
            .paint
            .dim(&format!("    {}", risk_text::escape_control(text)));
        self.line(&text);
    }

    fn end_act(&mut self) {
        if let Some(act) = self.acts.rest() {
            self.add(act);
        }
        self.add_attack(|_| false);
        self.flush();
    }

    /// Writes the final standings and the result.
    ///
    /// # Errors
    /// Returns the first write error of the whole story.
    pub fn finish(mut self, game: &GameState, outcome: &Outcome) -> io::Result<()> {
        self.end();
        let title = format!("The end, after {}", counted(game.round(), "round"));
        let title = self.paint.rule(&title);
        // A game may end as soon as a round has begun, whose standings are the last ones.
        if self.at_table {
            self.line(&title);
        } else {
            self.line("");
            self.line(&title);
            self.last_standings(game);
        }
        let winners: Vec<String> = outcome
            .winners
            .iter()
            .map(|player| match self.reader == Some(player) {
                true => self.paint.seat(player.index(), "You"),
                false => self.name(player),
            })
            .collect();
        self.line("");
        let ending = ending(
            &winners,
            game.decl().sentences.of_ending(&outcome.reason),
            self.paint,
        );
        for line in self.paint.wrapped("  ", "    ", &ending) {
            self.line(&line);
        }
        let names = self.names.iter();
        let (_, names) = name_column("", names, self.paint.width.saturating_sub(20));
        for rank in &outcome.ranking {
            let player = rank.player.index();
            let name = self.paint.seat(player, &names[player]);
            self.line(&format!("  {:>2}. {name} score {}", rank.place, rank.score));
        }
        let mut totals = vec![
            counted(game.turn(), "turn"),
            counted(game.answers(), "decision"),
        ];
        // Rulesets without chance have nothing to count.
        if game.battle_rounds() > 0 {
            let noun = self.chances.noun(game.decl(), !self.is_late);
            totals.push(counted(game.battle_rounds(), noun));
        }
        let digest = risk_engine::record::hex(game.digest());
        let summary = format!("{} · digest {digest}", totals.join(" · "));
        for line in self.paint.wrapped("  ", "  ", &summary) {
            self.line(&self.paint.dim(&line));
        }
        self.close()
    }

    /// Ends a story that stops before the game is over.
    ///
    /// # Errors
    /// Returns the first write error of the whole story.
    pub fn stop(mut self, game: &GameState) -> io::Result<()> {
        self.end();
        self.line("");
        let when = if self.round == 0 {
            "the set-up".to_owned()
        } else {
            format!("round {}", self.round)
        };
        let title = format!("After {} in {when}", counted(game.answers(), "decision"));
        self.line(&self.paint.rule(&title));
        self.last_standings(game);
        self.close()
    }

    fn end(&mut self) {
        self.end_act();
        self.print_orders();
        self.pause();
        self.print_set_up();
    }

    fn close(mut self) -> io::Result<()> {
        self.error.take().map_or_else(|| self.out.flush(), Err)
    }

    fn name(&self, player: Player) -> String {
        self.paint.seat(player.index(), &self.names[player.index()])
    }

    /// Writes a line about a player, preceded by the name if the player has changed.
    fn say(&mut self, player: Player, text: &str, rank: Rank) {
        if let Some(summary) = self.summary(player) {
            return summary.add(text, rank);
        }
        self.named(player);
        for line in self.paint.wrapped("    ", "      ", text) {
            self.line(&line);
        }
    }

    /// Reports whether the story describes this player's actions in the short form.
    fn is_brief(&self, player: Player) -> bool {
        self.brief.is_some() && !self.is_in_full(player)
    }

    /// Returns the summary of a player's current turn, or `None` outside the short form.
    fn summary(&mut self, player: Player) -> Option<&mut Summary> {
        if !self.is_brief(player) {
            return None;
        }
        Some(of_player(self.brief.as_mut()?, player))
    }

    fn set_up_of(&mut self, player: Player) -> &mut SetUp {
        of_player(&mut self.set_up, player)
    }

    /// Writes the name of a player before a line, unless it is already there, and the heading of
    /// the phase, unless lines have followed it. The heading of one player's phase comes below the
    /// name.
    fn named(&mut self, player: Player) {
        let heading = self.heading.take();
        let (of_all, of_player) = match heading {
            Some((Some(of), text)) if of == player => (None, Some(text)),
            other => (other.map(|(_, text)| text), None),
        };
        if let Some(text) = of_all {
            self.shown = None;
            self.write_remark(&self.paint.dim(&text));
        }
        if self.shown != Some(player) {
            self.shown = Some(player);
            let name = self
                .paint
                .seat(player.index(), &format!("● {}", self.names[player.index()]));
            self.line(&name);
        }
        if let Some(text) = of_player {
            self.write_remark(&self.paint.dim(&text));
        }
    }

    /// Writes a line about the game itself. In the short form it comes after the lines about
    /// players.
    fn remark(&mut self, text: &str) {
        if self.brief.is_some() {
            return self.remarks.push(text.to_owned());
        }
        if let Some((_, heading)) = self.heading.take() {
            self.shown = None;
            self.write_remark(&self.paint.dim(&heading));
        }
        self.write_remark(text);
    }

    fn write_remark(&mut self, text: &str) {
        for line in self.paint.wrapped("  ", "    ", text) {
            self.line(&line);
        }
    }

    fn last_standings(&mut self, game: &GameState) {
        self.standings(&Facts::new(game.clone()), &EventFold::new(game));
    }

    fn standings(&mut self, game: &Facts, board: &EventFold) {
        let seen = self.viewer().map(|viewer| View::new(game, viewer).seen());
        let seen = seen.map(|seen| EventFold::new(&seen));
        let board = seen.as_ref().unwrap_or(board);
        let lines = if self.acts.eyes() == Eyes::Public && !is_open(game.decl()) {
            vec![self.paint.dim("  all positions are hidden")]
        } else {
            table::standings(game, board, &self.names, self.viewer(), self.paint)
        };
        for line in lines {
            self.line(&line);
        }
        self.at_table = true;
    }
}

/// Returns the value of a player, which is added if it is missing.
fn of_player<T: Default>(all: &mut Vec<(Player, T)>, player: Player) -> &mut T {
    let known = all.iter().position(|(of, _)| *of == player);
    let index = known.unwrap_or_else(|| {
        all.push((player, T::default()));
        all.len() - 1
    });
    &mut all[index].1
}

impl<W: Write> Sink for Story<W> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        if self.wording.is_none() {
            self.round = moment.before().round;
            self.is_late = moment.before().answers > 0;
            self.wording = Some(Rc::new(Wording::new(&moment, &self.names, self.paint)));
        }
        self.chances.take(event);
        self.acts.take(moment, event);
        while let Some(act) = self.acts.next_complete() {
            match act.cause {
                Cause::Turn { round, .. } => self.turn(moment, round),
                _ => self.add(act),
            }
        }
    }
}
