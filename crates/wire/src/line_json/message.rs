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

/// A message of the program: one object, whose `type` says which.
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
    /// The bot is asked. It answers with `{"id": …, "do": …}`.
    Ask(Box<Ask<'a>>),
    /// What happened, as far as this player may see it. Only for bots that want events.
    Events {
        /// The number of the game.
        game: u64,
        /// In the order in which they happened.
        events: Vec<EventOut>,
        /// The state after the event, for bots that want `states`: each event then has a message
        /// of its own.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The bot made a fault. It is asked again, unless it is out.
    Fault {
        /// The number of the game.
        game: u64,
        /// The question that it answered, or left without an answer.
        id: u64,
        /// The kind of fault in one word.
        code: &'static str,
        /// What was wrong.
        text: String,
        /// How many faults more it may make; `null` where they are not counted.
        left: Option<u32>,
    },
    /// The game is over.
    Over {
        /// The number of the game.
        game: u64,
        /// The place of each player, from 1; equals share it. None where the game was stopped.
        ranks: Option<Vec<u32>>,
        /// The players who won; several share a draw.
        winners: Vec<usize>,
        /// The ruleset's score of each player.
        scores: Vec<i64>,
        /// Why, in a word: `conquest`, `limit` …; `stopped` where it was not played to its end.
        reason: String,
        /// The state at the end, for bots that want `course`.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The last message: the bot may end.
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
        /// What it wants besides the questions.
        #[serde(default)]
        wants: Vec<Want>,
        /// The optional phases in which it wants to decide. In others the rules do.
        #[serde(default)]
        phases: Vec<String>,
        /// Why it can't play, if it can't.
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
    /// The bot has no answer to a question: it has failed, and says how. That is a fault.
    Failure {
        /// The question's id.
        id: u64,
        /// What went wrong.
        fault: Failure,
    },
}

/// What a bot may want besides the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Want {
    /// Events as they happen: `events`.
    Events,
    /// Every action written out with each question: `actions`.
    Actions,
    /// The whole actions of several steps among which some rulesets let players choose: `plans`.
    Plans,
    /// What the rules need to go on from a state: the bot's own random stream with each game, the
    /// state when it begins and ends, and the game's `course` in each state.
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

/// All that doesn't change in a game, sent when it begins. Players, territories, continents, cards
/// and kinds of units are counted from 0 in the order of these lists.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Game<'a> {
    /// The number of the game on this connection, from 1.
    pub(super) game: u64,
    /// Whether the bot was restarted in the middle of this game.
    pub(super) resumed: bool,
    /// The ruleset's name.
    pub(super) ruleset: &'a str,
    /// The ruleset's options that hold in this game.
    pub(super) options: BTreeMap<&'a str, Value>,
    /// The players' names, by seat.
    pub(super) players: &'a [String],
    /// Which of them is the bot.
    pub(super) you: usize,
    /// A number for the bot's own dice, below 2^53: it differs from game to game and from player to
    /// player, and is the same when the game is played again.
    pub(super) seed: u64,
    /// The bot's own random stream, for bots that want `course`: the state of a generator
    /// xoshiro256++, four words of 16 hexadecimal digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream: Option<String>,
    /// The state when the game begins, for bots that want `course`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<State<'a>>,
    /// The clock that the bot is held to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<ClockOut>,
    /// What is played on; the state of each question has its lists in the same order.
    pub(super) map: Map<'a>,
    /// What can be done: verbs and their parameters.
    pub(super) verbs: Vec<VerbOut<'a>>,
    /// The phases in which players decide.
    pub(super) phases: Vec<&'a str>,
    /// The kinds of units.
    pub(super) units: &'a [String],
    /// Names of the counters that players and the table have.
    pub(super) counters: Vec<&'a str>,
    /// Names of the piles of cards that players and the table have.
    pub(super) piles: Vec<&'a str>,
    /// Every card there is, wherever it lies.
    pub(super) cards: Vec<CardOut<'a>>,
}

/// A clock, in milliseconds. Its bank is full when a game begins, an answer may use up all of it,
/// and with each answer something comes back, up to what it held at the beginning.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClockOut {
    /// What the bank holds when it is full.
    pub(super) bank: u64,
    /// What comes back into it with each answer.
    pub(super) r#move: u64,
}

/// What is played on, with everything that does not change during a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Map<'a> {
    /// What the map is called; it may be any text.
    pub(super) name: &'a str,
    /// Each territory once; its place in this list is its number.
    pub(super) territories: Vec<TerritoryOut<'a>>,
    /// Each continent once; its place in this list is its number.
    pub(super) continents: Vec<ContinentOut<'a>>,
}

/// A territory and where one can go from it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TerritoryOut<'a> {
    /// The word for it in actions.
    pub(super) id: &'a str,
    /// The name that people see.
    pub(super) name: &'a str,
    /// The continent that it belongs to.
    pub(super) continent: Option<usize>,
    /// The territories that can be reached from it.
    pub(super) borders: Vec<usize>,
    /// What else the map says of it.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A continent and what it is worth.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ContinentOut<'a> {
    /// The word for it in actions.
    pub(super) id: &'a str,
    /// The name that people see.
    pub(super) name: &'a str,
    /// Armies a turn for the player who owns all of it.
    pub(super) bonus: i32,
}

/// A kind of action: its name comes first in an action, its parameters follow.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerbOut<'a> {
    /// The word for it in actions.
    pub(super) name: &'a str,
    /// Its parameters, in the order in which actions have them.
    pub(super) parameters: Vec<ParameterOut<'a>>,
}

/// A parameter of a verb.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ParameterOut<'a> {
    /// What the ruleset calls it; actions have values alone.
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
    /// What counts for sets, such as `infantry`; `null` where the ruleset gives none.
    pub(super) kind: Option<&'a str>,
    /// The territory on it.
    pub(super) territory: Option<usize>,
    /// What else the ruleset says of it.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A decision that the bot has to take, and all that it may know for it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Ask<'a> {
    /// The number of the game.
    pub(super) game: u64,
    /// The question's id, which the answer repeats: a number that no other question of the
    /// connection has.
    pub(super) id: u64,
    /// The phase in which the bot decides.
    #[serde(borrow)]
    pub(super) phase: Cow<'a, str>,
    /// The numbers with which the phase was opened: what they mean is the ruleset's.
    pub(super) args: [i32; 3],
    /// The state.
    #[serde(borrow)]
    pub(super) state: State<'a>,
    /// The legal actions: each offer allows any choice of one value for each parameter.
    pub(super) options: Vec<OfferOut<'a>>,
    /// How many actions that is in all.
    pub(super) count: u64,
    /// Whole actions of several steps, for bots that want `plans`: each is a list of offers, one
    /// for each step, and allows any choice of one value for each parameter. If there are only
    /// plans, `options` is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plans: Option<Vec<Vec<OfferOut<'a>>>>,
    /// Every action, for bots that want `actions`; `null` where there are more than 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<Option<Vec<WordList<'a>>>>,
    /// How long the answer may take by the bot's clock, in milliseconds, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<u64>,
}
