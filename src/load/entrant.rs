//! Players as the command line names them: a built-in bot, a script, with a name.

use super::Kind;
use super::diag::{Failure, Finding};
use crate::players::{BUILT_IN, Maker};
use crate::suggest;

/// A player as the command line names it.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The name people see.
    pub name: String,
    /// The bot as it was given: `random`, `greedy`, `./mine.rhai`.
    pub bot: String,
    /// What answers.
    pub maker: Maker,
}

impl Entrant {
    /// Reads a bot as the command line gives it: a name, a path, or settings: `name=alice,bot=greedy`.
    ///
    /// # Errors
    /// When there is no such bot or setting, or its file can't be read.
    pub fn parse(spec: &str) -> Result<Self, Failure> {
        let fail = |text: String, help: String| Err(Failure::one(Finding::error("bot::spec", text).help(help)));
        let (mut name, mut bot) = (None, None);
        if spec.contains('=') {
            for part in spec.split(',') {
                match part.split_once('=') {
                    Some(("name", value)) if name.is_none() => name = Some(value.to_owned()),
                    Some(("bot", value)) if bot.is_none() => bot = Some(value.to_owned()),
                    _ => {
                        return fail(
                            format!("`{part}` is no setting of a bot"),
                            "write name=alice,bot=greedy".to_owned(),
                        );
                    }
                }
            }
        } else {
            bot = Some(spec.to_owned());
        }
        let Some(bot) = bot.filter(|bot| !bot.is_empty()) else {
            return fail(format!("`{spec}` names no bot"), "write name=alice,bot=greedy".to_owned());
        };
        let fits =
            |name: &String| !name.is_empty() && name.chars().count() <= 30 && !name.chars().any(char::is_control);
        if name.as_ref().is_some_and(|name| !fits(name)) {
            return fail(
                "a player's name has 1 to 30 characters in one line".to_owned(),
                "write name=alice,bot=greedy".to_owned(),
            );
        }
        let maker = Self::maker(&bot)?;
        let short = std::path::Path::new(&bot)
            .file_stem()
            .map_or_else(|| bot.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self { name: name.unwrap_or(short), bot, maker })
    }

    fn maker(bot: &str) -> Result<Maker, Failure> {
        if let Some(index) = BUILT_IN.iter().position(|(name, _)| *name == bot) {
            return Ok(Maker::BuiltIn(index));
        }
        if bot.starts_with("http:") || bot.starts_with("https:") || bot.starts_with("cmd:") {
            let text = format!("bots outside this program ({bot}) are not supported yet");
            return Err(Failure::one(Finding::error("bot::spec", text).help("give a built-in bot or a .rhai file")));
        }
        if !super::is_path(bot) && !Kind::Bot.names().contains(&bot) {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).chain(Kind::Bot.names()).collect();
            let text = format!("there is no bot named `{bot}`");
            let help = super::path_help(&suggest::help(bot, names), bot, Kind::Bot);
            return Err(Failure::one(Finding::error("load::unknown", text).help(help)));
        }
        let stem = std::path::Path::new(bot).file_stem().and_then(|stem| stem.to_str()).unwrap_or(bot);
        if super::is_path(bot) && BUILT_IN.iter().any(|(name, _)| *name == stem) {
            let text = format!("{bot} has the name of the built-in bot `{stem}`");
            return Err(Failure::one(Finding::error("bot::name", text).help("give the file another name")));
        }
        Ok(Maker::Script(super::script(Kind::Bot, bot)?))
    }
}

/// Gives players who have the same name numbers.
pub fn tell_apart(entrants: &mut [Entrant]) {
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
    for (index, entrant) in entrants.iter_mut().enumerate() {
        let before = names[..index].iter().filter(|name| **name == names[index]).count();
        if before > 0 {
            entrant.name = format!("{} {}", names[index], before + 1);
        }
    }
}
