//! `serve`: players who register over HTTP, the matches that follow, and hostile clients.

mod callback;
mod crowd;
mod cuts;
mod ending;
mod joining;
mod operating;
mod sockets;

use std::collections::BTreeMap;
use std::path::Path;

use risk_testing::web::{modest, reply, server};

use crate::support::run_in;

/// Serves a Hacker Risk bot that does the minimum.
fn modest_bot() -> String {
    server(|request, stream| {
        let text = if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            String::new()
        };
        reply(stream, &text);
    })
}

/// Verifies each record in the folder, and returns the number of faults by file name.
fn replayed(folder: &Path) -> BTreeMap<String, usize> {
    let mut faults = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("records")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let ran = run_in(folder, &["replay", &format!("records/{name}"), "--verify"]);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
        let text = std::fs::read_to_string(folder.join("records").join(&name)).unwrap();
        faults.insert(name, text.matches("\"line\":\"fault\"").count());
    }
    faults
}
