//! Groups of territories with a bonus: continents, which don't overlap, and others, which may
//! overlap and contain each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::board::Board;
use super::board::TerritoryInfo;
pub use super::board::{BonusStep, GroupInfo};
use super::fault::RuleResult;
use super::id::{Group, Player, Territory, Unit};
use super::state::{GameState, MOST};

impl TerritoryInfo {
    /// Returns what the map says about the territory alone in numbers; zeros if it says nothing.
    #[must_use]
    pub const fn rule_numbers(&self) -> [i32; 4] {
        let strength = self.strength as i32;
        [self.each_turn, strength, self.neutral, self.resets as i32]
    }
}

impl GroupInfo {
    /// Returns the number of members that a player needs to hold the group.
    #[must_use]
    pub fn needed(&self) -> u32 {
        let all = self.territories.len() + self.groups.len();
        self.needs.unwrap_or(all as u32).max(1)
    }

    /// Returns the bonus of a player who has this many of the members.
    #[must_use]
    pub fn bonus_of(&self, members: u32) -> i64 {
        let steps = self.steps.iter().filter(|step| members >= step.needs);
        let steps: i64 = steps.map(|step| i64::from(step.bonus)).sum();
        steps + i64::from(self.bonus) * i64::from(members >= self.needed())
    }

    /// Reports whether the group has one bonus for all members, and no effect beside it.
    pub(super) fn is_plain(&self) -> bool {
        self.needs.is_none()
            && self.steps.is_empty()
            && self.overrides.is_empty()
            && self.each_turn == 0
            && self.deploys.is_none()
            && self.strength == 0
    }

    /// Returns the bonus of a player who has all members.
    #[must_use]
    pub fn whole_bonus(&self) -> i64 {
        self.bonus_of(u32::MAX)
    }
}

impl Board {
    /// Returns the number of a group's members that count for a player. `owned` returns the number
    /// of territories among the members of a group that the player owns.
    pub fn members_held(&self, group: Group, owned: &dyn Fn(Group) -> u32) -> u32 {
        let parts = self.group(group).groups.iter();
        owned(group) + parts.filter(|&&part| self.is_held(part, owned)).count() as u32
    }

    /// Reports whether a player holds a group. `owned` is that of [`Board::members_held`].
    pub fn is_held(&self, group: Group, owned: &dyn Fn(Group) -> u32) -> bool {
        self.members_held(group, owned) >= self.group(group).needed()
    }

    /// Reports whether a player who owns the territories for which `owns` returns true holds a
    /// group.
    pub fn is_held_by(&self, group: Group, owns: impl Fn(Territory) -> bool) -> bool {
        let info = self.group(group);
        if info.groups.is_empty() && info.needs.is_none() {
            let all = &info.territories;
            return !all.is_empty() && all.iter().all(|&at| owns(at));
        }
        self.is_held(group, &self.owned_in(owns))
    }

    /// Returns the groups that give a player a bonus other than 0, with this bonus. `owned` is that
    /// of [`Board::members_held`].
    pub fn bonuses<'a>(
        &'a self,
        owned: &'a dyn Fn(Group) -> u32,
    ) -> impl Iterator<Item = (Group, i64)> + 'a {
        let all = || (0..self.groups().len()).map(Group::from_index);
        let over = all().filter(|&by| !self.group(by).overrides.is_empty());
        let over = over.filter(move |&by| self.is_held(by, owned));
        let overridden: BTreeSet<Group> = over
            .flat_map(|by| self.group(by).overrides.iter().copied())
            .collect();
        all().filter_map(move |group| {
            let bonus = self.group(group).bonus_of(self.members_held(group, owned));
            (bonus != 0 && !overridden.contains(&group)).then_some((group, bonus))
        })
    }

    /// Returns the number of territories that surely suffices to hold a group: `needs`, or all of
    /// them if groups are among the members.
    #[must_use]
    pub fn territories_needed(&self, group: Group) -> usize {
        let info = self.group(group);
        match info.needs {
            Some(needs) if info.groups.is_empty() => needs as usize,
            _ => self.members(group).len(),
        }
    }

    /// Returns the numbers of territories among the members of each group for which `owns` returns
    /// true.
    pub fn owned_in(&self, owns: impl Fn(Territory) -> bool) -> impl Fn(Group) -> u32 {
        move |group| {
            let all = self.group(group).territories.iter();
            all.filter(|&&at| owns(at)).count() as u32
        }
    }
}

impl GameState {
    /// Reports whether a player holds a group.
    #[must_use]
    pub fn holds(&self, player: Player, group: Group) -> bool {
        self.board
            .is_held(group, &|group| self.owned_in(player, group))
    }

    /// Returns the number of territories among the members of a group that a player owns.
    #[inline]
    #[must_use]
    pub fn owned_in(&self, player: Player, group: Group) -> u32 {
        self.numbers[self.members_of(player, group)] as u32
    }

    /// Returns the index in `numbers` of the number of territories that a player owns in a group.
    #[inline]
    pub(super) const fn members_of(&self, player: Player, group: Group) -> usize {
        self.members_at + group.index() * self.players + player.index()
    }

    /// Puts armies on the territories that begin with some, without an owner.
    pub(super) fn place_neutrals(&mut self) -> RuleResult {
        let board = Arc::clone(&self.board);
        let mut all = board.territories().filter(|&at| board.info(at).neutral > 0);
        all.try_for_each(|at| self.add_units(at, Unit::FIRST, board.info(at).neutral))
    }

    /// Takes the territories that reset from a player.
    fn reset_territories(&mut self, player: Player) -> RuleResult {
        let board = Arc::clone(&self.board);
        let lost: Vec<Territory> = self
            .owned(player)
            .filter(|&at| board.info(at).resets)
            .collect();
        for at in lost {
            self.set_owner(at, None);
            let change = board.info(at).neutral - self.armies(at);
            self.add_units(at, Unit::FIRST, change)?;
        }
        Ok(())
    }

    /// Changes territories as the map says, when a player's turn begins. First some go back to
    /// nobody. Then armies come and leave: those of territories, those of groups, and the bonuses
    /// that appear on a territory. Where armies leave, one stays.
    pub(super) fn deploy_by_map(&mut self, player: Player) -> RuleResult {
        self.reset_territories(player)?;
        let board = Arc::clone(&self.board);
        let mut changes: Vec<(Territory, i64)> = Vec::new();
        for at in self.owned(player) {
            let info = board.info(at);
            let place = info.deploys.filter(|&place| self.owns(player, place));
            changes.push((place.unwrap_or(at), info.each_turn.into()));
        }
        let owned = |group| self.owned_in(player, group);
        for (index, info) in board.groups().iter().enumerate() {
            let group = Group::from_index(index);
            if info.each_turn != 0 && board.is_held(group, &owned) {
                let members = board.members(group).iter();
                changes.extend(members.map(|&at| (at, info.each_turn.into())));
            }
        }
        for (group, bonus) in board.bonuses(&owned) {
            let place = board.group(group).deploys;
            changes.extend(place.map(|at| (at, bonus)));
        }
        for (at, by) in changes {
            let there = i64::from(self.armies(at));
            let most = MOST.min(there + i64::from(self.space(at, Unit::FIRST)));
            let now = (there + by).clamp(there.min(1), most);
            if self.owns(player, at) {
                self.add_units(at, Unit::FIRST, (now - there) as i32)?;
            }
        }
        Ok(())
    }
}
