//! Ratings: how a bot does in a frozen field of opponents.
//!
//! A field is a tournament whose gauntlet is the bot [`RATED`], and a rating plays this tournament
//! with another bot in its place. The ruleset, the map, the options, the opponents, the number of
//! games and the seed stay the same, so numbers from the same field can be compared.

use std::path::Path;

use crate::tournament::TournamentPlan;
use risk_engine::Library;
use risk_engine::bot_spec::BotSpec;
use risk_text::diag::{LoadError, TextFile};

/// The name of the rated bot in a field. Bots and opponents see this name, so that a bot's own name
/// changes nothing.
pub const RATED: &str = "rated";

/// Returns the plan of a field with another bot in place of its bot [`RATED`], and the index of
/// this bot.
///
/// # Errors
/// Returns an error if the field is not a valid tournament, if its gauntlet is not the bot
/// [`RATED`] alone, or if the bot is a person.
pub fn plan(
    library: &Library,
    field: &TextFile,
    bot: BotSpec,
) -> Result<(TournamentPlan, usize), LoadError> {
    if bot.source.is_person() {
        let help = "name a bot, as for `play --bot`";
        return LoadError::refuse("rating::person", "only bots can be rated", help);
    }
    let plan = TournamentPlan::parse(library, Path::new(&*field.name), field)?;
    let bots = &plan.setup.bots;
    let rated = bots.iter().position(|spec| spec.name == RATED);
    let Some(rated) = rated.filter(|&rated| plan.design.named() == [rated]) else {
        let text = format!(
            "{} is not a field: `{RATED}` is not its gauntlet",
            field.name
        );
        let help = "name one bot `rated`, and write `design: { gauntlet: [rated] }`";
        return LoadError::refuse("rating::field", text, help);
    };
    let mut bots = bots.clone();
    bots[rated] = BotSpec {
        name: RATED.to_owned(),
        ..bot
    };
    let setup = plan.setup.with_bots(bots);
    let plan = TournamentPlan::new(setup, plan.seats, plan.blocks, plan.design);
    Ok((plan, rated))
}
