//! Cargo notices a new ruleset, map or script, which `include_dir!` takes into the library.

fn main() {
    for folder in ["fields", "maps", "rulesets", "scripts"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
