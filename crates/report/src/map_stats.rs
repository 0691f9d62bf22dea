//! Statistics of a map: distances, chokepoints, the cost of holding continents, and symmetry.

use std::collections::{BTreeMap, VecDeque};

use petgraph::algo::articulation_points::articulation_points;
use petgraph::algo::bridges;
use petgraph::graph::UnGraph;
use petgraph::visit::EdgeRef;
use serde_json::{Value, json};

use super::counts::counts;
use risk_kernel::board::Board;
use risk_kernel::id::{Group, Territory};
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// The value and the cost of a continent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The id of the continent or group.
    pub id: String,
    /// The bonus in armies a turn for a player who owns all of it.
    pub bonus: i64,
    /// The number of territories.
    pub territories: usize,
    /// The number of territories that can be attacked from outside.
    pub held: usize,
    /// The number of borders that lead into the continent.
    pub ways_in: usize,
}

impl Holding {
    /// Returns the bonus per territory if it is divided among `count` territories.
    fn per(&self, count: usize) -> f64 {
        self.bonus as f64 / count.max(1) as f64
    }

    fn row(&self) -> String {
        format!(
            "  {} {:>5}  {:>4}  {:>7}  {:>7}  {:>13.2}  {:>8.2}",
            pad(&self.id, 20),
            self.bonus,
            self.territories,
            self.held,
            self.ways_in,
            self.per(self.territories),
            self.per(self.held)
        )
    }

    fn in_words(&self, paint: Paint) -> Vec<String> {
        let size = counted(self.territories, "territory");
        let ways = counted(self.ways_in, "way");
        let text = format!(
            "bonus {} for {size}, {} to hold, {ways} in; {:.2} a territory, {:.2} for each to hold",
            self.bonus,
            self.held,
            self.per(self.territories),
            self.per(self.held)
        );
        paint.hang(&format!("  {} ", self.id), &text)
    }
}

/// Returns the header of the table of continents.
fn heads(narrow: bool) -> String {
    let columns = [
        "bonus",
        "size",
        "to hold",
        "ways in",
        "per territory",
        "per held",
    ];
    let columns = if narrow {
        String::new()
    } else {
        columns.join("  ")
    };
    let heads = format!("  {} {columns}", pad("continent", 20));
    heads.trim_end().to_owned()
}

/// The statistics of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// The number of territories for each number of outgoing borders.
    pub degrees: BTreeMap<usize, usize>,
    /// The number of ordered pairs of territories for each distance, in steps along the borders.
    pub distances: BTreeMap<usize, usize>,
    /// The number of ordered pairs without a path from the first territory to the second.
    pub unreachable: usize,
    /// The number of one-way borders.
    pub one_way: usize,
    /// Territories whose removal splits the map.
    pub chokepoints: Vec<String>,
    /// Borders whose removal splits the map.
    pub bridges: Vec<(String, String)>,
    /// The continents and the other groups, in map order.
    pub groups: Vec<Holding>,
    /// The sizes of the groups of territories that their borders can't distinguish, the largest
    /// first. All sizes are 1 if each territory is unique.
    pub alike: Vec<usize>,
}

impl Stats {
    /// Computes the statistics of a map.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let mut degrees = BTreeMap::new();
        for at in board.territories() {
            *degrees.entry(board.neighbours(at).len()).or_insert(0) += 1;
        }
        let mut distances = BTreeMap::new();
        let mut unreachable = 0;
        for from in board.territories() {
            for steps in steps(board, from)
                .into_iter()
                .enumerate()
                .filter(|&(to, _)| to != from.index())
            {
                match steps.1 {
                    Some(steps) => *distances.entry(steps).or_insert(0) += 1,
                    None => unreachable += 1,
                }
            }
        }
        let id = |at: Territory| board.info(at).id.clone();
        let mut graph = UnGraph::<(), ()>::with_capacity(board.len(), 0);
        let nodes: Vec<_> = board.territories().map(|_| graph.add_node(())).collect();
        for (from, to, _) in board.edges() {
            graph.add_edge(nodes[from.index()], nodes[to.index()], ());
        }
        let mut cuts: Vec<usize> = articulation_points(&graph)
            .into_iter()
            .map(|node| node.index())
            .collect();
        cuts.sort_unstable();
        let mut bridges: Vec<(usize, usize)> = bridges(&graph)
            .map(|edge| (edge.source().index(), edge.target().index()))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        bridges.sort_unstable();
        Self {
            degrees,
            distances,
            unreachable,
            one_way: board.edges().filter(|(_, _, one_way)| *one_way).count(),
            chokepoints: cuts
                .into_iter()
                .map(|at| id(Territory::from_index(at)))
                .collect(),
            bridges: bridges
                .into_iter()
                .map(|(a, b)| (id(Territory::from_index(a)), id(Territory::from_index(b))))
                .collect(),
            groups: (0..board.groups().len())
                .map(|index| holding(board, index))
                .collect(),
            alike: alike(board),
        }
    }

    /// Returns the largest distance between two territories, in steps.
    #[must_use]
    pub fn diameter(&self) -> usize {
        self.distances.keys().last().copied().unwrap_or(0)
    }

    fn mean_distance(&self) -> f64 {
        let pairs: usize = self.distances.values().sum();
        let steps = self.distances.iter().map(|(steps, pairs)| steps * pairs);
        let steps: usize = steps.sum();
        steps as f64 / pairs.max(1) as f64
    }

    /// Formats the statistics. A page that is wide enough gets a table of continents.
    #[must_use]
    pub fn text(&self, board: &Board, paint: Paint) -> String {
        let mut lines = vec![paint.bold(board.name()), paint.dim(&counts(board))];
        for (name, value) in self.of_the_graph(board) {
            lines.extend(paint.hang(&format!("  {} ", pad(name, 13)), &value));
        }
        let narrow = paint.width < 80;
        if !self.groups.is_empty() {
            lines.push(String::new());
            lines.push(paint.dim(&heads(narrow)));
        }
        for of in &self.groups {
            if narrow {
                lines.extend(of.in_words(paint));
            } else {
                lines.push(of.row());
            }
        }
        lines.join("\n")
    }

    /// Returns the rows about territories and borders as pairs of name and text.
    fn of_the_graph(&self, board: &Board) -> Vec<(&'static str, String)> {
        let spread = |counts: &BTreeMap<usize, usize>, what: &str| {
            let all = counts
                .iter()
                .map(|(key, count)| format!("{count} {what} {key}"));
            all.collect::<Vec<_>>().join(", ")
        };
        let degrees = self.degrees.iter();
        let total: usize = degrees.map(|(degree, count)| degree * count).sum();
        let mean = total as f64 / board.len().max(1) as f64;
        let borders = format!("{mean:.1} per territory: {}", spread(&self.degrees, "with"));
        let mut rows = vec![("borders", borders)];
        if self.one_way > 0 {
            rows.push(("one-way", counted(self.one_way, "border")));
        }
        let diameter = counted(self.diameter(), "step");
        let mean = self.mean_distance();
        let between = format!("{diameter}; {mean:.1} between two territories on average");
        rows.push(("diameter", between));
        let pairs = format!("pairs: {}", spread(&self.distances, "at"));
        rows.push(("distances", pairs));
        if self.unreachable > 0 {
            rows.push(("unreachable", counted(self.unreachable, "pair")));
        }
        rows.push(("chokepoints", some(&self.chokepoints)));
        let bridges = self.bridges.iter().map(|(a, b)| format!("{a} – {b}"));
        rows.push(("bridges", some(&bridges.collect::<Vec<_>>())));
        rows.push(("alike", self.symmetry()));
        rows
    }

    fn symmetry(&self) -> String {
        let kinds = self.alike.len();
        let most = self.alike.first().copied().unwrap_or(0);
        let least = self.alike.last().copied().unwrap_or(0);
        match most {
            0 | 1 => "no two territories have equivalent borders".to_owned(),
            _ if most == least => {
                format!("{kinds} kinds of territories by border, {most} of each: an even map")
            }
            _ => format!("{kinds} kinds of territories by border, up to {most} of each"),
        }
    }

    /// Returns the statistics as a JSON object, with the continents and groups in map order.
    #[must_use]
    pub fn json(&self, board: &Board) -> Value {
        let groups = self.groups.iter().map(|of| {
            json!({
                "id": of.id,
                "bonus": of.bonus,
                "territories": of.territories,
                "held": of.held,
                "ways_in": of.ways_in,
                "bonus_per_territory": of.per(of.territories),
                "bonus_per_held": of.per(of.held),
            })
        });
        let mut continents: Vec<Value> = groups.collect();
        let groups = continents.split_off(board.continents().len());
        json!({
            "format": 1,
            "map": board.name(),
            "territories": board.len(),
            "borders": board.border_count(),
            "one_way": self.one_way,
            "diameter": self.diameter(),
            "mean_distance": self.mean_distance(),
            "degrees": self.degrees,
            "distances": self.distances,
            "unreachable": self.unreachable,
            "chokepoints": self.chokepoints,
            "bridges": self.bridges,
            "alike": self.alike,
            "continents": continents,
            "groups": groups,
        })
    }
}

/// Joins at most twelve names.
fn some(names: &[String]) -> String {
    match names.len() {
        0 => "none".to_owned(),
        1..=12 => names.join(", "),
        count => format!("{}, and {} more", names[..12].join(", "), count - 12),
    }
}

/// Returns the number of steps from a territory to each territory, `None` if there is no path.
fn steps(board: &Board, from: Territory) -> Vec<Option<usize>> {
    let mut steps = vec![None; board.len()];
    steps[from.index()] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((at, here)) = queue.pop_front() {
        for &to in board.neighbours(at) {
            if steps[to.index()].is_none() {
                steps[to.index()] = Some(here + 1);
                queue.push_back((to, here + 1));
            }
        }
    }
    steps
}

fn holding(board: &Board, index: usize) -> Holding {
    let group = Group::from_index(index);
    let info = board.group(group);
    let abroad = |at: &Territory| !board.groups_around(*at).contains(&group);
    let ways = |at: Territory| board.sources(at).iter().filter(|from| abroad(from)).count();
    let members = board.members(group);
    Holding {
        id: info.id.clone(),
        bonus: info.whole_bonus(),
        territories: members.len(),
        held: members.iter().filter(|&&at| ways(at) > 0).count(),
        ways_in: members.iter().map(|&at| ways(at)).sum(),
    }
}

/// Returns the sizes of the groups that colour refinement finds: territories that look alike, with
/// neighbours that look alike, and so on. No symmetry of the map moves a territory out of its
/// group.
fn alike(board: &Board) -> Vec<usize> {
    let kinds_of = |keys: Vec<(usize, Vec<usize>, Vec<usize>)>| -> Vec<usize> {
        let mut sorted: Vec<_> = keys.iter().collect();
        sorted.sort();
        sorted.dedup();
        let number: BTreeMap<_, usize> = sorted.into_iter().zip(0..).collect();
        keys.iter().map(|key| number[key]).collect()
    };
    let worth = |at: Territory| {
        let around = board.groups_around(at).iter();
        let groups = around.map(|&it| (board.group(it).bonus, board.members(it).len()));
        (board.info(at).rule_numbers(), groups.collect::<Vec<_>>())
    };
    let worths: Vec<_> = board.territories().map(worth).collect();
    let mut sorted = worths.clone();
    sorted.sort();
    sorted.dedup();
    let mut kinds: Vec<usize> = worths
        .iter()
        .map(|worth| sorted.binary_search(worth).unwrap_or_default())
        .collect();
    let mut count = sorted.len();
    loop {
        let key = |at: Territory| {
            let seen = |list: &[Territory]| {
                // A border to another continent differs from one within the continent.
                let abroad = |to: &Territory| {
                    usize::from(board.info(*to).continent != board.info(at).continent)
                };
                let mut seen: Vec<usize> = list
                    .iter()
                    .map(|to| kinds[to.index()] * 2 + abroad(to))
                    .collect();
                seen.sort_unstable();
                seen
            };
            (
                kinds[at.index()],
                seen(board.neighbours(at)),
                seen(board.sources(at)),
            )
        };
        kinds = kinds_of(board.territories().map(key).collect());
        let now = kinds.iter().max().map_or(0, |most| most + 1);
        if now == count {
            break;
        }
        count = now;
    }
    let mut sizes = vec![0; count];
    for kind in kinds {
        sizes[kind] += 1;
    }
    sizes.retain(|size| *size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
