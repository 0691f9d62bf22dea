//! Bot specifications on the command line: a built-in bot, a script or an address, and optionally a
//! name and other settings.

mod in_yaml;
mod scheme;
mod settings;
mod spec;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use in_yaml::{BotInYaml, BotKeys};
pub use scheme::Scheme;
pub use settings::{Settings, quote};
pub use spec::BotSpec;

use super::{FileKind, Library};
use crate::players::{BotSource, BuiltIn, OwnBot, names};
use risk_kernel::Bot;
use risk_text::diag::LoadError;
use risk_text::escape_control;
use risk_text::suggest;

const COMMON: [&str; 2] = ["name", "bot"];
/// Example specifications for help texts.
pub const SAY: &str =
    "write name=alice,bot=greedy or http://127.0.0.1:4444,encoding=raw,timeout=10, for example";

const HUMAN: &str = "human";

/// The prefix of settings that the script itself declares.
const SET: &str = "set.";

/// Returns an error about a bot's specification.
///
/// # Errors
/// Always returns an error.
pub fn fail<T>(text: impl Into<String>, help: impl Into<String>) -> Result<T, LoadError> {
    LoadError::refuse("bot::spec", text, help)
}

impl BotSpec {
    /// Wraps a bot that the calling program implements, under this name. It can play in
    /// [`play_many`](crate::play_many) and in tournaments like a built-in bot. One instance is
    /// created for each thread and plays many games.
    ///
    /// ```
    /// use risk_engine::bot_spec::BotSpec;
    /// use risk_engine::{Answer, Bot, BotFault, MatchSpec, Options, View};
    ///
    /// struct First;
    ///
    /// impl Bot for First {
    ///     fn answer(&mut self, _: &View, options: &Options) -> Result<Answer, BotFault> {
    ///         Ok(Answer::One(options.nth(0)))
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut setup = MatchSpec::new("codelab")
    ///     .bots(["random", "random"])
    ///     .load(risk_cli::library())?;
    /// setup.bots[0] = BotSpec::own("first", || Box::new(First))?;
    /// assert_eq!(risk_engine::play_many(&setup, 0, 4, 2, |_| {})?.len(), 4);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the name is not valid.
    pub fn own(
        name: &str,
        make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static,
    ) -> Result<Self, LoadError> {
        if let Err(text) = names::check(name) {
            return fail(text, "choose another name");
        }
        Ok(Self {
            name: name.to_owned(),
            bot: name.to_owned(),
            source: BotSource::Made(Arc::new(OwnBot::new(make))),
            clock: None,
        })
    }

    /// Parses a bot as given on the command line: a name, a path, an address, or settings such as
    /// `name=alice,bot=greedy`.
    ///
    /// # Errors
    /// Returns an error if no such bot or setting exists, or if the bot's file can't be read.
    pub fn parse(library: &Library, spec: &str) -> Result<Self, LoadError> {
        Self::parse_in(library, Path::new(""), spec)
    }

    /// Parses a bot specification from a file in this folder, like [`BotSpec::parse`]. Relative
    /// paths are resolved against the folder.
    ///
    /// # Errors
    /// Returns the same errors as [`BotSpec::parse`].
    pub fn parse_in(library: &Library, folder: &Path, spec: &str) -> Result<Self, LoadError> {
        let settings = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        Self::from_settings(library, folder, settings)
    }

    /// Loads a bot from a YAML file in this folder. Relative paths are resolved against the folder.
    ///
    /// # Errors
    /// Returns the same errors as [`BotSpec::parse`].
    pub fn from_yaml(library: &Library, folder: &Path, bot: &BotInYaml) -> Result<Self, LoadError> {
        let settings = bot.settings().or_else(|text| fail(text, SAY))?;
        Self::from_settings(library, folder, settings)
    }

    fn from_settings(
        library: &Library,
        folder: &Path,
        mut settings: Settings,
    ) -> Result<Self, LoadError> {
        through_folder(library, folder, &mut settings)?;
        let Some(bot) = settings.get("bot") else {
            return fail(
                format!("missing `bot` in `{}`", settings::words(&settings)),
                SAY,
            );
        };
        let scheme = scheme_of(library, bot);
        for key in settings.keys().filter(|key| !key.starts_with(SET)) {
            check_key(library, key, bot, scheme)?;
        }
        if let Some(Err(text)) = settings.get("name").map(|name| names::check(name)) {
            return fail(text, SAY);
        }
        let found = match scheme {
            Some(scheme) => {
                own_settings(bot, &settings, false)?;
                (scheme.parse)(bot, &settings)?
            }
            None => Self::local(library, bot, &settings)?,
        };
        if names::is_taken(&found.name) {
            let text = format!(
                "`{}` can't be a player's name: other programs reserve the word",
                found.name
            );
            return fail(
                text,
                format!(
                    "choose another name, for example name=alice,bot={}",
                    settings::quote(bot)
                ),
            );
        }
        Ok(found)
    }

    /// Resolves the relative paths of a bot's specification against the folder, without loading
    /// anything.
    ///
    /// # Errors
    /// Returns an error if the specification is not valid.
    pub fn words_from(library: &Library, folder: &Path, spec: &str) -> Result<String, LoadError> {
        let mut settings = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        through_folder(library, folder, &mut settings)?;
        Ok(settings::words(&settings))
    }

    fn local(library: &Library, bot: &str, settings: &Settings) -> Result<Self, LoadError> {
        let short = Path::new(bot)
            .file_stem()
            .map(|stem| escape_control(&stem.to_string_lossy()).into_owned());
        let name = settings.get("name").cloned().or(short);
        let mut source = Self::source(library, bot)?;
        let mut words = settings::quote(bot);
        let set = own_settings(bot, settings, matches!(source, BotSource::Script(_)))?;
        for (name, value) in &set {
            words += &format!(",{SET}{name}={value}");
        }
        if let BotSource::Script(script) = &mut source {
            script.set = set;
        }
        Ok(Self {
            name: name.unwrap_or_else(|| bot.to_owned()),
            bot: words,
            source,
            clock: None,
        })
    }

    fn source(library: &Library, bot: &str) -> Result<BotSource, LoadError> {
        if bot == HUMAN {
            return Ok(BotSource::Human);
        }
        if let Some(bot) = BuiltIn::from_name(bot) {
            return Ok(BotSource::BuiltIn(bot));
        }
        check_level(bot)?;
        if ["https:", "cmd:", "ws:", "wss:"]
            .iter()
            .any(|scheme| bot.starts_with(scheme))
        {
            let known: Vec<String> = library
                .schemes()
                .iter()
                .map(|scheme| format!("{}:", scheme.name))
                .collect();
            let text = match known.join(" or ") {
                known if known.is_empty() => {
                    format!("no programs or addresses as bots here: {bot}")
                }
                known => format!("expected a bot's address to begin with {known}, found {bot}"),
            };
            return LoadError::refuse(
                "bot::spec",
                text,
                "write http://127.0.0.1:4444, for example",
            );
        }
        if !super::is_path(bot) && library.text(FileKind::Bot, bot).is_none() {
            let text = format!("no bot named `{bot}`");
            let help = risk_maps::files::path_help(
                &suggest::help(bot, library.bots().collect::<Vec<_>>()),
                bot,
                FileKind::Bot,
            );
            return LoadError::refuse("load::unknown", text, help);
        }
        let stem = Path::new(bot)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or(bot);
        if super::is_path(bot) && BuiltIn::from_name(stem).is_some() {
            let text = format!("{bot} has the name of the built-in bot `{stem}`");
            return LoadError::refuse("bot::name", text, "rename the file");
        }
        Ok(BotSource::Script(super::script(
            library,
            FileKind::Bot,
            bot,
        )?))
    }
}

/// Checks that a built-in bot has the given level, if a level is given.
fn check_level(bot: &str) -> Result<(), LoadError> {
    let Some((name, level)) = bot.split_once(':') else {
        return Ok(());
    };
    if BuiltIn::from_name(name).is_none() {
        return Ok(());
    }
    let levels = BuiltIn::levels(name);
    let (text, help) = if levels.is_empty() {
        let text = format!("`{name}` has no levels, found `{level}`");
        (text, format!("write {name}"))
    } else {
        let text = format!("no level of `{name}` named `{level}`");
        (text, format!("choose one of {}", levels.join(", ")))
    };
    LoadError::refuse("bot::level", text, help)
}

/// Returns the settings for the script itself. They are checked when the script is compiled.
fn own_settings(
    bot: &str,
    settings: &Settings,
    is_script: bool,
) -> Result<BTreeMap<String, i64>, LoadError> {
    let mut own = BTreeMap::new();
    for (key, value) in settings {
        let Some(name) = key.strip_prefix(SET) else {
            continue;
        };
        if !is_script {
            let text = format!("`{key}` applies only to scripts, and {bot} is not a script");
            return fail(text, format!("remove `{key}`"));
        }
        let number = value.parse().ok();
        let Some(number) = number.filter(|number: &i64| number.to_string() == *value) else {
            let text = format!("`{key}` must be an integer, found `{value}`");
            return fail(text, format!("write {SET}{name}=3, for example"));
        };
        own.insert(name.to_owned(), number);
    }
    Ok(own)
}

fn scheme_of(library: &Library, bot: &str) -> Option<&'static Scheme> {
    let (name, _) = bot.split_once(':')?;
    let mut schemes = library.schemes().iter().copied();
    schemes.find(|scheme| scheme.name == name)
}

fn check_key(
    library: &Library,
    key: &str,
    bot: &str,
    scheme: Option<&Scheme>,
) -> Result<(), LoadError> {
    let own = scheme.map(|scheme| (scheme.keys)()).unwrap_or_default();
    if COMMON.contains(&key) || own.contains(&key) {
        return Ok(());
    }
    let elsewhere: Vec<&str> = library
        .schemes()
        .iter()
        .filter(|scheme| (scheme.keys)().contains(&key))
        .map(|scheme| scheme.label)
        .collect();
    if !elsewhere.is_empty() {
        let labels = elsewhere.join(" or ");
        let text = format!("`{key}` applies only to bots over {labels}, not to {bot}");
        return fail(text, format!("remove `{key}`"));
    }
    let mut known = COMMON.to_vec();
    known.extend(own);
    let text = format!("unknown setting `{key}` for {bot}");
    fail(text, suggest::help(key, known))
}

fn through_folder(
    library: &Library,
    folder: &Path,
    settings: &mut Settings,
) -> Result<(), LoadError> {
    if let Some(bot) = settings.get_mut("bot") {
        *bot = super::from_folder(folder, bot);
    }
    let scheme = settings.get("bot").and_then(|bot| scheme_of(library, bot));
    scheme.map_or(Ok(()), |scheme| (scheme.through_folder)(folder, settings))
}

/// Adds numbers to names of players that are equal, or that differ only in case, blanks or
/// invisible characters.
pub fn make_unique(bots: &mut [BotSpec]) {
    let mut all: Vec<String> = bots.iter().map(|spec| spec.name.clone()).collect();
    names::make_unique(&mut all);
    for (spec, name) in bots.iter_mut().zip(all) {
        spec.name = name;
    }
}
