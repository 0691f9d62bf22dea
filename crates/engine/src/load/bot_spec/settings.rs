//! The settings of a bot's specification: `name=alice,bot=greedy,timeout=10`.

use std::collections::BTreeMap;

/// The length limit of a specification, in bytes.
const LONGEST: usize = 4_096;

/// The values in a specification, by key. If the first value has no key, it is the bot.
pub type Settings = BTreeMap<String, String>;

/// Parses a specification. A value may be in double quotes, with `""` for a quote. A comma outside
/// quotes ends a value.
///
/// # Errors
/// Returns a message about the first error.
pub(super) fn parse(spec: &str) -> Result<Settings, String> {
    check_length(spec)?;
    let mut settings = Settings::new();
    let mut rest = spec;
    loop {
        let (key, value) = match key(rest) {
            Some(key) => (key, &rest[key.len() + 1..]),
            None if settings.is_empty() => ("bot", rest),
            None => {
                return Err(format!("expected KEY=VALUE, found `{}`", part(rest)));
            }
        };
        let (value, behind) = value_of(value)?;
        if value.is_empty() {
            return Err(format!("`{key}` has no value"));
        }
        if settings.insert(key.to_owned(), value).is_some() {
            return Err(format!("duplicate setting `{key}`"));
        }
        if behind.is_empty() {
            return Ok(settings);
        }
        rest = behind
            .strip_prefix(',')
            .ok_or_else(|| "expected a comma after the closing quote".to_owned())?;
        if rest.is_empty() {
            return Err("expected KEY=VALUE after the last comma".to_owned());
        }
    }
}

fn check_length(spec: &str) -> Result<(), String> {
    if spec.len() <= LONGEST {
        return Ok(());
    }
    Err(format!(
        "expected a bot specification of at most {LONGEST} bytes, found {}",
        spec.len()
    ))
}

/// Checks settings that were given separately, as strictly as [`parse`] checks a text.
///
/// # Errors
/// Returns a message about the first error.
pub(super) fn check(settings: &Settings) -> Result<(), String> {
    check_length(&words(settings))?;
    for (name, value) in settings {
        if !is_key(name) {
            return Err(format!("unknown setting `{name}`"));
        }
        if value.is_empty() {
            return Err(format!("`{name}` has no value"));
        }
    }
    Ok(())
}

/// Formats these settings as a specification: first the bot, then the other settings with their
/// keys.
pub(super) fn words(settings: &Settings) -> String {
    let bot = settings.get("bot").map(|bot| quote(bot));
    let others = settings.iter().filter(|(key, _)| *key != "bot");
    let others = others.map(|(key, value)| format!("{key}={}", quote(value)));
    bot.into_iter().chain(others).collect::<Vec<_>>().join(",")
}

/// Quotes a value for a specification, if it needs quotes.
pub fn quote(value: &str) -> String {
    let plain = !value.contains([',', '"']);
    if plain {
        value.to_owned()
    } else {
        format!("\"{}\"", value.replace('"', "\"\""))
    }
}

/// Returns the key at the beginning of a setting. An address or a command has no key, even if it
/// contains `=`.
fn key(text: &str) -> Option<&str> {
    text.split_once('=')
        .map(|(key, _)| key)
        .filter(|key| is_key(key))
}

fn is_key(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.-".contains(c);
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_word)
}

/// Returns the text up to its first comma, for messages.
fn part(text: &str) -> &str {
    text.split(',').next().unwrap_or(text)
}

fn value_of(text: &str) -> Result<(String, &str), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(',').unwrap_or(text.len());
        return Ok((text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut rest = quoted;
    loop {
        let Some(end) = rest.find('"') else {
            return Err("unclosed quote".to_owned());
        };
        value.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(behind) => rest = behind,
            None => return Ok((value, rest)),
        }
        value.push('"');
    }
}
