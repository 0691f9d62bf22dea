//! The text for a person about the board: the map as a picture, one territory, and the continents.

use super::scene::{Scene, percent};
use risk_engine::script::chances::FightChances;
use risk_kernel::id::{Continent, Player, Territory};
use risk_report::{decision, screen};
use risk_text::paint::pad;
use risk_text::plural::counted;

impl Scene<'_> {
    /// Draws the map with borders, names and units. Names that don't fit are listed below it.
    pub(super) fn map(&self) -> Vec<String> {
        let game = self.view.seen();
        let me = self.view.me();
        let mut lines = screen::map(&game, Some(me), self.names, self.paint);
        let drawn = lines.join("\n");
        let board = self.view.board();
        let is_named = |at: &Territory| drawn.contains(board.info(*at).name.as_str());
        let unnamed = board.territories().filter(|at| !is_named(at));
        let unnamed: Vec<String> = unnamed.map(|at| self.units_at(at)).collect();
        if !unnamed.is_empty() {
            let head = "  not named on the map: ";
            lines.extend(self.paint.hang(head, &unnamed.join(", ")));
        }
        lines
    }

    fn title(&self, at: Territory) -> &str {
        &self.view.board().info(at).name
    }

    /// Formats a territory with its units by kind.
    fn units_at(&self, at: Territory) -> String {
        format!("{}: {}", self.title(at), self.forces(at))
    }

    fn forces(&self, at: Territory) -> String {
        decision::units(self.view, at)
    }

    fn owner(&self, at: Territory) -> String {
        match self.view.owner(at) {
            Some(player) if player == self.view.me() => "you".to_owned(),
            Some(player) => self.name(player).to_owned(),
            None if self.view.sees_owner(at) => "no owner".to_owned(),
            None => "owner hidden".to_owned(),
        }
    }

    /// Formats a territory: its owner and units, its continent, and its neighbours with the
    /// chances of attacks between them and it.
    pub(super) fn look(&self, at: Territory, chances: &mut FightChances) -> Vec<String> {
        let board = self.view.board();
        let info = board.info(at);
        let head = format!("  {} ({}): ", info.name, info.id);
        let text = format!("{}, {}", self.owner(at), self.forces(at));
        let mut lines = self.paint.hang(&head, &text);
        if let Some(continent) = board.continent(at) {
            lines.extend(self.paint.hang("  in ", &self.continent(continent)));
        }
        for &to in board.neighbours(at) {
            let chance = self.chance_between(at, to, chances);
            let text = format!("{}, {}{chance}", self.owner(to), self.forces(to));
            let head = format!("    {} ", pad(self.title(to), 24));
            lines.extend(self.paint.hang(&head, &text));
        }
        lines
    }

    /// Formats the chance of an attack from or on a territory, if its owner could attack now.
    fn chance_between(
        &self,
        at: Territory,
        other: Territory,
        chances: &mut FightChances,
    ) -> String {
        let (from, to, way) = if self.view.mine(at) && !self.view.mine(other) {
            (at, other, "to take it")
        } else if self.view.mine(other) && !self.view.mine(at) {
            (other, at, "from there")
        } else {
            return String::new();
        };
        match chances.of_offer(self.view, from, to) {
            Ok(chance) if self.view.board().neighbours(from).contains(&to) => {
                format!(", {} {way}", percent(chance))
            }
            _ => String::new(),
        }
    }

    /// Formats a continent: its bonus, and how much of it each player holds.
    fn continent(&self, continent: Continent) -> String {
        let board = self.view.board();
        let info = &board.continents()[continent.index()];
        let members = board.members(continent);
        let of = |player: Player| {
            let held = members
                .iter()
                .filter(|&&at| self.view.owner(at) == Some(player));
            (held.count(), player)
        };
        let held = (0..self.view.players()).map(Player::from_index).map(of);
        let held: Vec<String> = held
            .filter(|(count, _)| *count > 0)
            .map(|(count, player)| {
                let name = if player == self.view.me() {
                    "you"
                } else {
                    self.name(player)
                };
                format!("{name} {count}")
            })
            .collect();
        format!(
            "{}, bonus {}, {}: {}",
            info.name,
            info.bonus,
            counted(members.len(), "territory"),
            if held.is_empty() {
                "none in sight".to_owned()
            } else {
                held.join(", ")
            }
        )
    }

    /// Formats all continents with their bonuses.
    pub(super) fn bonuses(&self) -> Vec<String> {
        let continents = self.view.board().continents();
        if continents.is_empty() {
            return vec!["  the map has no continents".to_owned()];
        }
        let all = (0..continents.len()).map(Continent::from_index);
        all.flat_map(|continent| self.paint.hang("  ", &self.continent(continent)))
            .collect()
    }

    /// Formats the chance that this number of attackers takes a territory from this number of
    /// defenders, and what is left on average.
    pub(super) fn odds(&self, rest: &str, chances: &mut FightChances) -> Result<String, String> {
        let numbers: Vec<i32> = rest
            .split_whitespace()
            .filter_map(|word| word.parse().ok().filter(|number| *number >= 0))
            .collect();
        let [attackers, defenders] = numbers.as_slice() else {
            return Err(format!(
                "expected two numbers, attackers and defenders, found `{rest}`: type `odds 7 3`"
            ));
        };
        let fight = chances.by_numbers();
        let fight = fight.ok_or("this ruleset can't compute odds from army counts")?;
        let odds = fight.odds(*attackers, *defenders);
        let odds = odds.map_err(|fault| fault.to_string())?;
        Ok(format!(
            "  {attackers} attackers take a territory from {defenders} defenders with {}; on \
             average, {:.1} attackers and {:.1} defenders are left",
            percent(odds.capture),
            odds.attackers_left,
            odds.defenders_left
        ))
    }
}
