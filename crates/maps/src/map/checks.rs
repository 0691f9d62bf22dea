//! Checks of maps that do not depend on the form of the file, and the conversion of drafts to
//! boards.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::unionfind::UnionFind;

use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::{Borders, border_reader, groups, shape_lints};
use risk_kernel::board::Board;
use risk_kernel::fight_class::MOST_CLASS;
use risk_kernel::id::{Group, Territory};

const MOST_BORDERS: usize = 250_000;

pub(super) fn board(draft: Draft, taken: Borders, finder: &mut Diagnostics<'_>) -> Option<Board> {
    if draft.continents.is_empty() && draft.mutual {
        finder.find("no-continents", "the map has no continents", (0, 0));
    }
    territories(&draft, finder);
    let listed: usize = draft
        .territories
        .iter()
        .map(|draft| draft.borders.len() + draft.one_way.len())
        .sum();
    if listed > MOST_BORDERS {
        finder.find(
            "too-many-borders",
            format!("expected at most {MOST_BORDERS} borders, found {listed}"),
            (0, 0),
        );
        return None;
    }
    let borders = borders(&draft, taken, finder);
    groups::check(&draft, finder);
    if finder.is_hard() {
        return None;
    }
    shape_lints::corners(&draft, finder);
    let listed: BTreeSet<_> = borders.iter().copied().collect();
    let special = border_reader::special(&draft, |from, to| listed.contains(&(from, to)));
    let places: Vec<Extent> = draft.territories.iter().map(|draft| draft.place).collect();
    let infos = draft.territories.into_iter();
    let infos = infos.map(|draft| draft.info).collect();
    let (continents, mut group_places): (Vec<_>, Vec<_>) = draft.continents.into_iter().unzip();
    let (groups, places_of_others): (Vec<_>, Vec<_>) = draft.groups.into_iter().unzip();
    group_places.extend(places_of_others);
    let board = Board::new(draft.name, draft.about, infos, continents, &borders);
    let board = board.with_groups(groups).with_borders(special);
    let board = board.with_look(draft.look).with_data(draft.data);
    for (at, &place) in board.territories().zip(&places) {
        let sources = board.sources(at).iter();
        let most = sources
            .map(|&from| board.strength(from, at))
            .max()
            .unwrap_or(0);
        if most > MOST_CLASS {
            let text = format!("fights for `{}` have the class {most}", board.info(at).id);
            finder.find("strength-too-high", text, place);
        }
    }
    if finder.is_hard() {
        return None;
    }
    graph(&board, &places, &group_places, finder);
    if finder.is_close() {
        shape_lints::shores(&board, &places, finder);
    }
    Some(board)
}

fn territories(draft: &Draft, finder: &mut Diagnostics<'_>) {
    let mut ids = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut seen = BTreeMap::new();
    for draft_of in &draft.territories {
        let info = &draft_of.info;
        let place = draft_of.place;
        if !ids.insert(info.id.as_str()) {
            finder.find(
                "duplicate-territory",
                format!("duplicate territory `{}`", info.id),
                place,
            );
        } else if !names.insert(info.name.as_str()) {
            let text = format!("duplicate territory name {}", info.name);
            finder.find("duplicate-territory-name", text, place);
        }
        if info.continent.is_none() && !draft.continents.is_empty() && !finder.denied() {
            finder.find(
                "territory-without-continent",
                format!("`{}` has no continent", info.id),
                place,
            );
        }
        if let Some(at) = info.at {
            *seen.entry(at).or_insert(0) += 1;
        }
    }
    let placed: usize = seen.values().sum();
    if placed > 2 && seen.len() == 1 {
        let text = "all territories have the same position";
        finder.find("dummy-coordinates", text, draft.territories[0].place);
    }
    for draft_of in &draft.territories {
        let id = &draft_of.info.id;
        let place = draft_of.place;
        match draft_of.info.at {
            None if placed > 0 || !draft.mutual => {
                finder.find(
                    "missing-coordinates",
                    format!("`{id}` has no position"),
                    place,
                );
            }
            // Only the later territories at a place are reported.
            Some(at) if seen.len() > 1 && seen.insert(at, 0) == Some(0) => {
                let text = format!("`{id}` has the same position as another territory");
                finder.find("shared-coordinates", text, place);
            }
            _ => {}
        }
    }
}

/// Returns all directed borders, each once. The list for a territory begins with its two-way
/// borders, in the order of the file.
fn borders(
    draft: &Draft,
    taken: Borders,
    finder: &mut Diagnostics<'_>,
) -> Vec<(Territory, Territory)> {
    let all = &draft.territories;
    let mutual = draft.mutual || taken == Borders::TwoWay;
    let listed: Vec<Vec<(usize, Extent)>> = (0..all.len())
        .map(|from| once(from, &all[from].borders, all, finder))
        .collect();
    let directed: BTreeSet<(usize, usize)> = listed
        .iter()
        .enumerate()
        .flat_map(|(from, list)| list.iter().map(move |&(to, _)| (from, to)))
        .collect();
    let mut found = BTreeSet::new();
    let mut edges = Vec::new();
    let mut add = |from: usize, to: usize| {
        if found.insert((from, to)) {
            edges.push((Territory::from_index(from), Territory::from_index(to)));
        }
    };
    let mut one_way = Vec::new();
    for (from, list) in listed.iter().enumerate() {
        for &(to, place) in list {
            if mutual || directed.contains(&(to, from)) {
                add(from, to);
            } else {
                one_way.push((from, to, place));
            }
        }
    }
    if mutual {
        for &(from, to) in &directed_in_order(&listed) {
            add(to, from);
        }
    }
    for from in 0..all.len() {
        let targets = once(from, &all[from].one_way, all, finder);
        one_way.extend(targets.into_iter().map(|(to, place)| (from, to, place)));
    }
    for (from, to, place) in one_way {
        if taken == Borders::TwoWay {
            add(from, to);
            add(to, from);
            continue;
        }
        let text = format!(
            "the border from `{}` to `{}` is one-way",
            all[from].info.id, all[to].info.id
        );
        finder.find("one-way-border", text, place);
        add(from, to);
    }
    edges
}

fn directed_in_order(listed: &[Vec<(usize, Extent)>]) -> Vec<(usize, usize)> {
    listed
        .iter()
        .enumerate()
        .flat_map(|(from, list)| list.iter().map(move |&(to, _)| (from, to)))
        .collect()
}

/// Returns the borders in a list without duplicates.
fn once(
    from: usize,
    list: &[(usize, Extent)],
    all: &[TerritoryDraft],
    finder: &mut Diagnostics<'_>,
) -> Vec<(usize, Extent)> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::with_capacity(list.len());
    for &(to, place) in list {
        let id = &all[from].info.id;
        let other = &all[to].info.id;
        if !seen.insert(to) {
            finder.find(
                "duplicate-border",
                format!("duplicate border from `{id}` to `{other}`"),
                place,
            );
        } else if to == from {
            finder.find("self-loop", format!("`{id}` borders itself"), place);
        } else {
            kept.push((to, place));
        }
    }
    kept
}

fn graph(board: &Board, places: &[Extent], groups: &[Extent], finder: &mut Diagnostics<'_>) {
    if board.len() == 1 {
        finder.find(
            "single-territory",
            "the map has only one territory",
            places[0],
        );
    }
    for at in board.territories() {
        let alone = board.neighbours(at).is_empty() && board.sources(at).is_empty();
        if alone && board.len() > 1 {
            finder.find(
                "territory-without-borders",
                format!("`{}` has no borders", board.info(at).id),
                places[at.index()],
            );
        }
    }
    let parts = parts_of(board, &board.territories().collect::<Vec<_>>());
    for part in parts.iter().skip(1) {
        let names = name_list(board, part);
        let first = &board.info(Territory(0)).id;
        let text = format!("the map is not connected: {names} can't be reached from {first}");
        finder.find("disconnected-map", text, places[part[0].index()]);
    }
    if parts.len() == 1 && kosaraju_scc(board.graph()).len() > 1 {
        let text = "one-way borders make some territories unreachable from others";
        finder.find("not-strongly-connected", text, (0, 0));
    }
    for (index, info) in board.groups().iter().enumerate() {
        let members = board.members(Group::from_index(index));
        if members.is_empty() {
            let what = if index < board.continents().len() {
                "continent"
            } else {
                "group"
            };
            let text = format!("the {what} `{}` has no territories", info.id);
            finder.find("empty-continent", text, groups[index]);
        }
        // Other groups than continents may consist of parts.
        if members.is_empty() || index >= board.continents().len() {
            continue;
        }
        let parts = parts_of(board, members);
        if parts.len() > 1 {
            let id = &info.id;
            let first = &board.info(members[0]).id;
            let names = name_list(board, &parts[1..].concat());
            let text = format!(
                "the continent `{id}` is not connected: {names} can't be reached from {first} \
                 within the continent"
            );
            finder.find("disconnected-continent", text, groups[index]);
        }
    }
}

/// Returns the components of `members` that are connected through members alone, ignoring
/// directions.
fn parts_of(board: &Board, members: &[Territory]) -> Vec<Vec<Territory>> {
    let inside: BTreeSet<Territory> = members.iter().copied().collect();
    let mut sets = UnionFind::<usize>::new(board.len());
    for &from in members {
        for to in board
            .neighbours(from)
            .iter()
            .filter(|to| inside.contains(to))
        {
            sets.union(from.index(), to.index());
        }
    }
    let (mut parts, mut of): (Vec<Vec<Territory>>, BTreeMap<usize, usize>) =
        (Vec::new(), BTreeMap::new());
    for &at in members {
        let part = *of.entry(sets.find(at.index())).or_insert(parts.len());
        match parts.get_mut(part) {
            Some(part) => part.push(at),
            None => parts.push(vec![at]),
        }
    }
    parts
}

fn name_list(board: &Board, part: &[Territory]) -> String {
    let names = part.iter().take(4);
    let mut names: Vec<&str> = names.map(|&at| board.info(at).id.as_str()).collect();
    let more = format!("{} more", part.len().saturating_sub(4));
    if part.len() > 4 {
        names.push(&more);
    }
    names.join(", ")
}
