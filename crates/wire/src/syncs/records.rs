//! The records of a match: what the contest's engine wrote down, as one player sees it.
//!
//! The records follow from the game's events alone, so that all players number them alike. A move
//! that a player was not asked for has a record as well, because the contest always asked.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::{ARMIES, PLAYERS, TERRITORIES};
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::action::Action;
use risk_kernel::board::Datum;
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Capture, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Group, Mark, Phase, Pile, Player, Territory, Verb};
use risk_kernel::view::View;

/// The parts of the ruleset that the protocol uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) claim: Phase,
    pub(super) muster: Phase,
    income: Phase,
    pub(super) trade: Phase,
    pub(super) bonus: Phase,
    pub(super) deploy: Phase,
    pub(super) attack: Phase,
    pub(super) defend: Phase,
    pub(super) occupy: Phase,
    card: Phase,
    pub(super) fortify: Phase,
    turn_end: Phase,
    pub(super) claiming: Verb,
    pub(super) placing: Verb,
    pub(super) trading: Verb,
    pub(super) attacking: Verb,
    pub(super) defending: Verb,
    pub(super) moving: Verb,
    pub(super) pass: Verb,
    pub(super) done: Verb,
    acting: Counter,
    pub(super) reserve: Counter,
    deck: Pile,
    pub(super) hand: Pile,
    pub(super) marked: Mark,
    most_records: usize,
}

impl Names {
    pub(super) fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let find = DeclLookup(decl);
        let mark = decl.marks.iter().position(|mark| mark.name == "bonus");
        let limit = match decl.options.get("max_records") {
            Some(Datum::Number(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        Ok(Self {
            claim: find.phase("claim")?,
            muster: find.phase("muster")?,
            income: find.phase("income")?,
            trade: find.phase("trade")?,
            bonus: find.phase("bonus")?,
            deploy: find.phase("deploy")?,
            attack: find.phase("attack")?,
            defend: find.phase("defend")?,
            occupy: find.phase("occupy")?,
            card: find.phase("card")?,
            fortify: find.phase("fortify")?,
            turn_end: find.phase("turn_end")?,
            claiming: find.verb("claim")?,
            placing: find.verb("place")?,
            trading: find.verb("trade")?,
            attacking: find.verb("attack")?,
            defending: find.verb("defend")?,
            moving: find.verb("move")?,
            pass: find.verb("pass")?,
            done: find.verb("done")?,
            acting: find.counter("acting")?,
            reserve: find.counter("reserve")?,
            deck: find.pile("deck")?,
            hand: find.pile("hand")?,
            marked: mark
                .map(Mark::from_index)
                .ok_or("the ruleset has no mark `bonus`")?,
            most_records: limit.ok_or("the ruleset has no option `max_records`")?,
        })
    }
}

/// The trade of a player: all sets of one answer.
#[derive(Clone, Debug, Default)]
struct Trade {
    sets: Vec<Value>,
    armies: i64,
    /// Whether a traded card shows an own territory.
    matches: bool,
}

/// The cards of an eliminated player that are still to come to this one.
struct Surrender {
    player: Player,
    left: usize,
    cards: Vec<Value>,
}

/// The records of a match that one player sees.
pub(super) struct Records {
    pub(super) names: Names,
    /// The number of records so far.
    count: usize,
    /// The records since the player's last question, as JSON.
    pending: Vec<(usize, String)>,
    phase: Option<Phase>,
    /// The owners of territories, the numbers of cards in hands, and whether players still decide,
    /// all at the last event. The view may be ahead of it.
    land: Vec<Option<Player>>,
    hands: [usize; PLAYERS],
    are_playing: [bool; PLAYERS],
    is_set_up: bool,
    trade: Option<Trade>,
    /// The number of trades in this turn. Only the first one is that of the turn's start.
    trades: u32,
    places: BTreeMap<i32, i32>,
    /// The attack without a record so far. A vetoed attack gets none.
    announced: Option<(Player, Action)>,
    attack: usize,
    defence: Option<usize>,
    fight: usize,
    /// The conqueror who has not said yet how many armies move in, and the number that has.
    conqueror: Option<(Player, i32)>,
    surrender: Option<Surrender>,
    is_fortified: bool,
    /// The contest's name of the last fault.
    ban: &'static str,
}

impl Records {
    pub(super) fn new(names: Names) -> Self {
        Self {
            names,
            count: 0,
            pending: Vec::new(),
            phase: None,
            land: vec![None; TERRITORIES],
            hands: [0; PLAYERS],
            are_playing: [true; PLAYERS],
            is_set_up: false,
            trade: None,
            trades: 0,
            places: BTreeMap::new(),
            announced: None,
            attack: 0,
            defence: None,
            fight: 0,
            conqueror: None,
            surrender: None,
            is_fortified: false,
            ban: "TIMEOUT",
        }
    }

    /// Reports whether the match has more records than those at which attacks end.
    pub(super) fn are_full(&self) -> bool {
        self.count > self.names.most_records
    }

    pub(super) fn cause(&self) -> &'static str {
        match self.trades {
            0 | 1 => "turn_started",
            _ => "player_eliminated",
        }
    }

    /// Returns the fields with which a question of this phase refers to an earlier record.
    pub(super) fn reference(&self, phase: Phase) -> Option<(&'static str, usize)> {
        if phase == self.names.defend {
            return Some(("move_attack_id", self.attack));
        }
        (phase == self.names.occupy).then_some(("record_attack_id", self.fight))
    }

    /// Returns the territories of the conquest whose armies still move in, and the number that has
    /// moved.
    pub(super) fn conquest(&self, view: &View) -> Option<([i32; 2], i32)> {
        let (_, moved) = self.conqueror?;
        let [from, to, ..] = view.frame()?.args;
        Some(([from, to], moved))
    }

    /// Reports whether a player may move armies from one territory to another.
    pub(super) fn is_own_way(view: &View, from: i32, to: i32) -> bool {
        let all = 0..view.board().len() as i32;
        if !(all.contains(&from) && all.contains(&to)) {
            return false;
        }
        let [from, to] = [from, to].map(|at| Territory::from_index(at as usize));
        view.mine(from) && view.mine(to) && view.move_borders(from).any(|near| near == to)
    }

    /// Returns the records since the last call as a JSON object. Its keys are in ascending order.
    pub(super) fn update(&mut self) -> String {
        let mut update = String::from("{");
        for (index, record) in self.pending.drain(..) {
            let comma = if update.len() > 1 { "," } else { "" };
            let _ = write!(update, "{comma}\"{index}\":{record}");
        }
        update + "}"
    }

    fn push(&mut self, kind: &str, mut record: Value) -> usize {
        record["record_type"] = json!(kind);
        self.pending.push((self.count, record.to_string()));
        self.count += 1;
        self.count - 1
    }

    /// Adds the records of the start, as soon as the order of play is known.
    pub(super) fn begin(&mut self, view: &View) {
        let place = |seat: usize| {
            let place = view.counter(self.names.acting, Some(Player::from_index(seat)));
            place.filter(|&place| place > 0)
        };
        let places: Option<Vec<i64>> = (0..view.players()).map(place).collect();
        let Some(places) = places.filter(|_| self.count == 0) else {
            return;
        };
        let mut order: Vec<usize> = (0..places.len()).collect();
        // The contest's list is played from its end backwards.
        order.sort_by_key(|&seat| -places[seat]);
        let player = |seat: usize| {
            json!({
                "player_id": seat, "troops_remaining": ARMIES, "alive": true, "card_count": 0,
                "must_place_territory_bonus": [],
            })
        };
        let me = view.me().index();
        let start = json!({
            "turn_order": order,
            "players": (0..places.len()).map(player).collect::<Vec<_>>(),
            "you": {
                "player_id": me, "team_id": me, "troops_remaining": ARMIES, "alive": true,
                "cards": [], "must_place_territory_bonus": [],
            },
        });
        self.push("public_record_start_game", start);
        self.push("record_shuffled_cards", json!({}));
    }

    pub(super) fn see(&mut self, view: &View, event: &Event) {
        self.begin(view);
        match *event {
            Event::Shuffled { .. } if self.is_set_up => {
                self.push("record_shuffled_cards", json!({}));
            }
            Event::Owner {
                at,
                to: Some(player),
                ..
            } if !self.is_set_up => {
                self.owns(at, player);
                let territory = json!({ "territory": at.index() });
                self.push_move("claim_territory", player, territory);
            }
            Event::TurnBegan {
                player: Some(_), ..
            } => {
                self.is_set_up = true;
                self.trades = 0;
                self.is_fortified = false;
            }
            Event::PhaseBegan { phase, seat } => self.enter(phase, seat),
            Event::Answered {
                player,
                phase,
                action,
                ..
            } => self.answered(player, phase, action),
            Event::Counter {
                counter,
                of: Some(player),
                by,
                now,
            } if counter == self.names.reserve => self.reserve(view, player, by, now),
            Event::Mark { mark, now: 1, .. } if mark == self.names.marked => {
                self.trade.iter_mut().for_each(|trade| trade.matches = true);
            }
            Event::Rolled { defend, .. } => self.rolled(defend.values().len()),
            Event::Fought(round) => self.fought(round),
            Event::Captured(Capture { to, by, moved, .. }) => {
                self.owns(to, by);
                let record = json!({ "record_attack_id": self.fight });
                self.push("record_territory_conquered", record);
                self.conqueror = Some((by, moved));
            }
            Event::Status { player, now } => {
                self.are_playing[player.index() % PLAYERS] = false;
                match now {
                    Status::Eliminated => self.eliminated(view, player),
                    _ => self.banned(player),
                }
            }
            Event::Faulted { kind, .. } => {
                self.ban = match kind {
                    FaultKind::Illegal => "INVALID_MOVE",
                    _ => "TIMEOUT",
                };
            }
            Event::Card { card, from, to, .. } => self.card(view, card, from, to),
            _ => {}
        }
    }

    fn banned(&mut self, player: Player) {
        let record = json!({
            "player": player.index(), "ban_type": self.ban, "reason": "", "details": [],
        });
        self.push("record_banned", record);
    }

    fn owner(&self, at: Territory) -> Option<Player> {
        self.land.get(at.index()).copied().flatten()
    }

    fn owns(&mut self, at: Territory, player: Player) {
        if let Some(owner) = self.land.get_mut(at.index()) {
            *owner = Some(player);
        }
    }

    fn land_of(&self, player: Player) -> usize {
        let owners = self.land.iter();
        owners.filter(|owner| **owner == Some(player)).count()
    }

    fn push_move(&mut self, kind: &str, player: Player, mut record: Value) -> usize {
        record["move_by_player"] = json!(player.index());
        self.push(&format!("move_{kind}"), record)
    }

    fn enter(&mut self, phase: Phase, seat: Option<Player>) {
        self.phase = Some(phase);
        let names = self.names;
        let Some(player) = seat.filter(|seat| self.are_playing[seat.index() % PLAYERS]) else {
            return;
        };
        if phase == names.trade {
            self.moved_in(0);
            self.trade = Some(Trade::default());
            self.trades += 1;
        } else if phase == names.bonus {
            self.traded(player);
        } else if phase == names.defend {
            self.attacked();
        } else if phase == names.card {
            self.moved_in(0);
        } else if phase == names.turn_end && !self.is_fortified {
            self.push_move("fortify_pass", player, json!({}));
        }
    }

    fn answered(&mut self, player: Player, phase: Phase, action: Action) {
        let names = self.names;
        let args = action.args();
        if phase == names.muster {
            self.push_move(
                "place_initial_troop",
                player,
                json!({ "territory": args[0] }),
            );
        } else if phase == names.trade && action.verb == names.trading {
            let trade = self.trade.get_or_insert_default();
            trade.sets.push(json!(args));
        } else if [names.bonus, names.deploy].contains(&phase) {
            *self.places.entry(args[0]).or_default() += args[1];
        } else if phase == names.attack {
            self.moved_in(0);
            self.announced = None;
            if action.verb == names.attacking {
                self.announced = Some((player, action));
            } else if !self.are_full() {
                self.push_move("attack_pass", player, json!({}));
            }
        } else if phase == names.defend {
            self.defended(player, args[0] as usize);
        } else if phase == names.occupy {
            self.moved_in(args[2]);
        } else if phase == names.fortify {
            self.is_fortified = true;
            match *args {
                [from, to, armies] => {
                    let record = json!({
                        "source_territory": from, "target_territory": to, "troop_count": armies,
                    });
                    self.push_move("fortify", player, record)
                }
                _ => self.push_move("fortify_pass", player, json!({})),
            };
        }
    }

    fn reserve(&mut self, view: &View, player: Player, by: i64, now: i64) {
        if self.phase == Some(self.names.income) && by > 0 {
            self.turn(view, player, by);
        } else if let Some(trade) = &mut self.trade {
            trade.armies += by;
        } else if now == 0 && !self.places.is_empty() {
            let places = std::mem::take(&mut self.places);
            let places: BTreeMap<String, i32> = places
                .into_iter()
                .map(|(at, armies)| (at.to_string(), armies))
                .collect();
            let record = json!({ "cause": self.cause(), "distributions": places });
            self.push_move("distribute_troops", player, record);
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
            "player": player.index(),
            "continents_held": held,
            "territories_held": self.land_of(player),
            "continent_bonus": bonus,
            "territory_bonus": armies - bonus,
        });
        self.push("record_start_turn", record);
    }

    fn traded(&mut self, player: Player) {
        let Some(trade) = self.trade.take() else {
            return;
        };
        let record = json!({ "sets": trade.sets, "cause": self.cause() });
        let index = self.push_move("redeem_cards", player, record);
        let matching = if trade.matches { 2 } else { 0 };
        let record = json!({
            "move_redeem_cards_id": index,
            "total_set_bonus": trade.armies - matching,
            "matching_territory_bonus": matching,
        });
        self.push("record_redeemed_cards", record);
    }

    fn attacked(&mut self) {
        let Some((player, action)) = self.announced.take() else {
            return;
        };
        let [from, to, dice] = [0, 1, 2].map(|slot| action.args()[slot]);
        let record = json!({
            "attacking_territory": from, "defending_territory": to, "attacking_troops": dice,
        });
        self.attack = self.push_move("attack", player, record);
        self.defence = None;
    }

    fn defended(&mut self, player: Player, dice: usize) {
        self.attacked();
        let record = json!({ "move_attack_id": self.attack, "defending_troops": dice });
        self.defence = Some(self.push_move("defend", player, record));
    }

    /// Adds the answer of a defender who was not asked.
    fn rolled(&mut self, dice: usize) {
        let Some((_, action)) = self.announced else {
            return;
        };
        let at = Territory::from_index(action.args()[1] as usize);
        if let Some(owner) = self.owner(at) {
            self.defended(owner, dice);
        }
    }

    fn fought(&mut self, round: FightRound) {
        let is_conquered = round.defender_lost >= round.defenders;
        let owner = self.owner(round.to);
        let is_last = owner.is_some_and(|owner| self.land_of(owner) == 1);
        let record = json!({
            "move_attack_id": self.attack,
            "move_defend_id": self.defence.take(),
            "attacking_troops_lost": round.attacker_lost,
            "defending_troops_lost": round.defender_lost,
            "territory_conquered": is_conquered,
            "defender_eliminated": is_conquered && is_last,
        });
        self.fight = self.push("record_attack", record);
    }

    /// Adds the number of armies that moved in, with those that followed the attackers.
    fn moved_in(&mut self, more: i32) {
        if let Some((player, moved)) = self.conqueror.take() {
            let record = json!({ "record_attack_id": self.fight, "troop_count": moved + more });
            self.push_move("troops_after_attack", player, record);
        }
    }

    fn eliminated(&mut self, view: &View, player: Player) {
        let cards = self.hands[player.index() % PLAYERS];
        if self
            .conqueror
            .is_some_and(|(conqueror, _)| conqueror == view.me())
        {
            self.surrender = Some(Surrender {
                player,
                left: cards,
                cards: Vec::new(),
            });
            self.surrendered();
            return;
        }
        let record = json!({
            "player": player.index(), "record_attack_id": self.fight,
            "cards_surrendered_count": cards,
        });
        self.push("record_player_eliminated", record);
    }

    /// Adds the record of an elimination by this player once all cards have come.
    fn surrendered(&mut self) {
        if let Some(Surrender { player, cards, .. }) =
            self.surrender.take_if(|surrender| surrender.left == 0)
        {
            let record = json!({
                "player": player.index(), "record_attack_id": self.fight,
                "cards_surrendered": cards,
            });
            self.push("record_player_eliminated", record);
        }
    }

    fn card(&mut self, view: &View, card: Option<Card>, from: PileOf, to: PileOf) {
        let owner = |(pile, owner): PileOf| owner.filter(|_| pile == self.names.hand);
        if let Some(loser) = owner(from) {
            let cards = &mut self.hands[loser.index() % PLAYERS];
            *cards = cards.saturating_sub(1);
        }
        let Some(player) = owner(to) else { return };
        self.hands[player.index() % PLAYERS] += 1;
        let shown = card.map(|card| shown(view, card));
        if from.0 == self.names.deck {
            let record = json!({ "player": player.index(), "card": shown });
            match player == view.me() {
                true => self.push("record_drew_card", record),
                false => self.push(
                    "public_record_drew_card",
                    json!({ "player": player.index() }),
                ),
            };
        } else if let Some(surrender) = self.surrender.as_mut().filter(|_| player == view.me()) {
            surrender.left = surrender.left.saturating_sub(1);
            surrender.cards.extend(shown);
            self.surrendered();
        }
    }
}

/// Returns a card as the contest's engine wrote it.
fn shown(view: &View, card: Card) -> Value {
    let info = &view.decl().cards[card.index()];
    let kind = view.decl().card_kinds.get(info.kind as usize);
    let symbol = kind.map(|kind| {
        let (first, rest) = kind.split_at(1);
        first.to_uppercase() + rest
    });
    json!({
        "card_id": card.index(),
        "territory_id": info.at.map(Territory::index),
        "symbol": symbol,
    })
}
