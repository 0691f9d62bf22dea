//! The names that other programs give to the keys and sections of a map.

/// Names with the same meaning, between spaces, in lower case and without signs. Ours come first.
const SYNONYMS: [&str; 9] = [
    "borders border neighbors neighbours neighbor neighbour adjacent adjacency adjacencies \
     adjacentto adjacents adjacentterritories adjacentcountries adjacencylist adj connections \
     connectedto connects links edges",
    "continent region group area zone superregion continentname",
    "continents continent regions groups areas zones superregions",
    "territories countries nodes provinces vertices country territory members",
    "at x y xy pos position coords coordinates location center centre",
    "bonus value armies bonusarmies bonustroops bonusvalue extraarmies reinforcements",
    "name title label displayname",
    "colour color",
    "id key",
];

/// Returns the known name that means the same as a word.
pub(crate) fn meant<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = letters(word);
    let stem = word.strip_suffix("ids").or_else(|| word.strip_suffix("id"));
    let has = |group: &str, word: &str| group.split(' ').any(|name| name == word);
    let groups = SYNONYMS
        .into_iter()
        .filter(|group| has(group, &word) || stem.is_some_and(|stem| has(group, stem)));
    let mut names = groups.flat_map(|group| group.split(' '));
    names.find_map(|name| known.iter().copied().find(|known| letters(known) == name))
}

fn letters(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
