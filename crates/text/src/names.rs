//! Columns of names.

use std::collections::BTreeMap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::paint::pad;

/// The fewest columns in which names of a table are shortened. In less room, a table becomes lines.
pub const LEAST_NAME: usize = 12;

/// Pads a heading and names to the width of the widest, which is at most `room` columns but never
/// less than the heading's. Wider names lose their middle, so that names which differ only at their
/// ends still look different. Where this does not suffice, a name ends with its number in the list.
///
/// ```
/// let bots = ["deep-search-v41", "deep-search-v42", "x"];
/// let (heading, names) = risk_text::names::name_column("bot", bots, 9);
/// assert_eq!(heading, "bot      ");
/// assert_eq!(names, ["deep…-v41", "deep…-v42", "x        "]);
/// ```
#[must_use]
pub fn name_column<S: AsRef<str>>(
    heading: &str,
    names: impl IntoIterator<Item = S>,
    room: usize,
) -> (String, Vec<String>) {
    let names: Vec<S> = names.into_iter().collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let width = widest.min(room).max(heading.width()).max(1);
    let shown = shortened(&names, width);
    let names = shown.iter().map(|name| pad(name, width)).collect();
    (pad(heading, width), names)
}

/// Shortens all names with the same number of columns kept at their ends, by which most differ.
fn shortened(names: &[&str], width: usize) -> Vec<String> {
    let kept = width - 1;
    // From the middle outwards: 5, 6, 4, 7, 3, …
    let ends = (0..=2 * kept).filter_map(|step: usize| {
        let half = kept.div_ceil(2);
        let by = step.div_ceil(2);
        let end = if step % 2 == 1 {
            half + by
        } else {
            half.checked_sub(by)?
        };
        (end <= kept).then_some(end)
    });
    let mut tries = ends.map(|end| {
        let shown: Vec<String> = names
            .iter()
            .map(|name| without_middle(name, width, end))
            .collect();
        let alike = alike(names, &shown);
        (alike.iter().filter(|&&alike| alike).count(), shown, alike)
    });
    let first = tries.next().unwrap_or_default();
    let (_, mut shown, alike) = tries.fold(
        first,
        |best, other| if other.0 < best.0 { other } else { best },
    );
    for (number, text) in shown
        .iter_mut()
        .enumerate()
        .filter(|(number, _)| alike[*number])
    {
        let number = format!("…{}", number + 1);
        *text = beginning(text, width.saturating_sub(number.width())) + &number;
    }
    shown
}

/// Reports which names look like another name that is not the same.
fn alike(names: &[&str], shown: &[String]) -> Vec<bool> {
    let mut first: BTreeMap<&str, (&str, bool)> = BTreeMap::new();
    for (name, text) in names.iter().zip(shown) {
        let (other, alike) = first.entry(text).or_insert((name, false));
        *alike |= other != name;
    }
    shown.iter().map(|text| first[text.as_str()].1).collect()
}

/// Replaces the middle of a text that is wider than `width` columns with an ellipsis. `end` columns
/// of its end are kept.
fn without_middle(text: &str, width: usize, end: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let backwards: String = text.chars().rev().collect();
    let end: String = beginning(&backwards, end).chars().rev().collect();
    format!("{}…{end}", beginning(text, width - 1 - end.width()))
}

/// Returns as many characters of a text as have room.
fn beginning(text: &str, room: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= room
    };
    text.chars().take_while(fits).collect()
}
