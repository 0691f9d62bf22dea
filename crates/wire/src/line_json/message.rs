//! The messages of the protocol and their schemas.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::events::EventOut;
use super::offers::{OfferOut, WordList};
use super::state::State;
use crate::codec::Failure;

/// A message from the program. Each message is one object, and its `type` names the kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ProgramMessage<'a> {
    /// The first message of a connection. The bot answers with its own `hello`.
    Hello {
        /// The major version of the protocol.
        protocol: u32,
        /// The program and its version.
        program: String,
    },
    /// A game has begun, or the bot was restarted during a game.
    Game(Box<Game<'a>>),
    /// A question. The bot answers with `{"id": …, "do": …}`.
    Ask(Box<Ask<'a>>),
    /// Events that this player may see. Sent only to bots that want `events`.
    Events {
        /// The number of the game.
        game: u64,
        /// The events, in order.
        events: Vec<EventOut>,
        /// The state after the event, for bots that want `states`. With this key, each message
        /// contains only one event.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The bot committed a fault. It receives the question again, unless it is out of the game.
    Fault {
        /// The number of the game.
        game: u64,
        /// The id of the question.
        id: u64,
        /// The kind of fault, in one word.
        code: &'static str,
        /// The description.
        text: String,
        /// The number of faults left before the bot is out, or `null` if faults are unlimited.
        left: Option<u32>,
    },
    /// The game is over.
    Over {
        /// The number of the game.
        game: u64,
        /// The place of each player, counted from 1. Tied players share a place. `null` if the game
        /// was stopped.
        ranks: Option<Vec<u32>>,
        /// The winners. A draw has several winners.
        winners: Vec<usize>,
        /// The players' scores under the ruleset.
        scores: Vec<i64>,
        /// The reason for the end in one word, such as `conquest` or `limit`. `stopped` if the game
        /// was stopped.
        reason: String,
        /// The state at the end of the game, for bots that want `course`.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<Box<State<'a>>>,
    },
    /// The last message. The bot may exit.
    Bye,
}

/// A message from the bot.
#[derive(Debug, JsonSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "only the schema is used: the parser accepts more than the schema"
)]
pub(super) enum BotMessage {
    /// The answer to `hello`.
    Hello {
        /// The major version of the protocol that the bot speaks.
        protocol: u32,
        /// The bot's name, for logs.
        name: Option<String>,
        /// The extras that the bot wants in addition to the questions.
        #[serde(default)]
        wants: Vec<Want>,
        /// The optional phases in which the bot wants to decide. In other optional phases, the
        /// rules decide for the bot.
        #[serde(default)]
        phases: Vec<String>,
        /// The reasons, if the bot can't play.
        #[serde(default)]
        refuses: Vec<Failure>,
    },
    /// The answer to a question.
    Answer {
        /// The question's id.
        id: u64,
        /// An action, such as `["attack", "alaska", "kamchatka", 3]`, or a list of actions. The
        /// actions of a list answer this decision and the player's next decisions.
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

risk_text::named! {
    /// The extras that a bot can request in addition to the questions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub(super) enum Want {
        /// Messages `events`, sent as events happen.
        Events = "events",
        /// A list of every legal action in each question, under `actions`.
        Actions = "actions",
        /// Whole actions of several steps, under `plans`. Only some rulesets offer them.
        Plans = "plans",
        /// All data that the rules need to continue from a state. The data includes the bot's
        /// random stream for each game, the state at the start and end, and the `course` of the
        /// game in each state.
        Course = "course",
        /// The state after each event, under `state` in the message `events`.
        States = "states",
        /// Numbers instead of words in `options`, `plans`, `actions`, `orders` and `piles`.
        Indices = "indices",
    }
}

/// The constant data of a game, sent at its start. Players, territories, continents, cards and
/// kinds of units are numbered from 0 in the order of these lists.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Game<'a> {
    /// The number of the game on this connection, counted from 1.
    pub(super) game: u64,
    /// Whether the bot was restarted during this game.
    pub(super) resumed: bool,
    /// The ruleset's name.
    pub(super) ruleset: &'a str,
    /// The rules in plain text for people, if the ruleset has such a text.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(super) rules: &'a str,
    /// The options of the ruleset in effect for this game.
    pub(super) options: BTreeMap<&'a str, Value>,
    /// The players' names, by seat.
    pub(super) players: &'a [String],
    /// The bot's index in `players`.
    pub(super) you: usize,
    /// A seed below 2^53 for the bot's own random numbers. The seed differs for each game and
    /// player, and is the same if the game is repeated.
    pub(super) seed: u64,
    /// The bot's own random stream, for bots that want `course`. The value is the state of an
    /// xoshiro256++ generator as four words of 16 hexadecimal digits each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream: Option<String>,
    /// The state at the start of the game, for bots that want `course`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<State<'a>>,
    /// The bot's clock, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<ClockOut>,
    /// The map. Lists in the state of each question follow the order of the map.
    pub(super) map: Map<'a>,
    /// The kinds of actions, as verbs with parameters.
    pub(super) verbs: Vec<VerbOut<'a>>,
    /// The phases in which players make decisions.
    pub(super) phases: Vec<&'a str>,
    /// The kinds of units.
    pub(super) units: &'a [String],
    /// The names of the counters of the players and the table.
    pub(super) counters: Vec<&'a str>,
    /// The names of the marks of territories, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) marks: Vec<&'a str>,
    /// The names of the card piles of the players and the table.
    pub(super) piles: Vec<&'a str>,
    /// All cards of the game.
    pub(super) cards: Vec<CardOut<'a>>,
}

/// A clock, in milliseconds. The bank is full at the start of a game. An answer can use the whole
/// bank, and each answer adds a fixed time to it, up to the maximum.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClockOut {
    /// The maximum time in the bank.
    pub(super) bank: u64,
    /// The time that each answer adds to the bank.
    pub(super) r#move: u64,
}

/// The map, with all data that stays constant during a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Map<'a> {
    /// The map's name, which can be any text.
    pub(super) name: &'a str,
    /// Additional data of the whole map.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) data: BTreeMap<&'a str, Value>,
    /// All territories. A territory's number is its index in this list.
    pub(super) territories: Vec<TerritoryOut<'a>>,
    /// All continents. A continent's number is its index in this list.
    pub(super) continents: Vec<GroupOut<'a>>,
    /// The groups that may overlap. The number of the first is the number of continents, and so on.
    pub(super) groups: Vec<GroupOut<'a>>,
}

/// A territory and its borders.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TerritoryOut<'a> {
    /// The territory's word in actions.
    pub(super) id: &'a str,
    /// The name for display.
    pub(super) name: &'a str,
    /// The territory's continent, if it belongs to one.
    pub(super) continent: Option<usize>,
    /// The territories across its borders.
    pub(super) borders: Vec<usize>,
    /// More about some of the borders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) special: Vec<BorderOut<'a>>,
    /// The armies that come when its owner's turn begins, or leave if negative, if any. One stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) each_turn: Option<i32>,
    /// The territory on which they appear, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deploys: Option<usize>,
    /// What the territory adds to the class of attacks on it, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strength: Option<u8>,
    /// The number of armies with which it begins without an owner, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) neutral: Option<i32>,
    /// True if it loses its owner, and has these armies again, when the owner's turn begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resets: Option<bool>,
    /// Additional data from the map.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// What there is to say about a border, beside that it is there.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BorderOut<'a> {
    /// The territory at the other end.
    pub(super) to: usize,
    /// `bombard` if attacks go over the border, but no moves: a territory without defenders then
    /// has no owner, and one army.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
    /// The territory that a player must own for the border to be open, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open_if_territory: Option<usize>,
    /// The number of the group that a player must hold for the border to be open, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open_if_group: Option<usize>,
    /// What the border adds to the class of attacks over it, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strength: Option<u8>,
    /// Additional data from the map.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A continent or another group of territories, and its bonus.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GroupOut<'a> {
    /// The group's word in actions.
    pub(super) id: &'a str,
    /// The name for display.
    pub(super) name: &'a str,
    /// The number of armies per turn for a player who holds the group.
    pub(super) bonus: i32,
    /// The number of members that a player needs to hold the group, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) needs: Option<u32>,
    /// Further bonuses, each for a number of members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) steps: Vec<StepOut>,
    /// The territories that are members of a group. Continents don't list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) territories: Vec<usize>,
    /// The numbers of groups that are members of a group. Each counts once, if it is held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) groups: Vec<usize>,
    /// The numbers of groups whose bonuses are not paid to a player who holds this group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) overrides: Vec<usize>,
    /// The armies that come to each territory of its holder each turn, or leave it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) each_turn: Option<i32>,
    /// The territory on which the armies of the bonus appear, if its holder owns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deploys: Option<usize>,
    /// What the group adds to the class of attacks on its territories, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strength: Option<u8>,
    /// Additional data from the map.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A bonus for a number of members of a group.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StepOut {
    /// The number of members that a player needs.
    pub(super) needs: u32,
    /// The number of armies per turn.
    pub(super) bonus: i32,
}

/// A kind of action. An action consists of the verb's name and its parameters.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerbOut<'a> {
    /// The verb's word in actions.
    pub(super) name: &'a str,
    /// The parameters in the order used by actions.
    pub(super) parameters: Vec<ParameterOut<'a>>,
}

/// A parameter of a verb.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ParameterOut<'a> {
    /// The parameter's name in the ruleset. Actions contain only values.
    pub(super) name: &'a str,
    /// The parameter's kind: `territory`, `continent`, `player`, `count`, `card` or `unit`. In
    /// actions, players and counts are numbers, and all other values are words.
    pub(super) kind: &'static str,
}

/// A card, as declared by the ruleset.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CardOut<'a> {
    /// The card's word in actions.
    pub(super) name: &'a str,
    /// The title for people, if the ruleset declares one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<&'a str>,
    /// The sentence that explains the card to people, if the ruleset declares one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tell: Option<&'a str>,
    /// The card's kind for sets, such as `infantry`, or `null` if the ruleset does not define one.
    pub(super) kind: Option<&'a str>,
    /// The territory on the card, if there is one.
    pub(super) territory: Option<usize>,
    /// Additional data from the ruleset.
    pub(super) data: BTreeMap<&'a str, Value>,
}

/// A decision for the bot, with all information that the bot may see.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Ask<'a> {
    /// The number of the game.
    pub(super) game: u64,
    /// The question's id, which the answer repeats. It is unique on the connection.
    pub(super) id: u64,
    /// The phase in which the bot decides.
    #[serde(borrow)]
    pub(super) phase: Cow<'a, str>,
    /// The numbers with which the phase was opened. Their meaning depends on the ruleset.
    pub(super) args: [i32; 3],
    /// The state of the game.
    #[serde(borrow)]
    pub(super) state: State<'a>,
    /// The legal actions. Each offer allows any combination of one value per parameter.
    pub(super) options: Vec<OfferOut<'a>>,
    /// The number of legal actions.
    pub(super) count: u64,
    /// Whole actions of several steps, for bots that want `plans`. Each plan is a list of offers,
    /// one per step, and each offer allows any combination of one value per parameter. `options` is
    /// empty if there are only plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plans: Option<Vec<Vec<OfferOut<'a>>>>,
    /// Every legal action, for bots that want `actions`. `null` if there are more than 10,000
    /// actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actions: Option<Option<Vec<WordList<'a>>>>,
    /// The time left on the bot's clock for the answer, in milliseconds, if the bot has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<u64>,
}
