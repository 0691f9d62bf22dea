//! The events of a game, as sent to all clients.

use serde_json::{Value, json};

use super::stage::CodelabPhase;
use super::{country, event};
use risk_kernel::Moment;
use risk_kernel::action::Action;
use risk_kernel::event::{Event, FightRound, Status};
use risk_kernel::id::{Counter, Player, Territory};
use risk_kernel::state::GameState;

/// A conquest whose movement of armies has not been reported yet.
struct Conquest {
    by: Player,
    from: Territory,
    to: Territory,
    moved: i32,
}

/// A converter from the events of one game to the code lab's events.
pub struct Narrator {
    /// The players' ids, by seat.
    ids: Vec<u64>,
    stage: CodelabPhase,
    /// The id of the player whose turn it is.
    turn: Option<u64>,
    /// Events that are held back until the first phase. `GameStarted`, which contains the number of
    /// armies, must come before them.
    early: Option<Vec<String>>,
    is_set_up: bool,
    rolled: [Vec<u8>; 2],
    conquest: Option<Conquest>,
}

/// Sorts dice, highest first.
fn sorted(dice: &[u8]) -> Vec<u8> {
    let mut dice = dice.to_vec();
    dice.sort_unstable_by(|a, b| b.cmp(a));
    dice
}

impl Narrator {
    /// Creates a narrator for players with these ids, by seat.
    #[must_use]
    pub fn new(ids: Vec<u64>) -> Self {
        Self {
            ids,
            stage: CodelabPhase::default(),
            turn: None,
            early: Some(Vec::new()),
            is_set_up: false,
            rolled: Default::default(),
            conquest: None,
        }
    }

    /// Returns the code lab's events for an event.
    pub fn lines(&mut self, moment: Moment<'_>, happened: &Event) -> Vec<String> {
        let game: &GameState = &moment;
        let mut out = Vec::new();
        if let Event::PhaseBegan { .. } = happened
            && let Some(early) = self.early.take()
        {
            out.push(self.started(game));
            out.extend(early);
        }
        self.translate(moment, happened, &mut out);
        match &mut self.early {
            Some(early) => {
                early.append(&mut out);
                Vec::new()
            }
            None => out,
        }
    }

    /// Returns the id of the player whose turn it is, or `None` before the first turn.
    #[must_use]
    pub const fn turn(&self) -> Option<u64> {
        self.turn
    }

    fn id(&self, player: Player) -> u64 {
        self.ids[player.index()]
    }

    fn started(&self, game: &GameState) -> String {
        let first = Player::from_index(0);
        let armies = game.strength(first) + reserve(game, first);
        event(
            "GameStarted",
            &json!({ "armies": armies, "playersOrder": self.ids }),
        )
    }

    fn next_player(&self, game: &GameState, player: Player) -> String {
        let data = json!({ "playerId": self.id(player), "reinforcement": reserve(game, player) });
        event("NextPlayer", &data)
    }

    fn translate(&mut self, moment: Moment<'_>, happened: &Event, out: &mut Vec<String>) {
        let game: &GameState = &moment;
        match happened {
            Event::PhaseBegan { phase, seat } => {
                self.stage = CodelabPhase::new(game.decl(), *phase);
                self.entered(game, *seat, out);
            }
            Event::TurnBegan { .. } if !self.is_set_up => {
                self.is_set_up = true;
                out.push(event("SetupEnded", &json!({})));
            }
            Event::Units { at, by, .. } if *by > 0 => self.placed(moment, *at, *by, out),
            Event::Rolled { attack, defend } => {
                self.rolled = [sorted(attack.values()), sorted(defend.values())];
            }
            Event::Fought(round) => out.push(self.fought(moment, round)),
            Event::Captured(capture) => {
                self.conquest = Some(Conquest {
                    by: capture.by,
                    from: capture.from,
                    to: capture.to,
                    moved: capture.moved,
                });
                // The rules do not ask how many armies follow if none can.
                if game.armies(capture.from) <= 1 {
                    self.followed(game, 0, out);
                }
            }
            Event::Answered {
                action,
                player,
                phase,
                ..
            } => {
                self.stage = CodelabPhase::new(game.decl(), *phase);
                self.answered(game, *player, action, out);
            }
            Event::Status { player, now } if *now == Status::Eliminated => {
                out.push(event(
                    "PlayerLost",
                    &json!({ "playerId": self.id(*player) }),
                ));
            }
            Event::Ended { winners, .. } => {
                self.followed(game, 0, out);
                let mut won = game.seats().filter(|player| winners.has(*player));
                if let (Some(winner), None) = (won.next(), won.next()) {
                    out.push(event("PlayerWon", &json!({ "playerId": self.id(winner) })));
                }
            }
            _ => {}
        }
    }

    fn entered(&mut self, game: &GameState, seat: Option<Player>, out: &mut Vec<String>) {
        match (self.stage, seat) {
            // In this phase, players place their first armies themselves.
            (CodelabPhase::Place, Some(player)) => {
                self.followed(game, 0, out);
                self.turn = Some(self.id(player));
                out.push(self.next_player(game, player));
            }
            (CodelabPhase::Attack | CodelabPhase::Fortify, _) => {
                self.followed(game, 0, out);
                out.push(event("NextStep", &json!({})));
            }
            _ => {}
        }
    }

    /// Reports each army placed on the board as a separate event.
    fn placed(&self, moment: Moment<'_>, at: Territory, by: i32, out: &mut Vec<String>) {
        let Some(owner) = moment.before().owner(at) else {
            return;
        };
        let data = json!({ "playerId": self.id(owner), "country": country(moment.board(), at) });
        let text = event("ArmyPlaced", &data);
        out.extend((0..by).map(|_| text.clone()));
    }

    fn fought(&self, moment: Moment<'_>, round: &FightRound) -> String {
        let side = |at: Territory, dice: &[u8], left: i32| {
            let owner = moment.before().owner(at);
            json!({
                "playerId": owner.map(|player| self.id(player)),
                "dices": dice,
                "country": country(moment.board(), at),
                "remainingArmies": left,
            })
        };
        let left = round.defenders - round.defender_lost;
        let data = json!({
            "attacker": side(round.from, &self.rolled[0], round.standing - round.attacker_lost),
            "defender": side(round.to, &self.rolled[1], left),
            "conquered": left == 0,
        });
        event("BattleEnded", &data)
    }

    fn answered(
        &mut self,
        game: &GameState,
        player: Player,
        action: &Action,
        out: &mut Vec<String>,
    ) {
        let verb = game.decl().verbs[action.verb.index()].name.as_str();
        let args = action.args();
        let territories = game.board().len();
        match (self.stage, verb, args) {
            (CodelabPhase::Occupy, "move", [_, _, more]) => self.followed(game, *more, out),
            (CodelabPhase::Occupy, ..) => self.followed(game, 0, out),
            (CodelabPhase::Fortify, "move", [from, to, armies]) => {
                let territory = |at: i32| usize::try_from(at).ok().filter(|at| *at < territories);
                if let (Some(from), Some(to)) = (territory(*from), territory(*to)) {
                    let from = Territory::from_index(from);
                    let to = Territory::from_index(to);
                    out.push(self.moved(game, player, from, to, *armies));
                }
            }
            _ => {}
        }
    }

    fn moved(
        &self,
        game: &GameState,
        player: Player,
        from: Territory,
        to: Territory,
        armies: i32,
    ) -> String {
        let data = json!({
            "playerId": self.id(player),
            "from": country(game.board(), from),
            "to": country(game.board(), to),
            "armies": armies,
        });
        event("ArmyMoved", &data)
    }

    /// Reports how many armies moved into an unreported conquest, if there is one. The number
    /// includes the armies that moved with the conquest and `more`.
    fn followed(&mut self, game: &GameState, more: i32, out: &mut Vec<String>) {
        if let Some(Conquest {
            by,
            from,
            to,
            moved,
        }) = self.conquest.take()
        {
            out.push(self.moved(game, by, from, to, moved + more));
        }
    }
}

/// Returns the number of armies that a player has left to place.
fn reserve(game: &GameState, player: Player) -> i64 {
    let mut counters = game.decl().counters.iter();
    let index = counters.position(|info| info.name == "reserve");
    index.map_or(0, |index| {
        game.counter(Counter::from_index(index), Some(player))
    })
}

impl Narrator {
    /// Returns the first event of a new connection, which contains the connection's id.
    #[must_use]
    pub fn welcome(id: u64) -> String {
        event("Welcome", &json!({ "playerId": id }))
    }

    /// Returns the event that announces a new player to all clients.
    #[must_use]
    pub fn joined(id: u64, name: &str, avatar: &str, color: &str) -> String {
        let data: Value = json!({ "playerId": id, "name": name, "avatar": avatar, "color": color });
        event("PlayerJoined", &data)
    }

    /// Returns the event that informs one player of an impossible action, if the code lab has such
    /// an event.
    #[must_use]
    pub fn error(id: u64, message: &str) -> String {
        event("Error", &json!({ "playerId": id, "message": message }))
    }
}
