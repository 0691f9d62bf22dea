//! What a bot of ours says at an arena's table, in the words of the protocol. Whatever the arena
//! offers, it is answered with something that it offered: its rules may not be quite ours.

use serde_json::{Map, Value, json};

use super::position::{Offered, Position};
use super::{Asked, Words, country};
use crate::kernel::action::{Action, Options};
use crate::kernel::id::{Card, Player, Territory, Unit};
use crate::kernel::state::{Frame, GameState};
use crate::kernel::view::{Facts, View};
use crate::kernel::{Bot, Rules};
use crate::players::served::{Pending, rule};

/// How often a bot is asked where to place armies in one answer; then the rest go where it placed
/// last.
const MOST_PLACED: usize = 500;

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
        let Position {
            game,
            me,
            asked,
            offered,
            ..
        } = position;
        let Some(asked) = asked else {
            return Ok(instead(&game, words, me, &offered));
        };
        if asked == Asked::Place {
            return self.place(bot, rules, words, (game, me, &offered));
        }
        let frame = *game.frame().ok_or("there is nothing to decide")?;
        let (facts, mut options) = (Facts::new(game), Options::new());
        rule(rules.options(&facts, &frame, me, &mut options))?;
        options.keep(|verb| {
            words
                .wire(asked, verb)
                .is_some_and(|action| offered.has(action))
        });
        if options.is_empty() {
            return Ok(instead(&facts.into_game(), words, me, &offered));
        }
        let action = self.pending.next(bot, &View::new(&facts, me), &options)?;
        options
            .admit(action)
            .map_err(|_| "the bot says what is not offered".to_owned())?;
        self.say(bot, rules, words, (facts.into_game(), me, asked), action)
    }

    /// Where the bot places its armies, all of them in one answer.
    fn place(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (mut game, me, offered): (GameState, Player, &Offered),
    ) -> Result<Value, String> {
        let mut placed: Map<String, Value> = Map::new();
        let mut last = None;
        for _ in 0..MOST_PLACED {
            let left = game.counter(words.reserve, Some(me));
            let Some(frame) = game.frame().copied().filter(|_| left > 0) else {
                break;
            };
            let (facts, mut options) = (Facts::new(game), Options::new());
            rule(rules.options(&facts, &frame, me, &mut options))?;
            options.keep(|verb| verb == words.place);
            if options.is_empty() {
                game = facts.into_game();
                break;
            }
            let action = self.pending.next(bot, &View::new(&facts, me), &options)?;
            let legal = options
                .admit(action)
                .map_err(|_| "the bot says what is not offered".to_owned())?;
            game = facts.into_game();
            let name = country(
                game.board(),
                Territory::from_index(action.args()[0] as usize),
            )
            .into_owned();
            add(&mut placed, &name, i64::from(action.args()[1]));
            last = Some(name);
            rule(rules.apply(&mut game, &frame, me, legal))?;
        }
        let Some(last) = last else {
            return Ok(instead(&game, words, me, offered));
        };
        add(&mut placed, &last, game.counter(words.reserve, Some(me)));
        Ok(json!({ "action": "deploy_troops", "data": placed }))
    }

    fn say(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (game, me, asked): (GameState, Player, Asked),
        action: Action,
    ) -> Result<Value, String> {
        let args: Vec<i32> = action.args().to_vec();
        let said = words
            .wire(asked, action.verb)
            .ok_or("the protocol has no word for what the bot says")?;
        let name = |index: usize| {
            country(game.board(), Territory::from_index(args[index] as usize)).into_owned()
        };
        let data = match said {
            "choose_country" => json!(name(0)),
            "spend_cards" => args
                .iter()
                .map(|&number| card_name(&game, Card::from_index(number as usize)))
                .collect(),
            "attack" => {
                let (from, to) = (name(0), name(1));
                let moving = self.move_in(bot, rules, words, (game, me), &args)?;
                attack(&from, &to, args[2], moving)
            }
            "reinforce" => reinforce(&name(0), &name(1), args[2]),
            _ => return Ok(json!({ "action": said })),
        };
        Ok(json!({ "action": said, "data": data }))
    }

    /// How many more move in if the attack takes the land. The protocol wants to know it with the
    /// attack, so the bot is asked as if it had.
    fn move_in(
        &mut self,
        bot: &mut dyn Bot,
        rules: &mut dyn Rules,
        words: &Words,
        (mut game, me): (GameState, Player),
        args: &[i32],
    ) -> Result<i32, String> {
        let (from, to) = (
            Territory::from_index(args[0] as usize),
            Territory::from_index(args[1] as usize),
        );
        let defenders = game.armies(to);
        rule(game.add_units(to, Unit(0), -defenders))?;
        rule(game.capture(from, to, Unit(0), args[2]))?;
        let occupy = game
            .decl()
            .phase("occupy")
            .ok_or("the ruleset has no phase `occupy`")?;
        game.resume(game.turn(), me, occupy, [args[0], args[1], 0]);
        let frame: Frame = *game.frame().ok_or("there is nothing to decide")?;
        let (facts, mut options) = (Facts::new(game), Options::new());
        rule(rules.options(&facts, &frame, me, &mut options))?;
        if options.is_empty() {
            return Ok(0);
        }
        let said = self.pending.next(bot, &View::new(&facts, me), &options)?;
        let fits = said.verb == words.movement && options.admit(said).is_ok();
        Ok(if fits {
            said.args().get(2).copied().unwrap_or_default()
        } else {
            0
        })
    }
}

impl Words {
    /// What an action of ours is called on the wire, where the decision is about this.
    fn wire(&self, asked: Asked, verb: crate::kernel::id::Verb) -> Option<&'static str> {
        let known = match asked {
            Asked::Claim => [
                (self.claim, "choose_country"),
                (self.claim, "choose_country"),
            ],
            Asked::Place => [(self.place, "deploy_troops"), (self.place, "deploy_troops")],
            Asked::Trade => [(self.trade, "spend_cards"), (self.pass, "pass")],
            Asked::Attack => [(self.attack, "attack"), (self.done, "end_attack_phase")],
            Asked::Fortify => [(self.movement, "reinforce"), (self.done, "end_turn")],
        };
        known
            .into_iter()
            .find(|(own, _)| *own == verb)
            .map(|(_, action)| action)
    }
}

/// More armies for a country.
fn add(placed: &mut Map<String, Value>, name: &str, more: i64) {
    let so_far = placed.get(name).and_then(Value::as_i64).unwrap_or_default();
    placed.insert(name.to_owned(), (so_far + more).into());
}

fn attack(from: &str, to: &str, dice: i32, moving: i32) -> Value {
    json!({
        "attacking_country": from, "defending_country": to, "attacking_troops": dice, "moving_troops": moving,
    })
}

fn reinforce(from: &str, to: &str, moving: i32) -> Value {
    json!({ "origin_country": from, "destination_country": to, "moving_troops": moving })
}

fn card_name(game: &GameState, card: Card) -> String {
    let info = &game.decl().cards[card.index()];
    info.at.map_or_else(
        || info.name.clone(),
        |at| country(game.board(), at).into_owned(),
    )
}

/// What is said where our rules know nothing to do: what ends the phase if that is offered,
/// otherwise what comes nearest to something that is.
fn instead(game: &GameState, words: &Words, me: Player, offered: &Offered) -> Value {
    if let Some(over) = offered.first_of(&["pass", "end_attack_phase", "end_turn"]) {
        return json!({ "action": over });
    }
    let known = [
        "choose_country",
        "deploy_troops",
        "spend_cards",
        "attack",
        "reinforce",
    ];
    let action = offered.first_of(&known).unwrap_or_else(|| offered.first());
    let data = match action {
        "choose_country" => some_country(game),
        "deploy_troops" => some_deployment(game, words, me),
        "spend_cards" => some_cards(game, words, me),
        "attack" => some_pair(game, me, false)
            .map(|(from, to, armies)| attack(&from, &to, (armies - 1).clamp(1, 3), 0)),
        "reinforce" => some_pair(game, me, true).map(|(from, to, _)| reinforce(&from, &to, 1)),
        _ => None,
    };
    match data {
        Some(data) => json!({ "action": action, "data": data }),
        None => json!({ "action": action }),
    }
}

/// A country that is free, or else any.
fn some_country(game: &GameState) -> Option<Value> {
    let free = game
        .board()
        .territories()
        .find(|&at| game.owner(at).is_none());
    let at = free.or_else(|| game.board().territories().next())?;
    Some(json!(country(game.board(), at)))
}

/// All armies on the first country of the player's own; none where there is none.
fn some_deployment(game: &GameState, words: &Words, me: Player) -> Option<Value> {
    let armies = game.counter(words.reserve, Some(me));
    let at = game.owned(me).next().filter(|_| armies > 0);
    let placed: Map<String, Value> = at
        .into_iter()
        .map(|at| (country(game.board(), at).into_owned(), armies.into()))
        .collect();
    Some(placed.into())
}

/// Three cards of which the second is unlike the two others: a set for the old arena. Otherwise the
/// first three.
fn some_cards(game: &GameState, words: &Words, me: Player) -> Option<Value> {
    let hand = game.pile(words.hand, Some(me));
    let kind = |index: usize| game.decl().cards[hand[index].index()].kind;
    let mut pick: Vec<usize> = (0..hand.len().min(3)).collect();
    'found: for b in 1..hand.len() {
        for a in 0..b {
            if let Some(c) = (b + 1..hand.len()).find(|&c| kind(a) != kind(b) && kind(b) != kind(c))
            {
                pick = vec![a, b, c];
                break 'found;
            }
        }
    }
    Some(
        pick.into_iter()
            .map(|index| card_name(game, hand[index]))
            .collect(),
    )
}

/// From the country with the most armies that has a neighbour of this kind, to it.
fn some_pair(game: &GameState, me: Player, own: bool) -> Option<(String, String, i32)> {
    let board = game.board();
    let pairs = game.owned(me).filter_map(|from| {
        let to = board
            .neighbours(from)
            .iter()
            .copied()
            .find(|&to| game.owns(me, to) == own)?;
        Some((game.armies(from), from, to))
    });
    let (armies, from, to) = pairs.max_by_key(|(armies, _, _)| *armies)?;
    Some((
        country(board, from).into_owned(),
        country(board, to).into_owned(),
        armies,
    ))
}
