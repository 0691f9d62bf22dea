//! The text for a person: the question, attacks with their chances, the map, players and cards.

use super::attacks::{self, AttackOption};
use risk_engine::script::chances::FightChances;
use risk_kernel::action::Options;
use risk_kernel::event::Status;
use risk_kernel::id::{Counter, Pile, Player, Territory, Unit, Verb};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_report::decision;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// The maximum number of attacks displayed with a question.
const SHOWN: usize = 8;
/// The data for the text.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    pub(super) names: &'a [String],
    pub(super) paint: Paint,
}

impl Scene<'_> {
    fn me(&self) -> Player {
        self.view.me()
    }

    pub(super) fn name(&self, player: Player) -> &str {
        self.names.get(player.index()).map_or("?", String::as_str)
    }

    /// Returns the name of the phase for display.
    pub(super) fn phase(&self) -> String {
        let decl = self.view.decl();
        self.view.frame().map_or_else(String::new, |frame| {
            decl.phases[frame.phase.index()].name.replace('_', " ")
        })
    }

    /// Formats the heading of a phase's first question: whose turn it is, the player's counters,
    /// and the possible actions.
    pub(super) fn question(&self, chances: &mut FightChances) -> Vec<String> {
        let when = match self.view.round() {
            0 => "set-up".to_owned(),
            round => format!("round {round}"),
        };
        let title = format!("{}: {}, {when}", self.name(self.me()), self.phase());
        let mut lines = vec![self.paint.rule(&title)];
        let counters = self.counters(self.me());
        if !counters.is_empty() {
            lines.extend(self.paint.wrapped("  ", "  ", &counters.join(", ")));
        }
        lines.extend(self.attacks(chances, SHOWN));
        lines.extend(self.verbs());
        lines
    }

    /// Formats the player's counters that are not 0.
    fn counters(&self, player: Player) -> Vec<String> {
        let decl = self.view.decl();
        let kept = decl.counters.iter().enumerate();
        kept.filter_map(|(index, counter)| {
            let value = self
                .view
                .counter(Counter::from_index(index), Some(player))?;
            (value != 0).then(|| format!("{} {value}", counter.name.replace('_', " ")))
        })
        .collect()
    }

    /// Formats the usage of each offered verb.
    fn verbs(&self) -> Vec<String> {
        let words = Words::new(self.view.board(), self.view.decl());
        let mut seen: Vec<Verb> = Vec::new();
        let mut said = Vec::new();
        for offer in self.options.offers() {
            if !seen.contains(&offer.verb) {
                seen.push(offer.verb);
                said.push(words.usage(offer.verb).replace(' ', "\u{a0}"));
            }
        }
        let text = format!("type {} · ? for help", said.join(" · "));
        let lines = self.paint.wrapped("  ", "  ", &text);
        lines
            .into_iter()
            .map(|line| self.paint.dim(&line.replace('\u{a0}', " ")))
            .collect()
    }

    /// Formats the possible attacks, likeliest first, with their chances if the ruleset provides
    /// them.
    pub(super) fn attacks(&self, chances: &mut FightChances, most: usize) -> Vec<String> {
        let mut attacks = attacks::attacks(self.view, self.options, chances);
        attacks.sort_by(|one, other| {
            let chance = |it: &AttackOption| it.chance.unwrap_or(-1.0);
            chance(other)
                .total_cmp(&chance(one))
                .then(one.from.cmp(&other.from))
                .then(one.to.cmp(&other.to))
        });
        let count = attacks.len();
        let info = |at: Territory| self.view.board().info(at).id.as_str();
        let width = (self.paint.width.saturating_sub(26) / 2).clamp(10, 22);
        let line = |attack: &AttackOption| {
            let chance = attack.chance.map_or_else(String::new, percent);
            let owner = self.view.owner(attack.to);
            let to = pad(info(attack.to), width);
            let to = owner.map_or_else(|| to.clone(), |it| self.paint.seat(it.index(), &to));
            let line = format!(
                "  {} → {to} {:>4} v {:<4} {chance:>5}",
                pad(info(attack.from), width),
                attack.armies,
                attack.defenders,
            );
            line.trim_end().to_owned()
        };
        let mut lines: Vec<String> = attacks.iter().take(most).map(line).collect();
        if count > most {
            let text = format!("  and {} more: type `attacks` to list all", count - most);
            lines.push(self.paint.dim(&text));
        }
        lines
    }

    /// Formats the visible information about a player's territories and armies.
    fn land_and_armies(&self, player: Player) -> Vec<String> {
        let lands = self.view.board().territories();
        let lands = lands.filter(|&at| self.view.owner(at) == Some(player));
        let lands: Vec<Territory> = lands.collect();
        let count = self.view.territory_count(player);
        if count.is_none() && lands.is_empty() {
            let is_out = self.view.status(player) == Status::Eliminated;
            let known = if is_out {
                "out"
            } else {
                "territories and armies unknown"
            };
            return vec![known.to_owned()];
        }
        let land = count.map_or_else(
            || format!("{} in sight", counted(lands.len(), "territory")),
            |count| counted(count, "territory"),
        );
        let kinds = self.view.decl().units.iter().enumerate();
        let mut parts = vec![land];
        let is_hidden = |at: Territory| self.view.units(at, Unit(0)).is_none();
        let hides = self.view.board().territories().any(is_hidden);
        let in_sight = if hides { " in sight" } else { "" };
        parts.extend(kinds.filter_map(|(index, kind)| {
            let unit = Unit::from_index(index);
            let seen: Vec<i32> = lands
                .iter()
                .filter_map(|&at| self.view.units(at, unit))
                .collect();
            let sum: i64 = seen.iter().copied().map(i64::from).sum();
            let is_only = self.view.decl().units.len() == 1;
            if seen.is_empty() && !lands.is_empty() {
                return Some(format!("{kind}: unknown"));
            }
            match is_only {
                true => Some(format!("{}{in_sight}", counted(sum, "army"))),
                false => (sum > 0).then(|| format!("{sum} {kind}{in_sight}")),
            }
        }));
        parts
    }

    /// Formats all players with the visible information about them.
    pub(super) fn players(&self) -> Vec<String> {
        let seats = (0..self.view.players()).map(Player::from_index);
        let line = |player: Player| {
            let mut parts = self.land_and_armies(player);
            parts.extend(self.counters(player));
            for (index, pile) in self.view.decl().piles.iter().enumerate() {
                let len = self.view.pile_len(Pile::from_index(index), Some(player));
                if len > 0 {
                    parts.push(format!(
                        "{} {}",
                        pile.name.replace('_', " "),
                        counted(len, "card")
                    ));
                }
            }
            let me = if player == self.me() { " (you)" } else { "" };
            let head = format!("  {}{me}  ", self.name(player));
            let lines = self.paint.hang(&head, &parts.join(", "));
            lines
                .into_iter()
                .map(|line| self.paint.seat(player.index(), &line))
                .collect::<Vec<_>>()
        };
        seats.flat_map(line).collect()
    }

    /// Formats the visible cards: the player's own cards and open cards.
    pub(super) fn cards(&self) -> Vec<String> {
        let words = Words::new(self.view.board(), self.view.decl());
        let mut lines = Vec::new();
        for (index, pile) in self.view.decl().piles.iter().enumerate() {
            for of in [Some(self.me()), None] {
                let Some(cards) = self.view.pile(Pile::from_index(index), of) else {
                    continue;
                };
                if cards.is_empty() {
                    continue;
                }
                let names: Vec<String> = cards.iter().map(|&card| words.card(card)).collect();
                let whose = if of.is_some() { "your " } else { "" };
                let head = format!("  {whose}{}: ", pile.name.replace('_', " "));
                lines.extend(self.paint.hang(&head, &names.join(", ")));
            }
        }
        if lines.is_empty() {
            lines.push("  you see no cards".to_owned());
        }
        lines
    }

    /// Formats all territories by owner.
    pub(super) fn land(&self) -> Vec<String> {
        decision::position(self.view, self.names, self.paint)
    }

    /// Formats the player's pending orders.
    pub(super) fn orders(&self) -> Vec<String> {
        let words = Words::new(self.view.board(), self.view.decl());
        let orders: Vec<String> = self
            .view
            .orders()
            .map(|&order| format!("  {}", words.action(order)))
            .collect();
        if orders.is_empty() {
            vec!["  you have no pending orders".to_owned()]
        } else {
            orders
        }
    }

    pub(super) fn help(&self) -> Vec<String> {
        let mut lines = vec!["  Actions:".to_owned()];
        let words = Words::new(self.view.board(), self.view.decl());
        let mut seen: Vec<Verb> = Vec::new();
        for offer in self.options.offers() {
            if seen.contains(&offer.verb) {
                continue;
            }
            seen.push(offer.verb);
            let example = words.action(self.options.nth_of(offer, &mut 0));
            let head = format!("    {}  ", pad(&words.usage(offer.verb), 28));
            lines.extend(self.paint.hang(&head, &format!("as in `{example}`")));
        }
        for (words, about) in HELP {
            lines.extend(self.paint.hang(&format!("    {}  ", pad(words, 28)), about));
        }
        lines
    }
}

/// Inputs that are always possible.
const HELP: [(&str, &str); 14] = [
    ("Enter", "the suggested action"),
    (
        "auto, auto turn",
        "follow the suggestions until the phase or the turn ends",
    ),
    ("all, half", "in place of a number"),
    ("!", "after an attack: repeat it to the end"),
    ("map, land", "the map; the territories by owner"),
    (
        "look TERRITORY",
        "its owner, units, continent and neighbours, with the chances of attacks",
    ),
    (
        "bonuses, odds 7 3",
        "the continents; the chance of 7 attackers against 3 defenders",
    ),
    (
        "players, cards, orders",
        "all players; your hand; your pending orders",
    ),
    ("attacks", "all attacks, with the chance of capture"),
    ("hint, hint BOT", "a suggestion by a bot"),
    ("log", "the latest events"),
    (
        "undo",
        "undo your last action, unless dice or cards came after it",
    ),
    ("quit", "save the game and quit"),
    (
        "?",
        "this help; names can be abbreviated to a unique beginning",
    ),
];

/// Formats a chance in percent.
pub(super) fn percent(chance: f64) -> String {
    if chance > 0.995 && chance < 1.0 {
        ">99 %".to_owned()
    } else if chance < 0.005 && chance > 0.0 {
        "<1 %".to_owned()
    } else {
        format!("{:.0} %", chance * 100.0)
    }
}
