//! “Did you mean …?” for every misspelled name.

/// The candidate that `word` was most likely meant to be, if one is near enough.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= most)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A sentence for an error's help: the nearest name, or all of them.
#[must_use]
pub fn help<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(word, candidates.clone()) {
        return format!("did you mean `{near}`?");
    }
    let all: Vec<&str> = candidates.into_iter().take(20).collect();
    if all.is_empty() { "there is none".to_owned() } else { format!("there is {}", all.join(", ")) }
}
