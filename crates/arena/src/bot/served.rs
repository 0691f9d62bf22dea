//! The served bot and the code shared by its protocols.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use risk_engine::load::bot_spec::BotSpec;
use risk_engine::matches::{HostedBot, RuleSetup};
use risk_engine::script::{BoundRuleset, ScriptFault, ScriptLimits};
use risk_kernel::Bot;
use risk_kernel::declare::Declaration;
use risk_kernel::id::Player;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_wire::ProtocolError;

/// A bot and the rules of its games.
pub struct ServedBot {
    /// The bot and its name.
    pub spec: BotSpec,
    /// The rules that the arena plays.
    pub rules: RuleSetup,
    /// The limits of each call to a script.
    pub limits: ScriptLimits,
}

/// A handler of requests in one protocol.
pub trait Answerer {
    /// Returns the body of the answer to a request for this path.
    ///
    /// # Errors
    /// Returns an error if the request is invalid, or the bot's fault.
    fn answer(
        &mut self,
        served: &ServedBot,
        path: &str,
        body: &str,
    ) -> Result<String, ProtocolError>;
}

/// The bound rules by number of players, with protocol-specific data.
pub(super) struct RulesByCount<V>(BTreeMap<usize, (BoundRuleset, V)>);

impl<V> Default for RulesByCount<V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<V> RulesByCount<V> {
    pub(super) fn bind(
        &mut self,
        served: &ServedBot,
        count: usize,
        vocabulary: impl Fn(&Declaration) -> Result<V, risk_wire::ProtocolError>,
    ) -> Result<&mut (BoundRuleset, V), String> {
        match self.0.entry(count) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let RuleSetup {
                    ruleset,
                    board,
                    options,
                    ..
                } = &served.rules;
                let bound = ruleset.bind(board, options, count, &served.limits);
                let bound = bound.map_err(|faults| listed(&faults))?;
                let vocabulary = vocabulary(&bound.decl)?;
                Ok(place.insert((bound, vocabulary)))
            }
        }
    }
}

/// Starts a bot for the game with this id. The same id and name always give the same random
/// numbers.
pub(super) fn begin(
    served: &ServedBot,
    bound: &BoundRuleset,
    names: &[String],
    game: &GameState,
    me: Player,
    uid: &str,
) -> Result<Box<dyn HostedBot>, String> {
    let fight = bound.rules.fight();
    let rules = &served.rules;
    let source =
        rules
            .ruleset
            .rules_source(&rules.board, &rules.options, names.len(), &served.limits);
    let built = served.spec.source.build(&bound.decl, fight, &source);
    let mut bot = built.map_err(|error| error.to_string())?;
    bot.meet(names);
    let view = View::new(&Facts::new(game.clone()), me);
    let hash = blake3::hash(format!("{uid}\n{}", names[me.index()]).as_bytes());
    let bytes = &hash.as_bytes()[..8];
    let seed = bytes
        .iter()
        .fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    bot.start(&view, Stream::new(seed, 0, Purpose::Player(me.0)));
    Ok(bot)
}

pub(super) fn listed(faults: &[ScriptFault]) -> String {
    faults
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}
