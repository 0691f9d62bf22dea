//! Every message of the protocol, as written and as in its schema.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::events::EventOut;
use super::offers::{OfferOut, WordList};
use super::state::State;
use crate::codec::Failure;

/// A message of the program: one object, whose `type` names its kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Message<'a> {
    /// The first message of a connection. The bot answers with its own `hello`.
    Hello {
        /// The major version of the protocol.
        protocol: u32,
        /// The program and its version.
        program: &'static str,
    },
    /// A game begins, or the bot was restarted in one.
    Game(Box<Game<'a>>),
    /// A question. The bot answers with `{"id": …, "do": …}`.
    Ask(Box<Ask<'a>>),
    /// Events that this player may see. Only for bots that want `events`.
    Events {
        /// The number of the game.
        game: u64,
        /// The events, in order.
        events: Vec<EventOut>,
        /// The state after the event, for bots that want `states`: each event then has a message
        /// of its own.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The bot made a fault. It gets the question again, unless it is out of the game.
    Fault {
        /// The number of the game.
        game: u64,
        /// The id of the question.
        id: u64,
        /// The kind of the fault, in one word.
        code: &'static str,
        /// The description.
        text: String,
        /// Faults left until the bot is out; `null` if they are unlimited.
        left: Option<u32>,
    },
    /// The game is over.
    Over {
        /// The number of the game.
        game: u64,
        /// The place of each player, from 1; ties share one. `null` if the game was stopped.
        ranks: Option<Vec<u32>>,
        /// The winners; several in a draw.
        winners: Vec<usize>,
        /// The ruleset's score of each player.
        scores: Vec<i64>,
        /// The reason, in one word: `conquest`, `limit` …; `stopped` if the game was stopped.
        reason: String,
        /// The state at the end, for bots that want `course`.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The last message: the bot may exit.
    Bye,
}

/// A message of the bot.
#[derive(Debug, JsonSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "it is there for its schema: bots are read with more patience"
)]
pub(super) enum BotMessage {
    /// The answer to `hello`.
    Hello {
        /// The major version of the protocol that the bot speaks.
        protocol: u32,
        /// The bot's name, for logs.
        name: Option<String>,
        /// What the bot wants besides the questions.
        #[serde(default)]
        wants: Vec<Want>,
        /// The optional phases in which the bot wants to decide. The rules decide in all others.
        #[serde(default)]
        phases: Vec<String>,
        /// The reasons if the bot can't play.
        #[serde(default)]
        refuses: Vec<Failure>,
    },
    /// The answer to a question.
    Answer {
        /// The question's id.
        id: u64,
        /// An action, `["attack", "alaska", "kamchatka", 3]`, or a list of actions: this decision
        /// and the player's next ones.
        r#do: Vec<Value>,
    },
    /// The bot failed to answer a question, which is a fault.
    Failure {
        /// The question's id.
        id: u64,
        /// The failure.
        fault: Failure,
    },
}

/// What a bot may want besides the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Want {
    /// Messages `events`, as events happen.
    Events,
    /// Every legal action with each question: `actions`.
    Actions,
    /// Whole actions of several steps, which some rulesets offer: `plans`.
    Plans,
    /// Everything that the rules need to continue from a state: the bot's random stream with each
    /// game, the state at its start and end, and the `course` of the game in each state.
    Course,
    /// The state after each event: `state` in `events`.
    States,
    /// Numbers in place of words in `options`, `plans`, `actions`, `orders` and
    /// `piles`.
    Indices,
}

impl Want {
    pub(super) const ALL: [Self; 6] = [
        Self::Events,
        Self::Actions,
        Self::Plans,
        Self::Course,
        Self::States,
        Self::Indices,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Actions => "actions",
            Self::Plans => "plans",
            Self::Course => "course",
            Self::States => "states",
            Self::Indices => "indices",
        }
    }
}

/// Everything that does not change in a game, sent at its start. Players, territories, continents,
/// cards and kinds of units are counted from 0 in the order of these lists.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Game<'a> {
    /// The number of the game on this connection, from 1.
    pub(super) game: u64,
    /// Whether the bot was restarted in the middle of this game.
    pub(super) resumed: bool,
    /// The ruleset's name.
    pub(super) ruleset: &'a str,
    /// The ruleset's options in effect.
    pub(super) options: BTreeMap<&'a str, Value>,
    /// The players' names, by seat.
    pub(super) players: &'a [String],
    /// The bot's index in `players`.
    pub(super) you: usize,
    /// A seed for the bot's own random numbers, below 2^53: different for each game and player, and
    /// the same when the game is repeated.
    pub(super) seed: u64,
    /// The bot's own random stream, for bots that want `course`: the state of a generator
    /// xoshiro256++, four words of 16 hexadecimal digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream: Option<String>,
    /// The state when the game begins, for bots that want `course`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<State<'a>>,
    /// The bot's clock, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<ClockOut>,
    /// The map; the lists in the state of each question have the same order.
    pub(super) map: Map<'a>,
    /// The kinds of actions: verbs and their parameters.
    pub(super) verbs: Vec<VerbOut<'a>>,
    /// The phases in which players decide.
    pub(super) phases: Vec<&'a str>,
    /// The kinds of units.
    pub(super) units: &'a [String],
    /// Names of the counters that players and the table have.
    pub(super) counters: Vec<&'a str>,
    /// Names of the piles of cards that players and the table have.
    pub(super) piles: Vec<&'a str>,
    /// All cards of the game.
    pub(super) cards: Vec<CardOut<'a>>,
}

/// A clock, in milliseconds. The bank is full when a game begins; an answer may use all of it, and
/// each answer returns a fixed time, up to the full bank.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClockOut {
    /// The full bank.
    pub(super) bank: u64,
    /// The time that each answer returns to the bank.
    pub(super) r#move: u64,
}

/// The map, with everything that does not change during a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Map<'a> {
    /// The map's name, any text.
    pub(super) name: &'a str,
    /// All territories; the index in this list is a territory's number.
    pub(super) territories: Vec<TerritoryOut<'a>>,
    /// All continents; the index in this list is a continent's number.
    pub(super) continents: Vec<ContinentOut<'a>>,
}

/// A territory and its borders.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TerritoryOut<'a> {
    /// The word for it in actions.
    pub(super) id: &'a str,
    /// The displayed name.
    pub(super) name: &'a str,
    /// The territory's continent.
    pub(super) continent: Option<usize>,
    /// The territories reached across its borders.
    pub(super) borders: Vec<usize>,
    /// Further data from the map.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A continent and its bonus.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ContinentOut<'a> {
    /// The word for it in actions.
    pub(super) id: &'a str,
    /// The displayed name.
    pub(super) name: &'a str,
    /// Armies a turn for the player who owns all of it.
    pub(super) bonus: i32,
}

/// A kind of action: an action is its name, followed by its parameters.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerbOut<'a> {
    /// The word for it in actions.
    pub(super) name: &'a str,
    /// The parameters, in the order of an action.
    pub(super) parameters: Vec<ParameterOut<'a>>,
}

/// A parameter of a verb.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ParameterOut<'a> {
    /// The parameter's name in the ruleset; actions have only values.
    pub(super) name: &'a str,
    /// Its kind: `territory`, `continent`, `player`, `count`, `card` or `unit`. Players
    /// and counts are numbers in actions, all others words.
    pub(super) kind: &'static str,
}

/// A card as the ruleset declares it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CardOut<'a> {
    /// The word for it in actions.
    pub(super) name: &'a str,
    /// The kind for sets, such as `infantry`; `null` if the ruleset has none.
    pub(super) kind: Option<&'a str>,
    /// The territory on it.
    pub(super) territory: Option<usize>,
    /// Further data from the ruleset.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A decision for the bot, with everything that the bot may know.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Ask<'a> {
    /// The number of the game.
    pub(super) game: u64,
    /// The question's id, which the answer repeats: unique on the connection.
    pub(super) id: u64,
    /// The phase in which the bot decides.
    #[serde(borrow)]
    pub(super) phase: Cow<'a, str>,
    /// The numbers with which the phase was opened; the ruleset defines their meaning.
    pub(super) args: [i32; 3],
    /// The state.
    #[serde(borrow)]
    pub(super) state: State<'a>,
    /// The legal actions: each offer allows any choice of one value for each parameter.
    pub(super) options: Vec<OfferOut<'a>>,
    /// The number of legal actions.
    pub(super) count: u64,
    /// Whole actions of several steps, for bots that want `plans`: each is a list of offers, one
    /// for each step, and allows any choice of one value for each parameter. If there are only
    /// plans, `options` is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plans: Option<Vec<Vec<OfferOut<'a>>>>,
    /// Every legal action, for bots that want `actions`; `null` if there are more than 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<Option<Vec<WordList<'a>>>>,
    /// The time left for the answer on the bot's clock, in milliseconds, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<u64>,
}
