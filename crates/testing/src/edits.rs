//! Edits of a record's text: accidents, and forgeries with recomputed sums.

use crate::games::without_sum;

pub type TextEdit = fn(&str) -> String;

/// Changes one line of a text, by its number from 1.
pub fn line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    text.lines()
        .enumerate()
        .map(|(index, line)| if index + 1 == number { change(line) } else { line.to_owned() } + "\n")
        .collect()
}

/// Returns the number, from 1, of the first line that contains `part`.
pub fn find(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

/// Recomputes the sums of all lines, as a forger would.
pub fn chained(text: &str) -> String {
    let mut before = String::new();
    let mut all = String::new();
    for line in text.lines() {
        let body = without_sum(line).trim_end_matches('}');
        let body = if line.contains(",\"sum\":\"") {
            without_sum(line)
        } else {
            body
        };
        let sum = blake3::hash(format!("{before}{body}").as_bytes()).to_hex()[..16].to_owned();
        all.push_str(&format!("{body},\"sum\":\"{sum}\"}}\n"));
        before = sum;
    }
    all
}

pub fn numbers(line: &str, key: &str, now: &str) -> String {
    let start = line.find(&format!("\"{key}\":")).unwrap() + key.len() + 3;
    let len = line[start..].find([',', '}']).unwrap();
    format!("{}{now}{}", &line[..start], &line[start + len..])
}
