//! The parts of a story that come of one act.

use super::changes::{Changes, OwnerChange, owner_text, result};
use super::fights::NarratedFight;
use super::wording::{Wording, with_noun};
use crate::decision;
use risk_engine::acts::{Act, Effect, Move, UnitChange};
use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Capture, Event, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Player, Territory, Unit};
use risk_kernel::words::filled;
use risk_text::escape_control;
use risk_text::plural::counted;

/// How important a text is in the short form, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It is never left out.
    Must,
    /// A message of the ruleset.
    Said,
    /// An action or its effects.
    Act,
    /// Left out of the short form.
    Aside,
}

/// A text about a player, or about the game.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) player: Option<Player>,
    pub(super) text: String,
    pub(super) rank: Rank,
}

/// Units of one kind that a player places in succession.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    pub(super) player: Player,
    pub(super) unit: Unit,
    pub(super) placed: Vec<(Territory, i64)>,
}

impl Placing {
    pub(super) fn sum(&self) -> i64 {
        self.placed.iter().map(|placed| placed.1).sum()
    }

    /// Adds later placements.
    pub(super) fn append(&mut self, later: Self) {
        for (at, by) in later.placed {
            match self.placed.iter_mut().find(|placed| placed.0 == at) {
                Some(placed) => placed.1 += by,
                None => self.placed.push((at, by)),
            }
        }
    }

    /// Formats the units: `+5: 3 in Alaska, 2 in Ural`.
    pub(super) fn text(&self, wording: &Wording) -> String {
        let kind = wording.kind_word(self.unit, self.sum());
        let sum = wording.paint.good(&format!("+{}{kind}", self.sum()));
        match self.placed.as_slice() {
            [(at, _)] => format!("{sum} in {}", wording.place(*at)),
            placed => {
                let each = placed.iter();
                let each = each.map(|&(at, by)| format!("{by} in {}", wording.place(at)));
                format!("{sum}: {}", each.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A part of a story.
#[derive(Debug)]
pub(super) enum Item {
    /// A player claimed a territory before the first round.
    Claimed(Player, Territory),
    /// A player placed units before the first round.
    SetUp(Placing),
    /// A player placed units. Further units may follow.
    Placed(Placing),
    /// Rounds of a fight. Further rounds may follow.
    Fight(NarratedFight),
    /// A capture without a fight.
    Captured(Capture),
    /// A territory that a player took without a fight, for the list of conquests in the short form.
    Took(Player, Territory),
    /// A text that comes after all parts before it.
    Line(Note),
    /// A text that comes after the fight or the placement that is not complete yet.
    Note(Note),
    /// Changes that no text explains, and the player whom their line is about.
    Changes(Option<Player>, Changes),
}

impl Item {
    fn line(player: Player, text: String, rank: Rank) -> Self {
        Self::Line(Note {
            player: Some(player),
            text,
            rank,
        })
    }

    /// Formats the part as a text about a player or about the game.
    pub(super) fn text(&self, wording: &Wording) -> (Option<Player>, String) {
        match self {
            // Texts about the set-up are put together: see `SetUp`.
            Self::Claimed(player, _) => (Some(*player), String::new()),
            Self::SetUp(placing) | Self::Placed(placing) => {
                (Some(placing.player), placing.text(wording))
            }
            Self::Fight(fight) => (Some(fight.player), fight.text(wording)),
            Self::Captured(capture) => (Some(capture.by), capture_text(wording, capture)),
            &Self::Took(player, at) => (Some(player), format!("takes {}", wording.place(at))),
            Self::Line(note) | Self::Note(note) => (note.player, note.text.clone()),
            Self::Changes(teller, changes) => (*teller, changes.parts(wording, *teller).join(", ")),
        }
    }
}

/// Formats a capture without a fight.
pub(super) fn capture_text(wording: &Wording, capture: &Capture) -> String {
    let [from, to] = [capture.from, capture.to].map(|at| wording.place(at));
    let kind = wording.kind_word(capture.unit, capture.moved.into());
    let mut text = format!("takes {to} from {from} with {}{kind}", capture.moved);
    if capture.killed > 0 {
        let kind = wording.kind_noun(capture.unit, capture.killed.into());
        text += &format!(" and kills {} {kind}", capture.killed);
    }
    text
}

/// The form in which a story describes an act.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    /// Whether the act comes before the first round.
    pub(super) in_set_up: bool,
    /// Whether a part before the act covers it already.
    pub(super) is_covered: bool,
    /// Whether the player's actions have the short form.
    pub(super) is_brief: bool,
    /// Whether fog may hide why an order came to nothing.
    pub(super) may_hide: bool,
}

/// Returns the parts of a story that come of an act.
pub(super) fn items(wording: &Wording, mut act: Act, form: Form) -> Vec<Item> {
    let effects = std::mem::take(&mut act.effects);
    match act.action() {
        Some((player, action)) => {
            let mut action = NarratedAction {
                wording,
                act,
                player,
                action,
                form,
                moves: Vec::new(),
                walks: false,
                changes: Changes::default(),
                reserve: 0,
                notes: Vec::new(),
                items: Vec::new(),
            };
            effects.into_iter().for_each(|effect| action.take(effect));
            action.finish()
        }
        None => {
            let effects = effects.into_iter();
            effects
                .filter_map(|effect| of_rules(wording, effect, form))
                .collect()
        }
    }
}

/// Returns the part that comes of an effect without a player's action.
fn of_rules(wording: &Wording, effect: Effect, form: Form) -> Option<Item> {
    let mut changes = Changes::default();
    Some(match effect {
        Effect::Fight(fight) => Item::Fight(NarratedFight {
            player: fight.by?,
            sentence: None,
            fight,
            followed: false,
        }),
        Effect::Event(Event::Captured(capture)) => Item::Captured(capture),
        Effect::Moved(moved) => {
            let text = format!("moves {}", wording.move_text(&moved));
            Item::line(moved.owner?, text, Rank::Aside)
        }
        // The position before the first round is not a change.
        Effect::Units(_) | Effect::Event(Event::Owner { .. }) if form.in_set_up => return None,
        Effect::Units(change) => {
            changes.add_units(change);
            Item::Changes(change.owner, changes)
        }
        Effect::Event(Event::Owner { at, from, to }) => {
            changes.add_owner(at, from, to);
            Item::Changes(to.or(from), changes)
        }
        Effect::Event(Event::Status { player, now }) if now != Status::Playing => {
            let name = wording
                .paint
                .seat(player.index(), &wording.names[player.index()]);
            let is = wording.verb(player, ["are", "is"]);
            let now = wording.paint.bad(now.as_str());
            let text = format!("✗ {name} {is} {now}");
            let (player, rank) = (None, Rank::Must);
            Item::Line(Note { player, text, rank })
        }
        Effect::Event(Event::Faulted {
            player,
            kind,
            text,
            strikes,
            ..
        }) => Item::line(
            player,
            fault_text(wording, player, kind, &text, strikes),
            Rank::Must,
        ),
        Effect::Event(other) => Item::Line(note(wording, &other)?),
    })
}

fn fault_text(
    wording: &Wording,
    player: Player,
    kind: FaultKind,
    text: &str,
    strikes: u32,
) -> String {
    if kind == FaultKind::Resigned {
        return wording.verb(player, ["resign", "resigns"]).to_owned();
    }
    let fault = if kind == FaultKind::Rules {
        let text = "the ruleset failed in a game that the bot imagined";
        wording.paint.bad(text)
    } else {
        let fault = wording.paint.bad(&format!("fault {strikes}"));
        format!("{fault} ({})", kind.as_str())
    };
    // The text is empty for spectators.
    match escape_control(text) {
        text if text.is_empty() => fault,
        text => format!("{fault}: {text}"),
    }
}

/// Returns the text about a counter, a card or a message, if there is one.
fn note(wording: &Wording, event: &Event) -> Option<Note> {
    let must = |player, text| {
        let rank = Rank::Must;
        Some(Note { player, text, rank })
    };
    match *event {
        Event::Counter {
            counter,
            of,
            by,
            now,
        } if by > 0 => {
            let template = wording.decl.sentences.of_counter(counter)?;
            let value = |key: &str| match key {
                "by" => Some(by.to_string()),
                "now" => Some(now.to_string()),
                _ => None,
            };
            must(of, filled(template, &value))
        }
        Event::Card { card, from, to, .. } => drawn(wording, card, from, to),
        Event::Border { from, to, open } => {
            let [from, to] = [from, to].map(|at| wording.place(at));
            let now = if open { "open" } else { "closed" };
            let text = format!("the border between {from} and {to} is {now}");
            must(None, text)
        }
        Event::Mark { at, mark, now, .. } => {
            let title = &wording.decl.marks[mark.index()].title;
            must(None, format!("{}: {title} {now}", wording.place(at)))
        }
        Event::Said { player, ref text } => {
            let text = decision::with_names(text, &wording.names);
            let text = escape_control(&text).into_owned();
            let rank = Rank::Said;
            Some(Note { player, text, rank })
        }
        _ => None,
    }
}

/// Returns the text about a card that a player draws from the common deck.
fn drawn(wording: &Wording, card: Option<Card>, from: PileOf, to: PileOf) -> Option<Note> {
    let [deck, hand] = ["deck", "hand"].map(|name| wording.decl.pile(name));
    let is_drawn = Some(from.0) == deck && from.1.is_none() && Some(to.0) == hand;
    let player = to.1.filter(|_| is_drawn)?;
    let card = card.map_or_else(|| "a card".to_owned(), |card| wording.words().card(card));
    Some(Note {
        player: Some(player),
        text: wording.paint.dim(&format!("draws {card}")),
        rank: Rank::Aside,
    })
}

/// A player's action and its effects.
struct NarratedAction<'a> {
    wording: &'a Wording,
    /// The act without its effects.
    act: Act,
    player: Player,
    action: Action,
    /// `is_covered` becomes true if a part about an effect covers the action.
    form: Form,
    moves: Vec<Move>,
    /// Whether the moves take a free territory or leave one without an owner, so that the short
    /// form has them too.
    walks: bool,
    changes: Changes,
    /// The number of armies added to the player's reserve.
    reserve: i64,
    notes: Vec<Note>,
    items: Vec<Item>,
}

impl NarratedAction<'_> {
    fn values(&self, kind: SlotKind) -> Vec<i32> {
        self.act.values(&self.wording.decl, kind)
    }

    fn cover(&mut self, item: Item) {
        self.form.is_covered = true;
        self.items.push(item);
    }

    fn take(&mut self, effect: Effect) {
        match effect {
            Effect::Fight(fight) => {
                let Some(player) = fight.by else { return };
                let sentence = self.script_sentence(fight.to);
                self.cover(Item::Fight(NarratedFight {
                    player,
                    sentence,
                    fight,
                    followed: false,
                }));
            }
            Effect::Moved(moved) => self.moves.push(moved),
            Effect::Units(change) => self.units(change),
            Effect::Event(event) => self.take_event(&event),
        }
    }

    fn take_event(&mut self, event: &Event) {
        match *event {
            Event::Captured(capture) => self.cover(Item::Captured(capture)),
            Event::Owner {
                at,
                from: None,
                to: Some(to),
            } if self.form.in_set_up => self.cover(Item::Claimed(to, at)),
            Event::Owner { at, from, to } => self.changes.add_owner(at, from, to),
            Event::Counter {
                counter, of, by, ..
            } if self.is_reserve(counter, of) => self.reserve += by.max(0),
            _ => {
                // A message that begins with the action's sentence replaces the action's line.
                if let Event::Said { player, text } = event
                    && *player == Some(self.player)
                    && text.starts_with(&self.wording.words().sentence(self.action))
                {
                    self.form.is_covered = true;
                }
                self.notes.extend(note(self.wording, event));
            }
        }
    }

    /// Returns the action and its sentence if a script resolves a fight for this territory. The
    /// rules' own fights are in columns.
    fn script_sentence(&self, to: Territory) -> Option<(Action, String)> {
        let decl = &self.wording.decl;
        let phase = self.act.phase?;
        let is_scripted = decl.phases[phase.index()].scripted
            && self.act.names(decl, to)
            && decl.sentences.of_verb(self.action.verb).is_some();
        is_scripted.then(|| (self.action, self.wording.sentence(self.action)))
    }

    /// Reports whether a counter without a sentence is the player's reserve.
    fn is_reserve(&self, counter: Counter, of: Option<Player>) -> bool {
        let decl = &self.wording.decl;
        decl.counter("reserve") == Some(counter)
            && of == Some(self.player)
            && decl.sentences.of_counter(counter).is_none()
    }

    fn units(&mut self, change: UnitChange) {
        let by = change.now - change.before;
        let placing = || Placing {
            player: self.player,
            unit: change.unit,
            placed: vec![(change.at, by.into())],
        };
        if self.form.in_set_up && by > 0 {
            return self.cover(Item::SetUp(placing()));
        }
        let is_placed = by > 0
            && !self.form.is_covered
            && change.owner == Some(self.player)
            && self.values(SlotKind::Territory) == [change.at.number()]
            && self.values(SlotKind::Count) == [by];
        match is_placed {
            true => self.cover(Item::Placed(placing())),
            false => self.changes.add_units(change),
        }
    }

    fn finish(mut self) -> Vec<Item> {
        self.find_walks();
        let decl = &self.wording.decl;
        let silent =
            self.action.args().is_empty() && decl.sentences.of_verb(self.action.verb).is_none();
        // Either nothing moved, or the answer only continues the game.
        let idle = self.values(SlotKind::Count).contains(&0) || silent;
        let is_bare = self.moves.is_empty() && self.changes.is_empty() && self.reserve == 0;
        if !(self.form.is_covered || ((idle || self.form.may_hide) && is_bare)) {
            self.narrate(silent);
        }
        let rank = if self.walks { Rank::Must } else { Rank::Aside };
        for moved in std::mem::take(&mut self.moves) {
            let text = format!("moves {}", self.wording.move_text(&moved));
            self.items.push(Item::line(self.player, text, rank));
        }
        let notes = std::mem::take(&mut self.notes).into_iter();
        self.items.extend(notes.map(Item::Note));
        if !self.changes.is_empty() {
            self.items
                .push(Item::Changes(Some(self.player), self.changes));
        }
        self.items
    }

    /// Removes changes of owners that the moves of an action say: the mover leaves a territory
    /// without an owner or, in the short form, takes a free one.
    fn find_walks(&mut self) {
        let from: Vec<Territory> = self.moves.iter().map(|it| it.from).collect();
        let to: Vec<Territory> = self.moves.iter().map(|it| it.to).collect();
        let leaves = self.changes.take_left(self.player, &from);
        let enters = self.form.is_brief && self.changes.take_entered(self.player, &to);
        self.walks = leaves || enters;
    }

    /// Adds the sentence of the action and its effects. A silent action has only effects. In the
    /// short form, armies from an action are among those that the player places later.
    fn narrate(&mut self, silent: bool) {
        let mut changes = std::mem::take(&mut self.changes);
        let owners = match self.form.is_brief {
            true => changes.take_owners(),
            false => Vec::new(),
        };
        let mut parts = Vec::new();
        if self.reserve > 0 && !self.form.is_brief {
            parts.push(format!("gets {}", counted(self.reserve, "army")));
        }
        let sentences = &self.wording.decl.sentences;
        let has_sentence = sentences.of_verb(self.action.verb).is_some();
        let (mut text, mut rank) = (String::new(), Rank::Act);
        // Without a sentence, plain lines about the moves take its place.
        if self.moves.is_empty() || has_sentence {
            let moves = std::mem::take(&mut self.moves);
            rank = match moves.as_slice() {
                [] => Rank::Act,
                _ if self.walks => Rank::Must,
                _ if parts.is_empty() && changes.is_empty() => Rank::Aside,
                _ => Rank::Act,
            };
            let is_walk = self.form.is_brief
                && self.walks
                && moves
                    .iter()
                    .all(|it| self.wording.names_move(&self.act, it));
            let rest;
            (text, rest) = match silent {
                true => (
                    String::new(),
                    moves.iter().map(|it| self.wording.move_text(it)).collect(),
                ),
                false => self.worded(&moves, is_walk),
            };
            if !is_walk {
                parts.splice(0..0, rest);
            }
            if !text.is_empty()
                && moves.is_empty()
                && let Some(covered) = changes.take_covered(self.wording, &text)
                && let Some(now) = result(&covered)
            {
                text += &format!(" ({now})");
            }
        }
        parts.extend(changes.parts(self.wording, Some(self.player)));
        match parts.join(", ") {
            parts if parts.is_empty() => {}
            parts if text.is_empty() => text = parts,
            parts => text += &format!(": {parts}"),
        }
        if !text.is_empty() {
            self.items.push(Item::line(self.player, text, rank));
        }
        self.list_owners(owners);
    }

    /// Adds changes of owners to the short form. It lists conquests together, and hides no other
    /// change of owner either.
    fn list_owners(&mut self, owners: Vec<OwnerChange>) {
        let owners = owners.into_iter().map(|change| match change.to {
            Some(to) if to == self.player => Item::Took(to, change.at),
            _ => {
                let text = owner_text(self.wording, change, Some(self.player));
                Item::line(self.player, text, Rank::Must)
            }
        });
        self.items.extend(owners);
    }

    /// Returns the sentence of an action as it was executed, with the units that moved, and the
    /// moves that it does not mention. `is_walk` means that only the places of the moves matter.
    fn worded(&self, moves: &[Move], is_walk: bool) -> (String, Vec<String>) {
        let sentence = self.wording.sentence(self.action);
        let [only] = moves else {
            // Other units went along, as fighters do with a capital ship.
            let said = moves.iter().position(|it| self.says(it, true));
            let rest = moves.iter().enumerate();
            let rest = rest.filter(|(index, _)| Some(*index) != said);
            return (
                sentence,
                rest.map(|(_, it)| self.wording.move_text(it)).collect(),
            );
        };
        let counts = self.values(SlotKind::Count);
        if self.says(only, false) {
            let less = matches!(counts.as_slice(), &[count] if only.count < count);
            let sentence = match less {
                true => self.wording.sentence(self.with_count(only.count)),
                false => sentence,
            };
            return (sentence, Vec::new());
        }
        if !self.wording.names_move(&self.act, only) {
            return (sentence, vec![self.wording.move_text(only)]);
        }
        let noun = self.wording.kind_noun(only.unit, only.count.into());
        let is_kind_open = self.values(SlotKind::Unit).is_empty();
        let with_kind = (counts == [only.count] && is_kind_open)
            .then(|| with_noun(&sentence, only.count, &noun))
            .flatten();
        let text = match with_kind {
            Some(text) => text,
            None if is_walk => sentence,
            None => format!("{sentence} ({} {noun})", only.count),
        };
        (text, Vec::new())
    }

    /// Returns the action with another number of units.
    fn with_count(&self, count: i32) -> Action {
        let slots = &self.wording.decl.verbs[self.action.verb.index()].slots;
        let mut args = self.action.args().to_vec();
        for (arg, slot) in args.iter_mut().zip(slots) {
            if slot.1 == SlotKind::Count {
                *arg = count;
            }
        }
        Action::new(self.action.verb, &args)
    }

    /// Reports whether the sentence of the action covers a move: it has both territories, the kind
    /// and the number. Unless `exact`, fewer units may have moved than ordered.
    fn says(&self, moved: &Move, exact: bool) -> bool {
        let kinds = self.values(SlotKind::Unit);
        let says_kind = match kinds.as_slice() {
            [] => self.wording.decl.units.len() == 1,
            kinds => kinds.contains(&moved.unit.number()),
        };
        let counts = self.values(SlotKind::Count);
        let says_count = match counts.as_slice() {
            &[count] => count == moved.count || (!exact && moved.count < count),
            _ => false,
        };
        says_kind && says_count && self.wording.names_move(&self.act, moved)
    }
}
