//! The recorded games on a tournament's page: links to all records, and replays of some games.

use risk_maps::files;
use std::path::{Component, Path, PathBuf};

use crate::cli::replay::{LoadedRecord, PageExtras};
use crate::cli::{Error, note, recorded, save};
use risk_engine::record::RecordLine;
use risk_engine::{Worker, shell_quoted};
use risk_lab::plain_files;
use risk_lab::tournament::{RECORDS, RecordedGame, RecordedGames, TournamentPlan, record_name};
use risk_report::page::Markup;
use risk_report::tournament::{self as report, GameLinks};
use risk_text::plural::counted;
use risk_text::uri::reference;

/// The maximum total size of all replays of a page, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// The page of a tournament, and the limits of its replays.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRequest<'a> {
    pub(super) path: &'a Path,
    pub(super) force: bool,
    /// The maximum number of replays in all stages.
    pub(super) replays: usize,
}

impl PageRequest<'_> {
    fn folder(&self) -> PathBuf {
        self.path.with_extension("games")
    }

    /// Refuses a folder of replays that is a link.
    pub(super) fn check_folder(&self) -> Result<(), Error> {
        let folder = self.folder();
        plain_files::refuse_link(&folder).map_err(Error::writing(&folder))
    }
}

pub(super) struct Replays<'a> {
    asked: PageRequest<'a>,
    written: usize,
    bytes: usize,
    failed: usize,
}

impl<'a> Replays<'a> {
    pub(super) const fn new(asked: PageRequest<'a>) -> Self {
        Self {
            asked,
            written: 0,
            bytes: 0,
            failed: 0,
        }
    }

    /// Returns the recorded games of a stage as HTML. The first games get replays, up to the
    /// limits.
    pub(super) fn section(
        &mut self,
        plan: &TournamentPlan,
        games: &RecordedGames,
    ) -> Result<Markup, Error> {
        let (count, games) = games.clone().finish();
        let (prefix, stage) = match plan.first_stage {
            Some(_) => ("finals-", "finals/"),
            None => ("", ""),
        };
        let mut links = Vec::new();
        for game in &games {
            let mut link = GameLinks {
                game,
                record: from_page(self.asked.path, &game.path),
                replay: None,
                trouble: None,
            };
            if self.written < self.asked.replays && self.bytes < MOST_BYTES {
                match page(plan, game) {
                    Ok(page) => {
                        let name = format!("{prefix}{}.html", game.name());
                        link.replay = Some(self.write(&name, &page)?);
                    }
                    Err(trouble) => {
                        self.failed += 1;
                        link.trouble = Some(trouble);
                    }
                }
            }
            links.push(link);
        }
        let first = games.first();
        let record = first.map_or_else(String::new, |it| record_name(it.block, it.game));
        let mut command = format!("risk-cli replay {stage}{RECORDS}/{record} --html game.html");
        if let Some((ruleset, map)) = &plan.rules_specs {
            for (what, spec) in [("ruleset", Some(ruleset)), ("map", map.as_ref())] {
                let path = spec.filter(|spec| files::is_path(spec));
                command += &path.map_or_else(String::new, |spec| {
                    format!(" --{what} {}", shell_quoted(spec))
                });
            }
        }
        Ok(report::games(&links, count, &command))
    }

    /// Writes a replay, and returns its address relative to the page.
    fn write(&mut self, name: &str, page: &str) -> Result<String, Error> {
        let folder = self.asked.folder();
        plain_files::make_folder(&folder).map_err(Error::writing(&folder))?;
        let path = folder.join(name);
        plain_files::refuse_link(&path).map_err(Error::writing(&path))?;
        save(&path, page.as_bytes(), self.asked.force)?;
        self.written += 1;
        self.bytes += page.len();
        Ok(from_page(self.asked.path, &path))
    }

    pub(super) fn print(&self) {
        if self.written > 0 {
            let folder = self.asked.folder();
            let replays = counted(self.written, "replay");
            note(&format!("  {replays} in {}", folder.display()));
        }
        if self.failed > 0 {
            let records = counted(self.failed, "record");
            note(&format!(
                "  can't replay {records}; the page shows the reasons"
            ));
        }
        if self.bytes >= MOST_BYTES {
            let most = MOST_BYTES >> 20;
            note(&format!(
                "  reached the limit of {most} MiB of replays; the page links other records"
            ));
        }
    }
}

/// Returns the replay of a game as a page, or the reason why it can't be made.
fn page(plan: &TournamentPlan, game: &RecordedGame) -> Result<String, String> {
    let told = |error: Error| {
        let texts = error.findings().into_iter().map(|it| it.text);
        texts.collect::<Vec<_>>().join("; ")
    };
    let (file, record) = recorded::read(&game.path).map_err(told)?;
    if let Some(broken) = &record.broken {
        return Err(format!("the record is damaged: {broken}"));
    }
    let ends_so =
        record.lines.iter().rev().any(
            |(_, line)| matches!(line, RecordLine::End(end) if end.digest == game.line.digest),
        );
    if !ends_so {
        return Err("the record and the log are of different games".to_owned());
    }
    let setup = record
        .header
        .setup(plan.setup.rules.clone())
        .map_err(|_| "the record doesn't match the ruleset or the map".to_owned())?;
    let mut worker = Worker::new(&setup).map_err(|failure| told(failure.into()))?;
    let mut replay = LoadedRecord::new(&file, &record, &mut worker, None);
    let page = replay.page(PageExtras::default()).map_err(told)?;
    match replay.playback.mismatch() {
        Some(found) => Err(format!("the record is damaged: {found}")),
        None => Ok(page.html),
    }
}

/// Returns the address of a file, relative to a page.
fn from_page(page: &Path, file: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (page, file) = (whole(page), whole(file));
    let from: Vec<Component<'_>> = page
        .parent()
        .map_or_else(Vec::new, |it| it.components().collect());
    let to: Vec<Component<'_>> = file.components().collect();
    let same = from.iter().zip(&to).take_while(|(from, to)| from == to);
    let same = same.count();
    let up = from[same..].iter().map(|_| Component::ParentDir);
    // There is no relative path to another drive.
    let path: PathBuf = if same == 0 {
        file.clone()
    } else {
        up.chain(to[same..].iter().copied()).collect()
    };
    reference(&path.to_string_lossy(), cfg!(windows))
}
