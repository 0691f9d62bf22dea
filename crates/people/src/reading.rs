//! The parser for typed input: the grammar of records with shortcuts. Names can be abbreviated to a
//! unique prefix, `all` and `half` are numbers, and a word with only one possible value can be
//! omitted.

use risk_kernel::action::{Action, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Territory, Verb};
use risk_kernel::view::View;
use risk_text::suggest;

use super::card_sets;
use super::offered::{Misread, Offered, ParameterValues, spelt_board};
use super::parameters::{self, SaidWords};
use super::spelling::{Found, Spelling, Typed, either, find, find_name, plain, quoted};
use super::why_not::{is_number, known_territory};

/// Marks between names, as in lists on the screen and in titles of cards.
const MARKS: [&str; 7] = ["/", "-", "–", "→", "·", ",", "+"];
/// The number of letters from which the beginning of a verb is enough, and that of a name if the
/// verb is omitted. A slip of a finger is not an action.
const SHORTEST: usize = 2;

/// A parsed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParsedAnswer {
    pub(super) action: Action,
    /// How often to give the action while it is possible. A `!` after the answer requests
    /// [`TO_THE_END`], and a number one for each unit that the rules place one at a time.
    pub(super) times: u32,
}

/// The number of times of an action that is repeated until it is impossible.
pub(super) const TO_THE_END: u32 = u32::MAX;

/// The reason why a word is not an offered verb.
enum NoVerb {
    /// A single letter, and the names that begin with it.
    Short(Vec<String>),
    Ambiguous(Vec<String>),
    /// The name of a verb that is not offered, and whether it was typed in full.
    NotNow(String, bool),
    Unknown,
}

impl Offered<'_> {
    /// Parses an action from words.
    pub(super) fn read(&self, text: &str) -> Result<ParsedAnswer, String> {
        self.read_beside(text, &[])
    }

    /// Parses an action from words, where the person can also type these commands. Messages suggest
    /// them.
    pub(super) fn read_beside(
        &self,
        text: &str,
        commands: &[&str],
    ) -> Result<ParsedAnswer, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let mut to_the_end = false;
        if let Some(last) = words.last_mut()
            && let Some(rest) = last.strip_suffix('!')
        {
            to_the_end = true;
            *last = rest;
            words.retain(|word| !word.is_empty());
        }
        if to_the_end && words.is_empty() {
            let first = self.verbs().into_iter().next();
            let verb = first.map_or_else(|| "attack".to_owned(), |(_, name)| name);
            return Err(format!(
                "`!` requires an action: `{verb} … !` repeats it while it is possible"
            ));
        }
        let last = words.len().saturating_sub(1);
        let words = words.iter().enumerate().filter(|(at, word)| {
            let is_between = (1..last).contains(at);
            !is_between || !MARKS.contains(word)
        });
        let words: Vec<&str> = words.map(|(_, word)| *word).collect();
        if words.is_empty() {
            return Err(
                "no suggestion for this decision: type an action, or ? for help".to_owned(),
            );
        }
        let times = if to_the_end { TO_THE_END } else { 1 };
        let said = |action| ParsedAnswer { action, times };
        match self.verb(&words, commands) {
            Ok((verb, count)) => {
                let words = &words[count..];
                match self.action(verb, words, to_the_end, 1) {
                    Ok(action) => Ok(said(action)),
                    Err(why) => self.one_at_a_time(verb, words).ok_or(why.text),
                }
            }
            Err(why) => match self.nothing_more(&words) {
                Some(action) => Ok(said(action)),
                None => self
                    .without_verb(&words, to_the_end, &why, commands)
                    .map(said),
            },
        }
    }

    /// Parses a number of units for a territory where the rules only allow one unit in each answer.
    fn one_at_a_time(&self, verb: Verb, words: &[&str]) -> Option<ParsedAnswer> {
        let (number, names) = words.split_last()?;
        let times: u32 = number.parse().ok().filter(|&times| times > 1)?;
        let kinds = self.kinds(verb);
        let lands = kinds.iter().filter(|it| it.1 == SlotKind::Territory);
        if lands.count() != 1 || kinds.last()?.1 != SlotKind::Count {
            return None;
        }
        let action = self.action(verb, names, false, 1).ok()?;
        (action.args().last() == Some(&1)).then_some(ParsedAnswer { action, times })
    }

    fn action(
        &self,
        verb: Verb,
        words: &[&str],
        to_the_end: bool,
        shortest: usize,
    ) -> Result<Action, Misread> {
        let of_set = card_sets::action(*self, verb, words, shortest);
        of_set.unwrap_or_else(|| {
            let said = SaidWords {
                verb,
                words,
                to_the_end,
                shortest,
            };
            parameters::action(*self, said)
        })
    }

    /// Returns the action with the number 0 if `done` was typed where only a number is missing, as
    /// after a conquest.
    fn nothing_more(&self, words: &[&str]) -> Option<Action> {
        let verbs = self.verbs();
        let ([word], [(verb, _)]) = (words, verbs.as_slice()) else {
            return None;
        };
        let is_done = word.eq_ignore_ascii_case("done");
        let kinds = self.kinds(*verb);
        let asks = kinds.last().is_some_and(|it| it.1 == SlotKind::Count);
        if !is_done || !asks {
            return None;
        }
        self.action(*verb, &["0"], false, SHORTEST).ok()
    }

    /// Parses words without a verb, which may be omitted if the words fit only one. An error is
    /// about the first word, or about the parameters if the words are clearly those of an action.
    fn without_verb(
        &self,
        words: &[&str],
        to_the_end: bool,
        why: &NoVerb,
        commands: &[&str],
    ) -> Result<Action, String> {
        let verbs = self.verbs().into_iter();
        let verbs = verbs.filter(|(verb, _)| !self.kinds(*verb).is_empty());
        let mut read: Vec<Action> = Vec::new();
        let mut misread: Vec<Misread> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for (verb, name) in verbs {
            match self.action(verb, words, to_the_end, SHORTEST) {
                Ok(action) => read.push(action),
                Err(why) => misread.push(why),
            }
            names.push(name);
        }
        // A number alone says too little if several actions are possible.
        let is_bare = words.len() == 1 && is_number(words[0]) && names.len() > 1;
        match read.as_slice() {
            [only] if !is_bare => return Ok(*only),
            [] | [_] => {}
            _ => {
                let actions = read.iter();
                let actions = actions.map(|&action| self.words().action(action));
                let actions = quoted(&actions.collect::<Vec<_>>());
                return Err(format!("`{}` is ambiguous: {actions}", words.join(" ")));
            }
        }
        let is_name = || {
            self.begins_with_name(words, &misread)
                || (self.near_verb(words[0], commands).is_none()
                    && misread.iter().any(|why| why.explained > 0))
        };
        let is_known = match why {
            NoVerb::NotNow(_, is_whole) => !is_whole && is_name(),
            NoVerb::Unknown => is_name(),
            NoVerb::Short(_) | NoVerb::Ambiguous(_) => false,
        };
        match misread.as_slice() {
            [only] if is_known => Err(only.text.clone()),
            [_, ..] if is_known => {
                let ambiguous = misread.iter().find(|why| why.is_ambiguous);
                Err(ambiguous.map_or_else(
                    || {
                        let word = words[0];
                        format!("missing an action before `{word}`: {}", either(&names))
                    },
                    |why| why.text.clone(),
                ))
            }
            _ => Err(self.no_verb(words[0], why, commands)),
        }
    }

    /// Reports whether words are clearly parameters: a number, a territory, or names of values.
    fn begins_with_name(&self, words: &[&str], misread: &[Misread]) -> bool {
        let most = words.len().min(3);
        is_number(words[0])
            || (1..=most).any(|count| known_territory(self.view, &words[..count]).is_some())
            || misread.iter().any(|why| why.is_ambiguous || why.words > 0)
    }

    /// Returns the verb or command that a word may be a slip of. Letters left out are likelier than
    /// other letters.
    fn near_verb(&self, word: &str, commands: &[&str]) -> Option<String> {
        let verbs = self.view.decl().verbs.iter();
        let names = verbs.map(|verb| verb.name.as_str());
        let names: Vec<&str> = names.chain(commands.iter().copied()).collect();
        let letters = word.to_lowercase();
        let phase = self.view.frame().map(|frame| frame.phase.index());
        let is_phase = phase.is_some_and(|phase| self.view.decl().phases[phase].name == letters);
        if let Some((_, name)) = self.verbs().into_iter().next().filter(|_| is_phase) {
            return Some(name);
        }
        let command = match &*letters {
            "continent" | "continents" | "region" | "regions" | "bonus" | "group" | "groups" => {
                "bonuses"
            }
            "territory" | "territories" => "land",
            "hand" => "cards",
            _ => "",
        };
        if commands.contains(&command) {
            return Some(command.to_owned());
        }
        let is_within = |name: &str| {
            let mut all = name.chars();
            letters.chars().all(|letter| all.any(|it| it == letter))
        };
        let longer = names.iter().copied().filter(|name| is_within(name));
        let near = suggest::nearest(word, longer);
        let near = near.or_else(|| suggest::nearest(word, names.iter().copied()));
        near.map(str::to_owned)
            .or_else(|| self.verb_by_sentence(&letters))
    }

    /// Returns the verb whose sentence or explanation begins with a word, as in `advances` for
    /// `attack`. Offered verbs come first.
    fn verb_by_sentence(&self, letters: &str) -> Option<String> {
        if letters.chars().count() < 3 {
            return None;
        }
        let decl = self.view.decl();
        let begins = |verb: &Verb| {
            let sentence = decl.sentences.of_verb(*verb);
            let help = decl.sentences.help_of_verb(*verb);
            let mut texts = [sentence, help].into_iter().flatten();
            texts.any(|text| text.to_lowercase().starts_with(letters))
        };
        let offered = self.verbs().into_iter().map(|(verb, _)| verb);
        let all = (0..decl.verbs.len()).map(Verb::from_index);
        let found = offered.chain(all).find(begins)?;
        Some(decl.verbs[found.index()].name.clone())
    }

    /// Returns the message about a first word that is no offered verb.
    fn no_verb(&self, word: &str, why: &NoVerb, commands: &[&str]) -> String {
        let verbs = self.verbs();
        let names: Vec<&str> = verbs.iter().map(|(_, name)| name.as_str()).collect();
        let list = format!("type {}, or ? for help", either(&names));
        match why {
            NoVerb::Short(near) if near.is_empty() => format!("`{word}` is too short: {list}"),
            NoVerb::Short(near) => {
                format!("`{word}` is too short: did you mean {}?", quoted(near))
            }
            NoVerb::Ambiguous(near) => format!("`{word}` is ambiguous: {}", quoted(near)),
            NoVerb::NotNow(name, _) => {
                let verb = self.view.decl().verb(name);
                let help = verb.and_then(|verb| self.words().help(verb));
                let help = help.map_or_else(String::new, |help| format!("; {name}: {help}"));
                format!("`{name}` is not possible now: {list}{help}")
            }
            NoVerb::Unknown => match self.near_verb(word, commands) {
                Some(near) => {
                    format!("unknown action `{word}`: did you mean `{near}`? Or {list}")
                }
                None => format!("unknown action `{word}`: {list}"),
            },
        }
    }

    /// Returns the offered verb with which the words begin, and the number of its words.
    fn verb(&self, words: &[&str], commands: &[&str]) -> Result<(Verb, usize), NoVerb> {
        let verbs = self.verbs();
        let spelt: Vec<(Verb, Vec<Spelling>)> = verbs
            .iter()
            .map(|(verb, name)| (*verb, vec![Spelling::new(name)]))
            .collect();
        // A verb of several words, such as `attack_with`, can be typed with blanks.
        let most = words.len().min(3);
        for count in (2..=most).rev() {
            let whole = Typed::new(&words[..count], usize::MAX);
            if let Found::One(verb) = find(&whole, &spelt) {
                return Ok((verb, count));
            }
        }
        match find(&Typed::new(&words[..1], SHORTEST), &spelt) {
            Found::One(verb) => Ok((verb, 1)),
            Found::Several(several) => {
                let name = |verb: &Verb| self.view.decl().verbs[verb.index()].name.clone();
                Err(NoVerb::Ambiguous(several.iter().map(name).collect()))
            }
            Found::None => Err(self.why_no_verb(words[0], commands)),
        }
    }

    fn why_no_verb(&self, word: &str, commands: &[&str]) -> NoVerb {
        let letters = plain(word);
        let names = self.view.decl().verbs.iter().map(|verb| verb.name.as_str());
        let is_letter = letters.chars().count() < SHORTEST && !letters.is_empty();
        if is_letter && !is_number(word) {
            let verbs = self.verbs();
            let offered = verbs.iter().map(|(_, name)| name.as_str());
            let near = offered.chain(commands.iter().copied());
            let near = near.filter(|name| plain(name).starts_with(&letters));
            return NoVerb::Short(near.map(str::to_owned).collect());
        }
        let mut whole = names.clone().filter(|name| plain(name) == letters);
        if let Some(name) = whole.next() {
            return NoVerb::NotNow(name.to_owned(), true);
        }
        let begun = names.filter(|name| !letters.is_empty() && plain(name).starts_with(&letters));
        let begun: Vec<&str> = begun.collect();
        match begun.as_slice() {
            [] => NoVerb::Unknown,
            [only] => NoVerb::NotNow((*only).to_owned(), false),
            several => NoVerb::Ambiguous(several.iter().map(|&name| name.to_owned()).collect()),
        }
    }

    /// Returns the words that may follow the given words.
    pub(super) fn next_words(&self, before: &[&str]) -> Vec<String> {
        let Some((_, rest)) = before.split_first() else {
            return self.verbs().into_iter().map(|(_, name)| name).collect();
        };
        let Ok((verb, _)) = self.verb(&before[..1], &[]) else {
            return Vec::new();
        };
        let kinds = self.kinds(verb);
        let mut args = Vec::new();
        for word in rest.iter().take(kinds.len()) {
            match parameters::value(*self, verb, &args, word) {
                Some(value) => args.push(value),
                None => return Vec::new(),
            }
        }
        let Some((_, kind)) = kinds.get(rest.len()) else {
            return Vec::new();
        };
        match self.values(verb, &args) {
            ParameterValues::Numbers { .. } => ["all", "half"].map(str::to_owned).to_vec(),
            ParameterValues::Named(values) => values
                .into_iter()
                .map(|value| self.named(*kind, value))
                .collect(),
        }
    }
}

/// Returns the territory with this name or id. It can be abbreviated. An error names the
/// territories that match, if there are several.
pub(super) fn territory(view: &View, word: &str) -> Result<Territory, String> {
    let board = view.board();
    let id = |at: Territory| board.info(at).id.as_str();
    let words: Vec<&str> = word.split_whitespace().collect();
    match find_name(&Typed::new(&words, 1), &spelt_board(view)) {
        Found::One(at) => Ok(at),
        Found::Several(all) => {
            let names: Vec<&str> = all.iter().map(|&at| id(at)).collect();
            Err(format!("`{word}` is ambiguous: {}", quoted(&names)))
        }
        Found::None if word.is_empty() => {
            Err("missing a territory: type `look`, and a name or its beginning".to_owned())
        }
        Found::None => {
            let near = suggest::nearest(&words.join("-"), board.territories().map(id));
            let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            Err(format!(
                "unknown territory `{word}`: {near}`land` lists all of them"
            ))
        }
    }
}

/// Returns the same action with the maximum possible amount, or `None` if the action is no longer
/// possible.
pub(super) fn again(last: Action, options: &Options) -> Option<Action> {
    let lands = last.args().len().min(2);
    let again = options
        .offers()
        .iter()
        .filter(|offer| offer.verb == last.verb && offer.slots().len() >= lands)
        .filter_map(|offer| {
            let size = options.offer_len(offer);
            let fits = offer.slots()[..lands]
                .iter()
                .zip(last.args())
                .all(|(&slot, &value)| options.contains(slot, value));
            let greatest = options.nth_of(offer, &mut size.checked_sub(1)?);
            let mut args = greatest.args().to_vec();
            args[..lands].copy_from_slice(&last.args()[..lands]);
            fits.then(|| Action::new(last.verb, &args))
        })
        .max_by_key(|action| action.args().last().copied());
    again.filter(|&action| options.admit(action).is_ok())
}
