//! Reads `board`: the badges, markers and tracks that screens show.

use rhai::{Array, Dynamic, Map};

use super::reader::DeclarationReader;
use super::titles::is_title;
use risk_kernel::declare::{Declaration, Visibility};
use risk_kernel::hints::{BoardHints, Marker, MarkerPlace, Track};
use risk_kernel::id::Counter;

/// The parts of `board`.
const PARTS: [&str; 3] = ["badges", "markers", "tracks"];
/// The maximum number of characters of a badge and of a space's text.
const SHORT: usize = 3;
/// The maximum number of spaces on a track.
const MOST_SPACES: usize = 100;
/// The maximum number of markers and of tracks. Each marker may be on every territory, and each
/// track may belong to every player.
const MOST_HINTS: usize = 8;

impl DeclarationReader<'_> {
    /// Reads `board` after units and counters.
    pub(super) fn board_hints(&mut self, map: &Map, decl: &Declaration) -> BoardHints {
        let board = self.section(map, "board");
        self.only(&board, "`board`", &PARTS);
        let mut markers = Vec::new();
        for (key, value) in self.few_hints(&board, "markers") {
            markers.extend(self.marker(&key, &value, decl));
        }
        let mut tracks = Vec::new();
        for (name, value) in self.few_hints(&board, "tracks") {
            tracks.extend(self.track(&name, &value, decl));
        }
        BoardHints {
            badges: self.badges(&board, decl),
            markers,
            tracks,
        }
    }

    /// Returns a part of `board`. If it has too many entries, reports a fault and returns an empty
    /// map.
    fn few_hints(&mut self, board: &Map, key: &str) -> Map {
        let all = self.section(board, key);
        if all.len() > MOST_HINTS {
            self.wrong(key, &format!("a map with at most {MOST_HINTS} entries"));
            return Map::new();
        }
        all
    }

    fn badges(&mut self, board: &Map, decl: &Declaration) -> Vec<String> {
        let named = self.section(board, "badges");
        if named.is_empty() {
            return Vec::new();
        }
        let known: Vec<&str> = decl.units.iter().map(String::as_str).collect();
        self.only(&named, "`badges`", &known);
        let mut badges = Vec::new();
        for unit in &decl.units {
            let badge = named.get(unit.as_str()).and_then(short_text);
            if badge.is_none() {
                let key = if named.contains_key(unit.as_str()) {
                    unit
                } else {
                    "badges"
                };
                let text = format!("`badges` must have 1 to {SHORT} characters for `{unit}`");
                let help = format!("write for example `{unit}: \"{}\"`", &unit[..1]);
                self.fault(key, "ruleset::value", text, help);
            }
            badges.push(badge.unwrap_or_default());
        }
        badges
    }

    fn marker(&mut self, key: &str, value: &Dynamic, decl: &Declaration) -> Option<Marker> {
        let entry = self.entry_with(key, value, &["title", "place", "gone"])?;
        let place = match entry.get("place").map(|place| place.clone().into_string()) {
            None => MarkerPlace::Each,
            Some(Ok(place)) if place == "each" => MarkerPlace::Each,
            Some(Ok(place)) if place == "middle" => MarkerPlace::Middle,
            Some(_) => {
                self.wrong("place", "\"each\" or \"middle\"");
                return None;
            }
        };
        Some(Marker {
            key: key.to_owned(),
            title: self.title_of(key, &entry)?,
            place,
            gone: self.counter_of(&entry, "gone", decl)?,
        })
    }

    fn track(&mut self, name: &str, value: &Dynamic, decl: &Declaration) -> Option<Track> {
        let entry = self.entry_with(name, value, &["title", "spaces", "ahead", "of_players"])?;
        let named = Map::from([(name.into(), Dynamic::from(name.to_owned()))]);
        let counter = self.counter_of(&named, name, decl)??;
        let spaces = entry.get("spaces").cloned().unwrap_or_default();
        let spaces = spaces.try_cast::<Array>().unwrap_or_default();
        let texts: Vec<String> = spaces.iter().filter_map(short_text).collect();
        if texts.len() != spaces.len() || !(1..=MOST_SPACES).contains(&texts.len()) {
            let what = format!(
                "an array of 1 to {MOST_SPACES} numbers or strings of at most {SHORT} characters"
            );
            self.wrong("spaces", &what);
            return None;
        }
        Some(Track {
            counter,
            title: self.title_of(name, &entry)?,
            spaces: texts,
            ahead: self.counter_of(&entry, "ahead", decl)?,
            of_players: self.flag(&entry, "of_players"),
        })
    }

    /// Returns the map of a marker or track, and reports unknown keys.
    fn entry_with(&mut self, name: &str, value: &Dynamic, known: &[&str]) -> Option<Map> {
        let Some(entry) = value.clone().try_cast::<Map>() else {
            self.wrong(name, "a map such as #{ title: \"…\" }");
            return None;
        };
        self.only(&entry, &format!("`{name}`"), known);
        Some(entry)
    }

    /// Returns the `title` of a marker or track, which every entry needs.
    fn title_of(&mut self, name: &str, entry: &Map) -> Option<String> {
        let title = entry.get("title").cloned().unwrap_or_default();
        let title = title.into_string().ok().filter(|title| is_title(title));
        if title.is_none() {
            self.wrong(name, "a map with a `title` of 1 to 60 characters");
        }
        title
    }

    /// Returns the counter that an entry names, or `Some(None)` if it names none. Every player must
    /// see the counter.
    fn counter_of(
        &mut self,
        entry: &Map,
        key: &str,
        decl: &Declaration,
    ) -> Option<Option<Counter>> {
        let Some(value) = entry.get(key) else {
            return Some(None);
        };
        let name = value.clone().into_string().unwrap_or_default();
        let mut all = decl.counters.iter();
        let at = all.position(|it| it.name == name && it.seen == Visibility::All);
        if at.is_none() {
            self.wrong(key, "the name of a counter whose value all players see");
        }
        at.map(|at| Some(Counter::from_index(at)))
    }
}

/// Returns a short text, or a number as text.
fn short_text(value: &Dynamic) -> Option<String> {
    let text = match value.as_int() {
        Ok(number) => number.to_string(),
        Err(_) => value.clone().into_string().ok()?,
    };
    let fits = (1..=SHORT).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    fits.then_some(text)
}
