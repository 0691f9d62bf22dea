//! Who may hand in, and which versions of which bots there are: what the journal says.

use std::collections::BTreeMap;

use super::journal::JournalEntry;
use super::person_names;
use crate::error::LabError;
use risk_engine::load::Library;
use risk_engine::players::names;

/// The longest name of a bot, in characters: its version finds room behind it.
const LONGEST_NAME: usize = 20;

/// Somebody who hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name that all see.
    pub name: String,
    /// The hash of the token; none of somebody who may not hand in any more.
    pub token: Option<String>,
}

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The bot's name.
    pub bot: String,
    /// The number of the version, from 1.
    pub version: u32,
    /// The person whose it is.
    pub person: String,
    /// May others read it?
    pub public: bool,
    /// How many bytes its script has.
    pub bytes: u64,
    /// Does it play? The newest version of a bot does, until it is withdrawn.
    pub plays: bool,
}

impl Version {
    /// The name under which it plays: `greedy@2`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}@{}", self.bot, self.version)
    }
}

/// People and bots of a ladder.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// Everybody who ever was there, in the order of coming.
    pub people: Vec<Person>,
    /// All versions, in the order in which they were handed in.
    pub versions: Vec<Version>,
    by_token: BTreeMap<String, usize>,
    by_id: BTreeMap<String, usize>,
}

impl Roster {
    /// Takes up an entry of the journal.
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

    /// Who has the token with this hash.
    #[must_use]
    pub fn person_of(&self, token: &str) -> Option<&Person> {
        self.by_token.get(token).map(|&index| &self.people[index])
    }

    /// The person whose name people would take for this one.
    #[must_use]
    pub fn person_like(&self, name: &str) -> Option<&Person> {
        let mut people = self.people.iter();
        people.find(|person| person_names::are_alike(&person.name, name))
    }

    /// The version with this name; the newest where no number is said.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Version> {
        match self.by_id.get(id) {
            Some(&index) => Some(&self.versions[index]),
            None => self.newest(id),
        }
    }

    /// The newest version of a bot.
    #[must_use]
    pub fn newest(&self, bot: &str) -> Option<&Version> {
        self.versions.iter().rev().find(|one| one.bot == bot)
    }

    /// The versions that play.
    pub fn playing(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter().filter(|version| version.plays)
    }
}

/// Can a bot have this name? It stands in addresses and names of files.
///
/// # Errors
/// Says what a name must be.
pub fn check_bot_name(library: &Library, name: &str) -> Result<(), LabError> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(LabError::Name(format!(
            "a bot's name has 1 to {LONGEST_NAME} of the characters a-z, 0-9, - and _, and begins with a letter"
        )));
    }
    if names::is_taken(name) || library.bots().any(|known| known == name) {
        return Err(LabError::Name(format!(
            "no bot can be named `{name}` here: risk-cli has something of that name"
        )));
    }
    Ok(())
}
