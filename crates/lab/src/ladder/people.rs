//! Actions of people on a ladder: register, leave, hand in and withdraw.

use std::path::Path;

use super::journal::JournalEntry;
use super::person_names;
use super::roster::{Roster, Version};
use super::state::{Ladder, LadderFault};

/// The most people ever registered.
const MOST_PEOPLE: usize = 1_000;

impl Ladder {
    /// Registers a person with a token, of which only the hash is stored. With `again`, a
    /// registered person gets this token instead of the one before.
    ///
    /// # Errors
    /// When the name is invalid or taken.
    pub fn register(&self, name: &str, token: &str, again: bool) -> Result<(), LadderFault> {
        let mut state = self.state();
        // A registered name stays valid, even one that would be refused today.
        let is_there = state.roster.people.iter().any(|person| person.name == name);
        if !is_there {
            person_names::check(name).map_err(LadderFault::Bad)?;
        }
        let like = |roster: &Roster| roster.person_like(name).cloned();
        let found = if is_there && again {
            None
        } else {
            like(&state.roster)
        };
        match found {
            Some(person) if !again => {
                let text = format!("duplicate name {}", person.name);
                return Err(LadderFault::Taken(text));
            }
            Some(person) if person.name != name => {
                let text = format!("name too similar to {}", person.name);
                return Err(LadderFault::Taken(text));
            }
            None if !is_there && state.roster.people.len() >= MOST_PEOPLE => {
                let text = format!("reached the limit of {MOST_PEOPLE} people on the ladder");
                return Err(LadderFault::Full(text));
            }
            _ => {}
        }
        let name = name.to_owned();
        let token = hash_of(token);
        state.write(JournalEntry::Person { name, token })
    }

    /// Dismisses a person: the token becomes invalid, and the bots rest.
    ///
    /// # Errors
    /// When no person has this name.
    pub fn dismiss(&self, name: &str) -> Result<(), LadderFault> {
        let mut state = self.state();
        let mut people = state.roster.people.iter();
        if !people.any(|person| person.name == name && person.token.is_some()) {
            return Err(LadderFault::Unknown(format!("no person named {name}")));
        }
        let name = name.to_owned();
        state.write(JournalEntry::PersonLeft { name })?;
        self.news.notify_all();
        Ok(())
    }

    /// Returns the name of the person who has this token.
    #[must_use]
    pub fn person_of(&self, token: &str) -> Option<String> {
        let state = self.state();
        let person = state.roster.person_of(&hash_of(token));
        person.map(|person| person.name.clone())
    }

    /// Checks that the person can hand in a bot of this name now.
    ///
    /// # Errors
    /// When the person can't, with the reason.
    pub fn admits(&self, person: &str, bot: &str, bytes: u64) -> Result<(), LadderFault> {
        self.state().admits(person, bot, bytes, &self.config)
    }

    /// Hands in a checked script from its incoming folder: the next version of the bot, which
    /// replaces the one before.
    ///
    /// # Errors
    /// When another person has taken the name meanwhile, a limit is reached, or the system fails.
    /// The folder stays then.
    pub fn hand_in(
        &self,
        person: &str,
        bot: &str,
        folder: &Path,
        bytes: u64,
        public: bool,
    ) -> Result<Version, LadderFault> {
        let mut state = self.state();
        state.admits(person, bot, bytes, &self.config)?;
        let newest = state.roster.newest(bot).map_or(0, |newest| newest.version);
        let version = Version {
            bot: bot.to_owned(),
            version: newest + 1,
            person: person.to_owned(),
            public,
            bytes,
            plays: true,
        };
        self.folder.take_in(folder, &version)?;
        state.write(JournalEntry::HandedIn {
            bot: version.bot.clone(),
            version: version.version,
            person: version.person.clone(),
            public,
            bytes,
        })?;
        state.script_bytes += bytes;
        self.news.notify_all();
        Ok(version)
    }

    /// Withdraws a bot until another version is handed in.
    ///
    /// # Errors
    /// When the bot is not this person's, or does not play.
    pub fn withdraw(&self, person: &str, bot: &str) -> Result<(), LadderFault> {
        let mut state = self.state();
        let is_mine = |version: &Version| version.bot == bot && version.person == person;
        if !state.roster.playing().any(is_mine) {
            let text = format!("you have no active bot named {bot}");
            return Err(LadderFault::Unknown(text));
        }
        let bot = bot.to_owned();
        state.write(JournalEntry::Withdrawn { bot })?;
        self.news.notify_all();
        Ok(())
    }
}

fn hash_of(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}
