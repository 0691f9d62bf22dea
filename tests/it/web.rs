//! Servers for tests: small, on loopback, as good or as bad as a test wants them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::words;

/// What a server is asked: the path, and the body as it came.
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) kind: String,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn state(&self) -> Value {
        let form = self.body.strip_prefix("risk=").map(decoded);
        let value: Value = serde_json::from_str(form.as_deref().unwrap_or(&self.body)).unwrap();
        value.get("risk").cloned().unwrap_or(value)
    }
}

/// A form's field, read as the standard says.
pub(crate) fn decoded(field: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = field.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    String::from_utf8(bytes).unwrap()
}

type Serve = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

/// A server on a port of its own; it ends with the test.
pub(crate) fn server(serve: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serve: Arc<Serve> = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, serve) = (stream.unwrap(), Arc::clone(&serve));
            stream.set_nodelay(true).unwrap();
            std::thread::spawn(move || {
                while let Some(request) = read_request(&stream) {
                    serve(&request, &mut stream);
                }
            });
        }
    });
    address
}

fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((key, value)) = header.trim().split_once(": ") else { break };
        headers.insert(key.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let kind = headers.remove("content-type").unwrap_or_default();
    Some(Request { path, kind, body: String::from_utf8(body).unwrap() })
}

pub(crate) fn reply(stream: &mut TcpStream, body: &str) {
    // A client that has gone away is not the server's concern.
    let _ = stream.write_all(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
}

/// The smallest answer that is allowed.
pub(crate) fn modest(state: &Value) -> Value {
    let (you, lands) = (&state["you"], state["game"]["countries"].as_object().unwrap());
    let asked: Vec<&str> = you["available_actions"].as_array().unwrap().iter().map(|of| of.as_str().unwrap()).collect();
    match asked[0] {
        "choose_country" => {
            let free = lands.iter().filter(|(_, land)| land["owner"] == "none").map(|(name, _)| name).min();
            json!({ "action": "choose_country", "data": free })
        }
        "deploy_troops" => {
            let name = you["countries"][0].as_str().unwrap();
            json!({ "action": "deploy_troops", "data": { name: you["troops_to_deploy"] } })
        }
        _ => json!({ "action": asked[asked.len() - 1] }),
    }
}

/// A bot for the callback arena in either dialect: it places on the first cell that it may, attacks the first
/// neighbour that is not its own, and never goes on.
pub(crate) fn careful(name: &'static str) -> impl Fn(&Request) -> String + Send + Sync + 'static {
    move |request| {
        let said: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let none = Vec::new();
        let board = said["board"].as_array().unwrap_or(&none);
        let own = |cell: &Value| cell["ownerName"] == name;
        let seed = said["status"].is_string();
        match request.path.as_str() {
            "/areYouThere" => "yes".to_owned(),
            "/placeArmy" | "/deployArmy" => {
                let free = board.iter().find(|cell| cell["ownerName"].is_null());
                let place = free.or_else(|| board.iter().find(|cell| own(cell))).unwrap()["location"].clone();
                if seed { place } else { json!({ "desiredLocation": place }) }.to_string()
            }
            "/beginAttack" => {
                let (from, to) = attack(board, &own).expect("whoever is asked can attack");
                let keys = if seed { ("fromLocation", "toLocation") } else { ("from", "to") };
                json!({ keys.0: from, keys.1: to }).to_string()
            }
            "/continueAttack" => json!({ "continueAttack": false }).to_string(),
            "/continueAttacking" => json!({ "continueAttacking": false }).to_string(),
            _ => String::new(),
        }
    }
}

fn attack(board: &[Value], own: &impl Fn(&Value) -> bool) -> Option<(Value, Value)> {
    for from in board.iter().filter(|cell| own(cell) && cell["armies"].as_i64() > Some(1)) {
        for to in board.iter().filter(|cell| !own(cell)) {
            let near = |key: &str| {
                let side = |cell: &Value| cell["location"][key].as_i64().unwrap_or_default();
                (side(from) - side(to)).abs() <= 1
            };
            let joined = match from["neighbours"].as_array() {
                Some(ids) => ids.contains(&to["location"]),
                None => near("row") && near("column"),
            };
            if joined {
                return Some((from["location"].clone(), to["location"].clone()));
            }
        }
    }
    None
}

/// An arena as a process of its own, and what it has said so far.
pub(crate) struct Arena {
    process: Child,
    /// Host and port.
    pub(crate) address: String,
    said: Arc<Mutex<String>>,
}

impl Arena {
    pub(crate) fn start(folder: &Path, line: &str) -> Self {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
            .args(words(&format!("serve --port 0 {line}")))
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (out, err) = (process.stdout.take().unwrap(), process.stderr.take().unwrap());
        let readers: [Box<dyn Read + Send>; 2] = [Box::new(out), Box::new(err)];
        for reader in readers {
            let said = Arc::clone(&said);
            std::thread::spawn(move || {
                for line in BufReader::new(reader).lines().map_while(Result::ok) {
                    said.lock().unwrap().push_str(&(line + "\n"));
                }
            });
        }
        let mut arena = Self { process, address: String::new(), said };
        arena.waits_for("Ctrl-C ends");
        let first = arena.said();
        arena.address = first.split("http://").nth(1).unwrap().split(',').next().unwrap().to_owned();
        arena
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Until the arena has said this.
    pub(crate) fn waits_for(&self, text: &str) {
        for _ in 0..6_000 {
            if self.said().contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the arena did not say {text}:\n{}", self.said());
    }

    /// The status of the page, asked for under this name.
    pub(crate) fn as_host(&self, host: &str) -> u16 {
        self.ask_as(host, "GET", "/", &[], "").0
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
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
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let more: String = headers.iter().map(|(key, value)| format!("{key}: {value}\r\n")).collect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}Content-Length: {length}\r\n\r\n",
        );
        // A server that has heard enough may close while it is still told more.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        (status, head.to_owned(), body.to_owned())
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

    /// Status and head of what is there.
    pub(crate) fn get_head(&self, path: &str) -> (u16, String) {
        let (status, head, _) = self.ask("GET", path, &[], "");
        (status, head)
    }

    /// Tells the arena to end.
    pub(crate) fn terminate(&self) {
        let told = Command::new("kill").arg(self.process.id().to_string()).status().unwrap();
        assert!(told.success());
    }

    /// Waits until it has ended; did it end well?
    pub(crate) fn ends(&mut self) -> bool {
        self.process.wait().unwrap().success()
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
