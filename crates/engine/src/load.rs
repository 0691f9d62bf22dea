//! Loads rulesets and bots by name or path. Files are read by `risk-maps`, and records by `record`.

pub mod bot_spec;
mod library;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::script::{Ruleset, Script, ScriptFault, Source, imports};
pub use library::Library;
use rhai_guard::function_lines;
use risk_maps::files::{FileKind, LARGEST_SCRIPT, decoded, file, from_folder, is_path, is_script};
use risk_maps::zipped::{self, is_zip, zip_of};
use risk_maps::{generated, text};
use risk_text::diag::{Finding, LoadError};
use risk_text::{escape_control, suggest};

const MOST_SIBLINGS: usize = 200;

/// Returns the folder of a file, with symlinks resolved.
fn home(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path)
        .ok()?
        .parent()
        .map(Path::to_path_buf)
}

/// Loads a script by name or path, with the files that it may import.
///
/// # Errors
/// Returns an error if no such script exists, or if its file or folder can't be read.
pub fn script(library: &Library, kind: FileKind, spec: &str) -> Result<Script, LoadError> {
    let file = text(library, kind, spec)?;
    let source = Source::new(file.name, file.text);
    Ok(Script {
        source,
        siblings: Arc::new(siblings(library, kind, spec)?),
        set: BTreeMap::new(),
    })
}

fn siblings(
    library: &Library,
    kind: FileKind,
    spec: &str,
) -> Result<BTreeMap<String, Source>, LoadError> {
    let mut found = BTreeMap::new();
    if !is_path(spec) {
        for name in library.names(kind) {
            let file = text(library, kind, name)?;
            found.insert(name.to_owned(), Source::new(file.name, file.text));
        }
        return Ok(found);
    }
    if let Some(zip) = zip_of(Path::new(spec)) {
        return zipped_scripts(zip);
    }
    let Some(home) = home(Path::new(spec)) else {
        return Ok(found);
    };
    let given = Path::new(spec)
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or_else(|| Path::new("."));
    // A script that is a symlink imports from the folder of its target.
    let folder = if std::fs::canonicalize(given).is_ok_and(|given| given == home) {
        given
    } else {
        &home
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(found);
    };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| is_script(path) && is_in(path, &home));
    paths.sort();
    // Skip an unreadable file; importing it reports the error.
    for path in paths.iter().take(MOST_SIBLINGS) {
        if let (Some(stem), Ok(file)) = (
            path.file_stem().and_then(|stem| stem.to_str()),
            file(path, LARGEST_SCRIPT),
        ) {
            found.insert(stem.to_owned(), Source::new(file.name, file.text));
        }
    }
    Ok(found)
}

/// Reads the scripts of a zip.
fn zipped_scripts(zip: &Path) -> Result<BTreeMap<String, Source>, LoadError> {
    let files = zipped::read(zip)?.into_iter();
    let scripts = files.map(|(name, bytes)| (zip.join(name), bytes));
    let scripts = scripts.filter(|(path, _)| is_script(path));
    let read = scripts.map(|(path, bytes)| {
        let file = decoded(&escape_control(&path.display().to_string()), bytes)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok((stem.into_owned(), Source::new(file.name, file.text)))
    });
    read.collect()
}

/// Returns the path of a ruleset's script. In a zip, it is the only script that declares a ruleset
/// and that no other script extends or imports. Other names and paths are returned as they are.
///
/// # Errors
/// Returns an error if the zip or a script in it can't be read, or if there is no such script or
/// more than one.
pub fn ruleset_path(spec: &str) -> Result<String, LoadError> {
    let zip = Path::new(spec);
    if !is_zip(zip) {
        return Ok(spec.to_owned());
    }
    let siblings = Arc::new(zipped_scripts(zip)?);
    let mut found: Vec<Arc<str>> = Vec::new();
    let mut used: Vec<Arc<str>> = Vec::new();
    for source in siblings.values() {
        let script = Script {
            source: source.clone(),
            siblings: Arc::clone(&siblings),
            set: BTreeMap::new(),
        };
        used.extend(imports(&script).into_iter().map(|(_, it)| it.name));
        if function_lines(&source.text).contains_key("ruleset") {
            let base = Ruleset::extends(&script).map_err(|fault| LoadError::one(fault.into()))?;
            let base = base.and_then(|base| beside(&source.name, &base).ok());
            used.extend(base.map(Arc::from));
            found.push(Arc::clone(&source.name));
        }
    }
    found.retain(|name| !used.contains(name));
    if let [name] = &found[..] {
        return Ok(name.to_string());
    }
    let text = format!(
        "expected one ruleset in {}, found {}: {}",
        escape_control(spec),
        found.len(),
        found.join(", ")
    );
    let help = "put one ruleset into a zip, with the scripts that it extends and imports";
    LoadError::refuse("load::zip", text.trim_end_matches(": "), help)
}

/// Reports whether this is the path of a script in the folder, with symlinks resolved.
fn is_in(path: &Path, folder: &Path) -> bool {
    std::fs::canonicalize(path).is_ok_and(|real| is_script(&real) && real.parent() == Some(folder))
}

/// Returns the path of a base ruleset that a script names by path. It must be in the same folder.
fn beside(script: &str, base: &str) -> Result<String, LoadError> {
    let folder = Path::new(script).parent().unwrap_or_else(|| Path::new(""));
    let path = folder.join(Path::new(base).strip_prefix(".").unwrap_or(Path::new(base)));
    let mut parts = Path::new(base)
        .components()
        .filter(|part| *part != Component::CurDir);
    let bare = matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    );
    let inside = bare
        && is_script(&path)
        && (!path.exists() || home(Path::new(script)).is_some_and(|home| is_in(&path, &home)));
    if inside {
        return Ok(path.display().to_string());
    }
    let base = escape_control(base);
    let script = escape_control(script);
    let text = format!("{script} extends `{base}`, which is not a script in the same folder");
    let help = "write the name of a built-in ruleset, or a script in the same folder, for example \
                \"./base.rhai\"";
    LoadError::refuse("ruleset::extends", text, help)
}

/// Points to a key of a ruleset in errors about the file that the key names.
pub(crate) fn at_key(scripts: &[Script], key: &str, mut error: LoadError) -> LoadError {
    let sources = scripts.iter().map(|script| &script.source);
    let place = rhai_guard::syntax::at_key(sources, key, ScriptFault::new("", ""));
    let place = Finding::from(place).place;
    for finding in &mut error.findings {
        let is_of_key = ["load::", "ruleset::"]
            .iter()
            .any(|kind| finding.code.starts_with(kind));
        if is_of_key && finding.place.is_none() {
            finding.place.clone_from(&place);
        }
    }
    error
}

/// Returns a ruleset's own map. A relative path is relative to the folder of its script. A zip has
/// no folders, and its ruleset can't name a map outside, so there only the file's name counts.
pub(crate) fn own_map(ruleset: &Ruleset) -> String {
    let map = &ruleset.manifest.map;
    let script = ruleset.sources().next().map(|source| source.name.clone());
    let script = script.as_deref().map(Path::new);
    if let Some(zip) = script
        .and_then(zip_of)
        .filter(|_| is_path(map) && !generated::is_made(map))
    {
        let name = Path::new(map).file_name().unwrap_or_default();
        return zip.join(name).display().to_string();
    }
    match script.and_then(Path::parent) {
        Some(folder) if !generated::is_made(map) => from_folder(folder, map),
        _ => map.clone(),
    }
}

/// Loads a ruleset by name or path, together with the rulesets that it extends.
///
/// # Errors
/// Returns an error if a script can't be loaded, or the list of all problems in its declarations.
pub fn ruleset(library: &Library, spec: &str) -> Result<Ruleset, LoadError> {
    const MOST_LEVELS: usize = 8;
    let mut path = ruleset_path(spec)?;
    let mut scripts = vec![script(library, FileKind::Ruleset, &path)?];
    loop {
        let last = scripts.last().expect("the list begins with one script");
        let Some(base) = Ruleset::extends(last).map_err(|fault| LoadError::one(fault.into()))?
        else {
            break;
        };
        let place = |error| at_key(std::slice::from_ref(last), "extends", error);
        let base_spec = if is_path(&base) {
            beside(&path, &base).map_err(place)?
        } else {
            base
        };
        if scripts
            .iter()
            .any(|script| *script.source.name == *base_spec)
            || scripts.len() == MOST_LEVELS
        {
            let text =
                format!("the ruleset {spec} extends itself or more than {MOST_LEVELS} others");
            let help = "remove `extends` from one of the scripts";
            let finding = Finding::error("ruleset::extends", text).help(help);
            return Err(place(LoadError::one(finding)));
        }
        let base = script(library, FileKind::Ruleset, &base_spec).map_err(place)?;
        scripts.push(base);
        path = base_spec;
    }
    let ruleset = Ruleset::read(scripts).map_err(LoadError::from)?;
    let known: Vec<&str> = library.bots().collect();
    let manifest = &ruleset.manifest;
    let bots = manifest.bots.iter().map(|bot| ("bots", bot));
    let advice = manifest.advice.iter().map(|bot| ("advice", bot));
    let levels = manifest.levels.values().flatten();
    let levels = levels.map(|bot| ("levels", bot));
    let unknown = |(_, bot): &(&str, &String)| !known.contains(&bot.as_str());
    if let Some((key, bot)) = bots.chain(advice).chain(levels).find(unknown) {
        let text = format!("`{key}` names `{bot}`, which is not a built-in bot");
        let fault = ruleset.fault(
            key,
            "ruleset::bots",
            text,
            suggest::help(bot, known.iter().copied()),
        );
        return Err(LoadError::one(fault.into()));
    }
    Ok(ruleset)
}
