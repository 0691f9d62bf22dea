//! A game as a readable story, written only from its events. Fights, moves and placements are
//! described by their effects, and everything else in sentences declared by the ruleset.

mod acts;
mod brief;
mod changes;
mod events;
mod lines;
mod nouns;
mod orders;
mod set_up;
mod start;
mod table;

use std::io::{self, Write};

use risk_kernel::action::Action;
use risk_kernel::event::{Dice, Event};
use risk_kernel::id::{Phase, Player, PlayerSet, Territory};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::words::Words;
use risk_kernel::{EventFold, Sink};
use risk_text::names::name_column;
use risk_text::paint::Paint;
use risk_text::plural::counted;

use brief::Summary;
use changes::Changes;
use lines::{Chances, Note, OngoingFight, Placing, PlayedAction, Rank};
pub use lines::{ONE_LINE, ended, ending};
use set_up::SetUp;
use start::Start;

/// A sink that writes a game as a story. The first write error is returned at the end.
#[derive(Debug)]
pub struct Story<W: Write> {
    out: W,
    paint: Paint,
    names: Vec<String>,
    error: Option<io::Error>,
    /// Whether the story receives only public events.
    public: bool,
    /// Whether the story receives only what one player sees. Some changes then have no event.
    as_seen: bool,
    /// The summary of each player since the last line, in the short form.
    brief: Option<Vec<(Player, Summary)>>,
    /// The player whose own actions the short form describes in full.
    in_full: Option<Player>,
    /// Further players whose actions the short form describes in full.
    also_in_full: PlayerSet,
    /// Whether to leave out the heading and the standings of each round.
    bare: bool,
    fold: Option<EventFold>,
    /// The first events of a game that goes on from a position.
    start: Option<Start>,
    round: u32,
    /// The player whose name was last written before a line.
    shown: Option<Player>,
    /// What each player claimed and placed before the first round.
    set_up: Vec<(Player, SetUp)>,
    /// The current action and its effects.
    act: Option<PlayedAction>,
    placing: Option<Placing>,
    fight: Option<OngoingFight>,
    /// The room for the forces in the last table, until a turn begins in another part.
    caption: Option<usize>,
    /// Whether a new part has begun in this turn.
    begins_part: bool,
    /// The kinds of chance so far.
    chances: Chances,
    /// The only reader of the story, whom the ending addresses.
    reader: Option<Player>,
    /// Whether the last lines are the standings.
    at_table: bool,
    /// Whether the story lacks the first events of the game.
    is_late: bool,
    /// Dice rolled since the action began, for the fight that includes them.
    dice: Vec<(Dice, Dice)>,
    /// Messages and other texts that come after the pending lines.
    notes: Vec<Note>,
    /// Changes that no line explains, by the player whom their line is about.
    changes: Vec<(Option<Player>, Changes)>,
    /// The phase that began last.
    phase: Option<Phase>,
    /// The heading of the phase, and the player whose phase it is, until a line follows.
    heading: Option<(Option<Player>, String)>,
    /// Secret answers that have not been reported, and their phase.
    given: Vec<(Player, Action)>,
    giving: Option<Phase>,
    /// The phase in which the last order of the book was given.
    stored_in: Option<Phase>,
    /// Orders that left the book and have not been executed.
    unbooked: Vec<(Player, Action)>,
    /// Lines about the game that wait for the short form's lines about players.
    remarks: Vec<String>,
}

impl<W: Write> Story<W> {
    /// Creates a story about players with these names.
    pub fn new(out: W, paint: Paint, names: Vec<String>) -> Self {
        Self {
            out,
            paint,
            names,
            error: None,
            public: false,
            as_seen: false,
            brief: None,
            in_full: None,
            also_in_full: PlayerSet::default(),
            bare: false,
            fold: None,
            start: None,
            round: 0,
            shown: None,
            set_up: Vec::new(),
            act: None,
            placing: None,
            fight: None,
            caption: None,
            begins_part: false,
            chances: Chances::default(),
            reader: None,
            at_table: false,
            is_late: false,
            dice: Vec::new(),
            notes: Vec::new(),
            changes: Vec::new(),
            phase: None,
            heading: None,
            given: Vec::new(),
            giving: None,
            stored_in: None,
            unbooked: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Turns the story into one for spectators. It receives only events without hidden parts, and
    /// claims nothing about territories in the fog.
    #[must_use]
    pub fn in_public(self) -> Self {
        Self {
            public: true,
            ..self
        }
    }

    /// Turns the story into one for a single player. It receives only events and states that the
    /// player sees.
    #[must_use]
    pub fn as_seen(self) -> Self {
        Self {
            as_seen: true,
            ..self
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

    /// Describes this player's actions in full, even in the short form.
    pub fn tell_in_full(&mut self, player: Player) {
        self.in_full = Some(player);
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
        self.in_full == Some(player) || self.also_in_full.has(player)
    }

    /// Notes who owns a territory that comes into the viewer's sight.
    pub fn learn(&mut self, at: Territory, owner: Option<Player>) {
        if let Some(fold) = &mut self.fold {
            let from = fold.owner(at);
            let to = owner;
            fold.take(&Event::Owner { at, from, to });
        }
    }

    /// Ends the current action before one that the viewer does not see.
    pub fn end_act(&mut self, game: &GameState) {
        // The first events of a game that goes on are reported together.
        if self.start.is_none() {
            self.settle(game);
        }
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
    pub fn pause(&mut self, game: &GameState) {
        self.go_on(game);
        self.settle(game);
        self.tell_claims(game);
        self.tell_brief(game);
        for text in std::mem::take(&mut self.remarks) {
            self.write_remark(&text);
        }
    }

    /// Writes a line that is not an event, such as debug output of a script.
    pub fn aside(&mut self, game: &GameState, text: &str) {
        self.pause(game);
        let text = self
            .paint
            .dim(&format!("    {}", risk_text::escape_control(text)));
        self.line(&text);
    }

    /// Writes the final standings and the result.
    ///
    /// # Errors
    /// Returns the first write error of the whole story.
    pub fn finish(mut self, game: &GameState, outcome: &Outcome) -> io::Result<()> {
        self.go_on(game);
        self.tell_orders(game);
        self.pause(game);
        self.tell_set_up(game);
        let title = format!("The end, after {}", counted(game.round(), "round"));
        let title = self.paint.rule(&title);
        // A game may end as soon as a round has begun, whose standings are the last ones.
        if self.at_table {
            self.line(&title);
        } else {
            self.line("");
            self.line(&title);
            self.standings(game);
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
        self.end()
    }

    /// Ends a story that stops before the game is over.
    ///
    /// # Errors
    /// Returns the first write error of the whole story.
    pub fn stop(mut self, game: &GameState) -> io::Result<()> {
        self.go_on(game);
        self.tell_orders(game);
        self.pause(game);
        self.tell_set_up(game);
        self.line("");
        let when = if self.round == 0 {
            "the set-up".to_owned()
        } else {
            format!("round {}", self.round)
        };
        let title = format!("After {} in {when}", counted(game.answers(), "decision"));
        self.line(&self.paint.rule(&title));
        self.standings(game);
        self.end()
    }

    fn end(mut self) -> io::Result<()> {
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

    fn sentence(&self, game: &GameState, action: Action) -> String {
        Words::new(game.board(), game.decl())
            .sentence_by(action, &|player| self.names[player.index()].clone())
    }

    fn standings(&mut self, game: &GameState) {
        // A story without events shows the board at the end, for games that are played quietly.
        let is_new = self.as_seen || self.fold.is_none();
        let last = is_new.then(|| EventFold::from_game(game));
        let Some(fold) = last.as_ref().or(self.fold.as_ref()) else {
            return;
        };
        let seen_by = self.in_full.filter(|_| self.as_seen);
        let lines = if self.public && !is_open(game.decl()) {
            vec![self.paint.dim("  all positions are hidden")]
        } else {
            table::standings(game, fold, &self.names, seen_by, self.paint)
        };
        for line in lines {
            self.line(&line);
        }
        self.at_table = true;
    }

    fn owner(&self, at: Territory) -> Option<Player> {
        self.fold.as_ref().and_then(|fold| fold.owner(at))
    }

    /// Writes everything pending: placed armies, a fight, notes, and changes without explanation.
    fn flush(&mut self, game: &GameState) {
        if self.brief.is_some() {
            self.gather();
        }
        if let Some(placing) = self.placing.take() {
            let text = lines::placement(game, self.paint, &placing);
            self.say(placing.player, &text, Rank::Act);
        }
        if let Some(fight) = self.fight.take() {
            self.tell_fight(game, &fight);
        }
        for mut note in std::mem::take(&mut self.notes) {
            self.add_result(game, &mut note);
            match note.player {
                Some(player) => self.say(player, &note.text, note.rank),
                None => self.remark(&note.text),
            }
        }
        for (teller, changes) in std::mem::take(&mut self.changes) {
            self.tell_changes(game, teller, changes);
        }
    }

    fn tell_fight(&mut self, game: &GameState, fight: &OngoingFight) {
        let room = fight.room(game.decl(), self.caption);
        let lines = fight.lines(game, room, self.paint);
        if fight.has_sentence() {
            for line in lines {
                self.say(fight.player, &line, Rank::Act);
            }
        } else {
            self.named(fight.player);
            if self.paint.width >= lines::NARROW && self.caption != Some(room) {
                let caption = OngoingFight::caption(room, self.paint);
                self.line(&self.paint.dim(&caption));
                self.caption = Some(room);
            }
            for line in lines {
                self.line(&format!("    {line}"));
            }
        }
        if !fight.captured && fight.moved > 0 {
            // Units have gone there although the territory did not change hands.
            let text = format!(
                "moves {} from {} to {}",
                fight.moved,
                nouns::place(game, fight.from),
                nouns::place(game, fight.to)
            );
            self.say(fight.player, &text, Rank::Aside);
        }
    }

    /// Writes the action, unless a line about its effects covers it, and everything pending.
    fn settle(&mut self, game: &GameState) {
        self.settle_act(game);
        self.flush(game);
    }
}

impl<W: Write> Story<W> {
    /// Reports an event, and then applies it to the board.
    fn take(&mut self, game: &GameState, event: &Event) {
        self.tell(game, event);
        if let Some(fold) = &mut self.fold {
            fold.take(event);
        }
    }
}

impl<W: Write> Sink for Story<W> {
    fn event(&mut self, game: &GameState, event: &Event) {
        if self.fold.is_none() && self.start.is_none() {
            self.start = Start::new(game, event);
            if self.start.is_none() {
                self.fold = Some(EventFold::before(game));
            }
        }
        if !self.keeps(game, event) {
            self.take(game, event);
        }
    }
}
