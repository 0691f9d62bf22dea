//! Checks scripts again whenever they are saved.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use notify::{RecursiveMode, Watcher};

use super::{CommandResult, Error, Exit, note, print_findings};
use risk_maps::files::{is_path, is_script};
use risk_maps::zipped::is_zip;

/// Runs `check` now, and again after each save of a script in the folders of these files, until the
/// program is stopped.
pub(super) fn run(files: &[String], mut check: impl FnMut() -> CommandResult) -> CommandResult {
    let (sender, saved) = mpsc::channel();
    let failed = |error: notify::Error| {
        let text = format!("can't watch for changes: {error}");
        Error::input("cli::watch", text, "omit --watch")
    };
    let mut watcher =
        notify::recommended_watcher(move |event: Result<notify::Event, notify::Error>| {
            // A failed send means that the receiver is gone.
            if event.is_ok_and(|event| is_a_save(&event)) {
                let _ = sender.send(());
            }
        })
        .map_err(failed)?;
    for folder in folders(files)? {
        watcher
            .watch(&folder, RecursiveMode::NonRecursive)
            .map_err(failed)?;
    }
    loop {
        match check() {
            // The file may be missing for a moment: the next save may bring it back.
            Err(Error::Input(failure)) => print_findings(&failure.findings),
            done => drop(done?),
        }
        note("watching: save a script to check it again, Ctrl-C to quit");
        if saved.recv().is_err() {
            return Ok(Exit::Fine);
        }
        // Editors save in several steps.
        while saved.recv_timeout(Duration::from_millis(100)).is_ok() {}
    }
}

fn is_a_save(event: &notify::Event) -> bool {
    let writes = event.kind.is_create() || event.kind.is_modify();
    writes
        && event
            .paths
            .iter()
            .any(|path| is_script(path) || is_zip(path))
}

fn folders(files: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in files {
        if !is_path(file) && !Path::new(file).is_dir() {
            let text = format!("can't watch `{file}`, which is built in");
            return Error::refuse("cli::watch", text, "give the path of a file or a folder");
        }
        let path = Path::new(file);
        let folder = if path.is_dir() {
            Some(path)
        } else {
            path.parent()
        };
        let folder = folder
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or_else(|| Path::new("."));
        if !folders.contains(&folder.to_path_buf()) {
            folders.push(folder.to_path_buf());
        }
    }
    Ok(folders)
}
