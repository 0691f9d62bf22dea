//! “Did you mean …?” for every misspelled name.

/// The candidate that `word` was most likely meant to be, if one is near enough.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A short name is near to every other short name.
    let most = match word.chars().count() {
        0..=2 | 101.. => return None,
        length => (length / 3).min(3),
    };
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|&(distance, _)| distance <= most)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The most names that an error's help lists.
const MOST_NAMES: usize = 40;

/// A sentence for an error's help: the nearest name, or all of them.
#[must_use]
pub fn help<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(word, candidates.clone()) {
        return format!("did you mean `{near}`?");
    }
    let mut all = candidates.into_iter();
    let shown: Vec<&str> = all.by_ref().take(MOST_NAMES).collect();
    match (shown.as_slice(), all.count()) {
        ([], _) => "there are none".to_owned(),
        ([one], _) => format!("there is only `{one}`"),
        (_, 0) => format!("there are {}", shown.join(", ")),
        (_, more) => format!("there are {} and {more} more", shown.join(", ")),
    }
}
