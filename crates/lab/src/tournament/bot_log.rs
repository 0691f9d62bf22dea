//! A folder for the bots' output besides their answers, with one file per bot and game.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use risk_engine::Aside;

/// A folder for the bots' output besides their answers.
#[derive(Clone, Debug)]
pub struct BotLog {
    folder: PathBuf,
    /// The prefix of each file's name.
    prefix: String,
    force: bool,
}

impl BotLog {
    /// Opens a folder, or creates it if it is missing. Existing files are only overwritten if
    /// `force` is set.
    ///
    /// # Errors
    /// Returns an error if the folder can't be created.
    pub fn open(folder: &Path, prefix: &str, force: bool) -> Result<Self, (PathBuf, io::Error)> {
        let failed = |error| (folder.to_path_buf(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            prefix: prefix.to_owned(),
            force,
        })
    }

    /// Writes a bot's output in a game. The file's name contains the game and the bot's name. The
    /// player's number is added if the bot's name contains characters other than letters, digits,
    /// `-` and `_`.
    ///
    /// # Errors
    /// Returns the file and the reason if the file can't be written or already exists.
    pub fn write(
        &self,
        game: &str,
        player: usize,
        name: &str,
        aside: &Aside,
    ) -> Result<(), (PathBuf, io::Error)> {
        let file = format!("{}{game}.{}.log", self.prefix, safe(player, name));
        let path = self.folder.join(file);
        let write = || {
            let mut file = if self.force {
                File::create(&path)?
            } else {
                File::create_new(&path)?
            };
            if aside.is_cut {
                file.write_all(b"[the beginning is cut off]\n")?;
            }
            file.write_all(aside.text.as_bytes())
        };
        write().map_err(|error| (path.clone(), error))
    }
}

/// Returns a bot's name for use in file names. Different bots have different names.
fn safe(player: usize, name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    format!("{}.{}", plain.collect::<String>(), player + 1)
}
