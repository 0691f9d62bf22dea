//! Random maps: `random:N`, `random:N:SEED` and `random:N:SEED:CONTINENTS`. All arithmetic uses
//! integers, so the maps are the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use super::MOST;
use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Group, Territory};
use risk_kernel::rng::{Purpose, Stream};

/// The side of the square that contains a territory's position.
const SIDE: i64 = 100;
/// The minimum distance between a position and the edge of its square.
const EDGE: i64 = 18;
/// The maximum number of squares that a border may span.
const REACH: i64 = 4;
/// The default number of territories in a continent.
const SIZE: usize = 7;

type Point = (i64, i64);

/// Makes a planar, connected map. It has one position per square, and borders between positions
/// that have no other position in between (the Gabriel graph). Continents grow from seeds, and
/// their bonuses depend on their sizes and borders.
pub(super) fn random(spec: &str, rest: &str) -> Option<Board> {
    let (count, seed, many) = parse(rest)?;
    let mut luck = Stream::new(seed, count as u64, Purpose::Setup);
    let places = places(count, &mut luck);
    let borders = borders(&places);
    let mut lists = vec![Vec::new(); count];
    for &(from, to) in &borders {
        lists[from].push(to);
        lists[to].push(from);
    }
    let of = continents(&lists, many, &mut luck);
    let mut used = BTreeSet::new();
    let mut fresh = |luck: &mut Stream| loop {
        let name = name(luck);
        if used.insert(name.clone()) {
            return name;
        }
    };
    let continents: Vec<GroupInfo> = (0..of.iter().max()? + 1)
        .map(|continent| {
            let name = fresh(&mut luck);
            let bonus = bonus(continent, &of, &lists);
            GroupInfo {
                id: name.to_lowercase(),
                name,
                bonus,
                colour: None,
                ..GroupInfo::default()
            }
        })
        .collect();
    let territories = places.iter().zip(&of).map(|(&(x, y), &continent)| {
        let name = fresh(&mut luck);
        TerritoryInfo {
            id: name.to_lowercase(),
            name,
            continent: Some(Group::from_index(continent)),
            at: Some((x as i32, y as i32)),
            ..TerritoryInfo::default()
        }
    });
    let territories = territories.collect();
    let edges: Vec<(Territory, Territory)> = borders
        .iter()
        .flat_map(|&(from, to)| [(from, to), (to, from)])
        .map(|(from, to)| (Territory::from_index(from), Territory::from_index(to)))
        .collect();
    let about = format!("A random map of {count} territories, with seed {seed}");
    Some(Board::new(
        spec.to_owned(),
        about,
        territories,
        continents,
        &edges,
    ))
}

fn parse(rest: &str) -> Option<(usize, u64, usize)> {
    let mut words = rest.split(':');
    let count: usize = words.next()?.parse().ok()?;
    let seed: u64 = words.next().unwrap_or("1").parse().ok()?;
    let many = match words.next() {
        Some(many) => many.parse().ok()?,
        None => (count / SIZE).max(2),
    };
    let fits = (4..=MOST).contains(&count) && (1..=count / 2).contains(&many);
    (fits && words.next().is_none()).then_some((count, seed, many))
}

/// Chooses a position in each of `count` squares of a block that is slightly wider than high.
fn places(count: usize, luck: &mut Stream) -> Vec<Point> {
    let width = (1..)
        .find(|width| width * width * 3 >= count * 4)
        .unwrap_or(1);
    let height = count.div_ceil(width);
    let mut squares: Vec<Point> = (0..height as i64)
        .flat_map(|row| (0..width as i64).map(move |column| (column, row)))
        .collect();
    // Surplus squares at random places stay empty, as lakes.
    luck.shuffle(&mut squares);
    squares.truncate(count);
    squares.sort_by_key(|&(column, row)| (row, column));
    let mut within =
        |square: i64| square * SIDE + EDGE + luck.below((SIDE - 2 * EDGE) as u64) as i64;
    squares
        .into_iter()
        .map(|(column, row)| (within(column), within(row)))
        .collect()
}

/// Returns the pairs of positions that share a border. The circle with their distance as its
/// diameter contains no third position.
fn borders(places: &[Point]) -> Vec<(usize, usize)> {
    let square = |(x, y): Point| (x / SIDE, y / SIDE);
    let by_square: BTreeMap<Point, usize> =
        places.iter().map(|&place| square(place)).zip(0..).collect();
    let near = |(x, y): Point, reach: i64| {
        let by_square = &by_square;
        let (column, row) = square((x, y));
        let all = (-reach..=reach)
            .flat_map(move |down| (-reach..=reach).map(move |right| (column + right, row + down)));
        all.filter_map(move |square| by_square.get(&square).copied())
    };
    let mut found = Vec::new();
    for (from, &a) in places.iter().enumerate() {
        for to in near(a, REACH).filter(|&to| to > from) {
            let b = places[to];
            let between = |c: Point| (a.0 - c.0) * (b.0 - c.0) + (a.1 - c.1) * (b.1 - c.1) < 0;
            let middle = (i64::midpoint(a.0, b.0), i64::midpoint(a.1, b.1));
            let free = near(middle, REACH)
                .all(|third| third == from || third == to || !between(places[third]));
            if free {
                found.push((from, to));
            }
        }
    }
    found
}

/// Assigns each territory to one of `many` continents. The smallest continent that can still grow
/// takes one of its neighbours in each step.
fn continents(lists: &[Vec<usize>], many: usize, luck: &mut Stream) -> Vec<usize> {
    let count = lists.len();
    let mut of: Vec<Option<usize>> = vec![None; count];
    let mut seeds: Vec<usize> = (0..count).collect();
    luck.shuffle(&mut seeds);
    // Neighbours of each continent's members. Some may have been assigned in the meantime.
    let mut edge: Vec<Vec<usize>> = vec![Vec::new(); many];
    let mut queue: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (continent, &seed) in seeds.iter().take(many).enumerate() {
        of[seed] = Some(continent);
        edge[continent].extend(&lists[seed]);
        queue.insert((1, continent));
    }
    while let Some((size, continent)) = queue.pop_first() {
        edge[continent].retain(|&at| of[at].is_none());
        if edge[continent].is_empty() {
            continue;
        }
        let pick = luck.below(edge[continent].len() as u64) as usize;
        let at = edge[continent].swap_remove(pick);
        of[at] = Some(continent);
        edge[continent].extend(&lists[at]);
        queue.insert((size + 1, continent));
    }
    // The map is connected, so every territory is assigned.
    of.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the bonus of a continent in armies: 1/3 for each territory, plus 1/2 for each territory
/// that borders another continent, rounded. For the classic world, the bonuses are 5, 2, 5, 4, 7
/// and 2.
fn bonus(continent: usize, of: &[usize], lists: &[Vec<usize>]) -> i32 {
    let members = (0..of.len()).filter(|&at| of[at] == continent);
    let mut size = 0;
    let mut held = 0;
    for at in members {
        size += 1;
        held += i32::from(lists[at].iter().any(|&to| of[to] != continent));
    }
    ((2 * size + 3 * held + 3) / 6).max(1)
}

fn name(luck: &mut Stream) -> String {
    const BEGIN: [&str; 20] = [
        "b", "br", "d", "f", "g", "h", "k", "kr", "l", "m", "n", "p", "r", "s", "st", "t", "tr",
        "v", "w", "z",
    ];
    const MIDDLE: [&str; 10] = ["a", "e", "i", "o", "u", "a", "e", "o", "ai", "ei"];
    const END: [&str; 12] = ["", "", "", "n", "r", "s", "l", "m", "rn", "nd", "th", "st"];
    let mut pick = |from: &[&'static str]| from[luck.below(from.len() as u64) as usize];
    let mut word = String::new();
    for syllable in 0..3 {
        word.push_str(pick(&BEGIN));
        word.push_str(pick(&MIDDLE));
        if syllable == 1 && pick(&["short", "short", "long"]) == "short" {
            break;
        }
    }
    word.push_str(pick(&END));
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
