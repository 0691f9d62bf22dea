//! A player's action, from the answer to its last effect.

use std::io::Write;

use super::Story;
use super::changes::{Changes, OwnerChange, owner_text};
use super::lines::{Move, Note, PlayedAction, Rank};
use super::nouns::{kind_noun, with_noun};
use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_text::plural::counted;

impl<W: Write> Story<W> {
    /// Begins an action of a player. `scripted` means that a script executes it.
    pub(super) fn begin_act(
        &mut self,
        game: &GameState,
        player: Player,
        action: Action,
        scripted: bool,
    ) {
        self.settle_act(game);
        let placing = self.placing.as_ref();
        let is_next = placing.is_some_and(|placing| placing.player != player);
        let is_pending = placing.is_some() || self.fight.is_some();
        if is_next || !is_pending || action.args().is_empty() {
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
            scripted,
            in_batch: false,
            is_order: false,
            told: false,
            moves: Vec::new(),
            walks: false,
            changes: Changes::default(),
            reserve: 0,
            notes: Vec::new(),
        });
    }

    /// Ends an action that was announced together with others, before an effect on territories
    /// that it does not name.
    pub(super) fn leave_batch(&mut self, game: &GameState, places: &[Territory]) {
        let is_strange =
            |act: &PlayedAction| act.in_batch && places.iter().any(|&at| !act.names(game, at));
        if self.act.as_ref().is_some_and(is_strange) {
            self.settle(game);
        }
    }

    /// Ends the action. Writes it, unless a line about its effects covers it.
    pub(super) fn settle_act(&mut self, game: &GameState) {
        if let Some(fight) = &mut self.fight {
            fight.open = false;
            fight.owed = [0, 0];
        }
        self.dice.clear();
        let Some(mut act) = self.act.take() else {
            return;
        };
        self.find_walks(&mut act);
        let silent = act.action.args().is_empty()
            && game.decl().sentences.of_verb(act.action.verb).is_none();
        // Either nothing moved, or the answer only continues the game.
        let idle = act.values(game, SlotKind::Count).contains(&0) || silent;
        // In fog, the reason why another player's order came to nothing is hidden.
        let failed =
            act.is_order && self.as_seen && !self.is_in_full(act.player) && !is_open(game.decl());
        let told = act.told || ((idle || failed) && act.is_bare());
        if !told {
            self.flush(game);
            self.tell_act(game, &mut act, silent);
        }
        self.tell_moves(game, &act);
        self.notes.append(&mut act.notes);
        if !act.changes.is_empty() {
            self.add_changes(Some(act.player), act.changes);
        }
        if !told || (self.placing.is_none() && self.fight.is_none()) {
            self.flush(game);
        }
    }

    /// Removes changes of owners that the moves of an action say: the mover leaves a territory
    /// without an owner or, in the short form, takes a free one.
    fn find_walks(&self, act: &mut PlayedAction) {
        let from: Vec<Territory> = act.moves.iter().map(|it| it.from).collect();
        let to: Vec<Territory> = act.moves.iter().map(|it| it.to).collect();
        let leaves = act.changes.take_left(act.player, &from);
        let enters = self.is_brief(act.player) && act.changes.take_entered(act.player, &to);
        act.walks = leaves || enters;
    }

    /// Writes the sentence of an action and its effects. A silent action has only effects. In the
    /// short form, armies from an action are among those that the player places later.
    fn tell_act(&mut self, game: &GameState, act: &mut PlayedAction, silent: bool) {
        let mut changes = std::mem::take(&mut act.changes);
        let is_told = act.moves.is_empty() || self.says_moves(game, act);
        let is_brief = self.is_brief(act.player);
        let owners = match is_brief {
            true => changes.take_owners(),
            false => Vec::new(),
        };
        let mut parts = Vec::new();
        if act.reserve > 0 && !is_brief {
            parts.push(format!("gets {}", counted(act.reserve, "army")));
        }
        let moves = std::mem::take(&mut act.moves);
        if !is_told {
            // Plain lines about the moves take the sentence's place.
            act.moves = moves;
            parts.extend(changes.parts(game, &self.names, Some(act.player)));
            if !parts.is_empty() {
                self.say(act.player, &parts.join(", "), Rank::Act);
            }
            return self.list_owners(game, act.player, owners);
        }
        let rank = match moves.as_slice() {
            [] => Rank::Act,
            _ if act.walks => Rank::Must,
            _ if parts.is_empty() && changes.is_empty() => Rank::Aside,
            _ => Rank::Act,
        };
        let names = |it: &Move| act.names(game, it.from) && act.names(game, it.to);
        let is_walk = is_brief && act.walks && moves.iter().all(names);
        let (mut text, rest) = if silent {
            (
                String::new(),
                moves.iter().map(|it| it.text(game)).collect(),
            )
        } else {
            self.worded(game, act, &moves, is_walk)
        };
        if !is_walk {
            parts.splice(0..0, rest);
        }
        if !text.is_empty()
            && moves.is_empty()
            && let Some(told) = changes.take_told(game, &text)
            && let Some(now) = told.rest()
        {
            text += &format!(" ({now})");
        }
        parts.extend(changes.parts(game, &self.names, Some(act.player)));
        match parts.join(", ") {
            parts if parts.is_empty() => {}
            parts if text.is_empty() => text = parts,
            parts => text += &format!(": {parts}"),
        }
        if !text.is_empty() {
            self.say(act.player, &text, rank);
        }
        self.list_owners(game, act.player, owners);
    }

    /// Returns the sentence of an action as it was executed, with the units that moved, and the
    /// moves that it does not tell. `is_walk` means that only the places of the moves matter.
    fn worded(
        &self,
        game: &GameState,
        act: &PlayedAction,
        moves: &[Move],
        is_walk: bool,
    ) -> (String, Vec<String>) {
        let [only] = moves else {
            // Other units went along, as fighters do with a capital ship.
            let said = moves.iter().position(|it| says(game, act, it, true));
            let rest = moves.iter().enumerate();
            let rest = rest.filter(|(index, _)| Some(*index) != said);
            let rest = rest.map(|(_, it)| it.text(game)).collect();
            return (self.sentence(game, act.action), rest);
        };
        let counts = act.values(game, SlotKind::Count);
        let less = matches!(counts.as_slice(), &[count] if only.count < count);
        if says(game, act, only, false) {
            let action = if less {
                with_count(game, act, only.count)
            } else {
                act.action
            };
            return (self.sentence(game, action), Vec::new());
        }
        let sentence = self.sentence(game, act.action);
        if !act.names(game, only.from) || !act.names(game, only.to) {
            return (sentence, vec![only.text(game)]);
        }
        let noun = kind_noun(game, only.unit, only.count.into());
        let is_kind_open = act.values(game, SlotKind::Unit).is_empty();
        let told = (counts == [only.count] && is_kind_open)
            .then(|| with_noun(&sentence, only.count, &noun))
            .flatten();
        let text = match told {
            Some(told) => told,
            None if is_walk => sentence,
            None => format!("{sentence} ({} {noun})", only.count),
        };
        (text, Vec::new())
    }

    /// Reports whether the action's sentence covers its moves.
    fn says_moves(&self, game: &GameState, act: &PlayedAction) -> bool {
        !act.told && game.decl().sentences.of_verb(act.action.verb).is_some()
    }

    /// Writes the moves that no sentence covers.
    fn tell_moves(&mut self, game: &GameState, act: &PlayedAction) {
        for unit_move in &act.moves {
            self.flush(game);
            let text = format!("moves {}", unit_move.text(game));
            let rank = if act.walks { Rank::Must } else { Rank::Aside };
            self.say(act.player, &text, rank);
        }
    }

    /// Adds changes of owners to the short form. It lists conquests with its other conquests, and
    /// hides no other change of owner either.
    fn list_owners(&mut self, game: &GameState, player: Player, owners: Vec<OwnerChange>) {
        for change in owners {
            let text = owner_text(game, &self.names, change, Some(player));
            if let Some(summary) = self.summary(player) {
                if change.to == Some(player) {
                    summary.take(change.at, None);
                } else {
                    summary.add(&text, Rank::Must);
                }
            }
        }
    }

    /// Writes changes that no action explains.
    pub(super) fn tell_changes(
        &mut self,
        game: &GameState,
        teller: Option<Player>,
        mut changes: Changes,
    ) {
        if let Some(player) = teller.filter(|&player| self.is_brief(player)) {
            let owners = changes.take_owners();
            self.list_owners(game, player, owners);
        }
        let parts = changes.parts(game, &self.names, teller).join(", ");
        match teller {
            _ if parts.is_empty() => {}
            Some(player) => self.say(player, &parts, Rank::Act),
            None => self.remark(&parts),
        }
    }

    /// Adds changes to the pending ones about the same player.
    pub(super) fn add_changes(&mut self, teller: Option<Player>, changes: Changes) {
        match self.changes.iter_mut().find(|known| known.0 == teller) {
            Some(known) => known.1.append(changes),
            None => self.changes.push((teller, changes)),
        }
    }

    /// Adds to a message about a change the number after it, so that no other line repeats it.
    pub(super) fn add_result(&mut self, game: &GameState, note: &mut Note) {
        let mut all = self.changes.iter_mut();
        if note.rank == Rank::Said
            && let Some(told) = all.find_map(|(_, it)| it.take_told(game, &note.text))
        {
            note.text += &format!(" ({})", told.now_text());
        }
    }

    /// Writes a text after the lines that it belongs to.
    pub(super) fn note(
        &mut self,
        game: &GameState,
        player: Option<Player>,
        text: String,
        rank: Rank,
    ) {
        let note = Note { player, text, rank };
        if let Some(act) = &mut self.act {
            return act.notes.push(note);
        }
        self.flush(game);
        self.notes.push(note);
        self.flush(game);
    }
}

/// Returns an action with another number of units.
fn with_count(game: &GameState, act: &PlayedAction, count: i32) -> Action {
    let slots = &game.decl().verbs[act.action.verb.index()].slots;
    let mut args = act.action.args().to_vec();
    for (arg, slot) in args.iter_mut().zip(slots) {
        if slot.1 == SlotKind::Count {
            *arg = count;
        }
    }
    Action::new(act.action.verb, &args)
}

/// Reports whether the sentence of an action covers a move: it has both territories, the kind and
/// the number. Unless `exact`, fewer units may have moved than ordered.
fn says(game: &GameState, act: &PlayedAction, moved: &Move, exact: bool) -> bool {
    let kinds = act.values(game, SlotKind::Unit);
    let says_kind = match kinds.as_slice() {
        [] => game.decl().units.len() == 1,
        kinds => kinds.contains(&moved.unit.number()),
    };
    let counts = act.values(game, SlotKind::Count);
    let says_count = match counts.as_slice() {
        &[count] => count == moved.count || (!exact && moved.count < count),
        _ => false,
    };
    says_kind && says_count && act.names(game, moved.from) && act.names(game, moved.to)
}
