//! The declarations of a ruleset as text: options, verbs, phases and tables with their meanings.

use risk_engine::script::manifest::{Manifest, PhaseKind};
use risk_kernel::phases::{self, Param, settings};
use risk_kernel::words::kind_word;
use risk_text::paint::{Paint, pad};

/// Formats a ruleset's declarations, for players and for authors of rulesets.
#[must_use]
pub fn text(manifest: &Manifest, paint: Paint) -> String {
    let mut lines = vec![paint.bold(&manifest.name)];
    lines.extend(paint.wrapped("", "", &manifest.about));
    let players = format!(
        "{} players; default map: {}",
        manifest.players_range(),
        manifest.map
    );
    lines.extend(paint.wrapped("", "", &players));
    lines.extend(paint.wrapped(
        "",
        "",
        &format!("default bots: {}", manifest.bots.join(", ")),
    ));
    for (title, section) in [
        ("options", options(manifest, paint)),
        ("verbs", verbs(manifest, paint)),
        ("phases", phases(manifest, paint)),
        ("tables", tables(manifest, paint)),
    ] {
        if !section.is_empty() {
            lines.push(String::new());
            lines.push(paint.rule(title));
            lines.extend(section);
        }
    }
    lines.join("\n")
}

fn options(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = manifest
        .options
        .keys()
        .map(String::len)
        .max()
        .unwrap_or(0)
        .min(18);
    let mut lines = Vec::new();
    for (name, info) in &manifest.options {
        let head = format!(
            "  {} {} ",
            pad(name, width),
            pad(&info.default.to_string(), 8)
        );
        let domain = info.domain();
        let text = if info.about.is_empty() {
            domain
        } else {
            format!("{} ({domain})", info.about)
        };
        lines.extend(paint.hang(&head, &text));
    }
    for (name, values) in &manifest.presets {
        let values: Vec<String> = values
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        lines.extend(paint.hang(&format!("  preset={name} "), &values.join(" ")));
    }
    lines
}

fn verbs(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = manifest
        .verbs
        .iter()
        .map(|verb| verb.name.len())
        .max()
        .unwrap_or(0)
        .min(18);
    let line = |verb: &risk_kernel::declare::VerbInfo| {
        let slots: Vec<String> = verb
            .slots
            .iter()
            .map(|(name, kind)| format!("{name}: {}", kind_word(*kind)))
            .collect();
        paint.hang(&format!("  {} ", pad(&verb.name, width)), &slots.join(", "))
    };
    manifest.verbs.iter().flat_map(line).collect()
}

fn phases(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = manifest
        .phases
        .iter()
        .map(|(info, _)| info.name.len())
        .max()
        .unwrap_or(0)
        .min(18);
    let mut lines = paint.hang("  turn: ", &manifest.turn.join(", "));
    for (info, kind) in &manifest.phases {
        let mut text = match kind {
            PhaseKind::Script => "scripted".to_owned(),
            PhaseKind::Standard(name, _) => {
                format!(
                    "standard {name}: {}",
                    phases::named(name).map_or("unknown phase", |phase| phase.about)
                )
            }
        };
        if info.secret {
            text.push_str("; answers are secret");
        }
        if info.optional {
            text.push_str("; optional: the rules can decide it");
        }
        lines.extend(paint.hang(&format!("  {} ", pad(&info.name, width)), &text));
        let PhaseKind::Standard(_, params) = kind else {
            continue;
        };
        for (name, value) in params {
            let meaning = settings::setting(name).unwrap_or_default();
            // Lists and maps are too long for a heading.
            let (head, text) = match value {
                Param::List(_) | Param::Map(_) => (name.clone(), format!("{meaning}: {value}")),
                _ => (format!("{name}: {value}"), meaning.to_owned()),
            };
            let head = format!("  {} {head} ", pad("", width));
            lines.extend(paint.hang(&head, &text));
        }
    }
    lines
}

fn tables(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = manifest
        .tables
        .keys()
        .map(String::len)
        .max()
        .unwrap_or(0)
        .min(18);
    let mut lines = Vec::new();
    for (name, info) in &manifest.tables {
        let about = if info.about.is_empty() {
            settings::table(name).unwrap_or_default()
        } else {
            &info.about
        };
        lines.extend(paint.hang(&format!("  {} ", pad(name, width)), about));
    }
    lines
}
