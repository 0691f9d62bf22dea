//! What is done to the text of a record, by accident or by somebody who sums up anew.

use crate::games::without_sum;

/// What is done to the text of a record.
pub type Break = fn(&str) -> String;

/// The text with its n-th line (from 1) changed.
pub fn line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    text.lines()
        .enumerate()
        .map(|(index, line)| if index + 1 == number { change(line) } else { line.to_owned() } + "\n")
        .collect()
}

/// The number of the first line in which this stands.
pub fn find(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap() + 1
}

/// The same lines with the sums that they must have: what somebody does who edits a record.
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
