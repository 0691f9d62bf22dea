//! The short form of the story: one line per player-turn.

use super::fights::NarratedFight;
use super::items::{Placing, Rank};
use super::wording::Wording;
use risk_engine::acts::FightResult;
use risk_kernel::id::{Territory, Unit};
use risk_text::plural::counted;

/// The maximum number of sentences that are not important.
const MOST_OTHERS: usize = 2;
/// The maximum number of kinds of hidden sentences with all their outcomes.
const MOST_KINDS: usize = 3;

/// What a player did, in the order in which it began.
#[derive(Debug, Default)]
pub(super) struct Summary {
    parts: Vec<Part>,
    /// The territories that the player attacked and did not take.
    held: Vec<Territory>,
    lost: i64,
    killed: i64,
}

#[derive(Debug)]
enum Part {
    /// The units placed, by kind.
    Placed(Vec<(Unit, i64)>),
    Fights(Fights),
    Other(Rank, String),
}

/// Fights between two important sentences.
#[derive(Debug, Default)]
struct Fights {
    /// The conquests, with the forces at the beginning of the last fight, if there was one.
    taken: Vec<(Territory, Option<String>)>,
    /// The territories whose last defenders died, and that nobody has taken.
    emptied: Vec<Territory>,
}

impl Summary {
    pub(super) fn place(&mut self, placing: &Placing) {
        let (unit, count) = (placing.unit, placing.sum());
        let known = self.parts.iter_mut().find_map(|part| match part {
            Part::Placed(placed) => Some(placed),
            _ => None,
        });
        let Some(placed) = known else {
            return self.parts.push(Part::Placed(vec![(unit, count)]));
        };
        match placed.iter_mut().find(|it| it.0 == unit) {
            Some(known) => known.1 += count,
            None => placed.push((unit, count)),
        }
    }

    /// Returns the fights since the last important sentence.
    fn fights(&mut self) -> &mut Fights {
        let ends = |part: &Part| matches!(part, Part::Fights(_) | Part::Other(Rank::Must, _));
        let last = self.parts.iter().rposition(ends);
        let last = last.filter(|&index| matches!(self.parts[index], Part::Fights(_)));
        let index = last.unwrap_or_else(|| {
            self.parts.push(Part::Fights(Fights::default()));
            self.parts.len() - 1
        });
        match &mut self.parts[index] {
            Part::Fights(fights) => fights,
            _ => unreachable!("the part is one of fights"),
        }
    }

    /// Notes a fight and its outcome.
    pub(super) fn fight(&mut self, narrated: &NarratedFight) {
        let [lost, killed] = narrated.fight.lost();
        self.lost += i64::from(lost);
        self.killed += i64::from(killed);
        let to = narrated.fight.to;
        match narrated.fight.result {
            FightResult::Taken => self.take(to, Some(narrated.numbers())),
            FightResult::Emptied => self.empty(to),
            FightResult::Held => self.hold(to),
        }
    }

    /// Notes a conquest, with the forces of the fight.
    pub(super) fn take(&mut self, at: Territory, forces: Option<String>) {
        self.held.retain(|&held| held != at);
        self.fights().taken.push((at, forces));
    }

    fn empty(&mut self, at: Territory) {
        self.held.retain(|&held| held != at);
        self.fights().emptied.push(at);
    }

    fn hold(&mut self, at: Territory) {
        self.fights();
        if !self.held.contains(&at) {
            self.held.push(at);
        }
    }

    /// Adds a sentence.
    pub(super) fn add(&mut self, text: &str, rank: Rank) {
        if rank != Rank::Aside {
            self.parts.push(Part::Other(rank, text.to_owned()));
        }
    }

    pub(super) fn text(&self, wording: &Wording) -> String {
        let hidden = self.hidden();
        let parts = self.parts.iter();
        let last = parts.clone().rposition(|it| matches!(it, Part::Fights(_)));
        let mut texts = Vec::new();
        for (index, part) in parts.enumerate() {
            match part {
                Part::Placed(placed) => {
                    let placed = placed.iter();
                    texts.extend(placed.map(|&(unit, placed)| {
                        format!("+{placed}{}", wording.kind_word(unit, placed))
                    }));
                }
                Part::Fights(fights) => texts.extend(fights.texts(wording)),
                Part::Other(_, text) if !hidden.contains(&index) => texts.push(text.clone()),
                Part::Other(..) => {}
            }
            if Some(index) == last {
                texts.extend(self.totals());
            }
        }
        if !hidden.is_empty() {
            let texts_of = hidden.iter().filter_map(|&index| match &self.parts[index] {
                Part::Other(_, text) => Some(text.as_str()),
                _ => None,
            });
            let kinds = kinds_of(texts_of).join(", ");
            texts.push(format!("and {} more: {kinds}", hidden.len()));
        }
        texts.join("; ")
    }

    /// Returns the number of attacks that took nothing, and the losses.
    fn totals(&self) -> impl Iterator<Item = String> {
        let held = self.held.len();
        let held = (held > 0).then(|| counted(held, "failed attack"));
        let losses = self.lost + self.killed > 0;
        let losses = losses.then(|| format!("loses {} for {}", self.lost, self.killed));
        held.into_iter().chain(losses)
    }

    /// Returns the sentences to leave out. All important ones and a few others stay. Messages of
    /// the ruleset come before actions when there is no space for all.
    fn hidden(&self) -> Vec<usize> {
        let parts = self.parts.iter().enumerate();
        let others = parts.filter_map(|(index, part)| match part {
            Part::Other(rank, _) if *rank != Rank::Must => Some((*rank, index)),
            _ => None,
        });
        let mut others: Vec<(Rank, usize)> = others.collect();
        others.sort_by_key(|other| other.0);
        // One more sentence takes no more space than the number of those left out.
        if others.len() == MOST_OTHERS + 1 {
            return Vec::new();
        }
        let hidden = others.split_off(others.len().min(MOST_OTHERS));
        hidden.into_iter().map(|other| other.1).collect()
    }
}

impl Fights {
    fn texts(&self, wording: &Wording) -> impl Iterator<Item = String> {
        let taken = self.taken.iter().map(|(at, forces)| match forces {
            Some(forces) => format!("{} {forces}", wording.place(*at)),
            None => wording.place(*at),
        });
        let emptied = self.emptied.iter().map(|&at| wording.place(at));
        let lists: [(&str, Vec<String>); 2] =
            [("takes", taken.collect()), ("empties", emptied.collect())];
        let lists = lists.into_iter().filter(|list| !list.1.is_empty());
        lists.map(|(does, names)| format!("{does} {}", names.join(", ")))
    }
}

/// Words how often each kind of sentence occurs: `moves 3 times`. A kind has the same verb, and the
/// same outcome if that has no numbers.
fn kinds_of<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut kinds: Vec<HiddenKind<'t>> = Vec::new();
    let mut others = 0;
    for text in texts {
        let (sentence, outcome) = match text.split_once(": ") {
            Some((sentence, outcome)) => (sentence, Some(outcome)),
            None => (text, None),
        };
        let outcome = outcome.filter(|it| !it.contains(|c: char| c.is_ascii_digit()));
        let Some(verb) = verb_of(sentence) else {
            others += 1;
            continue;
        };
        let same = |it: &&mut HiddenKind<'_>| (it.verb, it.outcome) == (verb, outcome);
        match kinds.iter_mut().find(same) {
            Some(kind) => kind.count += 1,
            None => kinds.push(HiddenKind {
                verb,
                outcome,
                sentence,
                count: 1,
            }),
        }
    }
    if kinds.len() > MOST_KINDS {
        // Among many kinds, single outcomes are of little interest.
        let before = kinds.len();
        kinds.retain(|kind| kind.outcome.is_none() || kind.count > 1);
        others += before - kinds.len();
    }
    let kinds = kinds.iter().map(HiddenKind::text);
    let others = (others > 0).then(|| counted(others, "other"));
    kinds.chain(others).collect()
}

/// Hidden sentences with the same verb and the same outcome.
struct HiddenKind<'t> {
    verb: &'t str,
    outcome: Option<&'t str>,
    /// The first of the sentences, without its outcome.
    sentence: &'t str,
    count: usize,
}

impl HiddenKind<'_> {
    /// Words how often the sentence occurs. A single one stays as it is, unless its commas would be
    /// mistaken for those of the list.
    fn text(&self) -> String {
        let verb = self.verb;
        let text = match self.count {
            1 if !self.sentence.contains(',') => self.sentence.to_owned(),
            1 => format!("{verb} once"),
            2 => format!("{verb} twice"),
            many => format!("{verb} {many} times"),
        };
        match self.outcome {
            Some(outcome) => format!("{text} ({outcome})"),
            None => text,
        }
    }
}

/// Returns the verb of a sentence without its subject: `moves`, or `can't move`. Returns `None` for
/// a text that begins with a name or a number.
fn verb_of(sentence: &str) -> Option<&str> {
    if !sentence.starts_with(char::is_lowercase) {
        return None;
    }
    let is_helper = |word: &str| ["can't", "cannot", "has", "is", "does"].contains(&word);
    let mut ends = sentence.match_indices(' ').map(|found| found.0);
    let end = ends.next().unwrap_or(sentence.len());
    let end = match is_helper(&sentence[..end]) {
        true => ends.next().unwrap_or(sentence.len()),
        false => end,
    };
    Some(&sentence[..end])
}
