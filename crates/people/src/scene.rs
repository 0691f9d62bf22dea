//! The text for a person: the question, attacks with their chances, the map, players and cards.

use super::offered::Offered;
use risk_bots::fight_odds::FightOdds;
use risk_kernel::action::{Action, Domain, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Counter, Pile, Player, Territory, Unit, Verb};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_report::{decision, rules};
use risk_text::columns;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// The maximum number of attacks displayed with a question.
const SHOWN_ATTACKS: usize = 8;
/// The maximum width of the column of names, in columns.
const WIDEST_NAME: usize = 24;
/// The maximum number of values listed for an action with one parameter.
const MOST_CHOICES: u64 = 12;
/// The data for the text.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    /// What the player knows of other players. In a planned phase, `view` imagines their answers.
    pub(super) others: &'a View,
    pub(super) names: &'a [String],
    pub(super) paint: Paint,
}

impl<'a> Scene<'a> {
    /// Returns what is offered.
    pub(super) const fn offered(&self) -> Offered<'a> {
        Offered {
            view: self.view,
            options: self.options,
            names: self.names,
        }
    }

    fn words(&self) -> Words<'a> {
        self.offered().words()
    }

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
    pub(super) fn question(&self, chances: &mut FightOdds) -> Vec<String> {
        let when = match self.view.round() {
            0 => "set-up".to_owned(),
            round => format!("round {round}"),
        };
        let title = format!("{}: {}, {when}", self.name(self.me()), self.phase());
        let mut lines = vec![self.paint.rule(&title)];
        let help = self.view.frame().and_then(|frame| {
            let sentences = &self.view.decl().sentences;
            sentences.help_of_phase(frame.phase)
        });
        if let Some(help) = help {
            lines.extend(self.paint.indented(help));
        }
        let states = self.states();
        if !states.is_empty() {
            lines.extend(self.paint.indented(&states.join(", ")));
        }
        for state in self.pile_states() {
            lines.extend(self.paint.indented(&state));
        }
        lines.extend(self.attacks(chances, SHOWN_ATTACKS));
        lines.extend(self.verbs());
        lines.extend(self.choices());
        lines
    }

    /// Formats the counters of the player and of the table: first the armies to place.
    pub(super) fn states(&self) -> Vec<String> {
        let words = self.words();
        let reserve = self.view.decl().counter("reserve");
        let first = reserve.and_then(|reserve| {
            let left = self.view.counter(reserve, Some(self.me()))?;
            words.counter(reserve, left)
        });
        let mut states = decision::counters(self.view, Some(self.me()));
        if let Some(first) = first {
            states.retain(|state| *state != first);
            states.insert(0, first);
        }
        states.extend(decision::counters(self.view, None));
        states
    }

    /// Reports whether `done` ends a phase in which the player could still place armies.
    pub(super) fn leaves_armies(&self, action: Action) -> bool {
        let decl = self.view.decl();
        let reserve = decl.counter("reserve");
        let left = reserve.and_then(|it| self.view.counter(it, Some(self.me())));
        let mut offers = self.options.offers().iter();
        let places = offers.any(|offer| decl.verbs[offer.verb.index()].name == "place");
        let is_end = decl.verbs[action.verb.index()].name == "done";
        is_end && places && left.is_some_and(|left| left > 0)
    }

    /// Returns an action as people type it, with the names of players.
    pub(super) fn action(&self, action: Action) -> String {
        let verb = &self.view.decl().verbs[action.verb.index()];
        let slots = verb.slots.iter().zip(action.args());
        let values = slots.map(|(slot, &value)| self.offered().named(slot.1, value));
        let all: Vec<String> = std::iter::once(verb.name.clone()).chain(values).collect();
        all.join(" ")
    }

    /// Lists the few possible values of actions with one parameter, such as a card.
    fn choices(&self) -> Vec<String> {
        let decl = self.view.decl();
        let words = self.words();
        let mut lines = Vec::new();
        for (index, verb) in decl.verbs.iter().enumerate() {
            lines.extend(self.range(Verb::from_index(index)));
            let [(_, kind)] = verb.slots.as_slice() else {
                continue;
            };
            let offers = self.options.offers().iter();
            let domains = offers.filter(|offer| offer.verb.index() == index);
            let domains: Vec<Domain> = domains.map(|offer| offer.slots()[0]).collect();
            let count: u64 = domains
                .iter()
                .map(|&domain| self.options.size(domain))
                .sum();
            if *kind == SlotKind::Count || !(2..=MOST_CHOICES).contains(&count) {
                continue;
            }
            let values = domains.iter().flat_map(|&domain| {
                let all = 0..self.options.size(domain);
                all.map(move |at| self.options.value(domain, at))
            });
            let values = values.map(|value| match (kind, usize::try_from(value)) {
                (SlotKind::Player, Ok(seat)) if seat < self.names.len() => self.names[seat].clone(),
                (SlotKind::Card, Ok(card)) => words.card(Card::from_index(card)),
                _ => words.value(*kind, value),
            });
            let head = format!("  {}: ", verb.name);
            lines.extend(
                self.paint
                    .hang(&head, &values.collect::<Vec<_>>().join(", ")),
            );
        }
        lines
    }

    /// Formats the range of the number of an action whose other parameters have one possible value,
    /// as after a conquest.
    fn range(&self, verb: Verb) -> Option<String> {
        let offers = self.options.offers().iter();
        let mut offers = offers.filter(|offer| offer.verb == verb);
        let (Some(offer), None) = (offers.next(), offers.next()) else {
            return None;
        };
        let (&last, fixed) = offer.slots().split_last()?;
        let slots = &self.view.decl().verbs[verb.index()].slots;
        let (name, _) = slots.last().filter(|it| it.1 == SlotKind::Count)?;
        let size = self.options.size(last);
        if size < 2 || fixed.iter().any(|&slot| self.options.size(slot) != 1) {
            return None;
        }
        let first = self.action(self.options.nth_of(offer, &mut 0));
        let words = first.rsplit_once(' ').map_or("", |it| it.0);
        let (low, high) = (
            self.options.value(last, 0),
            self.options.value(last, size - 1),
        );
        Some(format!(
            "  {words} {}: {low} to {high}",
            name.to_uppercase()
        ))
    }

    /// Formats the sentences about visible piles, with the names of other owners.
    fn pile_states(&self) -> Vec<String> {
        let words = self.words();
        let piles = (0..self.view.decl().piles.len()).map(Pile::from_index);
        let holders = self.holders();
        let mut lines = Vec::new();
        for pile in piles {
            for &of in &holders {
                let view = of.map_or(self.view, |player| self.view_of(player));
                let cards = view.pile(pile, of).unwrap_or_default();
                let Some(state) = words.pile_state(pile, cards) else {
                    continue;
                };
                let state = decision::with_names(&state, self.names);
                lines.push(match of {
                    Some(player) if player != self.me() => {
                        format!("{}: {state}", self.name(player))
                    }
                    _ => state,
                });
            }
        }
        lines
    }

    /// Returns the players and the table, who hold cards.
    fn holders(&self) -> Vec<Option<Player>> {
        let seats = (0..self.view.players()).map(|seat| Some(Player::from_index(seat)));
        seats.chain([None]).collect()
    }

    /// Returns the offered verbs.
    pub(super) fn offered_verbs(&self) -> Vec<Verb> {
        let verbs = self.offered().verbs().into_iter();
        verbs.map(|(verb, _)| verb).collect()
    }

    /// Returns the syntax of an offered verb, without a number at its end that can only be 1.
    fn usage(&self, verb: Verb) -> String {
        let usage = self.words().usage(verb);
        let offers = self.options.offers().iter();
        let mut offers = offers.filter(|offer| offer.verb == verb);
        let slots = &self.view.decl().verbs[verb.index()].slots;
        let is_count = slots.last().is_some_and(|it| it.1 == SlotKind::Count);
        let is_one = offers.all(|offer| {
            let last = offer.slots().last();
            last.is_some_and(|&last| {
                self.options.size(last) == 1 && self.options.value(last, 0) == 1
            })
        });
        match usage.rsplit_once(' ') {
            Some((usage, _)) if is_count && is_one && slots.len() > 1 => usage.to_owned(),
            _ => usage,
        }
    }

    /// Formats the usage of each offered verb.
    pub(super) fn verbs(&self) -> Vec<String> {
        let verbs = self.offered_verbs().into_iter();
        let said: Vec<String> = verbs
            .map(|verb| self.usage(verb).replace(' ', "\u{a0}"))
            .collect();
        let text = format!("type {} · ? for help", said.join(" · "));
        let lines = self.paint.indented(&text);
        lines
            .into_iter()
            .map(|line| self.paint.dim(&line.replace('\u{a0}', " ")))
            .collect()
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
        let words = self.words();
        let kinds = (0..self.view.decl().units.len()).map(Unit::from_index);
        let mut parts = vec![land];
        let is_hidden = |at: Territory| self.view.units(at, Unit(0)).is_none();
        let hides = self.view.board().territories().any(is_hidden);
        let in_sight = if hides { " in sight" } else { "" };
        parts.extend(kinds.filter_map(|unit| {
            let seen: Vec<i32> = lands
                .iter()
                .filter_map(|&at| self.view.units(at, unit))
                .collect();
            let sum: i64 = seen.iter().copied().map(i64::from).sum();
            let is_only = self.view.decl().units.len() == 1;
            if seen.is_empty() && !lands.is_empty() {
                return Some(format!("{}: unknown", words.unit(unit, 2)));
            }
            (is_only || sum > 0).then(|| format!("{}{in_sight}", words.units(unit, sum)))
        }));
        parts
    }

    /// Returns the view with the counters and cards of a player.
    fn view_of(&self, player: Player) -> &View {
        if player == self.me() {
            self.view
        } else {
            self.others
        }
    }

    fn titled(&self, player: Player) -> String {
        let me = if player == self.me() { " (you)" } else { "" };
        format!("{}{me}", self.name(player))
    }

    /// Formats all players with the visible information about them.
    pub(super) fn players(&self) -> Vec<String> {
        let words = self.words();
        let seats = (0..self.view.players()).map(Player::from_index);
        let widths = seats.clone().map(|player| columns(&self.titled(player)));
        let width = widths.max().unwrap_or(0).min(WIDEST_NAME);
        let line = |player: Player| {
            let view = self.view_of(player);
            let mut parts = self.land_and_armies(player);
            parts.extend(decision::counters(view, Some(player)));
            let piles = (0..view.decl().piles.len()).map(Pile::from_index);
            parts.extend(piles.filter_map(|pile| {
                let len = view.pile_len(pile, Some(player));
                let title = words.pile(pile).filter(|_| len > 0)?;
                let cards = counted(len, "card");
                Some(match title.as_str() {
                    "card" | "cards" => cards,
                    _ => format!("{title}: {cards}"),
                })
            }));
            let head = format!("  {}  ", pad(&self.titled(player), width));
            let lines = self.paint.hang(&head, &parts.join(", "));
            lines
                .into_iter()
                .map(|line| self.paint.seat(player.index(), &line))
                .collect::<Vec<_>>()
        };
        seats.flat_map(line).collect()
    }

    /// Formats the visible cards: the player's own cards and open cards, followed by the meaning of
    /// the cards that have a sentence.
    pub(super) fn cards(&self) -> Vec<String> {
        let words = self.words();
        let mut lines = Vec::new();
        let mut meanings: Vec<(String, &str)> = Vec::new();
        let holders = self.holders();
        let piles = (0..self.view.decl().piles.len()).map(Pile::from_index);
        for (pile, title) in piles.filter_map(|pile| Some((pile, words.pile(pile)?))) {
            for &of in &holders {
                let view = of.map_or(self.view, |player| self.view_of(player));
                let cards = view.pile(pile, of).unwrap_or_default();
                if cards.is_empty() {
                    continue;
                }
                let name = |&card| decision::with_names(&words.card(card), self.names);
                let names: Vec<String> = cards.iter().map(name).collect();
                let head = match of {
                    Some(player) if player == self.me() => format!("  your {title}: "),
                    Some(player) => format!("  {}, {title}: ", self.name(player)),
                    None => format!("  {title}: "),
                };
                lines.extend(self.paint.hang(&head, &names.join(", ")));
                for (&card, name) in cards.iter().zip(names) {
                    let info = &self.view.decl().cards[card.index()];
                    let tell = info.tell.as_deref().map(|tell| (name, tell));
                    meanings.extend(tell.filter(|tell| !meanings.contains(tell)));
                }
            }
        }
        let is_only = meanings.len() == 1 && lines.len() == 1;
        for (title, tell) in meanings {
            let tell = decision::with_names(tell, self.names);
            let head = match is_only {
                true => "    ".to_owned(),
                false => format!("    {title}: "),
            };
            lines.extend(self.paint.hang(&head, &tell));
        }
        // Counters may stand for cards, but not the armies to place.
        if lines.is_empty() {
            let reserve = self.view.decl().counter("reserve");
            let counters = (0..self.view.decl().counters.len()).map(Counter::from_index);
            let counters = counters.filter(|&it| Some(it) != reserve);
            let states = counters.filter_map(|counter| {
                let value = self.view.counter(counter, Some(self.me()))?;
                words.counter(counter, value)
            });
            let states: Vec<String> = states.collect();
            let text = match states.is_empty() {
                true => "you see no cards".to_owned(),
                false => format!("you have {}", states.join(", ")),
            };
            lines.extend(self.paint.indented(&text));
        }
        lines
    }

    /// Formats the rules.
    pub(super) fn rules(&self) -> Vec<String> {
        rules::text(self.view.decl(), self.paint)
    }

    /// Formats all territories by owner.
    pub(super) fn land(&self) -> Vec<String> {
        decision::position(self.view, self.others, self.names, self.paint)
    }

    /// Formats the player's pending orders.
    pub(super) fn orders(&self) -> Vec<String> {
        let orders: Vec<String> = self
            .view
            .orders()
            .map(|&order| format!("  {}", self.action(order)))
            .collect();
        if !orders.is_empty() {
            return orders;
        }
        // Cards may stand for orders.
        let states = self.pile_states().into_iter();
        let lines = states.flat_map(|state| self.paint.indented(&state));
        let lines: Vec<String> = lines.collect();
        match lines.is_empty() {
            true => vec!["  you have no pending orders".to_owned()],
            false => lines,
        }
    }

    /// Formats the actions that are possible now with their meaning, and the commands of which this
    /// game has a use.
    pub(super) fn help(&self) -> Vec<String> {
        let mut lines = vec!["  Actions:".to_owned()];
        let words = self.words();
        let mut seen: Vec<Verb> = Vec::new();
        for offer in self.options.offers() {
            if seen.contains(&offer.verb) {
                continue;
            }
            seen.push(offer.verb);
            let head = format!("    {} ", pad(&self.usage(offer.verb), 23));
            let example = self.action(self.options.nth_of(offer, &mut 0));
            let example = format!("as in `{example}`");
            let text = match words.help(offer.verb) {
                Some(help) if offer.slots().is_empty() => help,
                Some(help) => format!("{help}, {example}"),
                None if offer.slots().is_empty() => String::new(),
                None => example,
            };
            lines.extend(self.paint.hang(&head, &text));
        }
        lines.push("  Commands:".to_owned());
        let decl = self.view.decl();
        for (words, about, used) in HELP {
            if used(decl, self.view) {
                lines.extend(self.paint.hang(&format!("    {} ", pad(words, 23)), about));
            }
        }
        lines.extend(self.paint.wrapped("    ", "    ", ALSO));
        lines
    }
}

/// Reports whether a game has a use for a command.
type IsUsed = fn(&Declaration, &View) -> bool;

const ALWAYS: IsUsed = |_, _| true;
const WITH_ATTACKS: IsUsed = |decl, _| decl.has_chances();
const WITH_CARDS: IsUsed = |decl, _| !decl.piles.is_empty();
const WITH_ORDERS: IsUsed = |decl, _| decl.phases.iter().any(|phase| phase.secret);
const WITH_GROUPS: IsUsed = |_, view| !view.board().groups().is_empty();

/// Inputs besides actions, and the games that have a use for them.
const HELP: [(&str, &str, IsUsed); 11] = [
    (
        "Enter, auto, auto turn",
        "take the suggestion; take all until the phase ends, until your turn ends",
        ALWAYS,
    ),
    (
        "!, all, half",
        "`!` behind an action repeats it; `all` and `half` stand for numbers",
        ALWAYS,
    ),
    ("rules", "the rules of the game", ALWAYS),
    ("map, land", "the map; the territories by owner", ALWAYS),
    ("look TERRITORY", "its owner, units and neighbours", ALWAYS),
    ("players", "all players", ALWAYS),
    ("bonuses", "the continents with their bonuses", WITH_GROUPS),
    ("cards", "your cards and open piles", WITH_CARDS),
    ("orders", "your pending orders", WITH_ORDERS),
    (
        "attacks, odds 7 3",
        "all attacks; the chance of 7 attackers against 3 defenders",
        WITH_ATTACKS,
    ),
    (
        "hint, hint BOT",
        "a bot's action and its aim; Enter then takes it, `map` marks it",
        ALWAYS,
    ),
];
/// The last line of the help.
const ALSO: &str = "log, log 40: the latest events · undo: take back your last action · resign: give up · quit: \
                    save and quit · names can be abbreviated";

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
