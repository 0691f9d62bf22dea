//! `bot new`, `ruleset new` and `map new`: commented starter files that work.

use crate::cli::library;
use risk_maps::files;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::match_args::DEFAULT_RULESET;
use super::{Error, ForceArg, save, say};
use risk_engine::script::manifest::PhaseKind;
use risk_engine::script::{API, Ruleset, ScriptLimits};
use risk_engine::{RuleSetup, load_ruleset};

const RULESET: &str = include_str!("starters/ruleset.rhai");
const MAP: &str = include_str!("starters/map.yaml");

#[derive(Args, Debug)]
pub(super) struct NewBot {
    /// Name of the bot, or the path to its file
    name: String,
    /// Ruleset for the bot to play
    #[arg(long, short, value_name = "R", default_value = DEFAULT_RULESET)]
    ruleset: String,
    /// Structure of the script
    #[arg(long, value_enum, default_value_t = BotStyle::PerPhase)]
    style: BotStyle,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BotStyle {
    /// One function for each phase
    PerPhase,
    /// One function for all phases
    Answer,
}

#[derive(Args, Debug)]
pub(super) struct NewRuleset {
    /// Name of the ruleset, or the path to its file
    name: String,
    /// Ruleset to extend (default: none)
    #[arg(long, short, value_name = "R")]
    extends: Option<String>,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Args, Debug)]
pub(super) struct NewMap {
    /// Name of the map, or the path to its file
    name: String,
    #[command(flatten)]
    force: ForceArg,
}

/// Returns the path of the file to write, and the name in it.
fn file(name: &str, ending: &str) -> Result<(PathBuf, String), Error> {
    let mut path = PathBuf::from(name);
    if path.extension().is_none_or(|known| known != ending) {
        path.set_extension(ending);
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.unwrap_or_default().to_owned();
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if stem.is_empty() || !stem.chars().all(fits) || stem.chars().count() > 30 {
        let text = format!("invalid name `{stem}`");
        return Error::refuse(
            "cli::name",
            text,
            "use at most 30 lower-case letters, digits, `-` and `_`, for example my-bot",
        );
    }
    Ok((path, stem))
}

/// Returns a path as an argument that can't be mistaken for a name.
fn as_argument(path: &Path) -> String {
    let text = path.display().to_string();
    if path
        .parent()
        .is_none_or(|parent| parent.as_os_str().is_empty())
    {
        format!("./{text}")
    } else {
        text
    }
}

/// Refuses the name of a built-in bot, which would always mean the built-in bot.
fn refuse_built_in(name: &str) -> Result<(), Error> {
    if name != "human" && !library().bots().any(|known| known == name) {
        return Ok(());
    }
    let text = format!("expected a new name, found the name of the built-in bot `{name}`");
    let help = format!("choose another name, for example my-{name}");
    Error::refuse("cli::name-taken", text, help)
}

pub(super) fn bot(args: &NewBot) -> Result<(), Error> {
    let (path, name) = file(&args.name, "rhai")?;
    refuse_built_in(&name)?;
    let rules = RuleSetup::load(library(), &args.ruleset, None, &[])?;
    let ruleset = &rules.ruleset;
    let bound = rules.bind(ruleset.manifest.players.0, &ScriptLimits::default())?;
    let asked: Vec<(&str, &PhaseKind)> = ruleset
        .manifest
        .phases()
        .zip(&bound.decl.phases)
        .filter(|(_, info)| info.asks)
        .map(|((info, kind), _)| (info.name.as_str(), kind))
        .collect();
    let given = if args.ruleset == DEFAULT_RULESET {
        String::new()
    } else {
        format!(" --ruleset {}", args.ruleset)
    };
    let text = match args.style {
        BotStyle::PerPhase => per_phase(&name, ruleset, &asked),
        BotStyle::Answer => one_answer(&name, ruleset, &asked),
    };
    let text = text.replace("@FILE@", &format!("@FILE@{given}"));
    let next = format!("bot check @FILE@{given}\n  risk-cli play{given} --bot @FILE@");
    write(&path, &text, &args.force, &next)
}

/// Writes a starter, and prints what to do with it. In both texts, `@FILE@` is the path.
fn write(path: &Path, text: &str, force: &ForceArg, next: &str) -> Result<(), Error> {
    let with_path = |text: &str| text.replace("@FILE@", &as_argument(path));
    save(path, with_path(text).as_bytes(), force.force)?;
    let next = with_path(next);
    say(&format!("wrote {}\n  risk-cli {next}", path.display()))
}

fn head(name: &str, ruleset: &Ruleset) -> String {
    let verbs = ruleset.manifest.decl.verbs.iter().map(|verb| {
        let slots: String = verb
            .slots
            .iter()
            .map(|(slot, _)| format!(" {}", slot.to_uppercase()))
            .collect();
        format!("//   {}{slots}\n", verb.name)
    });
    format!(
        "// {name}: a bot for {}.\n//\n// Check it and try it with `risk-cli bot check @FILE@`.\n\
         // List the functions of view and ask with `risk-cli ruleset api --surface view`.\n// The \
         actions of {}:\n{}",
        ruleset.manifest.decl.name,
        ruleset.manifest.decl.name,
        verbs.collect::<String>()
    )
}

/// Returns the constant that declares the version of the script API.
fn api_line() -> String {
    format!("\nconst API = {API};    // version of the script API\n")
}

/// Returns a starter's comment and function body for a phase.
fn body(kind: &PhaseKind) -> (&'static str, &'static str) {
    let PhaseKind::Standard(standard, _) = kind else {
        return ("Any legal action.", "    ask.random()\n");
    };
    match standard.as_str() {
        "claim" => ("Claim free territories, starting next to our own.", CLAIM),
        "muster" | "deploy" => (
            "Deploy as many armies as possible where the front is in most danger.",
            PLACE,
        ),
        "trade" => ("Trade the first set of cards offered.", "    ask.nth(0)\n"),
        "attack" => (
            "Attack where the odds of a capture are good, then stop.",
            ATTACK,
        ),
        "occupy" => (
            "Move as many armies as possible into a captured territory.",
            "    ask.most(\"move\")[0]\n",
        ),
        "fortify" => ("Move the largest army behind the front forward.", FORTIFY),
        _ => ("Any legal action.", "    ask.random()\n"),
    }
}

const CLAIM: &str = r#"    for option in ask.options("claim") {
        if !view.friends(option.at).is_empty() { return option; }
    }
    ask.random()
"#;
const PLACE: &str = r#"    let best = ();
    let most = 0;
    for at in view.fronts {                       // our territories next to foes
        let danger = view.threat(at) - view.armies(at);
        if best == () || danger > most { best = at; most = danger; }
    }
    if best == () { return ask.random(); }
    ask.act("place", best, ask.limit("place", best))
"#;
const ATTACK: &str = r#"    for option in ask.most("attack") {            // every attack, with the most dice
        if view.odds(option.from, option.to) > 0.7 {
            return ask.fight(option.from, option.to);   // until captured, or one army is left
        }
    }
    if ask.has("done") { ask.act("done") } else { ask.random() }
"#;
const FORTIFY: &str = r#"    let best = ();
    for option in ask.most("move") {              // every move, with the most armies
        let forward = view.foes(option.from).is_empty() && !view.foes(option.to).is_empty();
        if forward && (best == () || option.armies > best.armies) { best = option; }
    }
    if best == () { ask.act("done") } else { best }
"#;

fn per_phase(name: &str, ruleset: &Ruleset, asked: &[(&str, &PhaseKind)]) -> String {
    let mut text = head(name, ruleset);
    text.push_str(
        "//\n// A function named after a phase answers in it; `answer` answers in all \
         other phases.\n",
    );
    text.push_str(&api_line());
    for (phase, kind) in asked {
        let (about, body) = body(kind);
        text.push_str(&format!(
            "\n// {about}\nfn {phase}(view, ask) {{\n{body}}}\n"
        ));
    }
    text.push_str(
        "\n// All other phases, and other rulesets.\nfn answer(view, ask) { ask.random() }\n",
    );
    text
}

fn one_answer(name: &str, ruleset: &Ruleset, asked: &[(&str, &PhaseKind)]) -> String {
    let mut text = head(name, ruleset);
    text.push_str(
        "//\n// One function answers in all phases; `view.phase` is the name of the phase.\n",
    );
    text.push_str(&api_line());
    text.push_str("\nfn answer(view, ask) {\n    switch view.phase {\n");
    let mut helpers = String::new();
    for (phase, kind) in asked {
        let (about, body) = body(kind);
        if body.lines().count() == 1 {
            text.push_str(&format!(
                "        \"{phase}\" => {},    // {about}\n",
                body.trim()
            ));
        } else {
            text.push_str(&format!("        \"{phase}\" => in_{phase}(view, ask),\n"));
            helpers.push_str(&format!(
                "\n// {about}\nfn in_{phase}(view, ask) {{\n{body}}}\n"
            ));
        }
    }
    text.push_str("        _ => ask.random(),\n    }\n}\n");
    text.push_str(&helpers);
    text
}

pub(super) fn ruleset(args: &NewRuleset) -> Result<(), Error> {
    let (path, name) = file(&args.name, "rhai")?;
    let text = match &args.extends {
        None => RULESET.replace("@NAME@", &name),
        Some(base) => {
            let ruleset = load_ruleset(library(), base)?;
            variant(&name, &beside(&path, base)?, &ruleset)
        }
    };
    let next = "ruleset check @FILE@\n  risk-cli play --ruleset @FILE@";
    write(&path, &text, &args.force, next)
}

/// Returns the name of the base for a new ruleset at `path`. If the base is a file, it must be in
/// the same folder.
fn beside(path: &Path, base: &str) -> Result<String, Error> {
    if !files::is_path(base) {
        return Ok(base.to_owned());
    }
    let folder = |path: &Path| {
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        std::fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()
    };
    let base_path = Path::new(base);
    let name = base_path.file_name().and_then(|name| name.to_str());
    match name.filter(|_| files::is_script(base_path) && folder(base_path) == folder(path)) {
        Some(name) => Ok(format!("./{name}")),
        None => Error::refuse(
            "cli::extends",
            format!(
                "can't extend {base}: expected a script in the folder of {}",
                path.display()
            ),
            "extend a built-in ruleset, or copy the file into the folder",
        ),
    }
}

fn variant(name: &str, base: &str, ruleset: &Ruleset) -> String {
    let manifest = &ruleset.manifest;
    let words = |names: Vec<&str>| {
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let tables = manifest.tables.iter().map(|(table, info)| {
        let parameters = ["a", "b", "c", "d"][..info.ranges.len().min(4)].join(", ");
        format!("//   fn {table}({parameters})\n")
    });
    format!(
        r#"// {name}: a variant of {of}. It inherits everything else from {of}: `risk-cli ruleset show {of} --source`.
//
// Check it and try it with `risk-cli ruleset check @FILE@`, play it with `risk-cli play --ruleset @FILE@`.

fn ruleset() {{ #{{
    api: {API},
    extends: "{base}",
    name: "{name}",
    about: "A variant of {of}",
    options: #{{
        // The options of {of} are: {options}.
        // Change a default, or add options; the script reads each as a constant in capitals.
        max_turns: 300,
    }},
}} }}

// A function replaces the one of {of} with the same name, which you can still call: base::setup(g).
// Tables of {of}, functions of integers that the standard phases use:
{tables}// Phases of {of}: {phases}. A phase that is script() needs these functions:
//   fn PHASE_enter(g, me), fn PHASE_options(g, me, out), fn PHASE_apply(g, me, said)
// Optional hooks:
//   fn on_conquest(g, me, at), fn on_eliminated(g, me, foe), fn score(g, who)
"#,
        of = manifest.decl.name,
        options = words(manifest.options.keys().map(String::as_str).collect()),
        tables = tables.collect::<String>(),
        phases = words(
            manifest
                .phases()
                .map(|(info, _)| info.name.as_str())
                .collect()
        ),
    )
}

pub(super) fn map(args: &NewMap) -> Result<(), Error> {
    let (path, name) = file(&args.name, "yaml")?;
    let text = MAP.replace("@NAME@", &name);
    let next = "map validate @FILE@\n  risk-cli play --map @FILE@";
    write(&path, &text, &args.force, next)
}
