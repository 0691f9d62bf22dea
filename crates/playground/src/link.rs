//! A game as a link: its ruleset, map, options, bots and seed, the answers of its people, and the
//! hashes that show whether it is the same game elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use form_urlencoded::{Serializer, parse};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::messages::{OwnFile, Reply};
use risk_engine::{MatchSpec, Seats};
use risk_maps::Seed;
use risk_text::diag::LoadError;
use risk_text::{escape_control, suggest};

/// The version of the format of links.
pub const FORMAT: u32 = 1;
/// The maximum length of a link without the page's address, in bytes. Chats and mail programs cut
/// longer ones.
pub const LONGEST_LINK: usize = 32_000;
/// The maximum number of integers of all answers.
const MOST_NUMBERS: usize = 1_000_000;
/// The maximum size of the own files of a link, in bytes.
const LARGEST_FILES: usize = 8 << 20;
/// The number of hashes in a link: of the ruleset, the map and the bots.
const HASHES: usize = 3;
/// The number of hexadecimal digits of a hash in a link.
const HASH_DIGITS: usize = 10;

const KEYS: [&str; 15] = [
    "v", "ruleset", "map", "option", "bot", "players", "seed", "game", "takeback", "answers",
    "files", "hashes", "digest", "version", "seats",
];

/// A link, parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) ruleset: String,
    pub(crate) map: Option<String>,
    pub(crate) options: Vec<(String, String)>,
    /// The bots as on the command line, with `human` for people.
    pub(crate) bots: Vec<String>,
    pub(crate) players: Option<usize>,
    pub(crate) seed: String,
    /// The number of the game in its match.
    pub(crate) game: u64,
    /// Whether people may take back answers after dice and cards.
    pub(crate) takeback: bool,
    /// Whether bots rotate through the seats, or sit where they are named.
    pub(crate) seats: Option<Seats>,
    /// The answers of people and of slow bots, as numbers, by seat.
    pub(crate) answers: Vec<i32>,
    pub(crate) files: Vec<OwnFile>,
    /// The beginnings of the hashes of the ruleset, the map and the bots.
    pub(crate) hashes: Vec<String>,
    /// The digest of the state behind the last answer.
    pub(crate) digest: Option<String>,
    /// The version of the program that wrote the link.
    pub(crate) version: Option<String>,
}

fn refuse<T>(text: impl Into<String>, help: &str) -> Result<T, LoadError> {
    LoadError::refuse("playground::link", text.into(), help)
}

const CUT: &str = "copy the whole link again: something has cut or changed it";

const WRITE: &str = "write, for example, ruleset=hasbro&bot=human&bot=general&seed=7";

impl Link {
    /// Parses a link without its `#`. Returns an error if a key or a value is not valid, or if a
    /// newer program wrote the link.
    pub(crate) fn read(text: &str) -> Result<Self, LoadError> {
        let text = text.trim().trim_start_matches('#');
        if text.len() > LONGEST_LINK {
            let text = format!("a link has at most {LONGEST_LINK} characters");
            return refuse(text, "open the record of the game instead");
        }
        let mut link = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for (key, value) in parse(text.as_bytes()) {
            let repeats = matches!(&*key, "bot" | "option");
            if !repeats && seen.iter().any(|it| *it == key) {
                return refuse(format!("the link has `{key}` twice"), "remove one of them");
            }
            link.take(&key, &value)?;
            seen.push(key.into_owned());
        }
        // The digest is the last key of a link that a page wrote.
        if !link.hashes.is_empty() && link.digest.is_none() {
            return refuse("the end of the link is missing", CUT);
        }
        if link.ruleset.is_empty() {
            return refuse("the link names no ruleset", WRITE);
        }
        Ok(link)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), LoadError> {
        let owned = || value.to_owned();
        match key {
            "v" => return version(value),
            "ruleset" => self.ruleset = owned(),
            "map" => self.map = Some(owned()),
            "option" => match value.split_once('=') {
                Some((name, value)) => self.options.push((name.to_owned(), value.to_owned())),
                None => return refuse("an option is `option=NAME=VALUE`", WRITE),
            },
            "bot" => self.bots.push(owned()),
            "players" => self.players = Some(number(key, value)?),
            "seed" => self.seed = owned(),
            "game" => self.game = number(key, value)?,
            "takeback" => {
                self.takeback = value == "true" || {
                    return refuse("`takeback` must be true", "leave it out");
                }
            }
            "seats" => match Seats::from_name(value) {
                Some(seats) => self.seats = Some(seats),
                None => return refuse("`seats` is not a seating", "leave it out"),
            },
            "answers" => self.answers = numbers(&unpacked(key, value, 5 * MOST_NUMBERS)?)?,
            "files" => {
                let bytes = unpacked(key, value, LARGEST_FILES)?;
                self.files = serde_json::from_slice(&bytes).or_else(|_| damaged(key))?;
            }
            "hashes" => {
                self.hashes = value.split('.').map(str::to_owned).collect();
                if self.hashes.len() != HASHES {
                    return damaged(key);
                }
            }
            "digest" => self.digest = Some(owned()),
            "version" => self.version = Some(owned()),
            other => {
                let text = format!("unknown key `{}` in the link", escape_control(other));
                let help = suggest::help(other, KEYS);
                return refuse(text, &help);
            }
        }
        Ok(())
    }

    /// Returns the match of the link. A seed that the link lacks is 0.
    pub(crate) fn spec(&self) -> Result<MatchSpec, LoadError> {
        let mut spec = MatchSpec::new(&self.ruleset).bots(&self.bots);
        spec.map.clone_from(&self.map);
        spec.options.clone_from(&self.options);
        spec.players = self.players;
        spec.seats = self.seats;
        if !self.seed.is_empty() {
            spec.seed = Seed::new(&self.seed)
                .or_else(|error| refuse(error.to_string(), "choose another seed"))?;
        }
        Ok(spec)
    }

    /// Takes the files out, and what is no longer true of other files.
    pub(crate) fn split(self) -> Reply {
        let link = Self {
            files: Vec::new(),
            hashes: Vec::new(),
            digest: None,
            version: None,
            ..self
        };
        Reply::Split {
            files: self.files,
            link: link.write(),
        }
    }

    /// Writes the link with other files. Returns an error if it would be too long.
    pub(crate) fn join(self, files: Vec<OwnFile>) -> Result<String, LoadError> {
        Self { files, ..self }.write_short("save the files, and send them instead")
    }

    /// Writes the link without its `#`. If it is too long, `help` says what can be sent instead.
    pub(crate) fn write_short(&self, help: &str) -> Result<String, LoadError> {
        let text = self.write();
        let length = text.len();
        if length <= LONGEST_LINK {
            return Ok(text);
        }
        let most = LONGEST_LINK;
        let text =
            format!("the link would have {length} characters, and at most {most} can be sent");
        refuse(text, help)
    }

    /// Writes the link without its `#`, however long it is.
    pub(crate) fn write(&self) -> String {
        let mut out = Serializer::new(String::new());
        let mut add = |key: &str, value: &str| {
            out.append_pair(key, value);
        };
        add("v", &FORMAT.to_string());
        add("ruleset", &self.ruleset);
        if let Some(map) = &self.map {
            add("map", map);
        }
        for (name, value) in &self.options {
            add("option", &format!("{name}={value}"));
        }
        for bot in &self.bots {
            add("bot", bot);
        }
        if let Some(players) = self.players {
            add("players", &players.to_string());
        }
        if let Some(seats) = self.seats {
            add("seats", seats.as_str());
        }
        add("seed", &self.seed);
        if self.game > 0 {
            add("game", &self.game.to_string());
        }
        if self.takeback {
            add("takeback", "true");
        }
        if !self.hashes.is_empty() {
            add("hashes", &self.hashes.join("."));
        }
        if !self.answers.is_empty() {
            add("answers", &packed(&bytes(&self.answers)));
        }
        if !self.files.is_empty() {
            let files = serde_json::to_vec(&self.files).expect("files always serialize");
            add("files", &packed(&files));
        }
        for (key, value) in [("version", &self.version), ("digest", &self.digest)] {
            if let Some(value) = value {
                add(key, value);
            }
        }
        out.finish()
    }
}

/// Returns the beginning of a hash, as links contain it.
pub(crate) fn short(hash: &str) -> String {
    hash.chars().take(HASH_DIGITS).collect()
}

fn version(value: &str) -> Result<(), LoadError> {
    match value.parse::<u32>() {
        Ok(FORMAT) => Ok(()),
        Ok(other) => {
            let age = if other > FORMAT { "newer" } else { "older" };
            let text = format!("the link has format {other}, which is {age} than {FORMAT}");
            refuse(
                text,
                "open it with the page that it came from, or ask for the record",
            )
        }
        Err(_) => refuse(
            "`v` must be the number of the link's format",
            "leave it out",
        ),
    }
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, LoadError> {
    value
        .parse()
        .or_else(|_| refuse(format!("`{key}` must be a whole number"), WRITE))
}

pub(crate) fn damaged<T>(key: &str) -> Result<T, LoadError> {
    let text = format!("`{key}` of the link is damaged");
    refuse(text, CUT)
}

fn packed(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(compress_to_vec(bytes, 10))
}

fn unpacked(key: &str, value: &str, most: usize) -> Result<Vec<u8>, LoadError> {
    let packed = URL_SAFE_NO_PAD.decode(value).or_else(|_| damaged(key))?;
    decompress_to_vec_with_limit(&packed, most).or_else(|_| damaged(key))
}

/// Writes integers in seven bits a byte, small ones of both signs first.
fn bytes(numbers: &[i32]) -> Vec<u8> {
    let mut all = Vec::with_capacity(2 * numbers.len());
    for &number in numbers {
        let mut rest = ((number << 1) ^ (number >> 31)) as u32;
        while rest >= 0x80 {
            all.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        all.push(rest as u8);
    }
    all
}

fn numbers(bytes: &[u8]) -> Result<Vec<i32>, LoadError> {
    let mut all = Vec::new();
    let mut bytes = bytes.iter();
    while let Some(&first) = bytes.next() {
        let mut value = u64::from(first & 0x7f);
        let mut last = first;
        for shift in 1..5 {
            if last < 0x80 {
                break;
            }
            let Some(&next) = bytes.next() else {
                return damaged("answers");
            };
            value |= u64::from(next & 0x7f) << (7 * shift);
            last = next;
        }
        let Some(value) = u32::try_from(value).ok().filter(|_| last < 0x80) else {
            return damaged("answers");
        };
        all.push((value >> 1) as i32 ^ -((value & 1) as i32));
        if all.len() > MOST_NUMBERS {
            return damaged("answers");
        }
    }
    Ok(all)
}
