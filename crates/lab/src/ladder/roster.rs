//! People and bots of a ladder, as its journal lists them.

use std::collections::BTreeMap;

use super::journal::JournalEntry;
use super::person_names;
use crate::error::LabError;
use risk_engine::load::Library;
use risk_engine::players::names;

/// The longest name of a bot, in characters: the version's number comes after it.
const LONGEST_NAME: usize = 20;

/// A person who hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The public name.
    pub name: String,
    /// The hash of the token; `None` for a person who may not hand in any more.
    pub token: Option<String>,
}

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The bot's name.
    pub bot: String,
    /// The number of the version, from 1.
    pub version: u32,
    /// The owner's name.
    pub person: String,
    /// Whether others may read it.
    pub public: bool,
    /// The size of the script in bytes.
    pub bytes: u64,
    /// Whether it plays: the newest version of a bot does, until it is withdrawn.
    pub plays: bool,
}

impl Version {
    /// Returns the name under which it plays: `greedy@2`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}@{}", self.bot, self.version)
    }
}

/// People and bots of a ladder.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// All people ever registered, in order.
    pub people: Vec<Person>,
    /// All versions, in the order in which they were handed in.
    pub versions: Vec<Version>,
    by_token: BTreeMap<String, usize>,
    by_id: BTreeMap<String, usize>,
}

impl Roster {
    /// Applies an entry of the journal.
    pub fn add(&mut self, entry: JournalEntry) {
        match entry {
            JournalEntry::Person { name, token } => {
                let index = self.people.iter().position(|person| person.name == name);
                let index = index.unwrap_or(self.people.len());
                if index == self.people.len() {
                    self.people.push(Person { name, token: None });
                }
                if let Some(old) = self.people[index].token.replace(token.clone()) {
                    self.by_token.remove(&old);
                }
                self.by_token.insert(token, index);
            }
            JournalEntry::PersonLeft { name } => {
                for person in self.people.iter_mut().filter(|one| one.name == name) {
                    if let Some(old) = person.token.take() {
                        self.by_token.remove(&old);
                    }
                }
                self.rest(|version| version.person == name);
            }
            JournalEntry::HandedIn {
                bot,
                version,
                person,
                public,
                bytes,
            } => {
                self.rest(|other| other.bot == bot);
                let version = Version {
                    bot,
                    version,
                    person,
                    public,
                    bytes,
                    plays: true,
                };
                self.by_id.insert(version.id(), self.versions.len());
                self.versions.push(version);
            }
            JournalEntry::Withdrawn { bot } => self.rest(|version| version.bot == bot),
        }
    }

    fn rest(&mut self, whose: impl Fn(&Version) -> bool) {
        for version in self.versions.iter_mut().filter(|version| whose(version)) {
            version.plays = false;
        }
    }

    /// Returns the person whose token has this hash.
    #[must_use]
    pub fn person_of(&self, token: &str) -> Option<&Person> {
        self.by_token.get(token).map(|&index| &self.people[index])
    }

    /// Returns the person whose name can be mistaken for this one.
    #[must_use]
    pub fn person_like(&self, name: &str) -> Option<&Person> {
        let mut people = self.people.iter();
        people.find(|person| person_names::are_alike(&person.name, name))
    }

    /// Returns the version with this name; the newest if the name has no number.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Version> {
        match self.by_id.get(id) {
            Some(&index) => Some(&self.versions[index]),
            None => self.newest(id),
        }
    }

    /// Returns the newest version of a bot.
    #[must_use]
    pub fn newest(&self, bot: &str) -> Option<&Version> {
        self.versions.iter().rev().find(|one| one.bot == bot)
    }

    /// Returns the versions that play.
    pub fn playing(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter().filter(|version| version.plays)
    }
}

/// Checks a bot's name, which appears in addresses and file names.
///
/// # Errors
/// When the name is invalid; the error describes valid names.
pub fn check_bot_name(library: &Library, name: &str) -> Result<(), LabError> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(LabError::Name(format!(
            "a bot's name must have 1 to {LONGEST_NAME} of the characters a-z, 0-9, - and _, and \
             start with a letter"
        )));
    }
    if names::is_taken(name) || library.bots().any(|known| known == name) {
        return Err(LabError::Name(format!(
            "reserved name `{name}`: risk-cli has a bot of that name"
        )));
    }
    Ok(())
}
