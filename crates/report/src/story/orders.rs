//! Secret answers and stored orders. Each is reported once: when it is executed, or when it is
//! revealed if nothing comes of it.

use std::io::Write;

use super::Story;
use super::lines::Rank;
use super::nouns::heading;
use risk_kernel::action::Action;
use risk_kernel::id::{Phase, Player};
use risk_kernel::state::GameState;

/// Removes an order from a list. Reports whether it was there.
fn remove(list: &mut Vec<(Player, Action)>, player: Player, action: Action) -> bool {
    let found = list.iter().position(|order| *order == (player, action));
    found.map(|index| list.remove(index)).is_some()
}

impl<W: Write> Story<W> {
    pub(super) fn answered(
        &mut self,
        game: &GameState,
        player: Player,
        phase: Phase,
        action: Action,
    ) {
        let info = &game.decl().phases[phase.index()];
        if info.secret {
            self.settle(game);
            if self.giving != Some(phase) {
                self.tell_given(game);
                self.giving = Some(phase);
            }
            let silent =
                action.args().is_empty() && game.decl().sentences.of_verb(action.verb).is_none();
            if !silent {
                self.given.push((player, action));
            }
        } else if !info.optional {
            self.tell_given(game);
            self.begin_act(game, player, action, info.scripted);
        }
    }

    /// Notes that a secret answer is an order in the book, so that it is reported later.
    pub(super) fn stored(&mut self, player: Player, action: Action) {
        remove(&mut self.given, player, action);
        self.stored_in = self.giving.or(self.phase);
    }

    /// Notes that an order left the book.
    pub(super) fn unstored(&mut self, player: Player, action: Action) {
        self.unbooked.push((player, action));
    }

    /// Begins an order that is executed.
    pub(super) fn executed(&mut self, game: &GameState, player: Player, action: Action) {
        self.tell_given(game);
        remove(&mut self.unbooked, player, action);
        // Rulesets may announce all orders first. Later effects are not those of the last one.
        let in_batch = self.act.as_ref().is_some_and(|act| act.is_bare());
        self.settle_act(game);
        // An order is not part of the fight before it.
        if self.fight.is_some() {
            self.flush(game);
        }
        let scripted = self
            .phase
            .is_some_and(|phase| game.decl().phases[phase.index()].scripted);
        self.begin_act(game, player, action, scripted);
        if let Some(act) = &mut self.act {
            act.in_batch = in_batch;
            act.is_order = true;
        }
    }

    /// Notes that the ruleset says what became of an order that was not executed.
    pub(super) fn explained(&mut self, player: Player, sentence: impl Fn(Action) -> bool) {
        let found = self
            .unbooked
            .iter()
            .position(|(of, action)| *of == player && sentence(*action));
        if let Some(index) = found {
            self.unbooked.remove(index);
        }
    }

    /// Writes the secret answers in the order in which they were given.
    pub(super) fn tell_given(&mut self, game: &GameState) {
        let given = std::mem::take(&mut self.given);
        let Some(phase) = self.giving.take().filter(|_| !given.is_empty()) else {
            return;
        };
        self.tell_list(game, given, Some(phase), Rank::Aside);
    }

    /// Writes the secret answers, and the orders that left the book without effect.
    pub(super) fn tell_orders(&mut self, game: &GameState) {
        self.tell_given(game);
        let unbooked = std::mem::take(&mut self.unbooked);
        if !unbooked.is_empty() {
            // They are only what was ordered, so they are under the heading of that phase.
            self.tell_list(game, unbooked, self.stored_in, Rank::Act);
        }
    }

    /// Writes a line of orders for each player.
    fn tell_list(
        &mut self,
        game: &GameState,
        orders: Vec<(Player, Action)>,
        phase: Option<Phase>,
        rank: Rank,
    ) {
        self.settle(game);
        let kept = self.heading.take();
        if self.brief.is_none() {
            let title = phase.and_then(|phase| heading(game.decl(), phase));
            let title = title.unwrap_or_else(|| "orders, as they are given".to_owned());
            self.heading = Some((None, title));
        }
        let mut lists: Vec<(Player, Vec<String>)> = Vec::new();
        for (player, action) in orders {
            let text = self.sentence(game, action);
            match lists.iter_mut().find(|list| list.0 == player) {
                Some(list) => list.1.push(text),
                None => lists.push((player, vec![text])),
            }
        }
        for (player, list) in lists {
            self.say(player, &list.join("; "), rank);
        }
        self.heading = kept;
    }
}
