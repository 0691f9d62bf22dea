//! What a group of territories gives to those who hold it, in words.

use risk_kernel::board::Board;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Group, Territory};
use risk_text::plural::counted;

/// Returns the bonus of a group, with the number of members that it needs, if not all; and what
/// else it does.
#[must_use]
pub fn gains(board: &Board, group: Group) -> String {
    let info = board.group(group);
    let mut texts = vec![format!("bonus {}", info.bonus).replace('-', "−")];
    let all = info.territories.len() + info.groups.len();
    if let Some(needs) = info.needs {
        texts[0] += &format!(" for {needs} of {all}");
    }
    for step in &info.steps {
        let (needs, bonus) = (step.needs, step.bonus);
        texts.push(format!("{} for {needs} of {all}", signed(bonus)));
    }
    let name = |at: Territory| board.info(at).name.as_str();
    if let Some(at) = info.deploys {
        texts.push(format!("its armies appear on {}", name(at)));
    }
    if info.each_turn != 0 {
        texts.push(format!(
            "{} on each territory each turn",
            signed(info.each_turn)
        ));
    }
    if info.strength > 0 {
        texts.push(format!("strength {}", info.strength));
    }
    if !info.overrides.is_empty() {
        texts.push(format!("instead of {}", names(board, &info.overrides)));
    }
    texts.join(", ")
}

/// Returns the members of a group that is no continent, in words.
#[must_use]
pub fn members(board: &Board, group: Group) -> String {
    let info = board.group(group);
    let territories = info.territories.iter();
    let territories = territories.map(|&at| board.info(at).name.as_str());
    let groups = info.groups.iter().map(|&it| board.group(it).name.as_str());
    groups.chain(territories).collect::<Vec<_>>().join(", ")
}

/// Returns what the map says about a territory beside its place, in words: armies that come or
/// leave each turn, and so on. Usually, there is nothing to say.
#[must_use]
pub fn rules_of(board: &Board, at: Territory) -> Vec<String> {
    let info = board.info(at);
    let mut words = Vec::new();
    if info.each_turn != 0 {
        let name = |to| format!(" on {}", board.info(to).name);
        let to = info.deploys.map_or_else(String::new, name);
        words.push(format!("{} each turn{to}", signed(info.each_turn)));
    }
    if info.strength > 0 {
        words.push(format!("strength {}", info.strength));
    }
    if info.neutral > 0 {
        words.push(format!(
            "begins with {} and no owner",
            counted(info.neutral, "army")
        ));
    }
    if info.resets {
        words.push("loses its owner at the start of that player's turn".to_owned());
    }
    words
}

/// Returns the name of a group with its bonus, for pictures. `name` is how the picture writes it.
pub(crate) fn with_bonus(info: &GroupInfo, name: &str) -> String {
    let all = info.territories.len() + info.groups.len();
    let needs = info
        .needs
        .map_or_else(String::new, |needs| format!(" ({needs} of {all})"));
    match (info.bonus, info.strength) {
        (0, strength) if strength > 0 => format!("{name}, strength {strength}"),
        (bonus, _) => format!("{name} {}{needs}", signed(bonus)),
    }
}

fn signed(number: i32) -> String {
    format!("{number:+}").replace('-', "−")
}

fn names(board: &Board, groups: &[Group]) -> String {
    let names = groups.iter().map(|&it| board.group(it).name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the size of a group in words: its territories, and the groups among its members.
#[must_use]
pub fn size(board: &Board, group: Group) -> String {
    let territories = counted(board.members(group).len(), "territory");
    match board.group(group).groups.len() {
        0 => territories,
        groups => format!("{} with {territories}", counted(groups, "group")),
    }
}
