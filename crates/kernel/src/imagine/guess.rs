//! Guesses at the facts that a player can't see, for rulesets that don't imagine them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::card_groups::CardGroups;
use crate::declare::{Declaration, Sight, Visibility};
use crate::fault::RuleResult;
use crate::id::{Card, Counter, Mark, Phase, Pile, Player, PlayerSet, Territory};
use crate::rules::Rules;
use crate::state::GameState;
use crate::view::{View, may_see};

/// The facts besides cards that a ruleset hides from some players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenFacts {
    /// True if fog hides owners or units of territories.
    pub land: bool,
    /// The hidden counters.
    pub counters: Vec<Counter>,
    /// The marks that are hidden somewhere.
    pub marks: Vec<Mark>,
    /// The phases with secret answers.
    pub phases: Vec<Phase>,
}

impl HiddenFacts {
    /// Returns the facts that a ruleset hides.
    #[must_use]
    pub fn of(decl: &Declaration) -> Self {
        let counters = decl.counters.iter().enumerate();
        let hidden = counters.filter(|(_, counter)| counter.seen != Visibility::All);
        let marks = decl.marks.iter().enumerate();
        let fog = decl.units_seen != Sight::All;
        let unseen = marks.filter(|(_, it)| it.seen != Visibility::All || it.in_sight && fog);
        let phases = decl.phases.iter().enumerate();
        let secret = phases.filter(|(_, phase)| phase.secret);
        Self {
            land: decl.owners_seen != Sight::All || fog,
            marks: unseen.map(|(index, _)| Mark::from_index(index)).collect(),
            counters: hidden
                .map(|(index, _)| Counter::from_index(index))
                .collect(),
            phases: secret.map(|(index, _)| Phase::from_index(index)).collect(),
        }
    }
}

impl View {
    /// Fills in what is hidden, in a game without it:
    /// - A territory in fog gets the owner and the units of a territory in sight that the player
    ///   does not own, chosen at random, if the player has land. Each other player owns at least
    ///   one territory if fog hides enough.
    /// - Cards are dealt to piles with cards of the same group.
    /// - Each other player has as much of a hidden counter as this player.
    /// - A hidden mark is 0.
    /// - In a secret phase, the players who are done are asked again, because their answers are
    ///   absent.
    pub(super) fn guess(&self, rules: &mut dyn Rules, game: &mut GameState) -> RuleResult {
        if self.decl().card_kinds.len() > 1 {
            let groups = rules.card_groups(game)?;
            game.deal_by_groups(self.me(), &groups);
        }
        self.guess_owners(game);
        self.guess_units(game);
        self.guess_counters(game);
        let others = game.playing().without(self.me());
        let decl = self.decl();
        if let Some(frame) = game.stack.last_mut()
            && frame.opened_for.is_none()
            && decl.phases[frame.phase.index()].secret
        {
            frame.players = others.iter().fold(frame.players, PlayerSet::with);
        }
        Ok(())
    }

    fn guess_owners(&self, game: &mut GameState) {
        // In a set-up, a player without land can't know that others have land.
        if game.territory_count(self.me()) == 0 {
            return;
        }
        let all = || self.board().territories();
        let mut fog: Vec<Territory> = all().filter(|&at| !self.sees_owner(at)).collect();
        fog.retain(|&at| !self.mine(at));
        let others: Vec<Player> = game.playing().without(self.me()).iter().collect();
        let in_sight = all().filter(|&at| self.sees_owner(at) && !self.mine(at));
        let mut owners: Vec<Option<Player>> = in_sight.map(|at| self.owner(at)).collect();
        if owners.is_empty() {
            owners.extend(others.iter().copied().map(Some));
        }
        game.setup.shuffle(&mut fog);
        for &at in &fog {
            if let Some(owner) = pick(game, &owners) {
                game.set_owner(at, owner);
            }
        }
        let landless = others.into_iter();
        let landless = landless.filter(|&player| game.territory_count(player) == 0);
        let landless: Vec<Player> = landless.collect();
        for (player, &at) in landless.into_iter().zip(&fog) {
            game.set_owner(at, Some(player));
        }
    }

    fn guess_units(&self, game: &mut GameState) {
        let (seen, fog): (Vec<Territory>, Vec<Territory>) = self
            .board()
            .territories()
            .partition(|&at| self.armies(at).is_some());
        let (own, mut others): (Vec<Territory>, Vec<Territory>) =
            seen.into_iter().partition(|&at| self.mine(at));
        if others.is_empty() {
            others = own;
        }
        let kinds = game.kinds;
        for at in fog {
            if let Some(like) = pick(game, &others) {
                let like = like.index() * kinds;
                game.units
                    .copy_within(like..like + kinds, at.index() * kinds);
            }
        }
    }

    fn guess_counters(&self, game: &mut GameState) {
        let holders = game.players + 1;
        for (counter, info) in self.decl().counters.iter().enumerate() {
            let own = self.counter(Counter::from_index(counter), Some(self.me()));
            let hidden = game
                .seats()
                .filter(|&of| !may_see(info.seen, Some(of), self.me()));
            let hidden: Vec<Player> = hidden.collect();
            for of in hidden {
                game.numbers[counter * holders + of.index()] = own.unwrap_or(0);
            }
        }
    }
}

impl GameState {
    /// Deals the hidden cards again, to each pile cards of its group. If there are too few, other
    /// cards take their places.
    fn deal_by_groups(&mut self, player: Player, groups: &CardGroups) {
        if groups.is_single() {
            return;
        }
        let holders = self.players + 1;
        let is_hidden: Vec<bool> = (0..self.piles.len())
            .map(|holder| !self.sees_pile_at(holder, player))
            .collect();
        let mut rest = self.unseen_cards(&is_hidden);
        self.decks.shuffle(&mut rest);
        let mut by_group: BTreeMap<usize, Vec<Card>> = BTreeMap::new();
        for card in rest {
            let group = groups.of_card(&self.decl, card);
            by_group.entry(group).or_default().push(card);
        }
        let piles = Arc::make_mut(&mut self.piles);
        let hidden = || (0..is_hidden.len()).filter(|&holder| is_hidden[holder]);
        let wanted: Vec<usize> = piles.iter().map(Vec::len).collect();
        for holder in hidden() {
            let group = groups.of_pile(Pile::from_index(holder / holders));
            let cards = by_group.entry(group).or_default();
            piles[holder] = cards.drain(..cards.len().min(wanted[holder])).collect();
        }
        let mut rest: Vec<Card> = by_group.into_values().flatten().collect();
        for holder in hidden() {
            let missing = wanted[holder] - piles[holder].len();
            let left = rest.len().saturating_sub(missing);
            piles[holder].extend(rest.drain(left..));
        }
    }
}

/// Returns a random element; `None` if there is none.
fn pick<T: Copy>(game: &mut GameState, among: &[T]) -> Option<T> {
    let index = game.setup.below(among.len().max(1) as u64);
    among.get(index as usize).copied()
}
