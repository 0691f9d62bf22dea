//! What is made from the logs of a tournament: the tables, the report, and the same of its finals.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::replays::{PageRequest, Replays};
use super::{ReportFormat, isolate};
use crate::cli::out::hand_over;
use crate::cli::{Error, Exit, create, note, paint, say, say_json};
use risk_engine::load::diag::{Finding, LoadError};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::logs::Logs;
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_lab::tournament::timing::{WallTimes, wall_times};
use risk_lab::tournament::{RecordedGames, TournamentPlan};
use risk_report::tournament::{self as report, Extent};
use risk_text::plural::counted;

/// What is to be told of a tournament.
#[derive(Default)]
pub(super) struct ReportRequest<'a> {
    /// In which form.
    pub(super) format: ReportFormat,
    /// With ratings by places?
    pub(super) places: bool,
    /// With the wall times of bots?
    pub(super) times: bool,
    /// Are all blocks written into one log?
    pub(super) merges: bool,
    /// The page to write.
    pub(super) html: Option<PageRequest<'a>>,
    /// Not at all?
    pub(super) quiet: bool,
    /// Are the files left as they are? Other shards may be at them.
    pub(super) dry: bool,
}

/// How much of a tournament is there.
pub(super) struct Ended {
    /// Is the first stage whole, or all there is?
    pub(super) is_whole: bool,
    /// Are the finals whole, where there are any?
    finals: bool,
}

impl Ended {
    pub(super) const fn exit(&self) -> Exit {
        if self.is_whole && self.finals {
            Exit::Fine
        } else {
            Exit::Gaps
        }
    }
}

/// Makes and tells everything that the logs in these folders say. As soon as the first stage is
/// whole, `ready` hears of the finals, and may play them.
pub(super) fn tell(
    folder: &Folder,
    plan: &TournamentPlan,
    from: &[PathBuf],
    asked: &ReportRequest<'_>,
    ready: impl FnOnce(&Folder, &TournamentPlan) -> Result<(), Error>,
) -> Result<Ended, Error> {
    let Some(first) = make(folder, plan, from, asked)? else {
        let text = format!("no block of {} was played yet", folder.file.display());
        let help = format!("`risk-cli tournament run {}` plays", folder.path.display());
        return Err(LoadError::one(Finding::error("tournament::empty", text).help(help)).into());
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
                "  the finals are still to play, {}",
                counted(plan.blocks, "block")
            )),
        }
    }
    Ok(Ended {
        is_whole: !first.extent.is_partial(),
        finals: plan.finals.is_none() || finals.is_some_and(|finals| !finals.extent.is_partial()),
    })
}

/// What the logs of a stage say.
struct Made<'a> {
    tally: TournamentTally<'a>,
    results: Results,
    extent: Extent,
    duplicates: u64,
    /// The games that have records, where a page is to show them.
    games: RecordedGames,
    /// What no other run has in common with this one, where it is asked for.
    times: Option<WallTimes>,
}

/// Makes what is made from the logs of a stage; nothing if it has no block yet.
fn make<'a>(
    folder: &Folder,
    plan: &'a TournamentPlan,
    from: &[PathBuf],
    asked: &ReportRequest<'_>,
) -> Result<Option<Made<'a>>, Error> {
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
    let names: Vec<&str> = plan
        .setup
        .bots
        .iter()
        .map(|bot| bot.name.as_str())
        .collect();
    Ok(Some(Made {
        times: asked.times.then(|| wall_times(from, &names)),
        results: tally.results(),
        tally,
        extent: Extent {
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

impl Made<'_> {
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
        let json = serde_json::to_string_pretty(&document).expect("a report is plain data");
        for (name, text) in [("ranking.csv", self.ranking()), ("report.json", json)] {
            folder.write_out(name, |out| {
                let written = writeln!(out, "{}", text.trim_end());
                written.map_err(|error| unwritten(name, &error))
            })?;
        }
        Ok(())
    }

    /// Tells it as it is asked for.
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

    /// Writes the page, and replays beside it.
    fn write_page(&self, asked: PageRequest<'_>, finals: Option<&Self>) -> Result<(), Error> {
        asked.check_folder()?;
        // Nothing is written beside a page that can't be.
        let file = create(asked.path, asked.force)?;
        let mut replays = Replays::new(asked);
        let page = self.page(&mut replays, finals);
        let page = page.inspect_err(|_| {
            // Half a page is of no use to anybody.
            let _ = fs::remove_file(asked.path);
        })?;
        let unwritten = |error| Error::Write(asked.path.display().to_string(), error);
        (&file).write_all(page.as_bytes()).map_err(unwritten)?;
        note(&format!("  {} is written", asked.path.display()));
        replays.tell();
        Ok(())
    }

    fn page(&self, replays: &mut Replays<'_>, finals: Option<&Self>) -> Result<String, Error> {
        // Those of the finals are what most want to see.
        let of_finals = finals.map(|finals| finals.stage(replays)).transpose()?;
        let first = self.stage(replays)?;
        Ok(report::page(&self.tally, &first, of_finals))
    }

    /// A stage for the page.
    fn stage(&self, replays: &mut Replays<'_>) -> Result<String, Error> {
        let times = self.times.as_ref().map_or_else(String::new, |times| {
            report::times_html(&self.tally, &self.results, times)
        });
        let stage = report::stage(&self.tally, &self.results, &self.extent);
        let games = replays.section(self.tally.plan(), &self.games)?;
        Ok(format!("{stage}{times}\n{games}"))
    }

    /// Prints a stage for people.
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

    /// Says what is missing.
    fn missing(&self, folder: &Folder) {
        if self.duplicates > 0 {
            let blocks = counted(self.duplicates, "block");
            note(&format!("  {blocks} stood twice, alike"));
        }
        if self.extent.is_partial() {
            let is_final = self.tally.plan().first_stage.is_some();
            let of_finals = if is_final { " of the finals" } else { "" };
            note(&format!(
                "  missing: blocks {}{of_finals}",
                self.extent.words()
            ));
            let folder = match folder.file.parent() {
                Some(parent) if parent != Path::new("") => parent.display(),
                _ => folder.file.display(),
            };
            note(&format!("  `risk-cli tournament run {folder}` plays them"));
        }
    }
}
