//! Our program as a server in a process of its own, and other programs beside it.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::support::words;
use risk_testing::http::ask;
use risk_testing::watchdog::watch;

/// Skips a test that lacks a program; fails if `RISK_NEEDS_PROGRAMS` is set. Reports the skip on
/// the real standard error and in the file named by `RISK_SKIPPED`, where `.ci/run` counts.
pub(crate) fn skip(program: &str) {
    assert!(
        std::env::var("RISK_NEEDS_PROGRAMS").is_err(),
        "there is no {program}"
    );
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{test} was skipped: there is no {program}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Ok(path) = std::env::var("RISK_SKIPPED") {
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }
}

pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process that is killed after a time limit, so that a reader of its output gets to the end.
/// Dropping this ends the process.
pub(crate) struct Deadline(Option<(Sender<()>, JoinHandle<()>)>);

impl Deadline {
    pub(crate) fn of(child: Child, most: Duration) -> Self {
        let (over, wait) = std::sync::mpsc::channel();
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let thread = std::thread::spawn(move || {
            let process = Process(child);
            if wait.recv_timeout(most) == Err(RecvTimeoutError::Timeout) {
                let told = format!("{test}: its process was killed after {most:?}\n");
                let _ = std::io::stderr().write_all(told.as_bytes());
            }
            drop(process);
        });
        Self(Some((over, thread)))
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.0.take() {
            drop(over);
            let _ = thread.join();
        }
    }
}

pub(crate) struct Program {
    process: Process,
    pub(crate) address: String,
    said: Arc<Mutex<String>>,
}

impl Program {
    /// Starts an arena on a free port.
    pub(crate) fn arena(folder: &Path, line: &str) -> Self {
        // Tests with a seed need the same dice in every run.
        let practice = if line.contains("--seed") {
            " --practice"
        } else {
            ""
        };
        Self::start(folder, &format!("serve --port 0{practice} {line}"))
    }

    /// Serves a bot on a free port.
    pub(crate) fn bot(folder: &Path, line: &str) -> Self {
        Self::start(folder, &format!("bot serve --port 0 {line}"))
    }

    /// Starts a table for people at pages on a free port.
    pub(crate) fn people(folder: &Path, line: &str) -> Self {
        Self::start(folder, &format!("play --web {line}"))
    }

    fn start(folder: &Path, line: &str) -> Self {
        watch();
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
            .args(words(line))
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let out = process.stdout.take().unwrap();
        let err = process.stderr.take().unwrap();
        let readers: [Box<dyn Read + Send>; 2] = [Box::new(out), Box::new(err)];
        for reader in readers {
            let said = Arc::clone(&said);
            std::thread::spawn(move || {
                for line in BufReader::new(reader).lines().map_while(Result::ok) {
                    said.lock().unwrap().push_str(&(line + "\n"));
                }
            });
        }
        let mut program = Self {
            process: Process(process),
            address: String::new(),
            said,
        };
        program.waits_for("Ctrl-C ends");
        let said = program.said();
        program.address = said
            .split("http://")
            .nth(1)
            .unwrap()
            .split([',', ';', '/'])
            .next()
            .unwrap()
            .to_owned();
        program
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn waits_for(&self, text: &str) {
        for _ in 0..6_000 {
            if self.said().contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not say {text}:\n{}", self.said());
    }

    /// Returns the status of a GET with this `Host` header.
    pub(crate) fn as_host(&self, host: &str, path: &str) -> u16 {
        self.ask_as(host, "GET", path, &[], "").0
    }

    fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        self.ask_as(&self.address, method, path, headers, body)
    }

    fn ask_as(
        &self,
        host: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        ask(&self.address, host, method, path, headers, body)
    }

    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let (status, _, body) = self.ask("POST", path, headers, body);
        (status, body)
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, &[], "");
        (status, body)
    }

    pub(crate) fn get_as(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, headers, "");
        (status, body)
    }

    pub(crate) fn terminate(&self) {
        let told = Command::new("kill")
            .arg(self.process.0.id().to_string())
            .status()
            .unwrap();
        assert!(told.success());
    }

    /// Waits until the program has ended, and reports whether it succeeded.
    pub(crate) fn ends(&mut self) -> bool {
        self.process.0.wait().unwrap().success()
    }

    /// Kills the program, without a clean shutdown.
    pub(crate) fn kill(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.0.id()
    }
}
