//! `--level`: the strength of the bots that people meet.

use std::io::{self, BufRead, IsTerminal, Read};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Error, library, note, paint, say};
use risk_engine::script::manifest::Level;
use risk_engine::{MatchSpec, Setup, level_bots};
use risk_text::escape_control;

/// The maximum length of an answer, in bytes.
const LONGEST: u64 = 100;

#[derive(Args, Clone, Debug, Default)]
pub(super) struct LevelArg {
    /// Strength of the bots in free seats (default in a game with people: asked on a terminal,
    /// otherwise normal)
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    level: Option<Level>,
}

fn levels() -> impl TypedValueParser<Value = Level> {
    let names = PossibleValuesParser::new(Level::ALL.map(Level::as_str));
    names.map(|name| Level::from_name(&name).unwrap_or(Level::Normal))
}

impl LevelArg {
    /// Loads a match. If people play and seats are free, bots of the chosen level fill them.
    pub(super) fn load(&self, mut spec: MatchSpec) -> Result<Setup, Error> {
        spec.level = self.level;
        let given = spec.bots.len();
        let setup = spec.clone().load(library())?;
        let is_full = setup.bots.len() <= given;
        if self.level.is_some() && is_full {
            let text = "--level sets the strength of bots in free seats, and there are none";
            let help = "omit --level, or a --bot, or add --players";
            return Error::refuse("cli::level", text, help);
        }
        if is_full || !super::human::has_people(&setup) {
            return Ok(setup);
        }
        let chosen = self.level.map_or_else(|| ask(&setup), Ok)?;
        spec.level = Some(chosen);
        let setup = spec.load(library())?;
        let names = setup.bots[given..].iter().map(|bot| bot.name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        let (least, most) = setup.rules.players()?;
        let changes = match least < most {
            true => "--level and --players change that",
            false => "--level changes that",
        };
        let (level, names) = (chosen.as_str(), escape_control(&names));
        let text = format!("level {level}: the other seats have {names}; {changes}");
        note(&paint(&io::stderr()).indented(&text).join("\n"));
        Ok(setup)
    }
}

/// Asks for the level on a terminal. Elsewhere, it is `normal`.
fn ask(setup: &Setup) -> Result<Level, Error> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Ok(Level::Normal);
    }
    say("How strong shall your opponents be?")?;
    for (number, level) in Level::ALL.into_iter().enumerate() {
        let bots = level_bots(&setup.rules.ruleset.manifest, level).join(", ");
        let number = number + 1;
        say(&format!("  {number} {:7} {bots}", level.as_str()))?;
    }
    loop {
        say("1, 2 or 3? Enter for 2")?;
        let mut line = String::new();
        let mut input = io::stdin().lock().take(LONGEST);
        let read = input.read_line(&mut line).unwrap_or(0);
        let answer = line.trim().to_lowercase();
        let number = answer.parse::<usize>().ok();
        let by_number = number.and_then(|number| Level::ALL.get(number.checked_sub(1)?).copied());
        match by_number.or_else(|| Level::from_name(&answer)) {
            Some(level) => return Ok(level),
            None if read == 0 || answer.is_empty() => return Ok(Level::Normal),
            None => {}
        }
    }
}
