//! Programs that a file names. They run only if `--programs` is given, because the file may come
//! from someone else.

use clap::Args;

use super::Error;
use risk_engine::bot_spec::BotSpec;
use risk_text::escape_control;
use risk_wire::Endpoint;

/// The option that allows these programs.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct ProgramsArg {
    /// Allow the file to name programs and addresses as bots
    #[arg(long)]
    pub(super) programs: bool,
}

impl ProgramsArg {
    /// Refuses bots outside the program, unless `--programs` is given.
    pub(super) fn check<'a>(
        self,
        bots: impl IntoIterator<Item = &'a BotSpec>,
    ) -> Result<(), Error> {
        let is_elsewhere = |bot: &&BotSpec| bot.source.factory::<Endpoint>().is_some();
        match bots
            .into_iter()
            .find(is_elsewhere)
            .filter(|_| !self.programs)
        {
            None => Ok(()),
            Some(bot) => {
                let bot = escape_control(&bot.bot);
                let text = format!("the file names a separate program as a bot: {bot}");
                let help = "if you trust the author of the file, add --programs to allow the bot";
                Error::refuse("cli::programs", text, help)
            }
        }
    }
}
