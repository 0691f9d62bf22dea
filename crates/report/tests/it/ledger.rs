//! What a game's events say, as facts that a story may claim. Independent of the story's own code.

use risk_kernel::action::Action;
use risk_kernel::event::{Capture, Event, FightRound, PileOf, Status};
use risk_kernel::id::{Card, Counter, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::{Words, filled};
use risk_kernel::{EventFold, Moment, Sink};
use risk_testing::fold::Fold;

/// The dice of one roll: those of the attacker and of the defender.
pub(crate) type Roll = (Vec<u8>, Vec<u8>);

/// A round of a fight, and what became of the territory.
#[derive(Clone, Debug)]
pub(crate) struct Fight {
    pub(crate) player: Player,
    pub(crate) round: FightRound,
    pub(crate) dice: Vec<Roll>,
    /// The losses by kind, of the attacker and of the defender.
    pub(crate) losses: [Vec<(Unit, i32)>; 2],
    /// The number of units that moved in with the capture.
    pub(crate) taken: Option<i32>,
    pub(crate) emptied: bool,
    owed: [i32; 2],
    hook: usize,
}

/// A change of units that no fight explains. A fight's share of it is taken off.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) at: Territory,
    pub(crate) unit: Unit,
    pub(crate) before: i32,
    pub(crate) now: i32,
    pub(crate) owner: Option<Player>,
    /// The number of the hook that changed them.
    pub(crate) hook: usize,
    pub(crate) told: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Moved {
    pub(crate) from: Territory,
    pub(crate) to: Territory,
    pub(crate) unit: Unit,
    pub(crate) count: i32,
    /// The number of fights before it in the round.
    pub(crate) fights: usize,
    /// The number of the hook that moved them.
    hook: usize,
    pub(crate) told: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Handed {
    pub(crate) at: Territory,
    pub(crate) from: Option<Player>,
    pub(crate) to: Option<Player>,
    hook: usize,
    /// The player whose action it is an effect of.
    actor: Option<Player>,
    pub(crate) told: bool,
}

/// The facts of one round. Round 0 is the set-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Round {
    pub(crate) number: u32,
    /// The standings at its beginning, as words.
    pub(crate) standings: Vec<String>,
    pub(crate) fights: Vec<Fight>,
    pub(crate) changes: Vec<Change>,
    pub(crate) moves: Vec<Moved>,
    pub(crate) owners: Vec<Handed>,
    /// Captures without a fight.
    pub(crate) captures: Vec<Capture>,
    /// Counters with a sentence, messages, cards drawn, faults and eliminations, in words.
    pub(crate) texts: Vec<(Option<Player>, String)>,
    /// Those of them that every form of the story tells: counters and eliminations.
    pub(crate) must: Vec<String>,
    /// Actions that a sentence may tell, each of them once.
    pub(crate) orders: Vec<(Player, Action)>,
    /// What answers added to reserves.
    pub(crate) reserves: Vec<(Player, i64)>,
    /// The territories that each player claimed in the set-up, and the units placed.
    pub(crate) set_up: Vec<[i64; 2]>,
}

/// A sink that keeps the facts of a game.
pub(crate) struct Ledger {
    pub(crate) names: Vec<String>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) turn: u32,
    pub(crate) answers: u64,
    /// The values after the last event.
    board: Option<EventFold>,
    fold: Fold,
    /// The number of hooks so far: each answer, executed order and phase begins one.
    hook: usize,
    actor: Option<Player>,
    dice: Vec<Roll>,
    /// Whether dice were rolled, and whether chances in percent were tried.
    pub(crate) chances: [bool; 2],
    unbooked: Vec<(Player, Action)>,
}

impl Round {
    /// Reports whether a player's own move leaves a territory without an owner, so that the move
    /// says it.
    pub(crate) fn is_left(&self, owner: &Handed) -> bool {
        let moves = |it: &Moved| it.hook == owner.hook && it.from == owner.at;
        owner.to.is_none()
            && owner.from.is_some()
            && owner.from == owner.actor
            && self.moves.iter().any(moves)
    }

    /// Returns the forces that the short form may show for a conquest: those of a round of the
    /// fight that led to it.
    pub(crate) fn forces(&self, taken: &Fight) -> Vec<String> {
        let same = |it: &&Fight| {
            let lands = (it.round.from, it.round.to);
            it.player == taken.player && lands == (taken.round.from, taken.round.to)
        };
        let texts = self.fights.iter().filter(same).map(|it| {
            let FightRound {
                attackers,
                standing,
                defenders,
                ..
            } = it.round;
            if it.dice.is_empty() && attackers < standing {
                format!("{attackers} of {standing} v {defenders}")
            } else {
                format!("{standing} v {defenders}")
            }
        });
        texts.collect()
    }
}

fn take_out(list: &mut Vec<(Player, Action)>, order: (Player, Action)) -> bool {
    let found = list.iter().rposition(|known| *known == order);
    found.map(|index| list.remove(index)).is_some()
}

/// Returns the noun for a number of units.
pub(crate) fn noun(game: &GameState, unit: Unit, count: i64) -> String {
    let title = &game.decl().sentences.units[unit.index()];
    let noun = if count == 1 { &title.one } else { &title.many };
    noun.clone()
}

/// Returns a player's standings as words with single spaces.
fn standing(game: &GameState, board: &EventFold, player: Player, name: &str) -> String {
    let land = board.owned(player).count();
    let mut words = vec![name.to_owned(), format!("{land} land")];
    let kinds: Vec<Unit> = (0..game.decl().units.len()).map(Unit::from_index).collect();
    if let [only] = kinds[..] {
        let armies: i64 = board
            .owned(player)
            .map(|at| i64::from(board.units(at, only)))
            .sum();
        words.push(format!("{armies} {}", noun(game, only, armies)));
    }
    if let Some(hand) = game.decl().pile("hand") {
        let cards = board.pile(hand, Some(player)).len();
        words.push(format!(
            "{cards} {}",
            if cards == 1 { "card" } else { "cards" }
        ));
    }
    let mut notes = Vec::new();
    if board.status(player) == Status::Playing {
        if kinds.len() > 1 {
            for unit in kinds {
                let owned = board.owned(player);
                let count: i64 = owned.map(|at| i64::from(board.units(at, unit))).sum();
                if count > 0 {
                    notes.push(format!("{count} {}", noun(game, unit, count)));
                }
            }
        }
        notes.extend(board.held(game, player).into_iter().map(str::to_owned));
    } else {
        notes.push(board.status(player).as_str().to_owned());
    }
    words.push(notes.join(", "));
    words.join(" ").trim_end().to_owned()
}

impl Ledger {
    pub(crate) fn new(names: Vec<String>) -> Self {
        let set_up = vec![[0, 0]; names.len()];
        Self {
            names,
            rounds: vec![Round {
                set_up,
                ..Round::default()
            }],
            turn: 0,
            answers: 0,
            board: None,
            fold: Fold::default(),
            hook: 0,
            actor: None,
            dice: Vec::new(),
            chances: [false; 2],
            unbooked: Vec::new(),
        }
    }

    fn now(&mut self) -> &mut Round {
        self.rounds.last_mut().unwrap()
    }

    /// Returns the standings now, and checks the board against the game's last state.
    pub(crate) fn last(&self, game: &GameState) -> Vec<String> {
        self.fold.check(game);
        self.standings(game)
    }

    fn standings(&self, game: &GameState) -> Vec<String> {
        let board = self.board.clone();
        let board = board.unwrap_or_else(|| EventFold::new(game));
        let seats = game.seats().zip(&self.names);
        seats
            .map(|(player, name)| standing(game, &board, player, name))
            .collect()
    }

    fn next_hook(&mut self, actor: Option<Player>) {
        self.hook += 1;
        self.actor = actor;
        self.dice.clear();
    }

    fn orders(&mut self, game: &GameState, event: &Event) {
        match event {
            Event::TurnBegan { turn, round, .. } => {
                self.next_hook(None);
                self.turn = *turn;
                if self.now().number != *round {
                    let standings = self.standings(game);
                    self.rounds.push(Round {
                        number: *round,
                        standings,
                        ..Round::default()
                    });
                }
            }
            Event::PhaseBegan { phase, .. } if !game.decl().phases[phase.index()].optional => {
                self.next_hook(None);
            }
            Event::Answered {
                player,
                action,
                phase,
                number,
                ..
            } => {
                self.answers = *number;
                let info = &game.decl().phases[phase.index()];
                if info.secret || !info.optional {
                    self.next_hook((!info.secret).then_some(*player));
                    self.now().orders.push((*player, *action));
                }
            }
            Event::Stored { player, action } => {
                take_out(&mut self.now().orders, (*player, *action));
            }
            Event::Unstored { player, action, .. } => {
                self.unbooked.push((*player, *action));
                self.now().orders.push((*player, *action));
            }
            Event::Executed { player, action } => {
                self.next_hook(Some(*player));
                if !take_out(&mut self.unbooked, (*player, *action)) {
                    self.now().orders.push((*player, *action));
                }
            }
            _ => {}
        }
    }

    fn fought(&mut self, round: &FightRound) {
        let board = self.board.as_ref().unwrap();
        let Some(player) = board.owner(round.from).or(self.actor) else {
            return;
        };
        let hook = self.hook;
        let mut fight = Fight {
            player,
            round: *round,
            dice: std::mem::take(&mut self.dice),
            losses: [Vec::new(), Vec::new()],
            taken: None,
            emptied: false,
            owed: [round.attacker_lost, round.defender_lost],
            hook,
        };
        let now = self.now();
        // The ruleset may remove the losses, or give the territory over, before it reports them.
        let changes = now.changes.iter_mut().filter(|change| change.hook == hook);
        for change in changes.filter(|change| change.now < change.before) {
            let lost = fight.explains(change.at, change.unit, change.before - change.now);
            change.before -= lost;
        }
        let given = now.owners.iter_mut();
        for given in given.filter(|given| given.hook == hook && given.at == round.to) {
            given.told = fight.won(given.to);
        }
        now.fights.push(fight);
    }

    /// Returns the last fight if its hook still runs.
    fn fight(&mut self) -> Option<&mut Fight> {
        let hook = self.hook;
        let last = self.now().fights.last_mut();
        last.filter(|fight| fight.hook == hook)
    }

    fn units(&mut self, at: Territory, unit: Unit, by: i32, now: i32) {
        let owner = self.board.as_ref().unwrap().owner(at);
        let hook = self.hook;
        if self.now().number == 0 {
            if let Some(actor) = self.actor.filter(|_| by > 0) {
                self.now().set_up[actor.index()][1] += i64::from(by);
            }
            return;
        }
        let lost = self
            .fight()
            .map_or(0, |fight| fight.explains(at, unit, -by));
        self.now().changes.push(Change {
            at,
            unit,
            before: now - by - lost,
            now,
            owner,
            hook,
            told: false,
        });
    }

    fn handed(&mut self, at: Territory, from: Option<Player>, to: Option<Player>) {
        let hook = self.hook;
        let of_fight = self
            .fight()
            .is_some_and(|fight| fight.round.to == at && fight.won(to));
        if of_fight {
            return;
        }
        if self.now().number == 0 {
            if let (Some(_), None, Some(to)) = (self.actor, from, to) {
                self.now().set_up[to.index()][0] += 1;
            }
            return;
        }
        let actor = self.actor;
        self.now().owners.push(Handed {
            at,
            from,
            to,
            hook,
            actor,
            told: false,
        });
    }

    fn captured(&mut self, capture: &Capture) {
        let last = self.now().fights.last_mut();
        let lands = (capture.from, capture.to);
        match last.filter(|it| it.taken.is_none() && (it.round.from, it.round.to) == lands) {
            Some(fight) => {
                fight.taken = Some(capture.moved);
                fight.explains(capture.to, capture.unit, capture.killed);
            }
            None => self.now().captures.push(*capture),
        }
    }

    fn counter(
        &mut self,
        game: &GameState,
        counter: Counter,
        of: Option<Player>,
        by: i64,
        now: i64,
    ) {
        if by <= 0 {
            return;
        }
        if let Some(template) = game.decl().sentences.of_counter(counter) {
            let value = |key: &str| match key {
                "by" => Some(by.to_string()),
                "now" => Some(now.to_string()),
                _ => None,
            };
            let text = filled(template, &value);
            self.now().must.push(text.clone());
            self.now().texts.push((of, text));
        } else if let Some(of) = of.filter(|of| self.actor == Some(*of))
            && game.decl().counter("reserve") == Some(counter)
        {
            self.now().reserves.push((of, by));
        }
    }

    fn drawn(&mut self, game: &GameState, card: Option<Card>, from: PileOf, to: PileOf) {
        let [deck, hand] = ["deck", "hand"].map(|pile| game.decl().pile(pile));
        if (Some(from.0), from.1, Some(to.0)) == (deck, None, hand)
            && let Some(player) = to.1
        {
            let card = Words::new(game.board(), game.decl()).card(card.unwrap());
            self.now()
                .texts
                .push((Some(player), format!("draws {card}")));
        }
    }

    fn effects(&mut self, game: &GameState, event: &Event) {
        match event {
            Event::Rolled { attack, defend } => self
                .dice
                .push((attack.values().to_vec(), defend.values().to_vec())),
            Event::Fought(round) => self.fought(round),
            Event::Captured(capture) => self.captured(capture),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                let fights = self.now().fights.len();
                let hook = self.hook;
                self.now().moves.push(Moved {
                    hook,
                    from: *from,
                    to: *to,
                    unit: *unit,
                    count: *count,
                    fights,
                    told: false,
                });
            }
            Event::Units { at, unit, by, now } => self.units(*at, *unit, *by, *now),
            Event::Owner { at, from, to } => self.handed(*at, *from, *to),
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => self.counter(game, *counter, *of, *by, *now),
            Event::Card { card, from, to, .. } => self.drawn(game, *card, *from, *to),
            Event::Mark { at, mark, now, .. } => {
                let title = &game.decl().marks[mark.index()].title;
                let text = format!("{}: {title} {now}", game.board().info(*at).name);
                self.now().must.push(text.clone());
                self.now().texts.push((None, text));
            }
            Event::Said { player, text } => {
                // Players have names, not numbers.
                let names = self.names.iter().enumerate().rev();
                let text = names.fold(text.clone(), |text, (seat, name)| {
                    text.replace(&format!("player {}", seat + 1), name)
                });
                self.now().texts.push((*player, text));
            }
            Event::Status { player, now } if *now != Status::Playing => {
                let name = &self.names[player.index()];
                let text = format!("✗ {name} is {}", now.as_str());
                self.now().must.push(text.clone());
                self.now().texts.push((None, text));
            }
            _ => {}
        }
    }
}

impl Fight {
    /// Reports whether only the attacker rolled dice.
    pub(crate) fn is_volley(&self) -> bool {
        let alone = self.dice.iter().all(|roll| roll.1.is_empty());
        alone && !self.dice.is_empty() && self.round.attacker_lost == 0
    }

    /// Counts a loss as one of this fight. Returns how many of the units it explains.
    fn explains(&mut self, at: Territory, unit: Unit, lost: i32) -> i32 {
        let lands = [self.round.from, self.round.to];
        let Some(side) = lands.iter().position(|&land| land == at) else {
            return 0;
        };
        let lost = lost.min(self.owed[side]).max(0);
        if lost > 0 {
            self.owed[side] -= lost;
            self.losses[side].push((unit, lost));
        }
        lost
    }

    /// Notes the new owner of the attacked territory. Returns false if it is a third player.
    fn won(&mut self, owner: Option<Player>) -> bool {
        if owner == Some(self.player) {
            self.taken = Some(self.taken.unwrap_or(0));
        } else if owner.is_none() {
            self.emptied = true;
        } else {
            return false;
        }
        true
    }
}

impl Sink for Ledger {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        let board = moment.before().clone();
        self.board = Some(board);
        self.chances[0] |= matches!(event, Event::Rolled { .. });
        self.chances[1] |= matches!(event, Event::Tried { .. });
        self.orders(game, event);
        self.effects(game, event);
        self.fold.step(moment, event);
        self.board.as_mut().unwrap().take(event);
    }
}
