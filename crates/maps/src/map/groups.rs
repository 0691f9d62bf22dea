//! Reads continents and other groups of territories, and checks what they refer to.

use std::collections::BTreeMap;

use super::draft::{Diagnostics, Draft, GroupEntry, KnownIds, MOST_ARMIES};
use super::yaml_reader::DocumentReader;
use crate::nodes::{Node, NodeReader as _, Value};
use risk_kernel::fight_class::MOST_CLASS;
use risk_kernel::groups::{BonusStep, GroupInfo};
use risk_kernel::id::{Group, Territory};

/// The keys of a group. Those of a continent come first.
const GROUP_KEYS: [&str; 13] = [
    "id",
    "name",
    "bonus",
    "colour",
    "needs",
    "steps",
    "overrides",
    "each_turn",
    "deploys",
    "strength",
    "data",
    "territories",
    "groups",
];
const STEP_KEYS: [&str; 2] = ["needs", "bonus"];
/// The most members of all groups and overridden groups, where a group within another one counts
/// with its own members.
const MOST_MEMBERS: usize = 250_000;

impl DocumentReader<'_, '_> {
    /// Reads what each group says about itself alone. `known` are the ids so far, also of groups in
    /// other lists.
    pub(super) fn groups<'n>(
        &mut self,
        nodes: &'n [Node],
        is_continent: bool,
        all: &mut Vec<GroupEntry<'n>>,
    ) {
        let what = if is_continent { "continent" } else { "group" };
        for node in nodes {
            let Some(entry) = self.group(node, is_continent) else {
                continue;
            };
            let (id, place) = (&entry.info.id, entry.place);
            if entry.info.colour.is_none() && is_continent {
                let text = format!("the continent `{id}` has no colour");
                self.find("missing-colour", text, place);
            }
            if all.iter().any(|other| other.info.id == *id) {
                let text = format!("duplicate {what} `{id}`");
                self.find("duplicate-continent", text, place);
                continue;
            }
            all.push(entry);
        }
    }

    fn group<'n>(&mut self, node: &'n Node, is_continent: bool) -> Option<GroupEntry<'n>> {
        let (what, keys) = match is_continent {
            true => ("continent", &GROUP_KEYS[..11]),
            false => ("group", &GROUP_KEYS[..]),
        };
        let mut info = GroupInfo::default();
        let mut place = node.first_key();
        let mut bonus = None;
        let mut later = Vec::new();
        for (key, _, value) in self.finder.entries(node, &format!("a {what}"), keys) {
            match key {
                "id" => {
                    info.id = self.id(value, what);
                    place = value.extent();
                }
                "name" => info.name = self.text(value, &format!("the name of a {what}")),
                "colour" => info.colour = self.colour(value),
                "bonus" => bonus = Some(value),
                "needs" => info.needs = self.needed(value),
                "steps" => info.steps = self.steps(value),
                "each_turn" => info.each_turn = self.armies(value, "`each_turn`", -MOST_ARMIES),
                "strength" => info.strength = self.strength(value),
                "data" => info.data = self.data(value),
                _ => later.push((key, value)),
            }
        }
        if info.id.is_empty() {
            self.missing_id(node, what, place);
            return None;
        }
        if info.name.is_empty() {
            info.name.clone_from(&info.id);
        }
        match bonus {
            Some(node) => info.bonus = self.bonus(node, &info.id, is_continent),
            None if is_continent => {
                let text = format!("missing key `bonus` in the continent `{}`", info.id);
                self.find("missing-key", text, place);
            }
            None => {}
        }
        Some(GroupEntry { info, place, later })
    }

    fn bonus(&mut self, node: &Node, id: &str, is_continent: bool) -> i32 {
        if let Value::Int(bonus) = node.value {
            // A group may cost armies, or be there for others to refer to.
            let is_meant = !is_continent && (-MOST_ARMIES..=0).contains(&bonus);
            return match is_meant {
                true => bonus as i32,
                false => self.finder.bonus(bonus, id, node.extent()),
            };
        }
        let found = node.shown();
        let text = format!("the bonus of `{id}` must be an integer, found {found}");
        let help = node.without_zeros().map(|bare| format!("write `{bare}`"));
        self.finder
            .find_with("bonus-not-number", text, help, node.extent());
        0
    }

    fn needed(&mut self, node: &Node) -> Option<u32> {
        let most = MOST_MEMBERS as i64;
        let number = self.finder.number(node, "`needs`", 1, most);
        number.map(|number| number as u32)
    }

    /// Reads a number of armies.
    pub(super) fn armies(&mut self, node: &Node, key: &str, least: i64) -> i32 {
        let number = self.finder.number(node, key, least, MOST_ARMIES);
        number.unwrap_or(0) as i32
    }

    pub(super) fn strength(&mut self, node: &Node) -> u8 {
        let most = MOST_CLASS.into();
        let number = self.finder.number(node, "`strength`", 0, most);
        number.unwrap_or(0) as u8
    }

    pub(super) fn flag(&mut self, node: &Node, key: &str) -> bool {
        match node.value {
            Value::Bool(flag) => flag,
            _ => {
                self.finder.expected(node, key, "true or false");
                false
            }
        }
    }

    fn steps(&mut self, node: &Node) -> Vec<BonusStep> {
        let list = self.list(node, "`steps`");
        let steps = list.iter().filter_map(|node| {
            let (mut needs, mut bonus) = (None, None);
            for (key, _, value) in self.finder.entries(node, "a step", &STEP_KEYS) {
                match key {
                    "needs" => needs = self.needed(value),
                    _ => {
                        let most = MOST_ARMIES;
                        bonus = self
                            .finder
                            .number(value, "the bonus of a step", -most, most);
                    }
                }
            }
            for key in STEP_KEYS.into_iter().filter(|key| node.get(key).is_none()) {
                let text = format!("missing key `{key}` in a step");
                self.find("missing-key", text, node.extent());
            }
            let (needs, bonus) = needs.zip(bonus)?;
            let bonus = bonus as i32;
            Some(BonusStep { needs, bonus })
        });
        steps.collect()
    }

    /// Reads what groups say about territories and about each other.
    pub(super) fn members(&mut self, all: &mut [GroupEntry<'_>], known: &KnownIds) {
        for entry in all {
            let id = entry.info.id.clone();
            for (key, node) in std::mem::take(&mut entry.later) {
                let info = &mut entry.info;
                match key {
                    "deploys" => info.deploys = self.place(node, known),
                    "territories" => {
                        let found = self.named(&id, key, node, &known.territories);
                        info.territories = found.into_iter().map(Territory::from_index).collect();
                        info.territories.sort_unstable();
                    }
                    key => {
                        let found = self.named(&id, key, node, &known.groups);
                        let found = found.into_iter().map(Group::from_index).collect();
                        match key {
                            "groups" => info.groups = found,
                            _ => info.overrides = found,
                        }
                    }
                }
            }
        }
    }

    /// Reads the territory on which armies appear.
    pub(super) fn place(&mut self, node: &Node, known: &KnownIds) -> Option<Territory> {
        let id = self.id_of(node, "`deploys`")?;
        let found = known.territories.get(&id).copied();
        if found.is_none() {
            let text = format!("armies appear on the unknown territory `{id}`");
            let ids = known.territories.keys().map(String::as_str);
            self.finder
                .unknown("unknown-member", text, &id, ids, node.extent());
        }
        found.map(Territory::from_index)
    }

    /// Reads a list of ids, and reports those that are unknown or there twice.
    fn named(
        &mut self,
        of: &str,
        key: &str,
        node: &Node,
        known: &BTreeMap<String, usize>,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for node in self.list(node, &format!("`{key}`")) {
            let Some(id) = self.id_of(node, &format!("an id in `{key}`")) else {
                continue;
            };
            let place = node.extent();
            match known.get(&id) {
                Some(index) if found.contains(index) => {
                    let text = format!("`{id}` is there twice in `{key}` of `{of}`");
                    self.find("repeated-member", text, place);
                }
                Some(&index) => found.push(index),
                None => {
                    let text = format!("`{key}` of `{of}` names the unknown `{id}`");
                    let ids = known.keys().map(String::as_str);
                    self.finder.unknown("unknown-member", text, &id, ids, place);
                }
            }
        }
        found
    }
}

/// Checks that groups don't contain themselves, need no more members than they have, and are not
/// too large together.
pub(super) fn check(draft: &Draft, finder: &mut Diagnostics<'_>) {
    let all: Vec<_> = draft.continents.iter().chain(&draft.groups).collect();
    let own = |info: &GroupInfo| info.territories.len() + info.groups.len() + info.overrides.len();
    let listed: usize = all.iter().map(|(info, _)| own(info)).sum();
    if listed > MOST_MEMBERS {
        let text = format!("expected at most {MOST_MEMBERS} members of groups, found {listed}");
        return finder.find("too-many-members", text, (0, 0));
    }
    let mut sizes: Vec<Option<usize>> = vec![None; all.len()];
    // A group without an unknown part has the sum of its parts as its size. What is left over
    // contains itself, or contains a group that does.
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for (index, (info, _)) in all.iter().copied().enumerate() {
            let parts = info.groups.iter().map(|part| sizes[part.index()]);
            let parts = parts
                .sum::<Option<usize>>()
                .filter(|_| sizes[index].is_none());
            if let Some(parts) = parts {
                sizes[index] = Some(parts.saturating_add(own(info)).min(MOST_MEMBERS + 1));
                is_new = true;
            }
        }
    }
    for ((info, place), size) in all.iter().copied().zip(&sizes) {
        if size.is_none() {
            let text = format!("the group `{}` contains itself", info.id);
            finder.find("group-within-itself", text, *place);
        }
    }
    if sizes.iter().flatten().sum::<usize>() > MOST_MEMBERS {
        let text = format!("expected at most {MOST_MEMBERS} members of groups");
        finder.find("too-many-members", text, (0, 0));
    }
    let mut of_continents = vec![0; all.len()];
    for territory in &draft.territories {
        if let Some(continent) = territory.info.continent {
            of_continents[continent.index()] += 1;
        }
    }
    for ((info, place), more) in all.into_iter().zip(of_continents) {
        let most = info.territories.len() + info.groups.len() + more;
        let steps = info.steps.iter().map(|step| step.needs);
        for needs in info.needs.into_iter().chain(steps) {
            if needs as usize > most {
                let text = format!("`{}` has {most} members, but needs {needs}", info.id);
                finder.find("needs-too-many", text, *place);
            }
        }
    }
}
