//! Reads the declarations of options and tables.

use rhai::{Dynamic, Map};

use super::options::{OptionInfo, OptionValue, TableInfo};
use super::reader::{DeclarationReader, MOST_NAMES, range_of};

const ANY: (i64, i64) = (0, 1_000_000);

const LONGEST: usize = 200;

/// The maximum length of an option's word, in characters.
const LONGEST_WORD: usize = 40;

impl DeclarationReader<'_> {
    /// Reads an option: a number, a flag or an array of words, alone or in a map:
    /// `#{ value: …, range: …, about: … }`.
    pub(super) fn option(&mut self, name: &str, value: &Dynamic) -> Option<OptionInfo> {
        let Some(map) = value.clone().try_cast::<Map>() else {
            let info = plain(value, ANY, String::new());
            return self.or_wrong(info, name);
        };
        let about = self.meaning(name, &map, &["value", "range", "about"])?;
        let range = map.get("range").map_or(Some(ANY), |range| {
            range_of(range).map(|(low, high)| (i64::from(low), i64::from(high)))
        });
        let number = map.get("value").and_then(|value| value.as_int().ok());
        if let (Some((low, high)), Some(number)) = (range, number)
            && !(low..=high).contains(&number)
        {
            let text = format!("`value` of `{name}` must be from {low} to {high}, found {number}");
            self.fault(
                name,
                "ruleset::value",
                text,
                "choose another value, or change `range`",
            );
            return None;
        }
        let info = range
            .zip(map.get("value"))
            .and_then(|(range, value)| plain(value, range, about));
        // Only numbers have ranges.
        let info = info.filter(|info| {
            !map.contains_key("range") || matches!(info.default, OptionValue::Number(_))
        });
        self.or_wrong(info, name)
    }

    fn or_wrong(&mut self, info: Option<OptionInfo>, name: &str) -> Option<OptionInfo> {
        if info.is_none() {
            let what = "an integer, a boolean, an array of at most 100 words with at most 40 \
                        characters each, or #{ value: 3, range: 0..=9, about: \"…\" }";
            self.wrong(name, what);
        }
        info
    }

    /// Reads a table: its ranges, or a map, `#{ ranges: […], about: … }`.
    pub(super) fn table(&mut self, name: &str, value: &Dynamic) -> Option<TableInfo> {
        let (value, about) = match value.clone().try_cast::<Map>() {
            Some(map) => {
                let about = self.meaning(name, &map, &["ranges", "about"])?;
                (map.get("ranges").cloned().unwrap_or_default(), about)
            }
            None => (value.clone(), String::new()),
        };
        let ranges = value.into_array().ok();
        let ranges =
            ranges.and_then(|ranges| ranges.iter().map(range_of).collect::<Option<Vec<_>>>());
        match ranges.filter(|ranges| (1..=4).contains(&ranges.len())) {
            Some(ranges) if risk_kernel::phases::table::size(&ranges).is_some() => {
                Some(TableInfo { ranges, about })
            }
            _ => {
                self.wrong(
                    name,
                    "an array of 1 to 4 ranges, for example [0..=3, 1..=6], with at most \
                     1,000,000 combinations",
                );
                None
            }
        }
    }

    /// Reads the entry `about` of a map and reports a fault for keys that are not in `known`.
    fn meaning(&mut self, name: &str, map: &Map, known: &[&str]) -> Option<String> {
        self.only(map, &format!("`{name}`"), known);
        let about = map
            .get("about")
            .map_or(Ok(String::new()), |about| about.clone().into_string());
        let fits =
            |text: &String| text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
        let about = about.ok().filter(fits);
        if about.is_none() {
            let text =
                format!("`about` of `{name}` must be one line of at most {LONGEST} characters");
            self.fault(name, "ruleset::value", text, "write `about: \"…\"`");
        }
        about.filter(|_| map.keys().all(|key| known.contains(&key.as_str())))
    }
}

/// Reports whether a word is a valid value on the command line.
fn is_value(word: &str) -> bool {
    (1..=LONGEST_WORD).contains(&word.chars().count())
        && !word.contains(|c: char| c.is_control() || c.is_whitespace())
}

fn plain(value: &Dynamic, range: (i64, i64), about: String) -> Option<OptionInfo> {
    let info = |default, words| {
        Some(OptionInfo {
            default,
            words,
            range,
            about,
        })
    };
    if let Ok(flag) = value.as_bool() {
        return info(OptionValue::Flag(flag), Vec::new());
    }
    if let Ok(number) = value.as_int() {
        let fits = (range.0..=range.1).contains(&number);
        return if fits {
            info(OptionValue::Number(number), Vec::new())
        } else {
            None
        };
    }
    let words = value
        .clone()
        .into_typed_array::<String>()
        .ok()
        .filter(|words| words.len() <= MOST_NAMES)?;
    if !words.iter().all(|word| is_value(word)) {
        return None;
    }
    let first = words.first()?.clone();
    info(OptionValue::Word(first), words)
}
