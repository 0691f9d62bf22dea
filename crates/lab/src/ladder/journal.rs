//! The journal of a ladder, which is an append-only file. Each line records one action of a person
//! and contains a checksum.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::plain_files;
use crate::tournament::log::{line, parse};
use risk_text::diag::LoadError;

/// The maximum size of a readable journal, in bytes.
const LARGEST: u64 = 64 << 20;

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case", deny_unknown_fields)]
pub enum JournalEntry {
    /// A person was registered or received a new token.
    Person {
        /// The person's public name.
        name: String,
        /// The hash of the token, in hexadecimal. The hash can't be used to submit scripts.
        token: String,
    },
    /// A person is no longer allowed to submit scripts. The person's bots rest.
    PersonLeft {
        /// The person's name.
        name: String,
    },
    /// A version of a bot was submitted and replaces the previous version.
    HandedIn {
        /// The bot's name.
        bot: String,
        /// The version number, counted from 1.
        version: u32,
        /// The owner's name.
        person: String,
        /// Whether other people may read the script.
        public: bool,
        /// The size of the script, in bytes.
        bytes: u64,
    },
    /// A bot was withdrawn. It rests until a new version is submitted.
    Withdrawn {
        /// The bot's name.
        bot: String,
    },
}

/// A journal opened for appending, locked against other writers.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    whole: u64,
}

fn failed(path: &Path, text: &str, help: &str) -> LoadError {
    let text = format!("{} {text}", path.display());
    LoadError::new("ladder::journal", text, help)
}

impl Journal {
    /// Opens a journal, passes its entries to `each`, and removes an incomplete last line. Returns
    /// an error if another program is writing to the journal, or if a line before the last line is
    /// damaged.
    pub(super) fn open(path: &Path, mut each: impl FnMut(JournalEntry)) -> Result<Self, LoadError> {
        let io = |error: io::Error| {
            let text = format!("can't be used: {error}");
            failed(path, &text, "fix the cause, then start the ladder again")
        };
        let Some(mut file) = plain_files::lock(path).map_err(io)? else {
            let help = "stop the other program, or choose another folder";
            return Err(failed(path, "is in use by another program", help));
        };
        let mut bytes = Vec::new();
        let mut within = (&mut file).take(LARGEST + 1);
        within.read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LARGEST {
            let text = format!("exceeds {LARGEST} bytes");
            return Err(failed(path, &text, "start another ladder"));
        }
        let mut whole = 0;
        for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            match parse(line, "an entry") {
                Ok(entry) => each(entry),
                // The last line is incomplete because its writing was interrupted.
                Err(_) if whole + line.len() == bytes.len() => break,
                Err(what) => {
                    let text = format!("is damaged: line {} {what}", index + 1);
                    return Err(failed(path, &text, "restore the file from a backup"));
                }
            }
            whole += line.len();
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            whole: whole as u64,
        })
    }

    /// Appends an entry and writes it to the disk. After an error, no entry was added.
    pub(super) fn add(&mut self, entry: &JournalEntry) -> io::Result<()> {
        let line = line(entry);
        if self.whole + line.len() as u64 > LARGEST {
            let text = format!("{} is full", self.path.display());
            return Err(io::Error::other(text));
        }
        let written = self.file.write_all(line.as_bytes());
        if let Err(error) = written.and_then(|()| self.file.sync_data()) {
            // An incomplete line would damage the next line.
            self.file.set_len(self.whole)?;
            return Err(error);
        }
        self.whole += line.len() as u64;
        Ok(())
    }
}
