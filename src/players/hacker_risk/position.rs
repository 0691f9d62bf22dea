//! The other side of the protocol: from the state that an arena tells to a position of the game, and from what
//! a bot says there to an answer.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Asked, Words, country};
use crate::kernel::action::{Action, Options};
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::kernel::id::{Card, Pile, Player, Territory, Unit};
use crate::kernel::state::{Frame, Game};
use crate::kernel::view::{Facts, View};
use crate::kernel::{Bot, Rules};
use crate::players::served::{Pending, rule};

/// What an arena tells, as a position.
pub struct Position {
    /// The game as far as the player sees it; what it does not see is filled in somehow.
    pub game: Game,
    /// Who is asked.
    pub me: Player,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The word for the game.
    pub uid: String,
    asked: Asked,
    /// Is passing instead of a trade not offered?
    must_trade: bool,
}

/// The names of the players that a state tells of, in its order, and which of them is asked.
///
/// # Errors
/// What is wrong with the state.
pub fn players(state: &Value) -> Result<(Vec<String>, usize), String> {
    let Some(Value::Object(players)) = state.pointer("/game/players") else {
        return Err("the state has no object `game.players`".to_owned());
    };
    let names: Vec<String> = players.keys().cloned().collect();
    let me = state.pointer("/you/name").and_then(Value::as_str).ok_or("the state has no text `you.name`")?;
    let index = names.iter().position(|name| name == me);
    Ok((names, index.ok_or("`you.name` is not among `game.players`")?))
}

fn number(value: Option<&Value>, what: &str, most: i64) -> Result<i64, String> {
    let number = value.and_then(Value::as_i64).filter(|number| (0..=most).contains(number));
    number.ok_or_else(|| format!("`{what}` is not a whole number from 0 to {most}"))
}

fn flag(value: Option<&Value>, what: &str) -> Result<bool, String> {
    value.and_then(Value::as_bool).ok_or_else(|| format!("`{what}` is neither true nor false"))
}

impl Position {
    /// Reads a state.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(state: &Value, words: &Words, board: &Arc<Board>, decl: &Arc<Declaration>) -> Result<Self, String> {
        let (names, me) = players(state)?;
        let me = Player::from_index(me);
        let mut game = Game::new(Arc::clone(board), Arc::clone(decl), names.len(), 0, 0);
        let find = |name: &str| names.iter().position(|known| known == name).map(Player::from_index);
        let Some(Value::Object(lands)) = state.pointer("/game/countries") else {
            return Err("the state has no object `game.countries`".to_owned());
        };
        for at in board.territories() {
            let name = country(board, at);
            let land =
                lands.get(&*name).ok_or_else(|| format!("the state has no country `{name}`: is it another map?"))?;
            let owner = land.get("owner").and_then(Value::as_str).ok_or("a country has no text `owner`")?;
            if owner != "none" {
                let owner = find(owner).ok_or_else(|| format!("the owner of `{name}` is no player"))?;
                game.set_owner(at, Some(owner));
            }
            rule(game.add_units(at, Unit(0), number(land.get("troops"), "troops", 1_000_000)? as i32))?;
        }
        if lands.len() != board.len() {
            return Err(format!("the state has {} countries, and the map {}", lands.len(), board.len()));
        }
        let turn = number(state.pointer("/game/turn"), "game.turn", 10_000_000)? as u32;
        let you = state.get("you").ok_or("the state has no `you`")?;
        let reserve = number(you.get("troops_to_deploy"), "you.troops_to_deploy", 1_000_000)?;
        rule(game.set_counter(words.reserve, Some(me), reserve))?;
        let earned = flag(you.get("earned_cards_this_turn"), "you.earned_cards_this_turn")?;
        rule(game.set_counter(words.conquered, Some(me), i64::from(earned)))?;
        deal(&mut game, state, words, (&names, me))?;
        for (index, name) in names.iter().enumerate() {
            let (who, of) = (Player::from_index(index), &state["game"]["players"][name]);
            if flag(of.get("is_eliminated"), "is_eliminated")? {
                game.eliminate(who);
            } else if flag(of.get("is_neutral"), "is_neutral")? {
                game.neutralise(who);
            }
        }
        let actions = you.get("available_actions").and_then(Value::as_array);
        let actions = actions.ok_or("the state has no list `you.available_actions`")?;
        let has = |action: &str| actions.iter().any(|said| said == action);
        let (asked, phase) = [
            ("choose_country", Asked::Claim, "claim"),
            ("deploy_troops", Asked::Place, if turn == 0 { "muster" } else { "deploy" }),
            ("spend_cards", Asked::Trade, "trade"),
            ("end_attack_phase", Asked::Attack, "attack"),
            ("end_turn", Asked::Fortify, "fortify"),
        ]
        .into_iter()
        .find(|(action, _, _)| has(action))
        .map(|(_, asked, phase)| (asked, phase))
        .ok_or("none of the `available_actions` is known")?;
        let phase = decl.phase(phase).ok_or("the ruleset lost a phase")?;
        game.resume(turn, me, phase, [0; 3]);
        let uid = state.pointer("/game/uid").and_then(Value::as_str).unwrap_or_default().chars().take(80).collect();
        Ok(Self { game, me, names, uid, asked, must_trade: !has("pass") })
    }
}

/// Puts the cards where they are, as far as that is known.
fn deal(game: &mut Game, state: &Value, words: &Words, (names, me): (&[String], Player)) -> Result<(), String> {
    let mut left: VecDeque<Card> = (0..game.decl().cards.len()).map(Card::from_index).collect();
    let Some(Value::Array(cards)) = state.pointer("/you/cards") else {
        return Err("the state has no list `you.cards`".to_owned());
    };
    let mut hand = Vec::new();
    for card in cards {
        let name = card.get("country_name").and_then(Value::as_str).ok_or("a card has no text `country_name`")?;
        let is_it = |of: &Card| {
            let info = &game.decl().cards[of.index()];
            let wild = name == "wild" && info.at.is_none();
            wild || info.at.map_or(info.name == name, |at| country(game.board(), at) == name)
        };
        let index = left.iter().position(is_it).ok_or_else(|| format!("there is no card `{name}`, or it is twice"))?;
        hand.extend(left.remove(index));
    }
    rule(game.fill(words.hand, Some(me), &hand))?;
    let most = left.len() as i64;
    let mut take = |game: &mut Game, pile: Pile, of: Option<Player>, count: i64| {
        let cards: Vec<Card> = left.drain(..(count as usize).min(left.len())).collect();
        rule(game.fill(pile, of, &cards))
    };
    for (index, name) in names.iter().enumerate().filter(|(index, _)| *index != me.index()) {
        let count = number(state["game"]["players"][name].get("cards"), "cards", most)?;
        take(game, words.hand, Some(Player::from_index(index)), count)?;
    }
    let count = number(state.pointer("/game/cards_left"), "game.cards_left", most)?;
    take(game, words.deck, None, count)
}

/// A bot at an arena's table: what it has said already and was not asked for yet.
#[derive(Default)]
pub struct Seat {
    pending: Pending,
}

impl Seat {
    /// What a bot answers in a position, in the words of the protocol.
    ///
    /// # Errors
    /// The bot's fault, or the ruleset's.
    pub fn answer(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        position: Position,
    ) -> Result<Value, String> {
        let Position { mut game, me, asked, must_trade, .. } = position;
        let mut placed: Map<String, Value> = Map::new();
        loop {
            let frame = *game.frame().ok_or("there is nothing to decide")?;
            let (facts, mut options) = (Facts::new(game), Options::new());
            rule(rules.options(&facts, &frame, me, &mut options))?;
            if asked == Asked::Trade && must_trade {
                let all = std::mem::take(&mut options);
                for offer in all.offers().iter().filter(|offer| offer.verb == words.trade) {
                    options.offer(offer.verb, offer.slots());
                }
            }
            if options.is_empty() && asked == Asked::Attack {
                return Ok(json!({ "action": "end_attack_phase" }));
            }
            if options.is_empty() {
                return Err("there is nothing that may be done here".to_owned());
            }
            let action = self.pending.next(bot, &View::new(&facts, me), &options)?;
            let legal = options.admit(action).map_err(|_| "the bot says what is not offered".to_owned())?;
            game = facts.into_game();
            let args: Vec<i32> = action.args().to_vec();
            let name = |index: usize| country(game.board(), Territory::from_index(args[index] as usize)).into_owned();
            if asked != Asked::Place {
                return self.say(bot, rules, words, (game, me, asked), action);
            }
            let so_far = placed.get(&name(0)).and_then(Value::as_i64).unwrap_or_default();
            placed.insert(name(0), (so_far + i64::from(args[1])).into());
            rule(rules.apply(&mut game, &frame, me, legal))?;
            if game.counter(words.reserve, Some(me)) == 0 {
                return Ok(json!({ "action": "deploy_troops", "data": placed }));
            }
        }
    }

    fn say(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (game, me, asked): (Game, Player, Asked),
        action: Action,
    ) -> Result<Value, String> {
        let args: Vec<i32> = action.args().to_vec();
        let name = |index: usize| country(game.board(), Territory::from_index(args[index] as usize)).into_owned();
        let card = |number: i32| {
            let info = &game.decl().cards[number as usize];
            info.at.map_or_else(|| info.name.clone(), |at| country(game.board(), at).into_owned())
        };
        Ok(match asked {
            Asked::Claim => json!({ "action": "choose_country", "data": name(0) }),
            Asked::Trade if action.verb == words.pass => json!({ "action": "pass" }),
            Asked::Trade => {
                json!({ "action": "spend_cards", "data": args.iter().map(|&number| card(number)).collect::<Vec<_>>() })
            }
            Asked::Attack if action.verb == words.attack => {
                let (from, to) = (name(0), name(1));
                let moving = self.move_in(bot, rules, words, (game, me), &args)?;
                let data = json!({
                    "attacking_country": from, "defending_country": to,
                    "attacking_troops": args[2], "moving_troops": moving,
                });
                json!({ "action": "attack", "data": data })
            }
            Asked::Attack => json!({ "action": "end_attack_phase" }),
            Asked::Fortify if action.verb == words.movement => json!({
                "action": "reinforce",
                "data": { "origin_country": name(0), "destination_country": name(1), "moving_troops": args[2] },
            }),
            Asked::Fortify | Asked::Place => json!({ "action": "end_turn" }),
        })
    }

    /// How many more move in if the attack takes the land. The protocol wants to know it with the attack, so the
    /// bot is asked as if it had.
    fn move_in(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (mut game, me): (Game, Player),
        args: &[i32],
    ) -> Result<i32, String> {
        let (from, to) = (Territory::from_index(args[0] as usize), Territory::from_index(args[1] as usize));
        let defenders = game.armies(to);
        rule(game.add_units(to, Unit(0), -defenders))?;
        rule(game.capture(from, to, Unit(0), args[2]))?;
        let occupy = game.decl().phase("occupy").ok_or("the ruleset has no phase `occupy`")?;
        game.resume(game.turn(), me, occupy, [args[0], args[1], 0]);
        let frame: Frame = *game.frame().ok_or("there is nothing to decide")?;
        let (facts, mut options) = (Facts::new(game), Options::new());
        rule(rules.options(&facts, &frame, me, &mut options))?;
        if options.is_empty() {
            return Ok(0);
        }
        let said = self.pending.next(bot, &View::new(&facts, me), &options)?;
        let fits = said.verb == words.movement && options.admit(said).is_ok();
        Ok(if fits { said.args().get(2).copied().unwrap_or_default() } else { 0 })
    }
}
