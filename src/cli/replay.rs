//! `risk-cli replay`: tells a recorded game again, verifies it, or draws it.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::faults::rules_failed;
use super::map::draw;
use super::{Done, Error, Exit, ForceArg, output, paint, say, tell};
use crate::kernel::{NullSink, Sink, Stop};
use crate::load;
use crate::load::diag::{Finding, Level, TextFile};
use crate::load::lint::Levels;
use crate::matches::{Setup, Worker};
use crate::record::{self, Broken, Header, Mismatch, Playback, Record, Refuted, Unfit, Verified};
use crate::report::story::Story;
use crate::report::{Tee, picture};
use crate::text::escape_control;
use crate::text::plural::counted;

/// The largest record that is read, in bytes: the largest that is written, and the line that
/// made it so.
const LARGEST: u64 = record::MOST_BYTES + (1 << 20);

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// The record, as --record wrote it
    file: PathBuf,
    /// Stop after so many decisions
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// Play the game again and compare every line, instead of telling the game
    #[arg(long, conflicts_with = "to")]
    verify: bool,
    /// Draw the map as it is then, .svg or .png, instead of telling the game
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    render: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Ask a bot again at this decision, and show what it sees, may say and says; needs --bot
    #[arg(long, value_name = "N", requires = "bot", conflicts_with_all = ["to", "verify", "render"], value_parser = clap::value_parser!(u64).range(1..))]
    at: Option<u64>,
    /// The bot for --at: a name or a path
    #[arg(long, short, value_name = "B", requires = "at")]
    bot: Option<String>,
    /// The ruleset, where it is not where the record says
    #[arg(long, short, value_name = "R")]
    ruleset: Option<String>,
    /// The map, where it is not where the record says
    #[arg(long, short, value_name = "M")]
    map: Option<String>,
}

/// A record that could be read, and what its game was played with.
struct Played<'r> {
    file: &'r TextFile,
    record: &'r Record,
    setup: &'r Setup,
}

pub(super) fn run(args: &ReplayArgs) -> Done {
    let file = load::file(&args.file, LARGEST)?;
    let record = record::read(&file.text)
        .map_err(|broken| Error::Input(crate::load::diag::Failure::one(damage(&file, &broken))))?;
    let setup = setup_of(args, &file, &record.header)?;
    if let (Some(at), Some(bot)) = (args.at, &args.bot) {
        return super::again::run(&record, &setup, at, bot);
    }
    let mut worker = Worker::new(&setup)?;
    let played = Played {
        file: &file,
        record: &record,
        setup: &setup,
    };
    if args.verify {
        return verify(&mut worker, &played);
    }
    let mut playback = Playback::new(&record, args.to);
    match &args.render {
        Some(path) => render(&mut worker, &mut playback, &played, path, args.force.force),
        None => story(&mut worker, &mut playback, &played),
    }
}

fn damage(file: &TextFile, broken: &Broken) -> Finding {
    let start: usize = file
        .text
        .split_inclusive('\n')
        .take(broken.line.saturating_sub(1))
        .map(str::len)
        .sum();
    let len = file.text[start.min(file.text.len())..]
        .lines()
        .next()
        .map_or(0, |line| line.len().min(60));
    let len = (0..=len)
        .rev()
        .find(|&len| file.text.is_char_boundary(start.min(file.text.len()) + len))
        .unwrap_or(0);
    let finding = Finding::error("record::damaged", broken.text.clone());
    if file.text.is_empty() {
        finding
    } else {
        finding.at(file, start.min(file.text.len()), len)
    }
}

/// What a record names. Somebody else may have written it, so it reaches files of this folder only:
/// what is wrong with a file is told with its lines.
fn named(file: &TextFile, what: &str, spec: &str) -> Result<String, Error> {
    if !load::is_path(load::map_path(spec)) || load::is_below_here(Path::new(load::map_path(spec)))
    {
        return Ok(spec.to_owned());
    }
    let spec = escape_control(spec);
    let text = format!(
        "{} names the {what} {spec}, which is outside of this folder",
        file.name
    );
    Err(Error::input(
        "record::path",
        text,
        format!("if you mean that file, say --{what} {spec}"),
    ))
}

/// What the record was played with, if it is still the same.
fn setup_of(args: &ReplayArgs, file: &TextFile, header: &Header) -> Result<Setup, Error> {
    let ruleset_spec = args
        .ruleset
        .clone()
        .map_or_else(|| named(file, "ruleset", &header.ruleset), Ok)?;
    let map_spec = args
        .map
        .clone()
        .map_or_else(|| named(file, "map", &header.map), Ok)?;
    let ruleset = load::ruleset(&ruleset_spec)?;
    let board = load::map(&map_spec, &Levels::default())?;
    let differs = |what: &str, spec: &str| {
        let text = format!(
            "the {what} {spec} is not the one that {} was recorded with: its hash differs",
            file.name
        );
        Error::input(
            "record::differs",
            text,
            format!("give the old {what} with --{what}"),
        )
    };
    let setup = header.setup(ruleset, board).map_err(|unfit| match unfit {
        Unfit::Ruleset => differs("ruleset", &ruleset_spec),
        Unfit::Map => differs("map", &map_spec),
        Unfit::Header(text) => Error::input(
            "record::damaged",
            text,
            "the header does not fit its ruleset",
        ),
    })?;
    Ok(Setup {
        ruleset_spec,
        map_spec,
        ..setup
    })
}

/// Where record and game part.
fn mismatch(file: &TextFile, mismatch: Mismatch) -> Finding {
    let finding = damage(
        file,
        &Broken {
            line: mismatch.line,
            text: mismatch.text,
        },
    );
    Finding {
        code: "record::mismatch".to_owned(),
        ..finding
    }
    .help("the record was changed, or made by a program that plays differently")
}

fn verify(worker: &mut Worker<'_>, played: &Played<'_>) -> Done {
    let Played {
        file,
        record,
        setup,
    } = *played;
    match record::verify(record, worker) {
        Ok(verified) => {
            if !verified.whole {
                tell(&[rest(file, record)]);
            }
            say(&praise(&file.name, &verified))?;
            Ok(if verified.whole { Exit::Fine } else { Exit::No })
        }
        Err(Refuted::Differs(found)) => {
            tell(&[mismatch(file, found)]);
            Ok(Exit::No)
        }
        Err(Refuted::Rules(finished)) => match &finished.outcome {
            Err(Stop::Rules(fault)) => Err(rules_failed(
                fault,
                Some(&finished.game),
                record.header.game,
                None,
                setup,
            )),
            _ => unreachable!("the rules failed"),
        },
    }
}

/// What was verified, and what could not be.
fn praise(name: &str, verified: &Verified) -> String {
    let Verified {
        lines,
        answers,
        digests,
        whole,
        last_sum,
    } = verified;
    let lines = counted(lines, "line");
    let answers = counted(answers, "decision");
    let digests = counted(digests, "digest");
    let far = if *whole { "" } else { " as far as it goes" };
    let end = if *whole { " and the end" } else { "" };
    format!(
        "{name} replays exactly{far}: {lines}, {answers}, {digests}\n  \
         played again      answers, turns, notes, digests{end}: they follow from the header and the answers\n  \
         by the sums alone names, bots, versions, kinds and texts of faults: whoever changes them can sum up anew\n  \
         last sum          {last_sum}: publish it, and no line can be changed unseen"
    )
}

/// Draws the game as it is where the replay ends.
fn render(
    worker: &mut Worker<'_>,
    playback: &mut Playback,
    played: &Played<'_>,
    path: &Path,
    force: bool,
) -> Done {
    let Played {
        file,
        record,
        setup,
    } = *played;
    let finished = worker.play_with(record.header.game, &mut playback.seats, &mut NullSink);
    if let Err(Stop::Rules(fault)) = &finished.outcome {
        return Err(rules_failed(
            fault,
            Some(&finished.game),
            record.header.game,
            None,
            setup,
        ));
    }
    let names: Vec<String> = record
        .header
        .players
        .iter()
        .map(|player| player.name.clone())
        .collect();
    draw(path, &picture::game(&finished.game, &names), force)?;
    whole(file, record, playback)
}

/// What is wrong with the end of a record.
fn rest(file: &TextFile, record: &Record) -> Finding {
    let broken = record.broken.clone().unwrap_or(Broken {
        line: 1,
        text: "the record is not whole".to_owned(),
    });
    let help = format!(
        "{} before it can be read",
        counted(record.answers(), "decision")
    );
    Finding {
        level: Level::Warn,
        ..damage(file, &broken).help(help)
    }
}

/// Says what kept a replay from going on to the end of the game, if something did.
fn whole(file: &TextFile, record: &Record, playback: &Playback) -> Done {
    if let Some(found) = playback.mismatch() {
        tell(&[mismatch(file, found)]);
        return Ok(Exit::No);
    }
    if record.is_whole() {
        return Ok(Exit::Fine);
    }
    tell(&[rest(file, record)]);
    Ok(Exit::No)
}

fn story(worker: &mut Worker<'_>, playback: &mut Playback, played: &Played<'_>) -> Done {
    let Played {
        file,
        record,
        setup,
    } = *played;
    let names = record
        .header
        .players
        .iter()
        .map(|player| player.name.clone())
        .collect();
    let out = output();
    let mut story = Story::new(out, paint(&io::stdout()), names);
    story.begin(&format!(
        "{} on {}, seed {}",
        setup.ruleset_spec, setup.map_spec, record.header.seed
    ));
    let mut tee = Tee(vec![&mut story as &mut dyn Sink]);
    let finished = worker.play_with(record.header.game, &mut playback.seats, &mut tee);
    match &finished.outcome {
        Ok(outcome) => story.finish(&finished.game, outcome)?,
        Err(Stop::Halted) => story.stop(&finished.game)?,
        Err(Stop::Rules(fault)) => {
            return Err(rules_failed(
                fault,
                Some(&finished.game),
                record.header.game,
                None,
                setup,
            ));
        }
    }
    whole(file, record, playback)
}
