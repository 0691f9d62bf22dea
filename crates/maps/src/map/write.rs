//! Writes boards as text: in the forms that can be read, and in two forms for other programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::schema::MapFile;
use super::{CheckSettings, TextFile, check};
use crate::lint;
use risk_kernel::board::{Board, TerritoryInfo};
use risk_text::diag::Level;
use risk_text::xml;

/// A form in which a map can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The program's own YAML.
    Yaml,
    /// `.map` of Domination.
    Domination,
    /// A graph for Graphviz.
    Dot,
    /// A graph for network tools.
    Graphml,
}

/// A map as text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MapText {
    /// The whole file.
    pub text: String,
    /// Descriptions of data that the form can't represent, or can represent only with changes.
    pub lost: Vec<String>,
}

/// Writes a map. If the map needs other lint levels to be valid, the text sets these levels.
#[must_use]
pub fn write(board: &Board, target: Target) -> MapText {
    let mut written = once(board, target, &[]);
    if !matches!(target, Target::Dot | Target::Graphml) {
        let checked = check(
            &TextFile::new("written.map", &written.text),
            &CheckSettings::default(),
        );
        let denied = checked
            .findings
            .iter()
            .filter(|finding| finding.level == Level::Deny);
        let codes: BTreeSet<&str> = denied
            .map(|finding| finding.code.trim_start_matches("map::"))
            .collect();
        let codes: Vec<&str> = codes
            .into_iter()
            .filter(|code| lint::find(code).is_some_and(|lint| !lint.hard))
            .collect();
        if !codes.is_empty() {
            written = once(board, target, &codes);
        }
    }
    written
}

fn once(board: &Board, target: Target, warn: &[&str]) -> MapText {
    let mut lost = Vec::new();
    let text = match target {
        Target::Yaml => yaml(board, warn),
        Target::Domination => domination(board, warn, &mut lost),
        Target::Dot => dot(board),
        Target::Graphml => graphml(board),
    };
    MapText { text, lost }
}

fn yaml(board: &Board, warn: &[&str]) -> String {
    let mut file = MapFile::from(board);
    file.lints.warn = warn.iter().map(|code| (*code).to_owned()).collect();
    let Ok(Value::Object(keys)) = serde_json::to_value(file) else {
        return String::new();
    };
    let mut text = String::new();
    for (key, value) in keys {
        match value {
            Value::Array(items) if !items.is_empty() => {
                let _ = writeln!(text, "{key}:");
                for item in &items {
                    let _ = writeln!(text, "  - {}", flow(item));
                }
            }
            value => {
                let _ = writeln!(text, "{key}: {}", flow(&value));
            }
        }
    }
    text
}

fn flow(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            let keys: Vec<String> = keys
                .iter()
                .map(|(key, value)| format!("{}: {}", word(key), flow(value)))
                .collect();
            format!("{{ {} }}", keys.join(", "))
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(flow).collect::<Vec<_>>().join(", ")
        ),
        Value::String(text) => word(text),
        other => other.to_string(),
    }
}

/// Writes a text as YAML. The text is quoted unless YAML can only read it as a string.
pub(crate) fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_'. ".contains(c);
    let special = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity",
    ];
    let fits = text.starts_with(char::is_alphabetic)
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !special.contains(&text.to_lowercase().as_str());
    if fits {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

/// Lists the data that Domination can't represent.
fn left_out(board: &Board, lost: &mut Vec<String>) {
    let keys: BTreeSet<&str> = board
        .territories()
        .flat_map(|at| board.info(at).data.keys().map(String::as_str))
        .collect();
    if !keys.is_empty() {
        let keys = Vec::from_iter(keys).join(", ");
        lost.push(format!(
            "territory data ({keys}): not supported by Domination"
        ));
    }
    if !board.data().is_empty() || board.groups().iter().any(|it| !it.data.is_empty()) {
        lost.push("data of the map and its groups: not supported by Domination".to_owned());
    }
    if board.territories().any(|at| board.info(at).at.is_none()) {
        let text = "Domination needs coordinates, but some territories have none";
        lost.push(text.to_owned());
    }
    if !board.has_plain_borders() {
        let text = "kinds, conditions and data of borders: not supported by Domination";
        lost.push(text.to_owned());
    }
    if !board.has_plain_groups() || board.has_deployments() {
        let text = "groups beside continents, and what continents and territories give each turn: \
                    not supported by Domination";
        lost.push(text.to_owned());
    }
    if !board.about().is_empty() {
        lost.push("`about`: not supported by Domination".to_owned());
    }
}

fn domination(board: &Board, warn: &[&str], lost: &mut Vec<String>) -> String {
    left_out(board, lost);
    let file = underlined(board.name()).to_lowercase();
    let mut text = String::new();
    if !warn.is_empty() {
        // The reader understands this comment.
        let _ = writeln!(text, "; risk-cli: warn {}", warn.join(", "));
    }
    let _ = write!(
        text,
        "name {}\n\n[files]\npic {file}_pic.png\nmap {file}_map.gif\ncrd {file}.cards\n\n\
         [continents]\n",
        board.name()
    );
    for info in board.continents() {
        // For 0, Domination chooses a colour itself.
        let _ = writeln!(
            text,
            "{} {} {}",
            domination_name(&info.name),
            info.bonus,
            info.colour.as_deref().unwrap_or("0")
        );
    }
    text.push_str("\n[countries]\n");
    for at in board.territories() {
        let info = board.info(at);
        let continent = info.continent.map_or(0, |continent| continent.index() + 1);
        let place = info
            .at
            .map_or_else(String::new, |(x, y)| format!(" {x} {y}"));
        let _ = writeln!(
            text,
            "{} {} {continent}{place}",
            at.index() + 1,
            domination_name(&info.name)
        );
    }
    text.push_str("\n[borders]\n");
    for at in board.territories() {
        let numbers = board
            .neighbours(at)
            .iter()
            .map(|to| format!(" {}", to.index() + 1));
        let _ = writeln!(text, "{}{}", at.index() + 1, numbers.collect::<String>());
    }
    text
}

fn underlined(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Returns a name that Domination can read: a leading `;` or `[` would make it a comment or a
/// section.
fn domination_name(name: &str) -> String {
    let word = underlined(name);
    if word.starts_with([';', '[']) {
        format!("_{word}")
    } else {
        word
    }
}

fn dot(board: &Board) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!(
        "digraph {} {{\n  node [shape=ellipse, style=filled, fillcolor=white];\n",
        quoted(board.name())
    );
    for at in board.territories() {
        let info = board.info(at);
        let mut attributes = vec![format!("label={}", quoted(&info.name))];
        if let Some(continent) = info.continent {
            let of = &board.continents()[continent.index()];
            attributes.push(format!("continent={}", quoted(&of.id)));
            attributes.extend(
                of.colour
                    .iter()
                    .map(|colour| format!("fillcolor={}", quoted(colour))),
            );
        }
        // In Graphviz, y grows upwards.
        attributes.extend(info.at.map(|(x, y)| format!("pos=\"{x},{}!\"", -y)));
        let _ = writeln!(text, "  {} [{}];", quoted(&info.id), attributes.join(", "));
    }
    for (from, to, one_way) in board.edges() {
        let direction = if one_way { "" } else { " [dir=none]" };
        let _ = writeln!(
            text,
            "  {} -> {}{direction};",
            quoted(&board.info(from).id),
            quoted(&board.info(to).id)
        );
    }
    text.push_str("}\n");
    text
}

fn graphml(board: &Board) -> String {
    const KEYS: [(&str, &str); 6] = [
        ("name", "string"),
        ("continent", "string"),
        ("bonus", "int"),
        ("colour", "string"),
        ("x", "int"),
        ("y", "int"),
    ];
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml \
                    xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        .to_owned();
    for (key, of) in KEYS {
        let _ = writeln!(
            text,
            "  <key id=\"{key}\" for=\"node\" attr.name=\"{key}\" attr.type=\"{of}\"/>"
        );
    }
    let _ = writeln!(
        text,
        "  <graph id=\"{}\" edgedefault=\"undirected\">",
        xml(board.name())
    );
    for at in board.territories() {
        let data = graphml_data(board, board.info(at));
        let data = data
            .iter()
            .map(|(key, value)| format!("<data key=\"{key}\">{}</data>", xml(value)));
        let _ = writeln!(
            text,
            "    <node id=\"{}\">{}</node>",
            xml(&board.info(at).id),
            data.collect::<String>()
        );
    }
    for (from, to, one_way) in board.edges() {
        let from = xml(&board.info(from).id);
        let to = xml(&board.info(to).id);
        let directed = if one_way { " directed=\"true\"" } else { "" };
        let _ = writeln!(
            text,
            "    <edge source=\"{from}\" target=\"{to}\"{directed}/>"
        );
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

fn graphml_data(board: &Board, info: &TerritoryInfo) -> Vec<(&'static str, String)> {
    let mut data = vec![("name", info.name.clone())];
    if let Some(continent) = info.continent {
        let of = &board.continents()[continent.index()];
        data.push(("continent", of.id.clone()));
        data.push(("bonus", of.bonus.to_string()));
        data.extend(of.colour.clone().map(|colour| ("colour", colour)));
    }
    if let Some((x, y)) = info.at {
        data.push(("x", x.to_string()));
        data.push(("y", y.to_string()));
    }
    data
}
