//! The records of a match: what the contest's engine wrote down, as one player sees it.
//!
//! The records follow from the game's events alone, so that all players number them alike. A move
//! that a player was not asked for has a record as well, because the contest always asked.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::{ARMIES, PLAYERS};
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::board::Datum;
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Capture, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Group, Mark, Pile, Player, Territory};
use risk_kernel::view::View;

/// The records of a match that one player sees.
#[derive(Clone)]
pub(super) struct Records {
    phases: Vec<String>,
    acting: Counter,
    pub(super) reserve: Counter,
    deck: Pile,
    pub(super) hand: Pile,
    pub(super) marked: Mark,
    most: usize,
    now: Progress,
}

/// The state of a match at the last event. The view may be ahead of it.
#[derive(Clone, Default)]
struct Progress {
    /// The number of records so far.
    count: usize,
    /// The records since the player's last question, as JSON.
    pending: Vec<(usize, String)>,
    phase: String,
    owners: BTreeMap<Territory, Player>,
    /// The numbers of cards in the players' hands.
    cards: [usize; PLAYERS],
    are_out: [bool; PLAYERS],
    is_set_up: bool,
    /// The number of trades in this turn. Only the first one is that of the turn's start.
    trades: u32,
    /// The sets of the trade, their armies, and whether a card shows an own territory.
    sets: Vec<Value>,
    set_armies: i64,
    is_matching: bool,
    places: BTreeMap<String, i32>,
    /// The attack without a record so far. A vetoed attack gets none.
    announced: Option<(Player, [i32; 3])>,
    attack: usize,
    defence: Option<usize>,
    fight: usize,
    /// The conqueror who has not said yet how many armies move in, and the number that has.
    conqueror: Option<(Player, i32)>,
    /// The eliminated player whose cards come to this one, their number, and those that have come.
    surrender: Option<(Player, usize, Vec<Value>)>,
    is_fortified: bool,
    /// The contest's name of the last fault.
    ban: &'static str,
}

impl Records {
    pub(super) fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let find = DeclLookup(decl);
        for phase in super::PHASES {
            find.phase(phase)?;
        }
        let mark = decl.marks.iter().position(|mark| mark.name == "bonus");
        let most = match decl.options.get("max_records") {
            Some(Datum::Number(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        Ok(Self {
            phases: decl.phases.iter().map(|phase| phase.name.clone()).collect(),
            acting: find.counter("acting")?,
            reserve: find.counter("reserve")?,
            deck: find.pile("deck")?,
            hand: find.pile("hand")?,
            marked: mark
                .map(Mark::from_index)
                .ok_or("missing mark `bonus` in the ruleset")?,
            most: most.ok_or("missing option `max_records` in the ruleset")?,
            now: Progress::default(),
        })
    }

    /// Reports whether the match has more records than those at which attacks end.
    pub(super) fn are_full(&self) -> bool {
        self.now.count > self.most
    }

    /// Returns the field that a question of this phase has, and that its answer must echo.
    pub(super) fn echo(&self, phase: &str) -> Option<(&'static str, Value)> {
        Some(match phase {
            "defend" => ("move_attack_id", json!(self.now.attack)),
            "occupy" => ("record_attack_id", json!(self.now.fight)),
            "trade" | "bonus" | "deploy" => ("cause", json!(self.cause())),
            _ => return None,
        })
    }

    fn cause(&self) -> &'static str {
        match self.now.trades {
            0 | 1 => "turn_started",
            _ => "player_eliminated",
        }
    }

    /// Returns the number of armies that moved in when the last territory was captured.
    pub(super) fn moved(&self) -> i32 {
        self.now.conqueror.map_or(0, |(_, moved)| moved)
    }

    /// Returns the records since the last call as a JSON object. Its keys are in ascending order.
    pub(super) fn update(&mut self) -> String {
        let mut update = String::from("{");
        for (index, record) in self.now.pending.drain(..) {
            let comma = if update.len() > 1 { "," } else { "" };
            let _ = write!(update, "{comma}\"{index}\":{record}");
        }
        update + "}"
    }

    fn push(&mut self, kind: &str, mut record: Value) -> usize {
        record["record_type"] = json!(kind);
        self.now.pending.push((self.now.count, record.to_string()));
        self.now.count += 1;
        self.now.count - 1
    }

    fn push_move(&mut self, kind: &str, player: Player, mut record: Value) -> usize {
        record["move_by_player"] = json!(player.index());
        self.push(&format!("move_{kind}"), record)
    }

    /// Adds the records of the start, as soon as the order of play is known.
    pub(super) fn begin(&mut self, view: &View) {
        let place = |seat: usize| {
            let place = view.counter(self.acting, Some(Player::from_index(seat)));
            place.filter(|&place| place > 0)
        };
        let places: Option<Vec<i64>> = (0..view.players()).map(place).collect();
        let Some(places) = places.filter(|_| self.now.count == 0) else {
            return;
        };
        let mut order: Vec<usize> = (0..places.len()).collect();
        // The contest's list is played from its end backwards.
        order.sort_by_key(|&seat| -places[seat]);
        let player = |seat: usize| {
            json!({
                "player_id": seat, "troops_remaining": ARMIES, "alive": true,
                "must_place_territory_bonus": [],
            })
        };
        let with = |mut player: Value, key: &str, value: Value| {
            player[key] = value;
            player
        };
        let players = order.len();
        let players = (0..players).map(|seat| with(player(seat), "card_count", json!(0)));
        let me = view.me().index();
        let you = with(with(player(me), "team_id", json!(me)), "cards", json!([]));
        let players: Value = players.collect();
        let start = json!({ "turn_order": order, "players": players, "you": you });
        self.push("public_record_start_game", start);
        self.push("record_shuffled_cards", json!({}));
    }

    pub(super) fn see(&mut self, view: &View, event: &Event) {
        self.begin(view);
        match *event {
            Event::Shuffled { .. } if self.now.is_set_up => {
                self.push("record_shuffled_cards", json!({}));
            }
            Event::Owner {
                at, to: Some(to), ..
            } if !self.now.is_set_up => {
                self.own(at, to);
                self.push_move("claim_territory", to, json!({ "territory": at.index() }));
            }
            Event::TurnBegan {
                player: Some(_), ..
            } => {
                (self.now.is_set_up, self.now.is_fortified) = (true, false);
                self.now.trades = 0;
            }
            Event::PhaseBegan { phase, seat } => {
                self.now.phase.clone_from(&self.phases[phase.index()]);
                if let Some(seat) = seat.filter(|seat| !self.now.are_out[seat.index() % PLAYERS]) {
                    self.enter(seat);
                }
            }
            Event::Answered {
                player,
                phase,
                action,
                ..
            } => {
                let phase = self.phases[phase.index()].clone();
                self.answered(player, &phase, action.args());
            }
            Event::Counter {
                counter,
                of: Some(of),
                by,
                now,
            } if counter == self.reserve => {
                self.reserve(view, of, by, now);
            }
            Event::Mark { mark, now: 1, .. } if mark == self.marked => self.now.is_matching = true,
            Event::Rolled { defend, .. } => self.rolled(defend.values().len()),
            Event::Fought(round) => self.fought(round),
            Event::Captured(Capture { to, by, moved, .. }) => {
                self.own(to, by);
                let record = json!({ "record_attack_id": self.now.fight });
                self.push("record_territory_conquered", record);
                self.now.conqueror = Some((by, moved));
            }
            Event::Faulted {
                kind: FaultKind::Illegal,
                ..
            } => self.now.ban = "INVALID_MOVE",
            Event::Faulted { .. } => self.now.ban = "TIMEOUT",
            Event::Status { player, now } => self.out(view, player, now),
            Event::Card { card, from, to, .. } => self.card(view, card, from, to),
            _ => {}
        }
    }

    fn own(&mut self, at: Territory, player: Player) {
        self.now.owners.insert(at, player);
    }

    fn owner(&self, at: Territory) -> Option<Player> {
        self.now.owners.get(&at).copied()
    }

    fn land_of(&self, player: Player) -> usize {
        let owners = self.now.owners.values();
        owners.filter(|owner| **owner == player).count()
    }

    /// Adds what the phase that begins ends.
    fn enter(&mut self, player: Player) {
        match self.now.phase.as_str() {
            "trade" => {
                self.moved_in(0);
                self.now.trades += 1;
                self.now.set_armies = 0;
                self.now.is_matching = false;
            }
            "bonus" => self.traded(player),
            "defend" => self.attacked(),
            "card" => self.moved_in(0),
            "turn_end" if !self.now.is_fortified => {
                self.push_move("fortify_pass", player, json!({}));
            }
            _ => {}
        }
    }

    fn answered(&mut self, player: Player, phase: &str, args: &[i32]) {
        match (phase, args) {
            ("muster", [at, _]) => {
                self.push_move("place_initial_troop", player, json!({ "territory": at }));
            }
            ("trade", [_, _, _]) => self.now.sets.push(json!(args)),
            ("bonus" | "deploy", [at, armies]) => {
                *self.now.places.entry(at.to_string()).or_default() += armies;
            }
            ("attack", _) => {
                self.moved_in(0);
                self.now.announced = args.try_into().ok().map(|args| (player, args));
                if args.is_empty() && !self.are_full() {
                    self.push_move("attack_pass", player, json!({}));
                }
            }
            ("defend", [dice]) => self.defended(player, *dice as usize),
            ("occupy", [_, _, armies]) => self.moved_in(*armies),
            ("fortify", [from, to, armies]) => {
                self.now.is_fortified = true;
                let record = json!({
                    "source_territory": from, "target_territory": to, "troop_count": armies,
                });
                self.push_move("fortify", player, record);
            }
            _ => {}
        }
    }

    fn reserve(&mut self, view: &View, player: Player, by: i64, now: i64) {
        match self.now.phase.as_str() {
            "income" if by > 0 => self.turn(view, player, by),
            "trade" => self.now.set_armies += by,
            _ if now == 0 && !self.now.places.is_empty() => {
                let places = std::mem::take(&mut self.now.places);
                let record = json!({ "cause": self.cause(), "distributions": places });
                self.push_move("distribute_troops", player, record);
            }
            _ => {}
        }
    }

    /// Adds the record of a turn's start, whose armies have just arrived.
    fn turn(&mut self, view: &View, player: Player, armies: i64) {
        let board = view.board();
        let is_owned = |at: Territory| self.owner(at) == Some(player);
        let groups = (0..board.groups().len()).map(Group::from_index);
        let held = groups.filter(|&group| board.is_held_by(group, is_owned));
        let held: Vec<usize> = held.map(Group::index).collect();
        let bonus = |&group: &usize| board.groups()[group].whole_bonus();
        let bonus: i64 = held.iter().map(bonus).sum();
        let record = json!({
            "player": player.index(), "continents_held": held, "continent_bonus": bonus,
            "territories_held": self.land_of(player), "territory_bonus": armies - bonus,
        });
        self.push("record_start_turn", record);
    }

    fn traded(&mut self, player: Player) {
        let sets = std::mem::take(&mut self.now.sets);
        let record = json!({ "sets": sets, "cause": self.cause() });
        let index = self.push_move("redeem_cards", player, record);
        let matching = if self.now.is_matching { 2 } else { 0 };
        let record = json!({
            "move_redeem_cards_id": index, "matching_territory_bonus": matching,
            "total_set_bonus": self.now.set_armies - matching,
        });
        self.push("record_redeemed_cards", record);
    }

    fn attacked(&mut self) {
        if let Some((player, [from, to, dice])) = self.now.announced.take() {
            let record = json!({
                "attacking_territory": from, "defending_territory": to, "attacking_troops": dice,
            });
            self.now.attack = self.push_move("attack", player, record);
        }
    }

    fn defended(&mut self, player: Player, dice: usize) {
        self.attacked();
        let record = json!({ "move_attack_id": self.now.attack, "defending_troops": dice });
        self.now.defence = Some(self.push_move("defend", player, record));
    }

    /// Adds the answer of a defender who was not asked.
    fn rolled(&mut self, dice: usize) {
        if let Some((_, [_, to, _])) = self.now.announced
            && let Some(owner) = self.owner(Territory::from_index(to as usize))
        {
            self.defended(owner, dice);
        }
    }

    fn fought(&mut self, round: FightRound) {
        let is_conquered = round.defender_lost >= round.defenders;
        let is_last = self
            .owner(round.to)
            .is_some_and(|owner| self.land_of(owner) == 1);
        let record = json!({
            "move_attack_id": self.now.attack, "move_defend_id": self.now.defence.take(),
            "attacking_troops_lost": round.attacker_lost,
            "defending_troops_lost": round.defender_lost,
            "territory_conquered": is_conquered, "defender_eliminated": is_conquered && is_last,
        });
        self.now.fight = self.push("record_attack", record);
    }

    /// Adds the number of armies that moved in, if the conqueror was not asked for more.
    pub(super) fn settle(&mut self) {
        self.moved_in(0);
    }

    /// Adds the number of armies that moved in, with those that followed the attackers.
    fn moved_in(&mut self, more: i32) {
        if let Some((player, moved)) = self.now.conqueror.take() {
            let armies = moved + more;
            let record = json!({ "record_attack_id": self.now.fight, "troop_count": armies });
            self.push_move("troops_after_attack", player, record);
        }
    }

    fn out(&mut self, view: &View, player: Player, status: Status) {
        let seat = player.index();
        self.now.are_out[seat % PLAYERS] = true;
        if status != Status::Eliminated {
            let ban = json!({
                "player": seat, "ban_type": self.now.ban, "reason": "", "details": [],
            });
            self.push("record_banned", ban);
            return;
        }
        let cards = self.now.cards[seat % PLAYERS];
        if self.now.conqueror.is_some_and(|(by, _)| by == view.me()) {
            self.now.surrender = Some((player, cards, Vec::new()));
            self.surrendered();
        } else {
            let fight = self.now.fight;
            let record = json!({
                "player": seat, "record_attack_id": fight, "cards_surrendered_count": cards,
            });
            self.push("record_player_eliminated", record);
        }
    }

    /// Adds the record of an elimination by this player once all cards have come.
    fn surrendered(&mut self) {
        let has_all = |(_, due, cards): &mut (_, usize, Vec<Value>)| cards.len() >= *due;
        if let Some((player, _, cards)) = self.now.surrender.take_if(has_all) {
            let (seat, fight) = (player.index(), self.now.fight);
            let record = json!({
                "player": seat, "record_attack_id": fight, "cards_surrendered": cards,
            });
            self.push("record_player_eliminated", record);
        }
    }

    fn card(&mut self, view: &View, card: Option<Card>, from: PileOf, to: PileOf) {
        let owner = |(pile, owner): PileOf| owner.filter(|_| pile == self.hand);
        let [loser, player] = [owner(from), owner(to)];
        if let Some(loser) = loser {
            let cards = &mut self.now.cards[loser.index() % PLAYERS];
            *cards = cards.saturating_sub(1);
        }
        let Some(player) = player else { return };
        self.now.cards[player.index() % PLAYERS] += 1;
        let (seat, is_mine) = (player.index(), player == view.me());
        let shown = card.filter(|_| is_mine).map(|card| shown(view, card));
        match (shown, from.0 == self.deck) {
            (Some(card), true) => {
                self.push("record_drew_card", json!({ "player": seat, "card": card }));
            }
            (None, true) => {
                self.push("public_record_drew_card", json!({ "player": seat }));
            }
            (card, false) => {
                if let Some((_, _, cards)) = &mut self.now.surrender {
                    cards.extend(card);
                }
                self.surrendered();
            }
        }
    }
}

/// Returns a card as the contest's engine wrote it.
fn shown(view: &View, card: Card) -> Value {
    let info = &view.decl().cards[card.index()];
    let kind = view.decl().card_kinds.get(info.kind as usize);
    let symbol = kind.map(|kind| {
        let mut letters = kind.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    });
    let territory = info.at.map(Territory::index);
    json!({ "card_id": card.index(), "territory_id": territory, "symbol": symbol })
}
