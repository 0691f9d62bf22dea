//! The people and bots of a ladder, as listed in its journal.

use std::collections::BTreeMap;

use super::journal::JournalEntry;
use super::person_names;
use risk_engine::{Library, names};

/// The maximum length of a bot's name, in characters. The version number is appended to the name.
const LONGEST_NAME: usize = 20;

/// A person who submits scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The public name.
    pub name: String,
    /// The hash of the person's token, or `None` if the person is no longer allowed to submit
    /// scripts.
    pub token: Option<String>,
}

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The bot's name.
    pub bot: String,
    /// The version number, counted from 1.
    pub version: u32,
    /// The owner's name.
    pub person: String,
    /// Whether other people may read the script.
    pub public: bool,
    /// The size of the script, in bytes.
    pub bytes: u64,
    /// Whether the version plays. The newest version of a bot plays until it is withdrawn.
    pub plays: bool,
}

impl Version {
    /// Returns the name under which the version plays, for example `greedy@2`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}@{}", self.bot, self.version)
    }
}

/// The people and bots of a ladder.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// All people ever registered, in order of registration.
    pub people: Vec<Person>,
    /// All versions in order of submission.
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

    /// Returns the person whose name could be confused with this name.
    #[must_use]
    pub fn person_like(&self, name: &str) -> Option<&Person> {
        let mut people = self.people.iter();
        people.find(|person| person_names::are_alike(&person.name, name))
    }

    /// Returns the version with this name, or the newest version if the name has no number.
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

    /// Returns the versions that currently play.
    pub fn playing(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter().filter(|version| version.plays)
    }
}

/// Checks a bot's name, which appears in addresses and file names.
///
/// # Errors
/// Returns an error that describes valid names if the name is invalid.
pub fn check_bot_name(library: &Library, name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(format!(
            "a bot's name must have 1 to {LONGEST_NAME} characters, each a-z, 0-9, - or _, and \
             start with a letter"
        ));
    }
    if names::is_taken(name) || library.bots().any(|known| known == name) {
        return Err(format!(
            "reserved name `{name}`: risk-cli has a bot with this name"
        ));
    }
    Ok(())
}
