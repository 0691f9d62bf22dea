//! A game as a readable story, written only from its events. Fights, moves and placements are
//! described by their effects, and everything else in sentences declared by the ruleset.

mod brief;
mod events;
mod lines;

use std::io::{self, Write};

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Dice, Event};
use risk_kernel::id::{Phase, Player, Territory, Unit};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::words::Words;
use risk_kernel::{EventFold, Sink};
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

use brief::Summary;
pub use lines::{ONE_LINE, ended, ending};
use lines::{OngoingFight, Placing, PlayedAction};

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
    /// Whether to leave out the heading and the standings of each round.
    bare: bool,
    fold: Option<EventFold>,
    round: u32,
    /// The player whose name was last written before a line.
    shown: Option<Player>,
    /// The numbers of territories that each player claimed, and of units that the player placed,
    /// before the first round.
    set_up: Vec<(Player, [i64; 2])>,
    /// The current action and its effects.
    act: Option<PlayedAction>,
    placing: Option<Placing>,
    fight: Option<OngoingFight>,
    captioned: bool,
    /// Dice rolled and units lost since the action began, for the fight that includes them.
    dice: Vec<(Dice, Dice)>,
    felled: Vec<(Territory, Unit, i32)>,
    /// Messages of the ruleset during a fight.
    notes: Vec<(Option<Player>, String)>,
    /// Secret orders by player, and their phase.
    given: Vec<(Player, Vec<String>)>,
    giving: Option<Phase>,
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
            bare: false,
            fold: None,
            round: 0,
            shown: None,
            set_up: Vec::new(),
            act: None,
            placing: None,
            fight: None,
            captioned: false,
            dice: Vec::new(),
            felled: Vec::new(),
            notes: Vec::new(),
            given: Vec::new(),
            giving: None,
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

    /// Omits the heading and the standings of each round because the caller displays them
    /// elsewhere.
    #[must_use]
    pub fn without_standings(self) -> Self {
        Self { bare: true, ..self }
    }

    fn line(&mut self, text: &str) {
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
        self.settle(game);
        self.tell_brief(game);
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
        self.pause(game);
        self.line("");
        let title = format!("The end, after {}", counted(game.round(), "round"));
        self.line(&self.paint.rule(&title));
        self.standings(game);
        let winners: Vec<String> = outcome
            .winners
            .iter()
            .map(|player| self.name(player))
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
        for rank in &outcome.ranking {
            let name = self.paint.seat(
                rank.player.index(),
                &pad(&self.names[rank.player.index()], 20),
            );
            self.line(&format!("  {:>2}. {name} score {}", rank.place, rank.score));
        }
        let summary = format!(
            "{} · {} · {} · digest {}",
            counted(game.turn(), "turn"),
            counted(game.answers(), "decision"),
            counted(game.battle_rounds(), "dice round"),
            risk_engine::record::hex(game.digest())
        );
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
        self.pause(game);
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
    fn say(&mut self, player: Player, text: &str) {
        if let Some(summary) = self.summary(player) {
            return summary.others.push(text.to_owned());
        }
        self.named(player);
        for line in self.paint.wrapped("    ", "      ", text) {
            self.line(&line);
        }
    }

    /// Writes a line about a player, unless the story has the short form.
    fn say_aside(&mut self, player: Player, text: &str) {
        if !self.is_brief(player) {
            self.say(player, text);
        }
    }

    /// Reports whether the story describes this player's actions in the short form.
    fn is_brief(&self, player: Player) -> bool {
        self.brief.is_some() && self.in_full != Some(player)
    }

    fn named(&mut self, player: Player) {
        if self.shown != Some(player) {
            self.shown = Some(player);
            let name = self
                .paint
                .seat(player.index(), &format!("● {}", self.names[player.index()]));
            self.line(&name);
        }
    }

    /// Writes a line about the game itself.
    fn remark(&mut self, text: &str) {
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
        let lines = if self.public && !is_open(game.decl()) {
            vec![self.paint.dim("  all positions are hidden")]
        } else {
            lines::standings(game, fold, &self.names, self.as_seen, self.paint)
        };
        for line in lines {
            self.line(&line);
        }
    }

    fn owner(&self, at: Territory) -> Option<Player> {
        self.fold.as_ref().and_then(|fold| fold.owner(at))
    }

    /// Writes everything pending: placed armies, a fight, and messages during the fight.
    fn flush(&mut self, game: &GameState) {
        if self.brief.is_some() {
            self.gather(game);
        }
        if let Some(placing) = self.placing.take() {
            let text = lines::placement(game, self.paint, &placing);
            self.say(placing.player, &text);
        }
        if let Some(fight) = self.fight.take() {
            self.tell_fight(game, &fight);
        }
        for (player, text) in std::mem::take(&mut self.notes) {
            match player {
                Some(player) => self.say(player, &text),
                None => self.remark(&text),
            }
        }
    }

    fn tell_fight(&mut self, game: &GameState, fight: &OngoingFight) {
        let lines = fight.lines(game, self.paint);
        if fight.is_volley() {
            for line in lines {
                self.say(fight.player, &line);
            }
        } else {
            self.named(fight.player);
            if !self.captioned && self.paint.width >= lines::NARROW {
                self.captioned = true;
                self.line(&self.paint.dim(&fight.caption(self.paint)));
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
                lines::place(game, fight.from),
                lines::place(game, fight.to)
            );
            self.say_aside(fight.player, &text);
        }
    }

    /// Writes the action, unless a line about its effects covers it, and everything pending.
    fn settle(&mut self, game: &GameState) {
        self.settle_act(game);
        self.flush(game);
    }

    fn settle_act(&mut self, game: &GameState) {
        let Some(act) = self.act.take() else { return };
        self.dice.clear();
        self.felled.clear();
        // Either nothing moved, or the answer only continues the game.
        let idle = act.values(game, SlotKind::Count).contains(&0);
        let silent = act.action.args().is_empty()
            && game.decl().sentences.of_verb(act.action.verb).is_none();
        if act.told || idle || (silent && act.effects.is_empty()) {
            return;
        }
        let mut text = self.sentence(game, act.action);
        if !act.effects.is_empty() {
            text = format!("{text}: {}", act.effects.join(", "));
        }
        let notes = std::mem::take(&mut self.notes);
        self.flush(game);
        self.say(act.player, &text);
        self.notes = notes;
        self.flush(game);
    }

    fn begin_act(&mut self, game: &GameState, player: Player, action: Action) {
        self.settle_act(game);
        if self
            .placing
            .as_ref()
            .is_some_and(|placing| placing.player != player)
            || action.args().is_empty()
        {
            self.flush(game);
        }
        // One answer after a capture may move more armies in. Later answers are moves.
        match &mut self.fight {
            Some(fight) if fight.captured && fight.followed => self.flush(game),
            Some(fight) => fight.followed = fight.captured,
            None => {}
        }
        self.act = Some(PlayedAction {
            player,
            action,
            told: false,
            effects: Vec::new(),
            given: Vec::new(),
        });
    }
}

impl<W: Write> Sink for Story<W> {
    fn event(&mut self, game: &GameState, event: &Event) {
        if self.fold.is_none() {
            self.fold = Some(EventFold::before(game));
        }
        self.tell(game, event);
        if let Some(fold) = &mut self.fold {
            fold.take(event);
        }
    }
}
