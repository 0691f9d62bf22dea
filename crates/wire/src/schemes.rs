//! Schemes for remote bots, as used on the command line and in files. They are registered with the
//! engine's library.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use risk_engine::TimeControl;
use risk_engine::bot_spec::{BotSpec, Scheme, Settings, fail, quote};
use risk_text::diag::LoadError;
use risk_text::suggest;

use crate::files;
use crate::transport::http::{HTTP, HttpRoute};
#[cfg(unix)]
use crate::transport::pipes::{PIPES, PipeRoute};
use crate::transport::{Address, Route, TransportInfo};
#[cfg(unix)]
use crate::transport::{Confinement, SandboxMode};
use crate::{Endpoint, PROTOCOLS, Protocol, protocol_named, protocols_over};

/// The maximum length of a name derived from an address, in characters.
const LONGEST_NAME: usize = 30;

const SANDBOX: &str = "sandbox";

/// The setting for folders that a local program may read.
const READ: &str = "read";

/// The setting for environment variables that a local program receives.
const ENVIRONMENT: &str = "env";

/// The maximum number of folders or variables per bot.
const MOST_NAMED: usize = 64;

/// The setting for a remote bot's own clock.
const CLOCK: &str = "clock";

/// The setting for the files of a remote bot.
const FILES: &str = "files";

const LIST_FILES: &str = "list existing files, for example files=\"bot.py weights.bin\"";

const OVER_HTTP: Scheme = Scheme {
    name: HTTP.scheme,
    label: HTTP.label,
    keys,
    parse: |bot, settings| parse(&HTTP, http_route, bot, settings),
    through_folder,
};

#[cfg(unix)]
const OVER_PIPES: Scheme = Scheme {
    name: PIPES.scheme,
    label: PIPES.label,
    keys,
    parse: |bot, settings| parse(&PIPES, pipe_route, bot, settings),
    through_folder,
};

/// The schemes of all transports, for
/// [`Library::with_schemes`](risk_engine::Library::with_schemes).
#[cfg(unix)]
pub static SCHEMES: [&Scheme; 2] = [&OVER_HTTP, &OVER_PIPES];
/// The schemes of all transports on systems without pipes.
#[cfg(not(unix))]
pub static SCHEMES: [&Scheme; 1] = [&OVER_HTTP];

/// Returns the names of the settings for remote bots.
fn keys() -> Vec<&'static str> {
    let keys = PROTOCOLS.iter().filter_map(|info| Some(info.setting?.key));
    ["protocol"]
        .into_iter()
        .chain(keys)
        .chain(["timeout", CLOCK, SANDBOX, READ, ENVIRONMENT, FILES])
        .collect()
}

fn parse(
    transport: &'static TransportInfo,
    route: fn(&Settings) -> Result<Arc<dyn Route>, LoadError>,
    bot: &str,
    settings: &Settings,
) -> Result<BotSpec, LoadError> {
    let places = transport.places.as_ref();
    let Some((place, short)) = places.and_then(|places| (places.parse)(bot)) else {
        return fail(
            format!("invalid bot address `{bot}`"),
            places.map_or("", |places| places.help),
        );
    };
    let seconds = timeout(settings)?;
    let route = route(settings)?;
    let content = match settings.get(FILES) {
        Some(value) => {
            let hash = files::names(value).and_then(|names| files::hash(&names));
            Some(hash.or_else(|text| fail(text, LIST_FILES))?)
        }
        None => None,
    };
    let protocol = protocol_of(transport, settings)?;
    let seconds = seconds.unwrap_or(protocol.info().timeout);
    let mut bot = quote(&place);
    for key in keys() {
        if let Some(value) = settings.get(key) {
            bot += &format!(",{key}={}", quote(value));
        }
    }
    let short = || short.chars().take(LONGEST_NAME).collect();
    Ok(BotSpec {
        name: settings.get("name").cloned().unwrap_or_else(short),
        bot,
        source: Endpoint {
            address: Address {
                place,
                timeout: Duration::from_secs(seconds),
                farewell: None,
            },
            route,
            protocol,
            content,
            probed: true,
        }
        .into_source(),
        clock: clock(settings)?,
    })
}

/// Resolves the files and folders in settings relative to a folder.
fn through_folder(folder: &Path, settings: &mut Settings) -> Result<(), LoadError> {
    for key in [FILES, READ] {
        let names = match (key, settings.get(key)) {
            (_, None) => continue,
            (FILES, Some(value)) => files::names(value).or_else(|text| fail(text, LIST_FILES))?,
            _ => named(settings, key)?,
        };
        let names: Vec<String> = names
            .iter()
            .map(|name| folder.join(name).to_string_lossy().into_owned())
            .collect();
        settings.insert(key.to_owned(), files::joined(&names));
    }
    Ok(())
}

fn clock(settings: &Settings) -> Result<Option<TimeControl>, LoadError> {
    let clock = settings.get(CLOCK).map(|text| text.parse());
    let help = "write clock=\"move=TIME,bank=TIME\", for example clock=\"move=1s,bank=10s\"";
    let wrong = |text| fail(text, help);
    clock.transpose().or_else(wrong)
}

fn http_route(settings: &Settings) -> Result<Arc<dyn Route>, LoadError> {
    let of_programs = [SANDBOX, READ, ENVIRONMENT];
    if let Some(key) = of_programs.iter().find(|key| settings.contains_key(**key)) {
        let text = format!("`{key}` applies only to bots over pipes, not to bots over HTTP");
        return fail(text, format!("remove `{key}`"));
    }
    Ok(Arc::new(HttpRoute::default()))
}

#[cfg(unix)]
fn pipe_route(settings: &Settings) -> Result<Arc<dyn Route>, LoadError> {
    let mut confinement = Confinement::default();
    if let Some(word) = settings.get(SANDBOX) {
        let Some(sandbox) = SandboxMode::from_name(word) else {
            let text = format!("`{SANDBOX}` must be on, open or off, found `{word}`");
            return fail(text, "write sandbox=on, sandbox=open or sandbox=off");
        };
        confinement.sandbox = sandbox;
    }
    for name in named(settings, READ)? {
        let folder = std::path::PathBuf::from(&name);
        if !folder.exists() {
            return fail(
                format!("no folder `{name}`, which `{READ}` lists"),
                "list existing folders, for example read=data",
            );
        }
        confinement.readable.push(folder);
    }
    if let Some(value) = settings.get(FILES) {
        let names = files::names(value).or_else(|text| fail(text, LIST_FILES))?;
        confinement
            .readable
            .extend(names.into_iter().map(std::path::PathBuf::from));
    }
    confinement.variables = named(settings, ENVIRONMENT)?;
    Ok(Arc::new(PipeRoute(confinement)))
}

/// Splits a setting into words with the quoting rules of a shell.
fn named(settings: &Settings, key: &str) -> Result<Vec<String>, LoadError> {
    let Some(value) = settings.get(key) else {
        return Ok(Vec::new());
    };
    let text = match shlex::split(value) {
        Some(words) if (1..=MOST_NAMED).contains(&words.len()) => return Ok(words),
        Some(words) => {
            let found = words.len();
            format!("`{key}` takes 1 to {MOST_NAMED} words, found {found}")
        }
        None => format!("unclosed quote in `{key}`"),
    };
    fail(text, format!("write {key}=\"ONE TWO\", for example"))
}

/// Returns the time limit for an answer, in seconds.
fn timeout(settings: &Settings) -> Result<Option<u64>, LoadError> {
    let Some(given) = settings.get("timeout") else {
        return Ok(None);
    };
    match given.parse::<u64>() {
        Ok(seconds) if (1..=600).contains(&seconds) => Ok(Some(seconds)),
        _ => fail(
            format!("`timeout` must be an integer from 1 to 600, found `{given}`"),
            "write timeout=SECONDS, for example timeout=10",
        ),
    }
}

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
        return fail(
            format!("no protocol `{name}` over {}", transport.label),
            help,
        );
    };
    let own = info.setting.map(|setting| setting.key);
    let keys = PROTOCOLS.iter().filter_map(|info| Some(info.setting?.key));
    for other in keys.filter(|key| Some(*key) != own) {
        if settings.contains_key(other) {
            let text = format!("the protocol {} has no setting `{other}`", info.name);
            let help = own.map_or_else(
                || format!("remove `{other}`"),
                |known| format!("remove `{other}`, or use `{known}`"),
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
            format!("unknown {} `{value}`", setting.key),
            suggest::help(value, setting.values.iter().copied()),
        ),
    }
}
