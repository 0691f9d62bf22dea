//! Bots that dial in, for tests: well-behaved, restless or misbehaving.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Error, Message, WebSocket};

use crate::watchdog::watch;

pub struct DialledBot {
    pub socket: WebSocket<TcpStream>,
    /// State of the generator that picks answers.
    pub chance: u64,
    /// The latest question.
    pub asked: Value,
    pub heard: Vec<String>,
    /// Kinds and texts, as `hung: no answer within 1000 ms`.
    pub faults: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// The arena closed the connection, with this code and reason.
    Closed(u16, String),
    Broke,
    /// The bot gave as many answers as the test wanted.
    Enough,
}

impl DialledBot {
    /// Opens a connection, or returns the status and text of the refusal.
    pub fn open(address: &str, path: &str) -> Result<Self, (u16, String)> {
        watch();
        let stream = TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(format!("ws://{address}{path}"), stream) {
            Ok((socket, _)) => Ok(Self {
                socket,
                chance: 7,
                asked: Value::Null,
                heard: Vec::new(),
                faults: Vec::new(),
            }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
                let text = response.body().clone().unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                Err((response.status().as_u16(), text))
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Joins under a name; returns the bot and its token.
    pub fn join(address: &str, name: &str) -> (Self, String) {
        let mut bot = Self::open(address, &format!("/bot?name={name}")).unwrap();
        let welcome = bot.hear().unwrap();
        assert_eq!(welcome["type"], "welcome");
        let token = welcome["token"].as_str().unwrap().to_owned();
        (bot, token)
    }

    pub fn back(address: &str, token: &str) -> Self {
        let mut bot = Self::open(address, &format!("/bot?token={token}")).unwrap();
        assert_eq!(bot.hear().unwrap()["back"], true);
        bot
    }

    pub fn say(&mut self, value: &Value) {
        // A closed connection shows itself when the next message is read.
        let _ = self.socket.send(Message::text(value.to_string()));
    }

    pub fn hear(&mut self) -> Result<Value, ConnectionEnd> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    let kind = value["type"].as_str().unwrap().to_owned();
                    self.heard.push(kind);
                    return Ok(value);
                }
                Ok(Message::Close(Some(frame))) => {
                    let reason = frame.reason.to_string();
                    return Err(ConnectionEnd::Closed(frame.code.into(), reason));
                }
                Ok(_) => {}
                Err(_) => return Err(ConnectionEnd::Broke),
            }
        }
    }

    fn draw(&mut self, most: u64) -> u64 {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.chance >> 33) % most
    }

    /// Returns a random legal answer to the latest question.
    pub fn choose(&mut self) -> Value {
        let offers = self.asked["options"].as_array().unwrap().clone();
        let offer = &offers[self.draw(offers.len() as u64) as usize];
        let mut action = vec![offer["verb"].clone()];
        for domain in offer["parameters"].as_array().unwrap() {
            action.push(match domain {
                Value::Array(values) => values[self.draw(values.len() as u64) as usize].clone(),
                span => {
                    let (low, high) =
                        (span["min"].as_i64().unwrap(), span["max"].as_i64().unwrap());
                    json!(low + self.draw((high - low + 1) as u64) as i64)
                }
            });
        }
        json!({ "id": self.asked["id"], "do": action })
    }

    /// Plays until the connection ends, or a question comes after `most` answers.
    pub fn play(&mut self, most: usize) -> ConnectionEnd {
        let mut answered = 0;
        loop {
            let message = match self.hear() {
                Ok(message) => message,
                Err(ended) => return ended,
            };
            match message["type"].as_str().unwrap() {
                "hello" => self.say(&json!({ "protocol": 1 })),
                "ask" => {
                    self.asked = message;
                    if answered >= most {
                        return ConnectionEnd::Enough;
                    }
                    answered += 1;
                    let answer = self.choose();
                    self.say(&answer);
                }
                "fault" => {
                    let part = |key: &str| message[key].as_str().unwrap().to_owned();
                    self.faults
                        .push(format!("{}: {}", part("code"), part("text")));
                }
                _ => {}
            }
        }
    }
}

/// Returns a frame as a client sends it, with a mask that changes nothing.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..=125 => bytes.push(0x80 | short as u8),
        middle @ 126..=0xffff => {
            bytes.push(0x80 | 126);
            bytes.extend((middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}
