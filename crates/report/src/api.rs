//! The reference of the scripting API, for the terminal and as Markdown.

use std::fmt::Write as _;

use risk_engine::script::RESERVED;
use risk_engine::script::reference::{ReferenceEntry, Surface, entries, language};
use risk_kernel::event::table::EVENTS;
use risk_text::paint::{Paint, pad};

/// The parts of the reference that are not functions: hooks, events, constants.
pub(super) const ELSE: &str = include_str!("api_else.md");

/// Formats the reference of one surface, or of all surfaces, for a terminal.
#[must_use]
pub fn text(surface: Option<Surface>, paint: Paint) -> String {
    let surfaces = surface.map_or_else(|| Surface::ALL.to_vec(), |one| vec![one]);
    let width = paint.width.saturating_sub(4);
    let narrow = Paint { width, ..paint };
    let mut lines = Vec::new();
    for surface in surfaces {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(paint.rule(&format!("{}: {}", surface.as_str(), surface.about())));
        for entry in entries(surface) {
            lines.push(paint.bold(&entry.call));
            let meaning = format!("{} ({})", entry.meaning, entry.cost);
            lines.extend(narrow.wrapped("    ", "    ", &meaning));
        }
        if surface == Surface::Language {
            for (of, names) in language() {
                lines.push(paint.bold(&format!("of {of}")));
                for (name, example) in names {
                    lines.push(format!(
                        "    {} {}",
                        pad(&name, 14),
                        paint.dim(example.unwrap_or_default())
                    ));
                }
            }
        }
    }
    lines.join("\n")
}

/// Returns the whole reference as Markdown.
#[must_use]
pub fn markdown() -> String {
    let reserved = RESERVED.split(' ').map(|word| format!("`{word}`"));
    let reserved: Vec<String> = reserved.collect();
    let mut text = ELSE
        .trim_end()
        .replace("{events}", &events())
        .replace("{language}", &library())
        .replace("{reserved}", &reserved.join(", "));
    for surface in [Surface::View, Surface::Facts, Surface::Game] {
        // A section has the same meaning in each surface, so it is written only once.
        let shown = entries(surface).into_iter().filter(|entry| match surface {
            Surface::View => true,
            Surface::Facts => entry.section != "action",
            _ => entry.section == "game",
        });
        let heading = match surface {
            Surface::View => "Functions for bots",
            Surface::Facts => "Functions for ruleset hooks that read the game",
            _ => "Further functions for ruleset hooks that change the game",
        };
        let _ = write!(text, "\n\n## {heading}\n\nIn {}.\n", surface.about());
        let mut section = "";
        for entry in shown {
            if entry.section != section {
                section = entry.section;
                let _ = write!(
                    text,
                    "\n### {}\n\n| call | meaning | cost | example |\n|---|---|---|---|\n",
                    title(&entry)
                );
            }
            let call = entry.call.replace('|', "\\|");
            let example = entry.example.replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{call}` | {} | {} | `{example}` |",
                entry.meaning, entry.cost
            );
        }
        text.truncate(text.trim_end().len());
    }
    text
}

fn events() -> String {
    let mut text = "| kind | keys | meaning | visible to |\n|---|---|---|---|".to_owned();
    for kind in &EVENTS {
        let keys: Vec<String> = (kind.fields.iter().map(|(key, _)| format!("`{key}`"))).collect();
        let (name, about, heard_by) = (kind.name, kind.about, kind.heard_by);
        let keys = keys.join(", ");
        let _ = write!(text, "\n| `{name}` | {keys} | {about} | {heard_by} |");
    }
    text
}

fn library() -> String {
    let mut text = "| type | function | example that is true |\n|---|---|---|".to_owned();
    for (of, names) in language() {
        for (name, example) in names {
            let example = example.unwrap_or_default().replace('|', "\\|");
            // Some examples contain backticks, which single backticks can't enclose.
            let _ = write!(text, "\n| {of} | `{name}` | `` {example} `` |");
        }
    }
    text
}

fn title(entry: &ReferenceEntry) -> &'static str {
    match entry.section {
        "board" => "Map and cards",
        "facts" => "Reading the game",
        "game" => "Changing the game",
        "offers" => "Offers: `out`",
        "view" => "The player's view: `view`",
        "ask" => "The decision: `ask`",
        "plan" => "Plans",
        _ => "Actions",
    }
}
