//! The files that games of a page can name: those of the program, and those of its user.

use std::collections::BTreeMap;

use crate::messages::{Kind, OwnFile};
use risk_engine::Library;
use risk_maps::files::{FileKind, LARGEST_MAP, LARGEST_SCRIPT};
use risk_text::diag::LoadError;

/// The maximum number of files of a user.
const MOST: usize = 64;
/// The maximum size of all of them, in bytes.
const LARGEST: usize = 8 << 20;
/// The maximum length of a name.
const LONGEST_NAME: usize = 40;

impl From<Kind> for FileKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Ruleset => Self::Ruleset,
            Kind::Map => Self::Map,
            Kind::Bot => Self::Bot,
        }
    }
}

/// Returns the program's files. Only the module with the tools has those of fields.
fn known_files() -> &'static Library {
    if cfg!(feature = "tools") {
        risk_cli::library_with_fields()
    } else {
        risk_cli::library()
    }
}

/// The files of the page's user.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnFiles(BTreeMap<(usize, String), OwnFile>);

impl OwnFiles {
    /// Adds a file, or replaces the one with its name. Returns an error if the name is not free or
    /// not valid, or if the files get too large.
    pub(crate) fn add(&mut self, file: OwnFile) -> Result<(), LoadError> {
        let refuse = |text: String, help: &str| LoadError::refuse("playground::file", text, help);
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let name = &file.name;
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(fits) {
            let text = format!("a name has 1 to {LONGEST_NAME} letters, digits, `-` and `_`");
            return refuse(text, "rename the file");
        }
        let kind = FileKind::from(file.kind);
        let known = known_files();
        let is_bot = known.bots().chain(["human"]).any(|bot| bot == name);
        if (kind == FileKind::Bot && is_bot) || known.text(kind, name).is_some() {
            let text = format!("the program has a {} named {name}", kind.as_str());
            return refuse(text, "rename the file");
        }
        let most = match kind {
            FileKind::Map => LARGEST_MAP,
            FileKind::Ruleset | FileKind::Bot => LARGEST_SCRIPT,
        };
        if file.text.len() as u64 > most {
            let text = format!("{name} has more than {most} bytes");
            return refuse(text, "choose a smaller file");
        }
        let mut all = self.0.clone();
        all.insert((kind as usize, name.clone()), file);
        let size: usize = all.values().map(|file| file.text.len()).sum();
        if all.len() > MOST || size > LARGEST {
            let text = format!("more than {MOST} own files, or more than {LARGEST} bytes of them");
            return refuse(text, "reload the page, and add fewer files");
        }
        self.0 = all;
        Ok(())
    }

    /// Returns the files that a game names, or that such a file may name in turn: all scripts of
    /// the kinds that it uses.
    pub(crate) fn named(&self, is_named: impl Fn(&OwnFile) -> bool) -> Vec<OwnFile> {
        let named = self.0.values().filter(|file| is_named(file));
        named.cloned().collect()
    }

    /// Returns the program's files and these.
    pub(crate) fn library(&self) -> Library {
        let of_kind = |kind| self.0.range((kind as usize, String::new())..);
        known_files().adding(|kind| {
            let own = of_kind(kind).take_while(|((of, _), _)| *of == kind as usize);
            own.map(|(_, file)| (file.name.clone(), file.text.clone()))
                .collect()
        })
    }
}
