//! The files of a program, which it may read and run inside its sandbox. They are the program's
//! installation and the folders of the files in its arguments. The search for the installation
//! follows links and scripts that start another program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The maximum number of links to follow.
const MOST_LINKS: usize = 16;
/// The number of bytes to read from a script's first line.
const FIRST_LINE: usize = 256;
/// The names of folders that contain the programs of an installation.
const PROGRAMS: [&str; 5] = ["bin", "sbin", "libexec", "scripts", "shims"];
/// The names of folders with files of the programs next to them. They are used if the parent folder
/// contains more than one installation.
const BESIDE: [&str; 4] = ["lib", "lib64", "libexec", "share"];
/// The names of folders that contain more than one installation.
const SHARED: [&str; 3] = [".cargo", ".local", ".config"];

/// Returns the files and folders that a program needs. `words` is the command that starts the
/// program.
pub(super) fn program_files(words: &[String]) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let Some((program, arguments)) = words.split_first() else {
        return Vec::new();
    };
    if let Some(program) = find(program) {
        add_program(&program, &mut found, MOST_LINKS);
    }
    // A shell that runs another program: `sh -c SCRIPT FOLDER PROGRAM…`.
    if let ["-c", _, _, _, ..] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        found.extend(program_files(&arguments[3..]));
    }
    for argument in arguments {
        let value = argument.split_once('=').map(|(_, value)| value);
        let parts = argument.split(':').chain(value);
        for part in parts.filter(|part| !part.is_empty()) {
            add_named(Path::new(part), &mut found);
        }
    }
    found.into_iter().collect()
}

/// Finds a program in the same way as a shell.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return std::path::absolute(program).ok();
    }
    let folders = std::env::var_os("PATH")?;
    let mut all = std::env::split_paths(&folders).map(|folder| folder.join(program));
    all.find(|path| path.is_file())
}

/// Adds a folder, or the folder that contains a file.
fn add_named(path: &Path, found: &mut BTreeSet<PathBuf>) {
    let Ok(path) = path.canonicalize() else {
        return;
    };
    let folder = if path.is_dir() {
        Some(path.as_path())
    } else {
        path.parent()
    };
    match folder.filter(|folder| !holds_everything(folder)) {
        Some(folder) => found.insert(folder.to_owned()),
        None => path.is_file() && found.insert(path),
    };
}

/// Adds a program, its installation, and the programs that it refers to.
fn add_program(path: &Path, found: &mut BTreeSet<PathBuf>, left: usize) {
    if left == 0 {
        return;
    }
    found.insert(path.to_owned());
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    if let Some(folder) = folder {
        add_installation(&folder, found);
    }
    if let Ok(target) = path.read_link() {
        let target = path.parent().unwrap_or(Path::new("/")).join(target);
        add_program(&target, found, left - 1);
    } else if let Some(interpreter) = interpreter(path) {
        add_program(&interpreter, found, left - 1);
    }
}

fn add_installation(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let is_of_programs = name(folder).is_some_and(|it| PROGRAMS.contains(&it.as_str()));
    if !holds_everything(folder) {
        found.insert(folder.to_owned());
    }
    let Some(root) = folder.parent().filter(|_| is_of_programs) else {
        return;
    };
    let is_shared = name(root).is_some_and(|it| SHARED.contains(&it.as_str()));
    if is_shared || holds_everything(root) {
        found.extend(BESIDE.iter().map(|beside| root.join(beside)));
    } else {
        found.insert(root.to_owned());
    }
    // The configuration of a virtual environment contains the folder of its interpreter.
    if let Some(home) = home_of_environment(root) {
        add_installation(&home, found);
    }
}

fn home_of_environment(root: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(root.join("pyvenv.cfg")).ok()?;
    let home = text.lines().find_map(|line| line.strip_prefix("home = "))?;
    Path::new(home.trim()).canonicalize().ok()
}

/// Returns the program in a script's first line.
fn interpreter(path: &Path) -> Option<PathBuf> {
    use std::io::Read;
    let mut first = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(FIRST_LINE as u64).read_to_end(&mut first).ok()?;
    let text = String::from_utf8_lossy(&first).into_owned();
    let mut words = text.lines().next()?.strip_prefix("#!")?.split_whitespace();
    let program = words.next()?;
    if program.ends_with("/env") {
        return find(words.find(|word| !word.starts_with('-'))?);
    }
    find(program)
}

/// Reports whether a folder is or contains the user's home, the temporary folder or the root
/// folder.
fn holds_everything(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let home = home.and_then(|home| home.canonicalize().ok());
    home.is_some_and(|home| home.starts_with(folder)) || folder == Path::new("/") || {
        let temporary = std::env::temp_dir().canonicalize();
        temporary.is_ok_and(|it| it.starts_with(folder))
    }
}
