//! The record of a game with people. Undoing a decision cuts or marks it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use crate::cli::{Error, recorded};
use risk_engine::Setup;
use risk_engine::record::{Record, Recorder};
use risk_people::GameFile;

/// Creates the record of a game: the given file, or a new file in the current folder, named after
/// the ruleset. Only the owner can read it, because it contains the seed.
pub(super) fn create(
    path: Option<&Path>,
    setup: &Setup,
    force: bool,
) -> Result<(File, PathBuf), Error> {
    if let Some(path) = path {
        return Ok((crate::cli::create_own(path, force)?, path.to_owned()));
    }
    let stem = Path::new(&setup.rules.ruleset_spec).file_stem();
    let stem = stem.map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
    for number in 1..1_000 {
        // The name leaves out the seed, which must stay secret during the game.
        let path = PathBuf::from(format!("{stem}-{number}.jsonl"));
        match crate::cli::own_file().create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::writing(&path)(error)),
        }
    }
    let text = format!("{stem}-1.jsonl to {stem}-999.jsonl already exist");
    let help = "choose another file with --record";
    Err(Error::input("cli::exists", text, help))
}

/// A game whose record is a file, locked against other programs.
pub(super) struct RecordFile<'a> {
    pub(super) path: &'a Path,
}

impl RecordFile<'_> {
    /// Locks the game against other programs, until the file is closed.
    fn lock(&self, file: &File) -> Result<(), Error> {
        match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                let text = format!("{} is in use by another program", self.path.display());
                let help = "end the other program first";
                Err(Error::input("record::busy", text, help))
            }
            Err(TryLockError::Error(error)) => Err(self.failed(error)),
        }
    }
}

impl GameFile for RecordFile<'_> {
    type File = File;
    type Error = Error;

    /// Drops an incomplete last line, or completes a whole one without its line end. A crash may
    /// have left either of them.
    fn open(&mut self) -> Result<(Record, File, u64), Error> {
        let (text, record) = recorded::read(self.path)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(self.path)
            .map_err(Error::writing(self.path))?;
        self.lock(&file)?;
        let mut ends = text.text.ends_with('\n');
        if let Some(broken) = &record.broken {
            let lines = text.text.lines().count();
            let is_end = broken.line > lines;
            let is_torn = broken.line == lines && !text.text.ends_with('\n');
            if !is_end && !is_torn {
                crate::cli::print_findings(&[recorded::rest(&text, &record)]);
                let help = "restore the file: a game can't be resumed from a damaged record";
                let text = format!("{}: {broken}", self.path.display());
                return Err(Error::input("record::damaged", text, help));
            }
            if is_torn {
                ends = true;
                let whole = text.text.rfind('\n').map_or(0, |end| end + 1);
                file.set_len(whole as u64)
                    .map_err(Error::writing(self.path))?;
            }
        }
        file.seek(io::SeekFrom::End(0))
            .map_err(Error::writing(self.path))?;
        if !ends {
            file.write_all(b"\n").map_err(Error::writing(self.path))?;
        }
        let written = file.metadata().map_err(Error::writing(self.path))?;
        Ok((record, file, written.len()))
    }

    fn cut(&mut self, answer: u64) -> Result<(), Error> {
        let (text, record) = recorded::read(self.path)?;
        let Some((line, _)) = record.lines.get(record.first_behind(answer)) else {
            return Ok(());
        };
        let lines = text.text.split_inclusive('\n').take(line - 1);
        let whole: usize = lines.map(str::len).sum();
        let cut = OpenOptions::new()
            .write(true)
            .open(self.path)
            .and_then(|file| file.set_len(whole as u64));
        cut.map_err(Error::writing(self.path))
    }

    fn mark(&mut self, answer: u64) -> Result<(), Error> {
        let (record, file, _) = self.open()?;
        let mut recorder = Recorder::go_on(file, &record, 0);
        recorder.undo(answer);
        let mut file = recorder.into_inner().map_err(Error::writing(self.path))?;
        file.flush().map_err(Error::writing(self.path))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::writing(self.path)(error)
    }
}
