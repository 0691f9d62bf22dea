//! Bots that dial in, for tests: as good, as restless or as bad as a test wants them.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Error, Message, WebSocket};

use risk_testing::watchdog::watch;

/// A bot's connection to an arena.
pub(crate) struct Dialled {
    pub(crate) socket: WebSocket<TcpStream>,
    /// What it chooses with.
    pub(crate) chance: u64,
    /// The question that it was asked last.
    pub(crate) asked: Value,
    /// The types of the messages that it has heard.
    pub(crate) heard: Vec<String>,
    /// What was said of its faults.
    pub(crate) faults: Vec<String>,
}

/// Why a conversation ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The arena has closed the connection: code and reason.
    Closed(u16, String),
    /// It broke.
    Broke,
    /// So many questions were answered as the test wanted.
    Enough,
}

impl Dialled {
    /// Opens a connection; what the arena says instead, if it does.
    pub(crate) fn open(address: &str, path: &str) -> Result<Self, (u16, String)> {
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

    /// Somebody who joins under this name, and the token.
    pub(crate) fn join(address: &str, name: &str) -> (Self, String) {
        let mut bot = Self::open(address, &format!("/bot?name={name}")).unwrap();
        let welcome = bot.hear().unwrap();
        assert_eq!(welcome["type"], "welcome");
        let token = welcome["token"].as_str().unwrap().to_owned();
        (bot, token)
    }

    /// Somebody who comes back.
    pub(crate) fn back(address: &str, token: &str) -> Self {
        let mut bot = Self::open(address, &format!("/bot?token={token}")).unwrap();
        assert_eq!(bot.hear().unwrap()["back"], true);
        bot
    }

    pub(crate) fn say(&mut self, value: &Value) {
        // Whoever is gone hears nothing, which shows itself when something is to be heard.
        let _ = self.socket.send(Message::text(value.to_string()));
    }

    /// The next message.
    pub(crate) fn hear(&mut self) -> Result<Value, Ended> {
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
                    return Err(Ended::Closed(frame.code.into(), reason));
                }
                Ok(_) => {}
                Err(_) => return Err(Ended::Broke),
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

    /// Something that is offered, any.
    pub(crate) fn choose(&mut self) -> Value {
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

    /// Plays until the connection ends, or so many questions were answered.
    pub(crate) fn play(&mut self, most: usize) -> Ended {
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
                        return Ended::Enough;
                    }
                    answered += 1;
                    let answer = self.choose();
                    self.say(&answer);
                }
                "fault" => self
                    .faults
                    .push(message["text"].as_str().unwrap().to_owned()),
                _ => {}
            }
        }
    }
}
