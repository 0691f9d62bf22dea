//! “Did you mean …?” for misspelled names.

/// The number of letters of the longest words that are compared.
const MOST_LETTERS: usize = 40;

/// Returns the candidate nearest to `word`; `None` if no candidate is near enough.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let reach = reach(&word)?;
    candidates
        .into_iter()
        .filter(|candidate| reach.holds(candidate))
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|&(distance, _)| distance <= reach.most)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Sorts the candidates, the nearest to `word` first. Returns them in their order if the word is
/// too long to compare.
#[must_use]
pub fn nearest_first<'a>(word: &str, mut candidates: Vec<&'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    if word.chars().count() <= MOST_LETTERS {
        candidates.sort_by_cached_key(|candidate| {
            let letters = candidate.chars().take(MOST_LETTERS);
            let name: String = letters.flat_map(char::to_lowercase).collect();
            strsim::damerau_levenshtein(&word, &name)
        });
    }
    candidates
}

/// The length of a word, and the maximum number of letters in which a candidate may differ.
struct Reach {
    length: usize,
    most: usize,
}

impl Reach {
    fn holds(&self, candidate: &str) -> bool {
        candidate.chars().count().abs_diff(self.length) <= self.most
    }
}

/// Returns `None` if a word is too short or too long to compare. Short names are all near each
/// other.
fn reach(word: &str) -> Option<Reach> {
    let length = word.chars().count();
    let most = match length {
        0..=2 => return None,
        _ if length > MOST_LETTERS => return None,
        _ => (length / 3).min(3),
    };
    Some(Reach { length, most })
}

/// Returns the work of [`nearest`]: the number of pairs of letters to compare, plus 1 for each
/// candidate.
#[must_use]
pub fn work<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> u64 {
    let reach = reach(word);
    let pairs = candidates.into_iter().map(|candidate| match &reach {
        Some(reach) if reach.holds(candidate) => 1 + word.len() * candidate.len(),
        _ => 1,
    });
    pairs.map(|pairs| pairs as u64).sum()
}

/// The maximum number of names in the help of an error, unless the caller sets another limit.
const MOST_NAMES: usize = 40;

/// Returns a sentence for the help of an error. It contains the nearest name, or a list of the
/// names.
#[must_use]
pub fn help<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    help_up_to(MOST_NAMES, word, candidates)
}

/// Like [`help`], but lists at most `most` names.
#[must_use]
pub fn help_up_to<'a>(
    most: usize,
    word: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(near) = nearest(word, candidates.clone()) {
        return format!("did you mean `{near}`?");
    }
    let mut all = candidates.into_iter();
    let shown: Vec<&str> = all.by_ref().take(most).collect();
    match (shown.as_slice(), all.count()) {
        ([], _) => "none exist".to_owned(),
        ([one], _) => format!("expected `{one}`"),
        (_, 0) => format!("expected one of {}", shown.join(", ")),
        (_, more) => format!("expected one of {} and {more} more", shown.join(", ")),
    }
}
