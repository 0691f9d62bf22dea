//! Reads the borders of a map in YAML: ids, or mappings with a condition, a kind or data.

use std::collections::BTreeMap;

use super::draft::{Draft, Extent, KnownIds, TerritoryDraft};
use super::yaml_reader::DocumentReader;
use crate::nodes::{Node, NodeReader as _, Value};
use risk_kernel::borders::{BorderInfo, Holding};
use risk_kernel::id::{Group, Territory};
use risk_text::suggest;

const BORDER_KEYS: [&str; 5] = ["to", "kind", "one_way", "open_if", "strength"];

impl DocumentReader<'_, '_> {
    /// Reads the two lists of borders of a territory: those in both directions, and those in one.
    pub(super) fn borders(
        &mut self,
        draft: &mut TerritoryDraft,
        [two_way, one_way]: [&[Node]; 2],
        known: &KnownIds,
    ) {
        let all = two_way.iter().map(|node| (node, false));
        let all = all.chain(one_way.iter().map(|node| (node, true)));
        for (node, mut is_one_way) in all {
            let mut info = BorderInfo::default();
            let to = match &node.value {
                Value::Map(_) => self.border(node, &mut info, &mut is_one_way, draft, known),
                _ => self.target(node, draft, &known.territories),
            };
            let Some((to, place)) = to else {
                continue;
            };
            match is_one_way {
                true => draft.one_way.push((to, place)),
                false => draft.borders.push((to, place)),
            }
            if let Value::Map(_) = node.value {
                draft.special.push((to, info));
            }
        }
    }

    fn border(
        &mut self,
        node: &Node,
        info: &mut BorderInfo,
        is_one_way: &mut bool,
        draft: &TerritoryDraft,
        known: &KnownIds,
    ) -> Option<(usize, Extent)> {
        let mut to = None;
        for (key, key_node, value) in self.finder.pairs(node, "a border") {
            match key {
                "to" => to = self.target(value, draft, &known.territories),
                "kind" => info.is_bombard = self.is_bombard(value),
                "one_way" => *is_one_way |= self.flag(value, "`one_way`"),
                "strength" => info.strength = self.strength(value),
                "open_if" => info.open_if = self.condition(value, known),
                _ if matches!(value.value, Value::Null) => {
                    self.finder.valueless("value", key_node);
                }
                "data" if matches!(value.value, Value::Map(_)) => self.no_data_key(key_node),
                other => {
                    if let Some(near) = suggest::nearest(other, BORDER_KEYS) {
                        let place = key_node.extent();
                        self.finder.near_key(other, near, 1, false, place);
                    }
                    if let Some(datum) = self.datum(value) {
                        info.data.insert(other.to_owned(), datum);
                    }
                }
            }
        }
        if node.get("to").is_none() {
            let text = format!("missing key `to` in a border of `{}`", draft.info.id);
            self.find("missing-key", text, node.first_key());
        }
        to
    }

    fn is_bombard(&mut self, node: &Node) -> bool {
        let is_bombard = matches!(&node.value, Value::Text(text) if text == "bombard");
        if !is_bombard {
            let text = format!(
                "the kind of a border must be `bombard`, found {}",
                node.shown()
            );
            let help = "leave out `kind` for a border over which armies can go".to_owned();
            self.finder
                .find_with("value", text, Some(help), node.extent());
        }
        is_bombard
    }

    fn condition(&mut self, node: &Node, known: &KnownIds) -> Option<Holding> {
        let mut found = None;
        for (_, _, value) in self.finder.entries(node, "`open_if`", &["holds"]) {
            let Some(id) = self.id_of(value, "`holds`") else {
                continue;
            };
            let territory = known.territories.get(&id).copied();
            let group = known.groups.get(&id).copied();
            // As in Conquer Club, a territory comes before a group of the same name.
            found = match (territory, group) {
                (Some(at), _) => Some(Holding::Territory(Territory::from_index(at))),
                (None, Some(group)) => Some(Holding::Group(Group::from_index(group))),
                (None, None) => None,
            };
            if found.is_none() {
                let text = format!("a border is open to holders of the unknown `{id}`");
                let ids = known.territories.keys().chain(known.groups.keys());
                let ids = ids.map(String::as_str);
                self.finder
                    .unknown("unknown-member", text, &id, ids, value.extent());
            }
        }
        if matches!(node.value, Value::Map(_)) && node.get("holds").is_none() {
            let text = "missing key `holds` in `open_if`";
            self.find("missing-key", text, node.extent());
        }
        found
    }

    fn target(
        &mut self,
        node: &Node,
        draft: &TerritoryDraft,
        ids: &BTreeMap<String, usize>,
    ) -> Option<(usize, Extent)> {
        let id = self.id_of(node, "a border")?;
        let id = self.seen(&id, node);
        match ids.get(&id) {
            Some(&to) => return Some((to, node.extent())),
            None if matches!(node.value, Value::Float(_) | Value::Bool(_)) => {}
            None => {
                let text = format!("`{}` borders the unknown territory `{id}`", draft.info.id);
                let known = ids.keys().map(String::as_str);
                self.finder
                    .unknown("border-unknown-id", text, &id, known, node.extent());
            }
        }
        None
    }
}

/// Returns what a map says about its borders, by direction. What one end says holds in both
/// directions, unless the other end says something itself.
pub(super) fn special(
    draft: &Draft,
    is_border: impl Fn(Territory, Territory) -> bool,
) -> Vec<(Territory, Territory, BorderInfo)> {
    let mut all = Vec::new();
    for (from, territory) in draft.territories.iter().enumerate() {
        for (to, info) in &territory.special {
            let says = |listed: &[(usize, BorderInfo)]| listed.iter().any(|(to, _)| *to == from);
            let other_says = says(&draft.territories[*to].special);
            let is_one_way = territory.one_way.iter().any(|(end, _)| end == to);
            let ends = [from, *to].map(Territory::from_index);
            all.push((ends[0], ends[1], info.clone()));
            if !other_says && !is_one_way {
                all.push((ends[1], ends[0], info.clone()));
            }
        }
    }
    all.retain(|&(from, to, _)| is_border(from, to));
    all
}
