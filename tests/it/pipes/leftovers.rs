//! Bots end when this program is killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{has, put};
use crate::programs::Process;

/// A bot that starts a daemon, reports its id, and never answers.
const DAEMON: &str = r#"
import json, os, sys, time
print('{"protocol": 1}', flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("daemon", "w").write(str(os.getpid()))
        while True: time.sleep(1)
    os._exit(0)
time.sleep(1000)
"#;

fn lives(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_is_killed_takes_its_bots_along() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "daemon.py", DAEMON);
    let child = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
        .args([
            "play",
            "--ruleset",
            "codelab",
            "--bot",
            "cmd:python3 daemon.py,timeout=60,sandbox=open",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut program = Process(child);
    let told = folder.path().join("daemon");
    let mut pid = String::new();
    for _ in 0..600 {
        pid = std::fs::read_to_string(&told).unwrap_or_default();
        if !pid.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(lives(&pid), "the daemon was started");
    // As with `kill -9`, the program gets no chance to clean up.
    program.0.kill().unwrap();
    program.0.wait().unwrap();
    for _ in 0..200 {
        if !lives(&pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the daemon {pid} is left");
}
