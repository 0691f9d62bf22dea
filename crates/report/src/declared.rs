//! The declarations of a ruleset as text: options, verbs, phases and tables with their meanings.

use crate::rules;
use risk_engine::script::manifest::{Level, Manifest, PhaseKind, TableInfo};
use risk_engine::{adviser, level_bots};
use risk_kernel::declare::{CounterDecl, MarkDecl, Title, Visibility};
use risk_kernel::phases::{self, Param, settings};
use risk_kernel::words::kind_word;
use risk_text::paint::{Paint, pad};

/// Formats a ruleset's declarations, for players and for authors of rulesets.
#[must_use]
pub fn text(manifest: &Manifest, paint: Paint) -> String {
    let mut lines = vec![paint.bold(&manifest.decl.name)];
    lines.extend(paint.wrapped("", "", &manifest.about));
    let players = format!(
        "{} players; default map: {}",
        manifest.players_range(),
        manifest.map
    );
    lines.extend(paint.wrapped("", "", &players));
    let bots = format!("default bots: {}", manifest.bots.join(", "));
    lines.extend(paint.wrapped("", "", &bots));
    lines.push(format!("hints: {}", adviser(manifest)));
    let levels = Level::ALL.map(|level| {
        let bots = level_bots(manifest, level);
        let by_seat = if bots.len() > 1 { " by seat" } else { "" };
        format!("{} {}{by_seat}", level.as_str(), bots.join(", "))
    });
    let levels = format!("levels: {}", levels.join("; "));
    lines.extend(paint.wrapped("", "", &levels));
    let endings = manifest.decl.sentences.endings.iter();
    let endings = endings.map(|(reason, text)| (reason.clone(), text.clone()));
    for (title, section) in [
        ("options", options(manifest, paint)),
        ("verbs", verbs(manifest, paint)),
        ("phases", phases(manifest, paint)),
        ("tables", tables(manifest, paint)),
        ("units", units(manifest, paint)),
        ("cards", listed(&card_kinds(manifest), paint)),
        ("counters", listed(&counters(manifest), paint)),
        ("marks", listed(&marks(manifest), paint)),
        ("piles", listed(&piles(manifest), paint)),
        ("endings", listed(&endings.collect::<Vec<_>>(), paint)),
    ] {
        if !section.is_empty() {
            lines.push(String::new());
            lines.push(paint.rule(title));
            lines.extend(section);
        }
    }
    if !manifest.decl.sentences.rules.is_empty() {
        lines.push(String::new());
        lines.extend(paint.wrapped("", "", "`ruleset show --rules` prints the rules."));
    }
    lines.join("\n")
}

/// Formats the rules for players.
#[must_use]
pub fn rules(manifest: &Manifest, paint: Paint) -> String {
    let mut lines = vec![paint.bold(&manifest.decl.name)];
    lines.extend(paint.indented(&manifest.about));
    lines.push(String::new());
    lines.extend(rules::text(&manifest.decl, paint));
    lines.join("\n")
}

/// Formats names with their texts.
fn listed(entries: &[(String, String)], paint: Paint) -> Vec<String> {
    let width = width_of(entries.iter().map(|(name, _)| name));
    let line =
        |(name, text): &(String, String)| paint.hang(&format!("  {} ", pad(name, width)), text);
    entries.iter().flat_map(line).collect()
}

fn units(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let decl = &manifest.decl;
    let titles = decl.units.iter().zip(&decl.sentences.units);
    let entry =
        |(name, title): (&String, &Title)| (name.clone(), format!("{}, {}", title.one, title.many));
    listed(&titles.map(entry).collect::<Vec<_>>(), paint)
}

fn card_kinds(manifest: &Manifest) -> Vec<(String, String)> {
    let titles = &manifest.decl.sentences.card_kinds;
    let titles = manifest.decl.card_kinds.iter().zip(titles);
    titles
        .map(|(name, title)| (name.clone(), title.clone()))
        .collect()
}

const fn seen_by(seen: Visibility) -> &'static str {
    match seen {
        Visibility::All => "seen by all",
        Visibility::Owner => "seen by its owner",
        Visibility::Nobody => "seen by no player",
    }
}

fn counters(manifest: &Manifest) -> Vec<(String, String)> {
    let said = &manifest.decl.sentences;
    let all = manifest.decl.counters.iter().zip(&said.counters);
    let all = all.zip(&said.counter_states);
    let entry = |((info, tell), state): ((&CounterDecl, &String), &Option<String>)| {
        let mut text = seen_by(info.seen).to_owned();
        match state.as_deref() {
            Some("") => text.push_str("; not shown"),
            Some(state) => text.push_str(&format!("; shown as `{state}`")),
            None => {}
        }
        if !tell.is_empty() {
            text.push_str(&format!("; reported as `{tell}`"));
        }
        (info.name.clone(), text)
    };
    all.map(entry).collect()
}

fn marks(manifest: &Manifest) -> Vec<(String, String)> {
    let entry = |mark: &MarkDecl| {
        let MarkDecl { title, range, .. } = mark;
        let seen = match mark.in_sight {
            true => "seen with the units",
            false => seen_by(mark.seen),
        };
        let mut text = format!("{title}, {} to {}, {seen}", range.0, range.1);
        if mark.strength > 0 {
            text.push_str(&format!("; strength {} times the value", mark.strength));
        }
        (mark.name.clone(), text)
    };
    manifest.decl.marks.iter().map(entry).collect()
}

fn piles(manifest: &Manifest) -> Vec<(String, String)> {
    let said = &manifest.decl.sentences;
    let all = manifest.decl.piles.iter().zip(&said.piles);
    let all = all.zip(&said.pile_states);
    let entry = |((info, title), state): ((&CounterDecl, &Option<String>), &String)| {
        let mut text = seen_by(info.seen).to_owned();
        match title.as_deref() {
            Some(title) if title == info.name.replace('_', " ") => {}
            Some(title) => text.push_str(&format!("; shown as `{title}`")),
            None => text.push_str("; not shown"),
        }
        if !state.is_empty() {
            text.push_str(&format!("; shown in questions as `{state}`"));
        }
        (info.name.clone(), text)
    };
    all.map(entry).collect()
}

/// Returns the width of a column of names.
fn width_of<'a>(names: impl Iterator<Item = &'a String>) -> usize {
    names.map(String::len).max().unwrap_or(0).min(18)
}

fn options(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = width_of(manifest.options.keys());
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
    let width = width_of(manifest.decl.verbs.iter().map(|verb| &verb.name));
    let line = |(index, verb): (usize, &risk_kernel::declare::VerbInfo)| {
        let slots: Vec<String> = verb
            .slots
            .iter()
            .map(|(name, kind)| format!("{name}: {}", kind_word(*kind)))
            .collect();
        let help = manifest.decl.sentences.verb_help.get(index);
        let help = help.filter(|help| !help.is_empty()).cloned();
        let text = [slots.join(", ")]
            .into_iter()
            .filter(|text| !text.is_empty());
        let text: Vec<String> = text.chain(help).collect();
        paint.hang(&format!("  {} ", pad(&verb.name, width)), &text.join("; "))
    };
    let verbs = manifest.decl.verbs.iter().enumerate();
    verbs.flat_map(line).collect()
}

fn phases(manifest: &Manifest, paint: Paint) -> Vec<String> {
    let width = width_of(manifest.phases().map(|(info, _)| &info.name));
    let turn: Vec<&str> = manifest.decl.turn_names().collect();
    let mut lines = paint.hang("  turn: ", &turn.join(", "));
    for (index, (info, kind)) in manifest.phases().enumerate() {
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
        let help = manifest.decl.sentences.phase_help.get(index);
        if let Some(help) = help.filter(|help| !help.is_empty()) {
            text.push_str(&format!("; {help}"));
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
    let entry = |(name, info): (&String, &TableInfo)| {
        let usual = || settings::table(name).unwrap_or_default().to_owned();
        let about = Some(info.about.clone()).filter(|about| !about.is_empty());
        (name.clone(), about.unwrap_or_else(usual))
    };
    listed(
        &manifest.tables.iter().map(entry).collect::<Vec<_>>(),
        paint,
    )
}
