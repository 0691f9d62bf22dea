//! Words that comments, messages and guides do without: a reader stumbles over them.

use std::fs;
use std::path::PathBuf;

use super::{all_sources, check, has_word, root, sources};

/// A word, and what says it better.
const WORDS: [(&str, &str); 25] = [
    (
        "whoever",
        "name the one who acts: the caller, the player, the bot",
    ),
    ("whatever", "any, each, or name the thing"),
    ("somebody", "name who: a player, a client"),
    ("so many", "N, or the name of the number"),
    ("told", "sent, shown, reported, hears"),
    ("tells", "says, shows, reports"),
    ("is said", "say who says what"),
    ("what is heard", "the reply, the event"),
    ("one after the other", "in order, in turn"),
    ("taken up again", "resumed"),
    ("take up again", "resume"),
    ("by hand", "manually, yourself"),
    ("lead nowhere", "say what happens"),
    ("leads nowhere", "say what happens"),
    ("stand here", "is here"),
    ("stands here", "is here"),
    ("stands for", "means, is short for"),
    ("stands behind", "follows"),
    ("for the second time", "duplicate"),
    ("of ours", "our, this project's"),
    ("of theirs", "their, another program's"),
    ("sit down", "play, join"),
    ("is no more", "is gone, ended"),
    ("for want of", "without, because there is no"),
    ("of itself", "on its own, without being asked"),
];

/// Returns the numbered comments and string literals of Rust, without quoted code.
fn prose_of_rust(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let line = 1 + text[..text.len() - rest.len() + at].matches('\n').count();
        let (before, here) = rest.split_at(at);
        let length = if here.starts_with("//") {
            here.find('\n').unwrap_or(here.len())
        } else if let Some(inside) = here.strip_prefix('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let raw = before.trim_end_matches('#').ends_with('r');
            1 + if raw {
                let end = format!("\"{}", "#".repeat(hashes));
                inside.find(&end).map_or(inside.len(), |at| at + end.len())
            } else {
                end_of_string(inside)
            }
        } else {
            // A character may be a quotation mark; a lifetime has no second apostrophe.
            let quote = ["'\"'", "'\\\"'"].into_iter().find(|q| here.starts_with(q));
            quote.map_or(1, str::len)
        };
        let prose = unquoted(&here[..length]);
        // Keys and names are single words.
        if !here.starts_with('\'') && prose.contains(' ') {
            found.push((line, prose));
        }
        rest = &here[length..];
    }
    found
}

/// Returns the length of a string up to its closing quotation mark.
fn end_of_string(inside: &str) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    inside.len()
}

/// Returns a text in lower case and in one line, without what is between backticks.
fn unquoted(text: &str) -> String {
    let outside = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words = outside.to_lowercase().replace("\\\n", " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the numbered paragraphs of a page, without blocks of code.
fn prose_of_page(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut is_code = false;
    for (number, line) in text.lines().chain([""]).enumerate() {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        if fence || is_code || line.trim().is_empty() {
            found.push((number, unquoted(&paragraph)));
            paragraph.clear();
        } else {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    found
}

fn pages() -> Vec<(PathBuf, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let tops = ["README.md", "CHANGELOG.md"].map(|name| root().join(name));
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path().join("README.md"));
    docs.chain(tops)
        .chain(crates)
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn prose_does_without_riddles() {
    let rust = all_sources().into_iter().chain(sources("python/src"));
    let rust = rust.map(|(path, text)| (path, prose_of_rust(&text)));
    let pages = pages();
    let pages = pages
        .iter()
        .map(|(path, text)| (path.clone(), prose_of_page(text)));
    let mut wrong = Vec::new();
    for (path, prose) in rust.chain(pages) {
        for (number, text) in prose {
            let found = WORDS.iter().filter(|(word, _)| has_word(&text, word));
            let path = path.strip_prefix(root()).unwrap().display();
            wrong.extend(
                found.map(|(word, better)| format!("{path}:{number}: `{word}`: say {better}")),
            );
        }
    }
    check(&wrong);
}

#[test]
fn the_reader_of_prose_finds_it() {
    let rust = "/// Somebody\nlet a = '\"'; let b: &'a str = \"x `told` \\\"tells\\\" \\\n  it\";\n\
                let c = r#\"so \"many\"#; // of ours\n";
    let found = [
        (1, "/// somebody".to_owned()),
        (2, "\"x \\\"tells\\\" it\"".to_owned()),
        (4, "\"so \"many\"#".to_owned()),
        (4, "// of ours".to_owned()),
    ];
    assert_eq!(prose_of_rust(rust), found);
    let page = "One\ntold `tells`\n```\nsomebody\n```\n\nhere\n";
    let found: Vec<_> = prose_of_page(page)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let found: Vec<_> = found.iter().filter(|text| !text.is_empty()).collect();
    assert_eq!(found, ["one told", "here"]);
}

#[test]
fn pages_that_texts_name_exist() {
    let others = ["package.json", "Cargo.toml", "tsconfig.json"].map(|name| root().join(name));
    let others = others.map(|path| (path.clone(), fs::read_to_string(path).unwrap()));
    let mut wrong = Vec::new();
    for (path, text) in all_sources().into_iter().chain(pages()).chain(others) {
        for rest in text.split("docs/").skip(1) {
            let name = rest.split_once(".md").map_or("", |(name, _)| name);
            let is_name =
                !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            if is_name && !root().join(format!("docs/{name}.md")).exists() {
                wrong.push(format!("{}: docs/{name}.md is missing", path.display()));
            }
        }
    }
    check(&wrong);
}
