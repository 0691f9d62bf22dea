//! Maps in the JSON format of the AI challenges, with regions numbered from 1 and super regions:
//! `{"Regions": [{"id", "superRegion", "neighbors"}], "SuperRegions": [{"id", "bonus"}]}`.
//!
//! JSON is YAML, so the same parser reads the file; only the keys differ. A border that is listed
//! at one end can be crossed both ways.

use std::collections::BTreeMap;

use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::yaml_reader::DocumentReader;
use crate::nodes::{Node, NodeReader, Value};
use risk_kernel::board::TerritoryInfo;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::Group;

pub(super) const KEYS: [&str; 2] = ["Regions", "SuperRegions"];
const ALL_KEYS: [&str; 4] = ["Regions", "SuperRegions", "name", "lints"];
const REGION_KEYS: [&str; 3] = ["id", "superRegion", "neighbors"];
const SUPER_KEYS: [&str; 2] = ["id", "bonus"];

pub(super) fn fits(root: &Node) -> bool {
    KEYS.iter().any(|key| root.get(key).is_some())
}

pub(super) fn read(root: &Node, stem: &str, finder: &mut Diagnostics<'_>) -> Option<Draft> {
    RegionsReader {
        reader: DocumentReader { finder },
    }
    .map(root, stem)
}

type LocatedId = (i64, Extent);

struct RegionEntry {
    id: LocatedId,
    of: Option<LocatedId>,
    neighbours: Vec<LocatedId>,
}

struct RegionsReader<'r, 'f> {
    reader: DocumentReader<'r, 'f>,
}

impl RegionsReader<'_, '_> {
    fn map(&mut self, root: &Node, stem: &str) -> Option<Draft> {
        let mut draft = Draft {
            name: stem.to_owned(),
            mutual: true,
            ..Draft::default()
        };
        let mut regions: &[Node] = &[];
        let mut supers: &[Node] = &[];
        let finder = &mut self.reader.finder;
        for (key, _, value) in finder.entries(root, "a map of regions", &ALL_KEYS) {
            match key {
                "Regions" => regions = self.reader.list(value, "`Regions`"),
                "SuperRegions" => supers = self.reader.list(value, "`SuperRegions`"),
                "name" => draft.name = self.reader.text(value, "the name of a map"),
                _ => self.reader.lints(value),
            }
        }
        if regions.is_empty() {
            let text = "the map has no regions";
            self.reader.find("no-territories", text, (0, 0));
            return None;
        }
        if !self.reader.finder.fits(regions.len(), supers.len()) {
            return None;
        }
        let of = self.super_regions(supers, &mut draft);
        let mut all: Vec<RegionEntry> = regions
            .iter()
            .filter_map(|node| self.region(node))
            .collect();
        all.sort_by_key(|region| region.id.0);
        if all.len() < regions.len() {
            return None;
        }
        self.numbered(&all)?;
        for region in &all {
            let territory = self.territory(region, &of, all.len());
            draft.territories.push(territory);
        }
        Some(draft)
    }

    /// Reads the super regions, and returns their indices by number.
    fn super_regions(&mut self, nodes: &[Node], draft: &mut Draft) -> BTreeMap<i64, usize> {
        let mut found: BTreeMap<i64, (i32, Extent)> = BTreeMap::new();
        for node in nodes {
            self.reader
                .finder
                .entries(node, "a super region", &SUPER_KEYS);
            let [id, bonus] = SUPER_KEYS.map(|wanted| node.get(wanted));
            let Some((id, place)) = self.number(id, "missing key `id` in a super region", node)
            else {
                continue;
            };
            let named = format!("super-{id}");
            let bonus = match bonus {
                Some(node) if !matches!(node.value, Value::Int(_)) => {
                    let text = format!(
                        "the bonus of `{named}` must be an integer, found {}",
                        node.shown()
                    );
                    self.reader.find("bonus-not-number", text, node.extent());
                    None
                }
                bonus => self.number(bonus, &format!("missing key `bonus` in `{named}`"), node),
            };
            let bonus = bonus.map_or(0, |(bonus, place)| {
                self.reader.finder.bonus(bonus, &named, place)
            });
            if found.insert(id, (bonus, place)).is_some() {
                let text = format!("duplicate super region {id}");
                self.reader.find("duplicate-continent", text, place);
            }
        }
        for (&id, &(bonus, place)) in &found {
            let info = GroupInfo {
                id: format!("super-{id}"),
                name: format!("Super region {id}"),
                bonus,
                colour: None,
                ..GroupInfo::default()
            };
            draft.continents.push((info, place));
        }
        found.into_keys().zip(0..).collect()
    }

    fn region(&mut self, node: &Node) -> Option<RegionEntry> {
        self.reader.finder.entries(node, "a region", &REGION_KEYS);
        let [id, of, neighbours] = REGION_KEYS.map(|wanted| node.get(wanted));
        let id = self.number(id, "missing key `id` in a region", node)?;
        let missing = format!("missing key `superRegion` in region {}", id.0);
        let of = self.number(of, &missing, node);
        // The last region may list no neighbours, because its neighbours list it.
        let list = neighbours.map_or(&[][..], |list| self.reader.list(list, "`neighbors`"));
        let neighbours = list
            .iter()
            .filter_map(|node| self.number(Some(node), "", node))
            .collect();
        Some(RegionEntry { id, of, neighbours })
    }

    /// Reads an integer, or reports `missing`.
    fn number(&mut self, node: Option<&Node>, missing: &str, of: &Node) -> Option<LocatedId> {
        let finder = &mut self.reader.finder;
        let Some(node) = node else {
            finder.find("missing-key", missing.to_owned(), of.first_key());
            return None;
        };
        let Value::Int(number) = node.value else {
            let text = format!("expected an integer, found {}", node.kind());
            finder.wrong(node, text, "write an integer");
            return None;
        };
        Some((number, node.extent()))
    }

    /// Checks that the regions are numbered from 1 without gaps.
    fn numbered(&mut self, all: &[RegionEntry]) -> Option<()> {
        let mut fits = true;
        for (index, region) in all.iter().enumerate() {
            let (id, place) = region.id;
            if index > 0 && all[index - 1].id.0 == id {
                let text = format!("duplicate region {id}");
                self.reader.find("duplicate-territory", text, place);
                fits = false;
            } else if !(1..=all.len() as i64).contains(&id) {
                let most = all.len();
                let text = format!("expected a region number from 1 to {most}, found {id}");
                let help = "number the regions 1, 2, 3 … without gaps".to_owned();
                let finder = &mut self.reader.finder;
                finder.find_with("bad-id", text, Some(help), place);
                fits = false;
            }
        }
        fits.then_some(())
    }

    fn territory(
        &mut self,
        region: &RegionEntry,
        supers: &BTreeMap<i64, usize>,
        count: usize,
    ) -> TerritoryDraft {
        let (id, place) = region.id;
        let mut info = TerritoryInfo {
            id: format!("region-{id}"),
            name: format!("Region {id}"),
            ..TerritoryInfo::default()
        };
        if let Some((of, place)) = region.of {
            info.continent = supers.get(&of).map(|&index| Group::from_index(index));
            if info.continent.is_none() {
                let text = format!("no super region with the number {of}");
                self.reader.find("unknown-continent", text, place);
            }
        }
        let mut draft = TerritoryDraft::new(info, place);
        for &(to, place) in &region.neighbours {
            if (1..=count as i64).contains(&to) {
                draft.borders.push((to as usize - 1, place));
            } else {
                let text = format!("region {id} borders the unknown region {to}");
                self.reader.find("border-unknown-id", text, place);
            }
        }
        draft
    }
}
