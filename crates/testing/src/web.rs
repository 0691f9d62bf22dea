//! Servers for tests: small, on loopback, well-behaved or not.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::net::TcpSocket;

use crate::watchdog::watch;

/// Returns the code of a refusal, or nothing if the body has none.
pub fn code(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value["code"].as_str().unwrap_or_default().to_owned()
}

pub struct Request {
    pub path: String,
    pub kind: String,
    pub body: String,
}

impl Request {
    pub fn state(&self) -> Value {
        let form = self.body.strip_prefix("risk=").map(decoded);
        let value: Value = serde_json::from_str(form.as_deref().unwrap_or(&self.body)).unwrap();
        value.get("risk").cloned().unwrap_or(value)
    }
}

/// Decodes a field of a form.
pub fn decoded(field: &str) -> String {
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

/// Reserves an address of this machine without a listener, and keeps it from other tests while the
/// socket is open. A program that allows reuse, as servers do, can listen there.
pub fn reserved() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

type RequestHandler = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

/// Starts a server on a port of its own, which ends with the test.
pub fn server(serve: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> String {
    watch();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serve: Arc<RequestHandler> = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let serve = Arc::clone(&serve);
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

pub fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((key, value)) = header.trim().split_once(": ") else {
            break;
        };
        headers.insert(key.to_lowercase(), value.to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let kind = headers.remove("content-type").unwrap_or_default();
    Some(Request {
        path,
        kind,
        body: String::from_utf8(body).unwrap(),
    })
}

pub fn reply(stream: &mut TcpStream, body: &str) {
    // The client may have disconnected.
    let _ = stream.write_all(
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .as_bytes(),
    );
}

/// Returns the smallest answer that is allowed.
pub fn modest(state: &Value) -> Value {
    let you = &state["you"];
    let lands = state["game"]["countries"].as_object().unwrap();
    let asked: Vec<&str> = you["available_actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of.as_str().unwrap())
        .collect();
    match asked[0] {
        "choose_country" => {
            let free = lands
                .iter()
                .filter(|(_, land)| land["owner"] == "none")
                .map(|(name, _)| name)
                .min();
            json!({ "action": "choose_country", "data": free })
        }
        "deploy_troops" => {
            let name = you["countries"][0].as_str().unwrap();
            json!({ "action": "deploy_troops", "data": { name: you["troops_to_deploy"] } })
        }
        _ => json!({ "action": asked[asked.len() - 1] }),
    }
}

/// A bot for the callback arena in either dialect: it places on the first cell that it may, attacks
/// the first neighbour that is not its own, and never goes on.
pub fn careful(name: &'static str) -> impl Fn(&Request) -> String + Send + Sync + 'static {
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
                let place = free
                    .or_else(|| board.iter().find(|cell| own(cell)))
                    .unwrap()["location"]
                    .clone();
                if seed {
                    place
                } else {
                    json!({ "desiredLocation": place })
                }
                .to_string()
            }
            "/beginAttack" => {
                let (from, to) = attack(board, &own).expect("whoever is asked can attack");
                let keys = if seed {
                    ("fromLocation", "toLocation")
                } else {
                    ("from", "to")
                };
                json!({ keys.0: from, keys.1: to }).to_string()
            }
            "/continueAttack" => json!({ "continueAttack": false }).to_string(),
            "/continueAttacking" => json!({ "continueAttacking": false }).to_string(),
            _ => String::new(),
        }
    }
}

fn attack(board: &[Value], own: &impl Fn(&Value) -> bool) -> Option<(Value, Value)> {
    for from in board
        .iter()
        .filter(|cell| own(cell) && cell["armies"].as_i64() > Some(1))
    {
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
