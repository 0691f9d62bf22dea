//! The text for a person about the board: the map as a picture, one territory, and the continents.

use super::attacks::{self, AttackOption};
use super::scene::{Scene, percent};
use super::spelling::found;
use super::why_not::free_armies;
use risk_bots::fight_odds::FightOdds;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Group, Player, Territory, Unit};
use risk_kernel::words::Words;
use risk_report::board::border_words;
use risk_report::picture::letter;
use risk_report::{decision, groups, screen};
use risk_text::paint::pad;
use risk_text::plural::counted;
use risk_text::without_marks;

impl Scene<'_> {
    /// Draws the map with borders, names and units, and marks these territories. Names that don't
    /// fit are listed below it.
    pub(super) fn map(&self, marked: &[Territory]) -> Vec<String> {
        let game = self.view.seen();
        let me = self.view.me();
        let mut lines = screen::map(&game, Some(me), self.names, marked, self.paint);
        let drawn = without_marks(&lines.join("\n"));
        let board = self.view.board();
        let kinds = || (0..self.view.decl().units.len()).map(Unit::from_index);
        let is_several = |at: Territory| {
            let units = kinds().filter_map(|unit| self.view.units(at, unit));
            units.filter(|&units| units > 0).count() > 1
        };
        let is_mixed = board.territories().any(is_several);
        let is_named = |at: &Territory| drawn.contains(board.info(*at).name.as_str());
        let unnamed = board.territories().filter(|at| !is_named(at));
        let listed = |at: Territory| {
            let mark = if marked.contains(&at) { "*" } else { "" };
            let owner = self
                .view
                .owner(at)
                .map(|it| format!("{} ", letter(it.index())));
            let owner = owner.unwrap_or_default();
            format!("{mark}{}: {owner}{}", self.title(at), self.forces(at))
        };
        let unnamed: Vec<String> = unnamed.map(listed).collect();
        let mixed = board.territories().filter(is_named);
        let mixed = mixed.filter(|&at| self.has_other_kinds(at));
        let mixed: Vec<String> = mixed.map(listed).collect();
        let marked = board.territories().filter(|&at| !self.marks(at).is_empty());
        let marked = marked.map(|at| format!("{}: {}", self.title(at), self.marks(at).join(", ")));
        let marked: Vec<String> = marked.collect();
        for (head, list) in [
            ("  not named on the map: ", unnamed),
            ("  units by kind: ", mixed),
            ("  marks: ", marked),
        ] {
            if !list.is_empty() {
                lines.extend(self.paint.hang(head, &list.join(", ")));
            }
        }
        let players = self.names.iter().enumerate();
        let players = players.map(|(seat, name)| {
            let text = format!("{} {name}", letter(seat));
            self.paint.seat(seat, &text)
        });
        let mut players: Vec<String> = players.collect();
        if is_mixed {
            players.push("+: and other kinds".to_owned());
        }
        lines.insert(0, format!("  {}", players.join(" · ")));
        lines
    }

    /// Reports whether a territory has units of a kind other than the first. The map shows no
    /// kinds, only a `+` for several of them.
    fn has_other_kinds(&self, at: Territory) -> bool {
        let mut others = (1..self.view.decl().units.len()).map(Unit::from_index);
        others.any(|unit| self.view.units(at, unit).is_some_and(|units| units > 0))
    }

    /// Returns the marks of a territory that the player sees and that are not 0.
    fn marks(&self, at: Territory) -> Vec<String> {
        let words = Words::new(self.view.board(), self.view.decl());
        words.marks(|mark| self.view.mark(at, mark))
    }

    fn title(&self, at: Territory) -> &str {
        &self.view.board().info(at).name
    }

    fn forces(&self, at: Territory) -> String {
        decision::units(self.view, at)
    }

    /// Returns the visible units of a territory with their kinds, as in a sentence.
    fn units(&self, at: Territory) -> String {
        let words = Words::new(self.view.board(), self.view.decl());
        let is_only = self.view.decl().units.len() == 1;
        match self.view.armies(at).filter(|_| is_only) {
            Some(units) => words.units(Unit(0), i64::from(units)),
            None if self.view.units(at, Unit(0)).is_none() => "units hidden".to_owned(),
            None => match self.forces(at).as_str() {
                "0" => "no units".to_owned(),
                units => units.to_owned(),
            },
        }
    }

    /// Returns what the player's orders place on a territory and send away from it.
    fn ordered(&self, at: Territory) -> String {
        let armies = self.view.armies(at).filter(|_| self.view.mine(at));
        let Some((armies, (free, leaving))) = armies.zip(free_armies(self.view, at)) else {
            return String::new();
        };
        let placed = free + leaving - i64::from(armies);
        match [placed, leaving] {
            [0, 0] => String::new(),
            [placed, 0] => format!(" (+{placed} by your orders)"),
            [0, leaving] => format!(" ({leaving} with orders to leave)"),
            [placed, leaving] => {
                format!(" (+{placed} by your orders, {leaving} with orders to leave)")
            }
        }
    }

    /// Reports whether a territory belongs to the player or a partner.
    fn is_friendly(&self, at: Territory) -> bool {
        let owner = self.view.owner(at);
        owner.is_some_and(|owner| owner == self.view.me() || self.is_partner(owner))
    }

    fn is_partner(&self, player: Player) -> bool {
        let Some(team) = self.view.decl().teams else {
            return false;
        };
        let of = |player| self.view.counter(team, Some(player));
        player != self.view.me() && of(player) == of(self.view.me())
    }

    fn owner(&self, at: Territory) -> String {
        match self.view.owner(at) {
            Some(player) if player == self.view.me() => "you".to_owned(),
            Some(player) if self.is_partner(player) => {
                format!("{}, of your team", self.name(player))
            }
            Some(player) => self.name(player).to_owned(),
            None if self.view.sees_owner(at) => "no owner".to_owned(),
            None => "owner hidden".to_owned(),
        }
    }

    /// Formats a territory: its owner and units, its continent, and its neighbours with the
    /// chances of attacks between them and it.
    pub(super) fn look(&self, at: Territory, chances: &mut FightOdds) -> Vec<String> {
        let board = self.view.board();
        let info = board.info(at);
        let head = format!("  {} ({}): ", info.name, info.id);
        let mut text = format!("{}, {}{}", self.owner(at), self.units(at), self.ordered(at));
        for mark in self.marks(at) {
            text += &format!(", {mark}");
        }
        let offered = attacks::attacks(self.view, self.options, chances);
        let mut lines = self.paint.hang(&head, &text);
        let rules = groups::rules_of(board, at);
        lines.extend(rules.iter().map(|words| format!("  {words}")));
        for &group in board.groups_around(at) {
            lines.extend(self.paint.hang("  in ", &self.group(group)));
        }
        for &to in board.neighbours(at) {
            let chance = self.chance_between(at, to, &offered, chances);
            let units = format!("{}{}", self.units(to), self.ordered(to));
            let closed = (self.view.closed_borders())
                .any(|pair| pair == (at, to) || pair == (to, at))
                .then(|| "closed".to_owned());
            let border = closed.or_else(|| border_words(board, at, to));
            let border = border.map_or_else(String::new, |words| format!(", {words}"));
            let text = format!("{}, {units}{border}{chance}", self.owner(to));
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
        offered: &[AttackOption],
        chances: &mut FightOdds,
    ) -> String {
        let (from, to, way) = if self.view.mine(at) && !self.is_friendly(other) {
            (at, other, "to take it")
        } else if self.view.mine(other) && !self.is_friendly(at) {
            (other, at, "from there")
        } else {
            return String::new();
        };
        if !self.view.threatens(from, to) {
            return String::new();
        }
        // Territories without an owner are claimed before the first round, not attacked.
        if self.view.round() == 0 {
            return String::new();
        }
        // The offer counts the armies that orders place and send.
        let offer = offered.iter().find(|it| (it.from, it.to) == (from, to));
        if let Some(chance) = offer.and_then(|offer| offer.chance) {
            return format!(", {} {way}", percent(chance));
        }
        // Where attacks are offered now, others aren't possible. Else the phase that offers them
        // may come later.
        let may_come = offered.is_empty()
            && (chances.attacks(self.view)).is_ok_and(|attacks| attacks.contains(&(from, to)));
        match chances.of_offer(self.view, from, to) {
            Ok(chance) if may_come => format!(", {} {way}", percent(chance)),
            _ => String::new(),
        }
    }

    /// Formats a group: its bonus, and how much of it each player owns.
    fn group(&self, group: Group) -> String {
        let board = self.view.board();
        let members = board.members(group);
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
                format!("{name}: {count}")
            })
            .collect();
        let free = members
            .iter()
            .filter(|&&at| self.view.sees_owner(at) && self.view.owner(at).is_none());
        let mut held = held;
        if !held.is_empty() && free.clone().next().is_some() {
            held.push(format!("no owner: {}", free.count()));
        }
        format!(
            "{}, {}, {}; {}",
            board.group(group).name,
            groups::gains(board, group),
            groups::size(board, group),
            if held.is_empty() {
                if self
                    .view
                    .board()
                    .territories()
                    .all(|at| self.view.sees_owner(at))
                {
                    "no owners yet".to_owned()
                } else {
                    "no owners in sight".to_owned()
                }
            } else {
                held.join(", ")
            }
        )
    }

    /// Formats all continents and other groups with their bonuses.
    pub(super) fn bonuses(&self) -> Vec<String> {
        let groups = self.view.board().groups();
        if groups.is_empty() {
            return vec!["  the map has no continents".to_owned()];
        }
        let all = (0..groups.len()).map(Group::from_index);
        all.flat_map(|group| self.paint.hang("  ", &self.group(group)))
            .collect()
    }

    /// Formats the chance that this number of attackers takes a territory from this number of
    /// defenders, and what is left on average.
    pub(super) fn odds(&self, rest: &str, chances: &mut FightOdds) -> Result<String, String> {
        let numbers: Vec<i32> = rest
            .split_whitespace()
            .filter_map(|word| word.parse().ok().filter(|number| *number >= 0))
            .collect();
        let [attackers, defenders] = numbers.as_slice() else {
            let found = found(rest);
            return Err(format!(
                "expected two numbers, attackers and defenders, found {found}: type `odds 7 3`"
            ));
        };
        let fight = chances.by_numbers();
        let fight = fight.ok_or("this ruleset can't compute odds from army counts")?;
        let failed = |fault: RuleFault| fault.to_string();
        let odds = fight.odds(*attackers, *defenders).map_err(failed)?;
        let (attackers, defenders) = (*attackers, *defenders);
        let mut text = format!(
            "  {} against {}{}: {} to take the territory; on average, {:.1} attackers and {:.1} \
             defenders are left",
            counted(attackers, "attacker"),
            counted(defenders, "defender"),
            if fight.has_rounds() {
                ", fought to the end"
            } else {
                ""
            },
            percent(odds.capture),
            odds.attackers_left,
            odds.defenders_left
        );
        // Chances in lists are about territories, where one army stays.
        if fight.has_rounds() && attackers > 1 {
            let odds = fight.odds(attackers - 1, defenders).map_err(failed)?;
            text += &format!(
                ". If one of {attackers} armies must stay behind: {}",
                percent(odds.capture)
            );
        }
        Ok(text)
    }
}
