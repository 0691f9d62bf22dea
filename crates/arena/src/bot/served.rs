//! The served bot and the code shared by its protocols.

use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{BoundRuleset, ScriptFault, ScriptLimits};
use risk_engine::{HostedBot, RuleSetup};
use risk_kernel::Bot;
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
    fn answer(
        &mut self,
        served: &ServedBot,
        path: &str,
        body: &str,
    ) -> Result<String, ProtocolError>;
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
    let source = served.rules.rules_source(names.len(), &served.limits);
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
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
