//! Players as the command line names them: a built-in bot, a script, with a name.

mod files;
mod in_yaml;
mod settings;

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

pub use in_yaml::{BotInYaml, BotKeys};

use self::settings::Settings;
use super::Kind;
use super::diag::{Finding, LoadError};
use crate::kernel::{Bot, TimeControl};
use crate::players::{BotSource, BuiltIn, OwnBot};
use crate::protocol::transport::{Address, Framing, TRANSPORTS, TransportInfo, transport_to};
use crate::protocol::{Endpoint, PROTOCOLS, Protocol, names, protocol_named, protocols_over};
use crate::text::escape_control;
use crate::text::suggest;

/// A player as the command line names it.
#[derive(Clone, Debug)]
pub struct BotSpec {
    /// The name people see.
    pub name: String,
    /// The bot as it was given: `random`, `greedy`, `./mine.rhai`.
    pub bot: String,
    /// What decides, and how it is made.
    pub source: BotSource,
    /// A clock of its own, whatever the others have.
    pub clock: Option<TimeControl>,
}

/// The settings of every bot.
const COMMON: [&str; 2] = ["name", "bot"];
const SAY: &str =
    "write name=alice,bot=greedy or http://127.0.0.1:4444,encoding=raw,timeout=10, for example";

impl FromStr for BotSpec {
    type Err = LoadError;

    /// Reads a bot as [`BotSpec::parse`] does.
    fn from_str(spec: &str) -> Result<Self, LoadError> {
        Self::parse(spec)
    }
}

/// How much of an address is a player's name, in characters.
const LONGEST_NAME: usize = 30;

/// A person at the terminal.
const HUMAN: &str = "human";

/// What stands before the names of settings that a script declares.
const SET: &str = "set.";

/// The setting of programs on this machine.
const SANDBOX: &str = "sandbox";

/// The setting of bots elsewhere that gives one a clock of its own.
const CLOCK: &str = "clock";

/// The setting of bots elsewhere that says which files they are made of.
const FILES: &str = "files";

/// The settings of bots elsewhere: what is spoken, in which form, and how long an answer may take.
fn remote_keys() -> impl Iterator<Item = &'static str> + Clone {
    let keys = PROTOCOLS.iter().filter_map(|info| Some(info.setting?.key));
    ["protocol"]
        .into_iter()
        .chain(keys)
        .chain(["timeout", CLOCK, SANDBOX, FILES])
}

/// The names of all bots of this program, those in Rust first.
pub fn names() -> impl Iterator<Item = &'static str> {
    BuiltIn::ALL
        .into_iter()
        .map(BuiltIn::as_str)
        .chain(Kind::Bot.names())
}

fn fail<T>(text: String, help: impl Into<String>) -> Result<T, LoadError> {
    Err(LoadError::one(Finding::error("bot::spec", text).help(help)))
}

impl BotSpec {
    /// A bot that the program around the library makes, under this name: it plays in
    /// [`play_many`](crate::play_many) and in tournaments as those of this library do. It is made
    /// once for each thread that plays, and plays many games.
    ///
    /// ```
    /// use risk_cli::{Answer, Bot, BotFault, BotSpec, MatchSpec, Options, ScriptLimits, View};
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
    ///     .limits(ScriptLimits::unguarded())
    ///     .load()?;
    /// setup.bots[0] = BotSpec::own("first", || Box::new(First))?;
    /// assert_eq!(risk_cli::play_many(&setup, 0, 4, 2, |_| {})?.len(), 4);
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
            source: BotSource::Own(OwnBot::new(make)),
            clock: None,
        })
    }

    /// Reads a bot as the command line gives it: a name, a path, an address,
    /// or settings: `name=alice,bot=greedy`.
    ///
    /// # Errors
    /// When there is no such bot or setting, or its file can't be read.
    pub fn parse(spec: &str) -> Result<Self, LoadError> {
        Self::parse_in(Path::new(""), spec)
    }

    /// Reads a bot as a file of this folder gives it: as [`BotSpec::parse`] does, with paths from
    /// there.
    ///
    /// # Errors
    /// As [`BotSpec::parse`].
    pub fn parse_in(folder: &Path, spec: &str) -> Result<Self, LoadError> {
        let mut settings = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        through_folder(folder, &mut settings)?;
        let Some(bot) = settings.get("bot") else {
            return fail(format!("`{spec}` names no bot"), SAY);
        };
        let transport = transport_to(bot);
        for key in settings.keys().filter(|key| !key.starts_with(SET)) {
            check_key(key, bot, transport.is_some())?;
        }
        if let Some(Err(text)) = settings.get("name").map(|name| names::check(name)) {
            return fail(text, SAY);
        }
        let found = match transport {
            Some(transport) => Self::remote(transport, bot, &settings)?,
            None => Self::local(bot, &settings)?,
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
    pub fn words_from(folder: &Path, spec: &str) -> Result<String, LoadError> {
        let mut settings = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        through_folder(folder, &mut settings)?;
        let Some(bot) = settings.remove("bot") else {
            return Ok(spec.to_owned());
        };
        let mut words = settings::quote(&bot);
        for (key, value) in settings {
            words += &format!(",{key}={}", settings::quote(&value));
        }
        Ok(words)
    }

    fn local(bot: &str, settings: &Settings) -> Result<Self, LoadError> {
        let short = Path::new(bot)
            .file_stem()
            .map(|stem| escape_control(&stem.to_string_lossy()).into_owned());
        let name = settings.get("name").cloned().or(short);
        let mut source = Self::source(bot)?;
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

    fn remote(
        transport: &'static TransportInfo,
        bot: &str,
        settings: &Settings,
    ) -> Result<Self, LoadError> {
        own_settings(bot, settings, false)?;
        let Some((place, short)) = (transport.parse)(bot) else {
            return fail(
                format!("`{bot}` is not the address of a bot"),
                transport.help,
            );
        };
        let seconds = timeout(settings)?;
        let confined = confined(transport, settings)?;
        let content = match settings.get(FILES) {
            Some(value) => {
                let hash = files::names(value).and_then(|names| files::hash(&names));
                Some(hash.or_else(|text| fail(text, "name files that are there"))?)
            }
            None => None,
        };
        let protocol = protocol_of(transport, settings)?;
        let seconds = seconds.unwrap_or(protocol.info().timeout);
        let mut bot = settings::quote(&place);
        for key in remote_keys() {
            if let Some(value) = settings.get(key) {
                bot += &format!(",{key}={}", settings::quote(value));
            }
        }
        let short = || short.chars().take(LONGEST_NAME).collect();
        Ok(Self {
            name: settings.get("name").cloned().unwrap_or_else(short),
            bot,
            source: BotSource::Remote(Endpoint {
                transport,
                address: Address {
                    place,
                    timeout: Duration::from_secs(seconds),
                    within: None,
                    confined,
                    farewell: None,
                    link: None,
                    counts_lines: protocol.info().one_game,
                },
                protocol,
                content,
                probed: true,
            }),
            clock: clock(settings)?,
        })
    }

    fn source(bot: &str) -> Result<BotSource, LoadError> {
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
            let known: Vec<String> = TRANSPORTS
                .iter()
                .map(|info| format!("{}:", info.scheme))
                .collect();
            let known = known.join(" or ");
            let text =
                format!("bots outside this program are reached by {known} here, not as {bot}");
            return Err(LoadError::one(
                Finding::error("bot::spec", text).help("write http://127.0.0.1:4444, for example"),
            ));
        }
        if !super::is_path(bot) && !Kind::Bot.names().contains(&bot) {
            let text = format!("there is no bot named `{bot}`");
            let help = super::path_help(
                &suggest::help(bot, names().collect::<Vec<_>>()),
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
        Ok(BotSource::Script(super::script(Kind::Bot, bot)?))
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

/// Is a key one that a bot of this kind has?
fn check_key(key: &str, bot: &str, is_remote: bool) -> Result<(), LoadError> {
    let is_of_remote = remote_keys().any(|known| known == key);
    if COMMON.contains(&key) || (is_remote && is_of_remote) {
        return Ok(());
    }
    if is_of_remote {
        let labels: Vec<&str> = TRANSPORTS.iter().map(|info| info.label).collect();
        let labels = labels.join(" or ");
        let text = format!("`{key}` is a setting of bots over {labels}, which {bot} is not");
        return fail(text, SAY);
    }
    let mut known = COMMON.to_vec();
    known.extend(remote_keys().filter(|_| is_remote));
    let text = format!("`{key}` is not a setting of {bot}");
    fail(text, suggest::help(key, known))
}

/// Paths of a specification as they are reached through a folder.
fn through_folder(folder: &Path, settings: &mut Settings) -> Result<(), LoadError> {
    if let Some(bot) = settings.get_mut("bot") {
        *bot = super::from_folder(folder, bot);
    }
    if let Some(value) = settings.get_mut(FILES) {
        let names = files::names(value).or_else(|text| fail(text, SAY))?;
        let names: Vec<String> = names
            .iter()
            .map(|name| folder.join(name).to_string_lossy().into_owned())
            .collect();
        *value = files::joined(&names);
    }
    Ok(())
}

/// The clock of its own that a bot is given.
fn clock(settings: &Settings) -> Result<Option<TimeControl>, LoadError> {
    let clock = settings.get(CLOCK).map(|text| text.parse());
    let wrong = |text| fail(text, "write clock=\"move=1s,bank=10s\", for example");
    clock.transpose().or_else(wrong)
}

/// Is a program on this machine held to limits?
fn confined(transport: &TransportInfo, settings: &Settings) -> Result<bool, LoadError> {
    match settings.get(SANDBOX).map(String::as_str) {
        None => Ok(true),
        Some(_) if transport.framing == Framing::Requests => {
            let text = format!("`{SANDBOX}` is a setting of bots over pipes");
            fail(text, "leave it out")
        }
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(other) => fail(format!("there is no sandbox `{other}`"), "write on or off"),
    }
}

/// The seconds for an answer, if settings say them.
fn timeout(settings: &Settings) -> Result<Option<u64>, LoadError> {
    match settings
        .get("timeout")
        .map(|seconds| seconds.parse::<u64>())
    {
        None => Ok(None),
        Some(Ok(seconds)) if (1..=600).contains(&seconds) => Ok(Some(seconds)),
        Some(_) => fail(
            "a timeout is 1 to 600 seconds".to_owned(),
            "write timeout=10, for example",
        ),
    }
}

/// What a bot elsewhere speaks, by its settings.
fn protocol_of(transport: &TransportInfo, settings: &Settings) -> Result<Protocol, LoadError> {
    let mut carried = protocols_over(transport);
    let found = match settings.get("protocol") {
        Some(name) => {
            protocol_named(name).filter(|info| info.framings.contains(&transport.framing))
        }
        None => carried.next(),
    };
    let Some(info) = found else {
        let name = settings.get("protocol").map_or("", String::as_str);
        let known: Vec<&str> = carried.map(|info| info.name).collect();
        let help = suggest::help(name, known);
        return fail(format!("there is no protocol `{name}`"), help);
    };
    let own = info.setting.map(|setting| setting.key);
    let keys = PROTOCOLS.iter().filter_map(|info| Some(info.setting?.key));
    for other in keys.filter(|key| Some(*key) != own) {
        if settings.contains_key(other) {
            let text = format!("bots that speak {} have no setting `{other}`", info.name);
            let help = own.map_or_else(
                || "leave it out".to_owned(),
                |known| format!("theirs is `{known}`"),
            );
            return fail(text, help);
        }
    }
    let Some(setting) = info.setting else {
        return Ok(Protocol::new(info, 0));
    };
    let Some(value) = settings.get(setting.key) else {
        return Ok(Protocol::new(info, 0));
    };
    match setting.find(value) {
        Some(index) => Ok(Protocol::new(info, index)),
        None => fail(
            format!("there is no {} `{value}`", setting.key),
            suggest::help(value, setting.values.iter().copied()),
        ),
    }
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
