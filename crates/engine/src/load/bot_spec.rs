//! Players as the command line names them: a built-in bot, a script, with a name.

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

use super::diag::{Finding, LoadError};
use super::{Kind, Library};
use crate::players::{BotSource, BuiltIn, OwnBot, names};
use risk_kernel::Bot;
use risk_text::escape_control;
use risk_text::suggest;

/// The settings of every bot.
const COMMON: [&str; 2] = ["name", "bot"];
/// Examples of specifications, for help.
pub const SAY: &str =
    "write name=alice,bot=greedy or http://127.0.0.1:4444,encoding=raw,timeout=10, for example";

/// A person at the terminal.
const HUMAN: &str = "human";

/// What stands before the names of settings that a script declares.
const SET: &str = "set.";

/// A finding about a bot that is given.
///
/// # Errors
/// Always.
pub fn fail<T>(text: impl Into<String>, help: impl Into<String>) -> Result<T, LoadError> {
    Err(LoadError::one(Finding::error("bot::spec", text).help(help)))
}

impl BotSpec {
    /// A bot that the program around the library makes, under this name: it plays in
    /// [`play_many`](crate::play_many) and in tournaments as those of this library do. It is made
    /// once for each thread that plays, and plays many games.
    ///
    /// ```
    /// use risk_engine::{Answer, Bot, BotFault, BotSpec, MatchSpec, Options, View};
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
    /// When nobody can have this name.
    pub fn own(
        name: &str,
        make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static,
    ) -> Result<Self, LoadError> {
        if let Err(text) = names::check(name) {
            return fail(text, "give it another name");
        }
        Ok(Self {
            name: name.to_owned(),
            bot: name.to_owned(),
            source: BotSource::Made(Arc::new(OwnBot::new(make))),
            clock: None,
        })
    }

    /// Reads a bot as the command line gives it: a name, a path, an address,
    /// or settings: `name=alice,bot=greedy`.
    ///
    /// # Errors
    /// When there is no such bot or setting, or its file can't be read.
    pub fn parse(library: &Library, spec: &str) -> Result<Self, LoadError> {
        Self::parse_in(library, Path::new(""), spec)
    }

    /// Reads a bot as a file of this folder gives it: as [`BotSpec::parse`] does, with paths from
    /// there.
    ///
    /// # Errors
    /// As [`BotSpec::parse`].
    pub fn parse_in(library: &Library, folder: &Path, spec: &str) -> Result<Self, LoadError> {
        let settings = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        Self::from_settings(library, folder, settings)
    }

    /// Loads a bot as a YAML file of this folder has it, with paths from there.
    ///
    /// # Errors
    /// As [`BotSpec::parse`].
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
                format!("`{}` names no bot", settings::words(&settings)),
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
                "no player can be named `{}`: it is a reserved word in other programs",
                found.name
            );
            return fail(
                text,
                format!(
                    "give the player another name: name=alice,bot={}",
                    settings::quote(bot)
                ),
            );
        }
        Ok(found)
    }

    /// A bot's specification as a file says it from whose folder this folder is reached: paths go
    /// through it. Nothing is loaded.
    ///
    /// # Errors
    /// When it is no specification.
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
            let known = known.join(" or ");
            let text =
                format!("bots outside this program are reached by {known} here, not as {bot}");
            return Err(LoadError::one(
                Finding::error("bot::spec", text).help("write http://127.0.0.1:4444, for example"),
            ));
        }
        if !super::is_path(bot) && library.text(Kind::Bot, bot).is_none() {
            let text = format!("there is no bot named `{bot}`");
            let help = super::path_help(
                &suggest::help(bot, library.bots().collect::<Vec<_>>()),
                bot,
                Kind::Bot,
            );
            return Err(LoadError::one(
                Finding::error("load::unknown", text).help(help),
            ));
        }
        let stem = Path::new(bot)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or(bot);
        if super::is_path(bot) && BuiltIn::from_name(stem).is_some() {
            let text = format!("{bot} has the name of the built-in bot `{stem}`");
            return Err(LoadError::one(
                Finding::error("bot::name", text).help("give the file another name"),
            ));
        }
        Ok(BotSource::Script(super::script(library, Kind::Bot, bot)?))
    }
}

/// Is this no built-in bot with a level that it doesn't have?
fn check_level(bot: &str) -> Result<(), LoadError> {
    let Some((name, level)) = bot.split_once(':') else {
        return Ok(());
    };
    if BuiltIn::from_name(name).is_none() {
        return Ok(());
    }
    let levels = BuiltIn::levels(name);
    let (text, help) = if levels.is_empty() {
        let text = format!("`{name}` has no levels, and `{level}` was asked for");
        (text, format!("write {name}"))
    } else {
        let text = format!("`{name}` has no level `{level}`");
        (text, format!("its levels are {}", levels.join(", ")))
    };
    Err(LoadError::one(
        Finding::error("bot::level", text).help(help),
    ))
}

/// The settings that a script declares itself, as they are given. Whether it has them is looked at
/// when it is compiled.
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
            let text =
                format!("`{key}` is a setting of scripts that declare it, which {bot} is not");
            return fail(text, "leave it out");
        }
        let number = value.parse().ok();
        let Some(number) = number.filter(|number: &i64| number.to_string() == *value) else {
            let text = format!("`{key}` must be a whole number, and `{value}` is not");
            return fail(text, format!("write {SET}{name}=3, for example"));
        };
        own.insert(name.to_owned(), number);
    }
    Ok(own)
}

/// What reaches a bot with this address.
fn scheme_of(library: &Library, bot: &str) -> Option<&'static Scheme> {
    let (name, _) = bot.split_once(':')?;
    let mut schemes = library.schemes().iter().copied();
    schemes.find(|scheme| scheme.name == name)
}

/// Is a key one that a bot of this kind has?
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
        let text = format!("`{key}` is a setting of bots over {labels}, which {bot} is not");
        return fail(text, SAY);
    }
    let mut known = COMMON.to_vec();
    known.extend(own);
    let text = format!("`{key}` is not a setting of {bot}");
    fail(text, suggest::help(key, known))
}

/// Paths of a specification as they are reached through a folder.
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

/// Gives players who have the same name numbers; also where only case, blanks or characters that
/// can't be seen differ.
pub fn tell_apart(bots: &mut [BotSpec]) {
    let mut all: Vec<String> = bots.iter().map(|spec| spec.name.clone()).collect();
    names::tell_apart(&mut all);
    for (spec, name) in bots.iter_mut().zip(all) {
        spec.name = name;
    }
}
