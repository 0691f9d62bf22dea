//! Our program as a server in a process of its own, and other programs beside it.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::support::words;
use risk_testing::watchdog::watch;

/// Leaves out a test for want of a program, unless `RISK_NEEDS_PROGRAMS` says that there must be
/// one. It says so on the real standard error, and in the file that `RISK_SKIPPED` names, where
/// `.ci/run` counts.
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

/// A process that ends with the test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process that is killed after so long: whoever reads what it prints then gets to the end. It
/// ends with this at the latest.
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

/// Our program as a server, and what it has said so far.
pub(crate) struct Program {
    process: Process,
    /// Host and port.
    pub(crate) address: String,
    said: Arc<Mutex<String>>,
}

impl Program {
    /// An arena, on a port that is free.
    pub(crate) fn arena(folder: &Path, line: &str) -> Self {
        // Tests want the same dice again.
        let practice = if line.contains("--seed") {
            " --practice"
        } else {
            ""
        };
        Self::start(folder, &format!("serve --port 0{practice} {line}"))
    }

    /// A bot of ours behind a server, on a port that is free.
    pub(crate) fn bot(folder: &Path, line: &str) -> Self {
        Self::start(folder, &format!("bot serve --port 0 {line}"))
    }

    /// A table at which people play at pages, on a port that is free.
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

    /// Until it has said this.
    pub(crate) fn waits_for(&self, text: &str) {
        for _ in 0..6_000 {
            if self.said().contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not say {text}:\n{}", self.said());
    }

    /// The status of what is there, asked for under this name.
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

    /// Status and body of what is posted.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let (status, _, body) = self.ask("POST", path, headers, body);
        (status, body)
    }

    /// Status and body of what is there.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, &[], "");
        (status, body)
    }

    /// Status and body of what is there, asked for with these headers.
    pub(crate) fn get_as(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, headers, "");
        (status, body)
    }

    /// Status and head of what is there.
    pub(crate) fn get_head(&self, path: &str) -> (u16, String) {
        let (status, head, _) = self.ask("GET", path, &[], "");
        (status, head)
    }

    /// Tells it to end.
    pub(crate) fn terminate(&self) {
        let told = Command::new("kill")
            .arg(self.process.0.id().to_string())
            .status()
            .unwrap();
        assert!(told.success());
    }

    /// Waits until it has ended; did it end well?
    pub(crate) fn ends(&mut self) -> bool {
        self.process.0.wait().unwrap().success()
    }

    /// Kills it, so that it can end nothing in order.
    pub(crate) fn kill(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.process.0.id()
    }
}

/// Status and body of what is posted to an address: for whoever outlives the program there.
pub(crate) fn post_to(address: &str, path: &str, body: &str) -> (u16, String) {
    let (status, _, body) = ask(address, address, "POST", path, &[], body);
    (status, body)
}

fn ask(
    address: &str,
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let more: String = headers
        .iter()
        .map(|(key, value)| format!("{key}: {value}\r\n"))
        .collect();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}Content-Length: {length}\r\n\r\n",
    );
    // A server that has heard enough may close while it is still told more.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body.as_bytes()));
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    (status, head.to_owned(), body.to_owned())
}
