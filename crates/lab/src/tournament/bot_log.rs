//! What bots elsewhere wrote beside their answers, in a folder: a file for each bot and game.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use risk_engine::matches::Aside;

/// A folder for what bots wrote beside their answers.
#[derive(Clone, Debug)]
pub struct BotLog {
    folder: PathBuf,
    /// What each file's name begins with.
    prefix: String,
    force: bool,
}

impl BotLog {
    /// Opens a folder, and makes it where it is not there. Files in it are written over with
    /// `force` alone.
    ///
    /// # Errors
    /// When it can't be made.
    pub fn open(folder: &Path, prefix: &str, force: bool) -> Result<Self, (PathBuf, io::Error)> {
        let failed = |error| (folder.to_path_buf(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            prefix: prefix.to_owned(),
            force,
        })
    }

    /// Writes what a bot wrote in a game: the file has the game and the bot's name in its own, and
    /// the number of the player where the name can't stand in it.
    ///
    /// # Errors
    /// When it can't be written, or is there already: the file, and why.
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

/// A bot's name as it can stand in a file's: two bots have two of them.
fn safe(player: usize, name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    format!("{}.{}", plain.collect::<String>(), player + 1)
}
