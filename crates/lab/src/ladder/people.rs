//! People's actions on a ladder, which are registering, leaving, submitting and withdrawing.

use std::path::Path;

use super::journal::JournalEntry;
use super::person_names;
use super::roster::{Roster, Version};
use super::state::{Ladder, LadderFault};

/// The maximum number of people, including former participants.
const MOST_PEOPLE: usize = 1_000;

impl Ladder {
    /// Registers a person with a token and stores only the token's hash. If `again` is set, the
    /// token replaces a registered person's previous token.
    ///
    /// # Errors
    /// Returns an error if the name is invalid or taken.
    pub fn register(&self, name: &str, token: &str, again: bool) -> Result<(), LadderFault> {
        let mut state = self.state();
        // A registered name remains valid even if the current rules would reject it.
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

    /// Removes a person from the ladder. The token becomes invalid, and the bots rest.
    ///
    /// # Errors
    /// Returns an error if no person has this name.
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

    /// Returns the name of the person with this token.
    #[must_use]
    pub fn person_of(&self, token: &str) -> Option<String> {
        let state = self.state();
        let person = state.roster.person_of(&hash_of(token));
        person.map(|person| person.name.clone())
    }

    /// Checks that the person may submit a bot with this name now.
    ///
    /// # Errors
    /// Returns the reason as an error if the submission is not allowed.
    pub fn admits(&self, person: &str, bot: &str, bytes: u64) -> Result<(), LadderFault> {
        self.state().admits(person, bot, bytes, &self.config)
    }

    /// Submits a checked script from its temporary folder. The script becomes the next version of
    /// the bot and replaces the previous version.
    ///
    /// # Errors
    /// Returns an error if the name has been taken in the meantime, a limit is reached, or the
    /// system fails. In this case, the folder is not deleted.
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

    /// Withdraws a bot until a new version is submitted.
    ///
    /// # Errors
    /// Returns an error if the bot belongs to another person or is not active.
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
