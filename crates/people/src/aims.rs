//! What a bot is after, in words for a person.

use super::scene::percent;
use risk_kernel::Aim;
use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::Territory;
use risk_kernel::view::View;
use risk_text::escape_control;
use risk_text::plural::counted;

/// The maximum number of territories in a sentence.
const MOST_NAMED: usize = 6;

/// Returns the territories in an action.
pub(super) fn territories(view: &View, action: Action) -> Vec<Territory> {
    let Some(verb) = view.decl().verbs.get(action.verb.index()) else {
        return Vec::new();
    };
    let parameters = verb.slots.iter().zip(action.args());
    parameters
        .filter(|((_, kind), _)| *kind == SlotKind::Territory)
        .filter_map(|(_, &value)| usize::try_from(value).ok())
        .filter(|&index| index < view.board().len())
        .map(Territory::from_index)
        .collect()
}

/// Formats what a bot is after, without a full stop. `names` are the players' names, by seat.
pub(super) fn sentence(aim: &Aim, view: &View, names: &[String]) -> String {
    let target = aim.target.map(|player| {
        let name = names.get(player.index()).map_or("?", String::as_str);
        let lost = aim
            .take
            .iter()
            .filter(|&&at| view.owner(at) == Some(player));
        let lost = u32::try_from(lost.count()).ok();
        let is_end = lost.is_some() && view.territory_count(player) == lost;
        (format!("to eliminate {}", escape_control(name)), is_end)
    });
    let taken = named(&aim.take, ", then ", view);
    let attack = match (target, aim.take.is_empty()) {
        (target, true) => target.map(|(target, _)| target),
        (Some((target, true)), false) => Some(format!("{target} by taking {taken}")),
        (Some((target, false)), false) => Some(format!("{target}, and now to take {taken}")),
        (None, false) => Some(format!("to take {taken}")),
    };
    let outlook = outlook(aim);
    let attack = attack.map(|attack| match outlook.as_str() {
        "" => attack,
        outlook => format!("{attack}: {outlook}"),
    });
    let held = (!aim.hold.is_empty()).then(|| format!("to hold {}", named(&aim.hold, ", ", view)));
    let parts: Vec<String> = attack.into_iter().chain(held).collect();
    format!("it means {}", parts.join("; and "))
}

/// Formats the chance of taking all territories, and what is then left of the attackers.
fn outlook(aim: &Aim) -> String {
    let all = match aim.take.len() {
        0 | 1 => "",
        2 => " for both",
        _ => " for all",
    };
    let chance = aim.chance.map(|chance| percent(chance) + all);
    let left = aim.left.map(|left| {
        let armies = counted(left.round() as i64, "army");
        format!("about {armies} left")
    });
    let parts: Vec<String> = chance.into_iter().chain(left).collect();
    parts.join(", ")
}

/// Formats the names of territories. Only the first of many are named.
fn named(territories: &[Territory], between: &str, view: &View) -> String {
    let names = territories.iter().take(MOST_NAMED).map(|&at| {
        let name = &view.board().info(at).name;
        escape_control(name).into_owned()
    });
    let mut names: Vec<String> = names.collect();
    let more = territories.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(between)
}
