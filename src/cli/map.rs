//! `risk-cli map`: checks, draws, measures and converts maps.

use crate::cli::library;
use risk_maps::files::{self, FileKind};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::drawing::{StyleArgs, draw};
use super::findings::{self, FindingsFormat};
use super::format::Format;
use super::{
    CommandResult, Error, Exit, ForceArg, hand_over, hang, note, paint, print_some_findings, save,
    say, say_json,
};
use risk_engine::load_ruleset;
use risk_engine::script::{Ruleset, ScriptLimits};
use risk_kernel::board::Board;
use risk_maps::generated::GENERATORS;
use risk_maps::lint::{self, Levels};
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, CheckedMap, Form};
use risk_report::map_stats::Stats;
use risk_report::picture::{self, Style};
use risk_report::{board, checks, counts};
use risk_text::diag::{Finding, Level};
use risk_text::escape_control;
use risk_text::paint::pad;
use risk_text::plural::counted;
use risk_wire::hacker_risk;

#[derive(Debug, Subcommand)]
pub(super) enum MapCommand {
    /// List the built-in maps and the map generators
    List,
    /// Show a map's continents, territories and borders
    Show {
        /// Name or path of the map
        map: String,
        /// Output format; JSON has the structure of board_graph.json in the old Hacker Risk arena
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Write a playable, commented map to start from
    New(super::new::NewMap),
    /// Convert a map of another program or an SVG drawing to YAML, or a map to another format
    #[command(visible_alias = "convert")]
    Import(ImportArgs),
    /// Draw a map as SVG or PNG
    Render(RenderArgs),
    /// Measure a map: distances, chokepoints, and the cost of holding continents
    Stats(StatsArgs),
    /// Print the JSON Schema of the YAML format, for editors
    Schema,
    /// Check map files, and report each problem with its place and a fix
    Validate(ValidateArgs),
    /// List all checks with their codes and levels
    Lints,
}

/// The levels of findings.
#[derive(Args, Debug)]
struct LevelArgs {
    /// Ignore findings with this code; may be given several times
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Report findings with this code as warnings; may be given several times
    #[arg(long, value_name = "CODE")]
    warn: Vec<String>,
    /// Report findings with this code as errors; may be given several times
    #[arg(long, value_name = "CODE")]
    deny: Vec<String>,
    /// Report all warnings as errors
    #[arg(long)]
    strict: bool,
}

impl LevelArgs {
    fn levels(&self) -> Result<Levels, Error> {
        let lists = [
            (&self.allow, Level::Allow),
            (&self.warn, Level::Warn),
            (&self.deny, Level::Deny),
        ];
        let levels = lists
            .iter()
            .flat_map(|(codes, level)| codes.iter().map(|code| (code.as_str(), *level)));
        let levels = Levels::new(levels, self.strict).map(Levels::closely);
        levels.map_err(|text| {
            Error::input(
                "map::level",
                text.to_string(),
                "`risk-cli map lints` lists the codes",
            )
        })
    }
}

#[derive(Args, Debug)]
pub(super) struct ImportArgs {
    /// Name or path of the map
    map: String,
    /// File to write (default: standard output)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Interpretation of borders: as listed in the file, or all two-way, as in Domination itself
    #[arg(long, value_enum, default_value_t = BordersArg::AsListed)]
    borders: BordersArg,
    /// Layers of an SVG drawing to read, or groups by id, separated by commas (default: all)
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<String>,
    /// Format to write (default: the format for the extension of the output file, or YAML)
    #[arg(long, value_enum)]
    to: Option<FormArg>,
    #[command(flatten)]
    levels: LevelArgs,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Args, Debug)]
pub(super) struct RenderArgs {
    /// Name or path of the map
    map: String,
    /// Picture to write, .svg or .png
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    style: StyleArgs,
    /// Omit the names of territories
    #[arg(long)]
    no_names: bool,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Args, Debug)]
pub(super) struct StatsArgs {
    /// Name or path of the map
    map: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BordersArg {
    /// One-way if listed at only one end
    AsListed,
    /// Always two-way
    TwoWay,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormArg {
    /// risk-cli's YAML format
    Yaml,
    /// Domination's .map format
    Domination,
    /// Graph for Graphviz
    Dot,
    /// Graph for network analysis tools
    Graphml,
}

#[derive(Args, Debug)]
pub(super) struct ValidateArgs {
    /// Names or paths of maps, or folders with maps; maps can be YAML, .map files of Domination or
    /// Conquest, or JSON with regions
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    levels: LevelArgs,
    /// Ruleset that must be playable on the map
    #[arg(long, short, value_name = "R")]
    ruleset: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FindingsFormat::Text)]
    format: FindingsFormat,
}

pub(super) fn run(command: &MapCommand) -> CommandResult {
    match command {
        MapCommand::List => list(),
        MapCommand::Show { map, format } => {
            let board = risk_maps::load(library(), map, &Levels::default())?;
            if *format == Format::Json {
                let graph = hacker_risk::board_graph(&board);
                say(&serde_json::to_string_pretty(&graph).expect("a board always serializes"))
            } else {
                say(&board::text(&board, paint(&io::stdout())))
            }
        }
        MapCommand::New(args) => super::new::map(args),
        MapCommand::Validate(args) => return validate(args),
        MapCommand::Import(args) => return import(args),
        MapCommand::Render(args) => {
            let board = risk_maps::load(library(), &args.map, &Levels::default())?;
            let style = Style {
                names: !args.no_names,
                ..args.style.style(&args.output)
            };
            let svg = picture::map_with(&board, style);
            draw(&args.output, &svg, &[], style.width, args.force.force)
        }
        MapCommand::Stats(args) => {
            let board = risk_maps::load(library(), &args.map, &Levels::default())?;
            let stats = Stats::new(&board);
            if args.format == Format::Json {
                say_json(&stats.json(&board))
            } else {
                say(&stats.text(&board, paint(&io::stdout())))
            }
        }
        MapCommand::Schema => say_json(&risk_maps::map::schema()),
        MapCommand::Lints => lint::LINTS.iter().try_for_each(|lint| {
            // A hard lint can't be allowed, because a map that violates it has no board.
            let level = if lint.hard {
                "always"
            } else {
                lint.level.as_str()
            };
            hang(
                &format!("{} {} ", pad(lint.code, 27), pad(level, 6)),
                lint.about,
            )
        }),
    }
    .map(|()| Exit::Fine)
}

fn list() -> Result<(), Error> {
    for name in library().names(FileKind::Map) {
        let board = risk_maps::load(library(), name, &Levels::default())?;
        let head = format!("{} {:>4} territories  ", pad(name, 14), board.len());
        hang(&head, board.about())?;
    }
    for generator in &GENERATORS {
        hang(&format!("{} ", pad(generator.words, 14)), generator.about)?;
    }
    Ok(())
}

fn import(args: &ImportArgs) -> CommandResult {
    let map = match args.borders {
        BordersArg::AsListed => args.map.clone(),
        BordersArg::TwoWay => format!("{},borders=two-way", args.map),
    };
    let settings = CheckSettings {
        layers: args.layers.clone(),
        is_import: true,
        ..args.levels.levels()?.into()
    };
    let checked = risk_maps::check_with(library(), &map, &settings)?;
    if !args.layers.is_empty() && checked.form.is_some_and(|form| form != Form::Svg) {
        let text = format!("{} is not a drawing and has no layers", args.map);
        return Error::refuse("map::layers", text, "leave out --layers");
    }
    let Some(board) = checked.board else {
        report(&args.map, &checked)?;
        return Ok(Exit::No);
    };
    let target = target(args)?;
    let loose = board
        .territories()
        .find(|&at| board.info(at).continent.is_none());
    if let Some(at) = loose.filter(|_| target == Target::Domination) {
        let text = format!(
            "`{}` has no continent, and the format requires one",
            board.info(at).id
        );
        return Error::refuse(
            "map::territory-without-continent",
            text,
            "add continents to the map, or choose another format",
        );
    }
    let written = write(&board, target);
    for lost in &written.lost {
        note(&format!("left out or changed: {}", escape_control(lost)));
    }
    print_some_findings(&checked.findings, IN_FULL);
    match &args.output {
        None => hand_over(&written.text)?,
        Some(path) => {
            save(path, written.text.as_bytes(), args.force.force)?;
            say(&format!("{}: {}", path.display(), counts::counts(&board)))?;
        }
    }
    Ok(Exit::Fine)
}

/// Returns the format to write: the given one, or that of the output file's extension.
fn target(args: &ImportArgs) -> Result<Target, Error> {
    let ending = args
        .output
        .as_ref()
        .and_then(|path| path.extension())
        .and_then(|ending| ending.to_str());
    Ok(match (args.to, ending) {
        (Some(FormArg::Yaml), _) | (None, None | Some("yaml" | "yml")) => Target::Yaml,
        (Some(FormArg::Domination), _) => Target::Domination,
        (Some(FormArg::Dot), _) | (None, Some("dot" | "gv")) => Target::Dot,
        (Some(FormArg::Graphml), _) | (None, Some("graphml")) => Target::Graphml,
        (None, Some(ending)) => {
            let text = format!("unknown map format .{ending}");
            return Error::refuse(
                "cli::form",
                text,
                "add --to yaml, domination, dot or graphml",
            );
        }
    })
}

/// The number of findings per code that are shown with their source lines. The others get one line
/// each.
const IN_FULL: usize = 3;

fn validate(args: &ValidateArgs) -> CommandResult {
    let levels = args.levels.levels()?;
    let ruleset = args
        .ruleset
        .as_deref()
        .map(|name| load_ruleset(library(), name))
        .transpose()?;
    let mut refused = false;
    let mut reports = Vec::new();
    let mut found = Vec::new();
    let mut specs = Vec::new();
    for file in &args.files {
        specs.extend(files::inside(library(), FileKind::Map, file)?);
    }
    for spec in &specs {
        let mut checked =
            risk_maps::check(library(), spec, &levels).unwrap_or_else(|failure| CheckedMap {
                board: None,
                findings: failure.findings,
                form: None,
            });
        if let Some(ruleset) = &ruleset
            && let Some(board) = checked.board.take()
        {
            let unfit = fits(ruleset, board);
            checked.findings.extend(unfit.findings);
            checked.board = unfit.board;
        }
        refused |= checked.board.is_none();
        match args.format {
            FindingsFormat::Text => report(spec, &checked)?,
            FindingsFormat::Json => reports.push(checks::map(spec, &checked)),
            _ => found.push((spec.as_str(), checked.findings)),
        }
    }
    match args.format {
        FindingsFormat::Text => {}
        FindingsFormat::Json => say_json(&json!({ "format": 1, "files": reports }))?,
        FindingsFormat::Github | FindingsFormat::Sarif => {
            let found = found.iter();
            let found = found.map(|(spec, findings)| (*spec, &findings[..]));
            findings::say_all(args.format, found)?;
        }
    }
    Ok(Exit::of(!refused))
}

/// Checks that a ruleset can be played on a map, with its default options.
fn fits(ruleset: &Ruleset, board: Board) -> CheckedMap {
    let board = Arc::new(board);
    let options = ruleset.options(&[]).expect("default options are valid");
    let bound = ruleset.bind(
        &board,
        &options,
        ruleset.manifest.players.0,
        &ScriptLimits::default(),
    );
    let findings = bound.err().into_iter().flatten();
    let findings: Vec<Finding> = findings.map(Finding::from).collect();
    let board = findings.is_empty().then(|| Arc::unwrap_or_clone(board));
    CheckedMap {
        board,
        findings,
        form: None,
    }
}

fn report(spec: &str, checked: &CheckedMap) -> Result<(), Error> {
    print_some_findings(&checked.findings, IN_FULL);
    let warnings = checked
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Warn)
        .count();
    let errors = checked.findings.len() - warnings;
    let form = checked
        .form
        .filter(|form| *form != Form::Yaml)
        .map_or_else(String::new, |form| format!(" {}", form.as_str()));
    let counts = checked
        .board
        .as_ref()
        .map_or_else(String::new, |board| format!(": {}", counts::counts(board)));
    let verdict = if checked.board.is_some() {
        "valid"
    } else {
        "invalid"
    };
    let found: String = [(errors, "error"), (warnings, "warning")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|&(count, word)| format!(", {}", counted(count, word)))
        .collect();
    say(&format!("{spec}: {verdict}{form}{counts}{found}"))
}
