//! The files made from the logs of a tournament: the tables and the report, including those of the
//! finals.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use super::replays::{PageRequest, Replays};
use super::{ReportFormat, isolate};
use crate::cli::out::hand_over;
use crate::cli::{Error, Exit, create, note, paint, say, say_json};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::logs::Logs;
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_lab::tournament::timing::{WallTimes, wall_times};
use risk_lab::tournament::{RecordedGames, TournamentPlan};
use risk_report::page::Markup;
use risk_report::tournament::{self as report, BlockCoverage};
use risk_text::diag::{Finding, LoadError};
use risk_text::plural::counted;

#[derive(Default)]
pub(super) struct ReportRequest<'a> {
    pub(super) format: ReportFormat,
    pub(super) places: bool,
    /// Whether to show the wall times of bots.
    pub(super) times: bool,
    /// Whether to write all blocks into one log.
    pub(super) merges: bool,
    pub(super) html: Option<PageRequest<'a>>,
    /// Whether to print nothing.
    pub(super) quiet: bool,
    /// Whether to write no files, because other shards may be writing them.
    pub(super) dry: bool,
}

pub(super) struct StageCompletion {
    /// Whether the first or only stage is complete.
    pub(super) is_whole: bool,
    /// Whether the finals are complete, or there are none.
    finals: bool,
}

impl StageCompletion {
    pub(super) const fn exit(&self) -> Exit {
        if self.is_whole && self.finals {
            Exit::Fine
        } else {
            Exit::Gaps
        }
    }
}

/// Writes and prints all results of the logs in these folders. Once the first stage is complete,
/// calls `ready` with the finals, so that they can be played.
pub(super) fn report(
    folder: &Folder,
    plan: &TournamentPlan,
    from: &[PathBuf],
    asked: &ReportRequest<'_>,
    ready: impl FnOnce(&Folder, &TournamentPlan) -> Result<(), Error>,
) -> Result<StageCompletion, Error> {
    let Some(first) = make(folder, plan, from, asked)? else {
        return Err(unplayed(folder));
    };
    let second = match &plan.finals {
        Some(finals) if !first.extent.is_partial() => {
            let mut plan = plan.finals(finals, &first.results.ranking());
            isolate(&mut plan)?;
            Some((folder.finals(), plan))
        }
        _ => None,
    };
    let finals = match &second {
        Some((folder, plan)) => {
            ready(folder, plan)?;
            let from: Vec<PathBuf> = from
                .iter()
                .map(|from| folder.beside(from).finals().path)
                .collect();
            let there: Vec<PathBuf> = from.into_iter().filter(|path| path.is_dir()).collect();
            for path in &there {
                folder.beside(path).agree(plan)?;
            }
            make(folder, plan, &there, asked)?
        }
        None => None,
    };
    if !asked.dry {
        first.write(folder, finals.as_ref())?;
        if let (Some(finals), Some((folder, _))) = (&finals, &second) {
            finals.write(folder, None)?;
        }
    }
    first.show(asked, finals.as_ref())?;
    first.missing(folder);
    if let Some((folder, plan)) = &second {
        match &finals {
            Some(finals) => finals.missing(folder),
            None => note(&format!(
                "  missing: all {} of the finals",
                counted(plan.blocks, "block")
            )),
        }
    }
    Ok(StageCompletion {
        is_whole: !first.extent.is_partial(),
        finals: plan.finals.is_none() || finals.is_some_and(|finals| !finals.extent.is_partial()),
    })
}

/// Returns the error of a tournament without any game.
pub(super) fn unplayed(folder: &Folder) -> Error {
    let text = format!("no games of {} have been played yet", folder.file.display());
    let place = folder.place().display();
    let help = format!("run `risk-cli tournament run {place}` to play them");
    Error::input("tournament::empty", text, help)
}

/// The contents of a stage's logs.
struct StageContents<'a> {
    tally: TournamentTally<'a>,
    results: Results,
    extent: BlockCoverage,
    duplicates: u64,
    /// The games with records, if a page will link to them.
    games: RecordedGames,
    /// The wall times, if requested. They differ from run to run.
    times: Option<WallTimes>,
}

/// Tallies the logs of a stage; `None` if it has no block yet.
fn make<'a>(
    folder: &Folder,
    plan: &'a TournamentPlan,
    from: &[PathBuf],
    asked: &ReportRequest<'_>,
) -> Result<Option<StageContents<'a>>, Error> {
    let logs = Logs::read(plan, from)?;
    if logs.is_empty() {
        return Ok(None);
    }
    let mut tally = TournamentTally::new(plan);
    if asked.places {
        tally.keep_places();
    }
    let mut games = RecordedGames::new(&folder.path);
    if asked.dry {
        logs.each(|block| tally.add(block))?;
    } else {
        folder.write_out("games.csv", |out| {
            let mut written = out.write_all(report::games_head(plan).as_bytes());
            logs.each(|block| {
                tally.add(block);
                if asked.html.is_some() {
                    games.add(block);
                }
                if written.is_ok() {
                    written = out.write_all(report::games_rows(block).as_bytes());
                }
            })?;
            written.map_err(|error| unwritten("games.csv", &error))
        })?;
    }
    if asked.merges {
        logs.write(folder)?;
    }
    let names = plan.setup.bots.iter();
    let names: Vec<&str> = names.map(|bot| bot.name.as_str()).collect();
    Ok(Some(StageContents {
        times: asked.times.then(|| wall_times(from, &names)),
        results: tally.results(),
        tally,
        extent: BlockCoverage {
            gaps: logs.gaps(plan),
        },
        duplicates: logs.duplicates,
        games,
    }))
}

fn unwritten(name: &str, error: &io::Error) -> LoadError {
    let text = format!("can't write {name}: {error}");
    LoadError::one(Finding::error("tournament::write", text))
}

impl StageContents<'_> {
    fn document(&self, finals: Option<&Self>) -> serde_json::Value {
        let mut document = report::document(&self.tally, &self.results, &self.extent);
        if self.tally.plan().finals.is_some() {
            document["finals"] = finals.map(|finals| finals.document(None)).into();
        }
        document
    }

    fn ranking(&self) -> String {
        report::ranking(&self.tally, &self.results)
    }

    /// Writes the files that need all blocks.
    fn write(&self, folder: &Folder, finals: Option<&Self>) -> Result<(), Error> {
        let document = self.document(finals);
        let json = serde_json::to_string_pretty(&document).expect("a report always serializes");
        for (name, text) in [("ranking.csv", self.ranking()), ("report.json", json)] {
            folder.write_out(name, |out| {
                let written = writeln!(out, "{}", text.trim_end());
                written.map_err(|error| unwritten(name, &error))
            })?;
        }
        Ok(())
    }

    /// Prints the report in the chosen format.
    fn show(&self, asked: &ReportRequest<'_>, finals: Option<&Self>) -> Result<(), Error> {
        if let Some(page) = asked.html {
            self.write_page(page, finals)?;
        }
        if asked.quiet {
            return Ok(());
        }
        match asked.format {
            ReportFormat::Text => {
                self.print()?;
                let Some(finals) = finals else {
                    return Ok(());
                };
                say("")?;
                finals.print()
            }
            ReportFormat::Json => {
                let mut document = self.document(finals);
                if let Some(times) = &self.times {
                    document["wall_time"] = report::times_value(times);
                }
                say_json(&document)
            }
            ReportFormat::Csv => hand_over(&self.ranking()),
        }
    }

    /// Writes the page, and the replays next to it.
    fn write_page(&self, asked: PageRequest<'_>, finals: Option<&Self>) -> Result<(), Error> {
        asked.check_folder()?;
        // If the page can't be created, no replays are written.
        let file = create(asked.path, asked.force)?;
        let mut replays = Replays::new(asked);
        let page = self.page(&mut replays, finals);
        let page = page.inspect_err(|_| {
            // An empty page is of no use.
            let _ = fs::remove_file(asked.path);
        })?;
        let written = (&file).write_all(page.as_bytes());
        written.map_err(Error::writing(asked.path))?;
        note(&format!("  wrote {}", asked.path.display()));
        replays.print();
        Ok(())
    }

    fn page(&self, replays: &mut Replays<'_>, finals: Option<&Self>) -> Result<String, Error> {
        // The number of replays is limited, and replays of the finals matter most.
        let of_finals = finals.map(|finals| finals.stage(replays)).transpose()?;
        let first = self.stage(replays)?;
        let of_finals = of_finals.as_ref().map(<[Markup; 3]>::as_slice);
        Ok(report::page(&self.tally, &first, of_finals))
    }

    fn stage(&self, replays: &mut Replays<'_>) -> Result<[Markup; 3], Error> {
        let times = self.times.as_ref().map_or_else(Markup::default, |times| {
            report::times_html(&self.tally, &self.results, times)
        });
        let stage = report::stage(&self.tally, &self.results, &self.extent);
        let games = replays.section(self.tally.plan(), &self.games)?;
        Ok([stage, times, games])
    }

    fn print(&self) -> Result<(), Error> {
        let paint = paint(&io::stdout());
        say(&report::text(
            &self.tally,
            &self.results,
            &self.extent,
            paint,
        ))?;
        if let Some(times) = &self.times {
            say(&report::times_text(
                &self.tally,
                &self.results,
                times,
                paint,
            ))?;
        }
        match self.tally.rate_places() {
            Some(ratings) => say(&report::places(&self.tally, &self.results, &ratings, paint)),
            None => Ok(()),
        }
    }

    /// Notes missing and duplicate blocks.
    fn missing(&self, folder: &Folder) {
        if self.duplicates > 0 {
            let blocks = counted(self.duplicates, "block");
            note(&format!("  {blocks} found twice, with equal results"));
        }
        if self.extent.is_partial() {
            let is_final = self.tally.plan().first_stage.is_some();
            let of_finals = if is_final { " of the finals" } else { "" };
            note(&format!(
                "  missing: blocks {}{of_finals}",
                self.extent.words()
            ));
            let place = folder.place().display();
            note(&format!(
                "  run `risk-cli tournament run {place}` to play them"
            ));
        }
    }
}
