//! Players as the command line names them: a built-in bot, a script, with a name.

mod settings;

use std::str::FromStr;
use std::time::Duration;

use self::settings::Settings;
use super::Kind;
use super::diag::{Failure, Finding};
use crate::players::callback::Dialect;
use crate::players::hacker_risk::Encoding;
use crate::players::wire::{Address, Protocol};
use crate::players::{BUILT_IN, BotSource, names};
use crate::suggest;
use crate::text::escape_control;

/// A player as the command line names it.
#[derive(Clone, Debug)]
pub struct BotSpec {
    /// The name people see.
    pub name: String,
    /// The bot as it was given: `random`, `greedy`, `./mine.rhai`.
    pub bot: String,
    /// What answers.
    pub source: BotSource,
}

/// The settings of every bot, and those of bots over HTTP.
const COMMON: [&str; 2] = ["name", "bot"];
const REMOTE: [&str; 4] = ["protocol", "encoding", "dialect", "timeout"];
const SAY: &str =
    "write name=alice,bot=greedy or http://127.0.0.1:4444,encoding=raw,timeout=10, say";

impl FromStr for BotSpec {
    type Err = Failure;

    /// As [`BotSpec::parse`].
    fn from_str(spec: &str) -> Result<Self, Failure> {
        Self::parse(spec)
    }
}

/// The protocols of bots over HTTP.
const HACKER_RISK: &str = "hacker-risk";
const CALLBACK: &str = "callback";
/// How much of an address is a player's name, in characters.
const LONGEST_NAME: usize = 30;

/// The names of all bots of this program, those in Rust first.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN
        .iter()
        .map(|(name, _)| *name)
        .chain(Kind::Bot.names())
}

fn fail<T>(text: String, help: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::one(Finding::error("bot::spec", text).help(help)))
}

impl BotSpec {
    /// Reads a bot as the command line gives it: a name, a path, an address, or settings:
    /// `name=alice,bot=greedy`.
    ///
    /// # Errors
    /// When there is no such bot or setting, or its file can't be read.
    pub fn parse(spec: &str) -> Result<Self, Failure> {
        let said = settings::parse(spec).or_else(|text| fail(text, SAY))?;
        let Some(bot) = said.get("bot") else {
            return fail(format!("`{spec}` names no bot"), SAY);
        };
        let is_remote = bot.starts_with("http:");
        for key in said.keys() {
            check_key(key, bot, is_remote)?;
        }
        if let Some(Err(text)) = said.get("name").map(|name| names::check(name)) {
            return fail(text, SAY);
        }
        let found = if is_remote {
            Self::remote(bot, &said)?
        } else {
            Self::local(bot, &said)?
        };
        if names::is_taken(&found.name) {
            let text = format!(
                "no player can be named `{}`: other programs take that for something else",
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

    fn local(bot: &str, said: &Settings) -> Result<Self, Failure> {
        let short = std::path::Path::new(bot)
            .file_stem()
            .map(|stem| escape_control(&stem.to_string_lossy()).into_owned());
        let name = said.get("name").cloned().or(short);
        Ok(Self {
            name: name.unwrap_or_else(|| bot.to_owned()),
            bot: settings::quote(bot),
            source: Self::source(bot)?,
        })
    }

    fn remote(bot: &str, said: &Settings) -> Result<Self, Failure> {
        let place = bot
            .strip_prefix("http://")
            .unwrap_or_default()
            .trim_end_matches('/');
        let url = format!("http://{place}");
        if !Address::is_url(&url) {
            let help = "write http://127.0.0.1:4444, say: a host, a port and perhaps a path";
            return fail(format!("`{bot}` is no address of a bot"), help);
        }
        let timeout = match said.get("timeout").map(|seconds| seconds.parse::<u64>()) {
            None => 30,
            Some(Ok(seconds)) if (1..=600).contains(&seconds) => seconds,
            Some(_) => {
                return fail(
                    "a timeout is 1 to 600 seconds".to_owned(),
                    "write timeout=10, say",
                );
            }
        };
        let speaks = protocol_of(said)?;
        let mut bot = settings::quote(&url);
        bot.extend(
            REMOTE
                .iter()
                .filter_map(|key| Some(format!(",{key}={}", settings::quote(said.get(*key)?)))),
        );
        let at = Address {
            url,
            speaks,
            timeout: Duration::from_secs(timeout),
            within: None,
            probed: true,
        };
        let short: String = place.chars().take(LONGEST_NAME).collect();
        let name = said.get("name").cloned().unwrap_or(short);
        Ok(Self {
            name,
            bot,
            source: BotSource::Remote(at),
        })
    }

    fn source(bot: &str) -> Result<BotSource, Failure> {
        if let Some(index) = BUILT_IN.iter().position(|(name, _)| *name == bot) {
            return Ok(BotSource::BuiltIn(index));
        }
        if bot.starts_with("https:") || bot.starts_with("cmd:") {
            let text =
                format!("bots outside this program are reached by http:// alone, not as {bot}");
            return Err(Failure::one(
                Finding::error("bot::spec", text).help("write http://127.0.0.1:4444, say"),
            ));
        }
        if !super::is_path(bot) && !Kind::Bot.names().contains(&bot) {
            let text = format!("there is no bot named `{bot}`");
            let help = super::path_help(
                &suggest::help(bot, names().collect::<Vec<_>>()),
                bot,
                Kind::Bot,
            );
            return Err(Failure::one(
                Finding::error("load::unknown", text).help(help),
            ));
        }
        let stem = std::path::Path::new(bot)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or(bot);
        if super::is_path(bot) && BUILT_IN.iter().any(|(name, _)| *name == stem) {
            let text = format!("{bot} has the name of the built-in bot `{stem}`");
            return Err(Failure::one(
                Finding::error("bot::name", text).help("give the file another name"),
            ));
        }
        Ok(BotSource::Script(super::script(Kind::Bot, bot)?))
    }
}

/// Is a key one that a bot of this kind has?
fn check_key(key: &str, bot: &str, is_remote: bool) -> Result<(), Failure> {
    if COMMON.contains(&key) || (is_remote && REMOTE.contains(&key)) {
        return Ok(());
    }
    if REMOTE.contains(&key) {
        return fail(
            format!("`{key}` is a setting of bots over HTTP, and {bot} is none"),
            SAY,
        );
    }
    let known = if is_remote {
        [&COMMON[..], &REMOTE].concat()
    } else {
        COMMON.to_vec()
    };
    fail(
        format!("`{key}` is no setting of {bot}"),
        suggest::help(key, known),
    )
}

/// What a bot over HTTP speaks, by its settings.
fn protocol_of(said: &Settings) -> Result<Protocol, Failure> {
    let get = |key: &str| said.get(key).map(String::as_str);
    let (protocol, other, known) = match get("protocol").unwrap_or(HACKER_RISK) {
        protocol @ HACKER_RISK => (protocol, "dialect", "encoding"),
        protocol @ CALLBACK => (protocol, "encoding", "dialect"),
        unknown => {
            let help = suggest::help(unknown, [HACKER_RISK, CALLBACK]);
            return fail(format!("there is no protocol `{unknown}`"), help);
        }
    };
    if said.contains_key(other) {
        let text = format!("bots that speak {protocol} have no setting `{other}`");
        return fail(text, format!("theirs is `{known}`"));
    }
    let (speaks, words) = match get(known) {
        None if protocol == HACKER_RISK => {
            (Some(Protocol::HackerRisk(Encoding::default())), Vec::new())
        }
        None => (Some(Protocol::Callback(Dialect::default())), Vec::new()),
        Some(word) if protocol == HACKER_RISK => (
            Encoding::named(word).map(Protocol::HackerRisk),
            Encoding::ALL.map(Encoding::word).to_vec(),
        ),
        Some(word) => (
            Dialect::named(word).map(Protocol::Callback),
            Dialect::ALL.map(Dialect::word).to_vec(),
        ),
    };
    speaks.map_or_else(
        || {
            let word = get(known).unwrap_or_default();
            fail(
                format!("there is no {known} `{word}`"),
                suggest::help(word, words),
            )
        },
        Ok,
    )
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
