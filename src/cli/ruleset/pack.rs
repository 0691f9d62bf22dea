//! `ruleset pack`: writes a ruleset and all its files to one zip.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use risk_engine::RuleSetup;
use risk_engine::script::{ScriptLimits, imports};
use risk_maps::files::{self, LARGEST_MAP, is_path};
use risk_maps::generated::is_made;
use risk_maps::zipped;
use risk_text::escape_control;

use crate::cli::{Error, ForceArg, library, save, say};

#[derive(Args, Debug)]
pub(in crate::cli) struct PackArgs {
    /// Ruleset: a name or a path
    ruleset: String,
    /// Zip to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArg,
}

pub(super) fn run(args: &PackArgs) -> Result<(), Error> {
    let zip = args.output.display().to_string();
    if !zipped::is_zip(&args.output) {
        let text = format!("expected a name that ends in .zip, found {zip}");
        return Error::refuse("cli::form", text, "write -o R.zip, for example");
    }
    let rules = RuleSetup::load(library(), &args.ruleset, None, &[])?;
    rules.bind(rules.ruleset.manifest.players.0, &ScriptLimits::default())?;
    let mut packed = scripts(&rules);
    packed.extend(own_map(&rules)?);
    let names: Vec<String> = packed.keys().cloned().collect();
    let bytes = zipped::write(packed);
    // Names that differ only in upper and lower case can't be read back, for example.
    zipped::parse(&zip, &bytes)?;
    save(&args.output, &bytes, args.force.force)?;
    say(&format!("{zip}: {}", names.join(", ")))
}

/// Returns the scripts of a ruleset by file name. Built-in ones that it extends are not packed.
fn scripts(rules: &RuleSetup) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for (level, script) in rules.ruleset.scripts().iter().enumerate() {
        if level > 0 && !is_path(&script.source.name) {
            continue;
        }
        let imported = imports(script).into_iter().map(|(_, source)| source);
        for source in imported.chain([script.source.clone()]) {
            let path = Path::new(&*source.name).with_extension("rhai");
            found.insert(file_name(&path), source.text.as_bytes().to_vec());
        }
    }
    found
}

/// Returns the ruleset's own map, if it is a file. It must be in the folder of the ruleset or below
/// it, because the zip is sent to others.
fn own_map(rules: &RuleSetup) -> Result<Option<(String, Vec<u8>)>, Error> {
    let spec = &rules.map_spec;
    if is_made(spec) || !is_path(spec) {
        return Ok(None);
    }
    let path = Path::new(files::map_path(spec));
    let ruleset = Path::new(&*rules.ruleset.scripts()[0].source.name);
    let folder = ruleset.parent().filter(|it| *it != Path::new(""));
    if !files::is_below(path, folder.unwrap_or(Path::new("."))) {
        let (map, ruleset) = (path.display(), ruleset.display());
        let text = escape_control(&format!(
            "expected the map {map} in the folder of {ruleset}"
        ))
        .into_owned();
        let help = "copy the map into that folder, and name the copy in the ruleset";
        return Error::refuse("cli::pack", text, help);
    }
    Ok(Some((file_name(path), files::bytes(path, LARGEST_MAP)?.1)))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
