//! A page whose messages are all checked against the schema, and what tests compare of its games.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonschema::Validator;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use risk_playground::{Kind, OwnFile, Playground, Reply, Request, schema};
use risk_testing::watchdog::watch;
use serde_json::{Value, json};

/// The validators of requests and of replies.
static VALIDATORS: LazyLock<[Validator; 2]> = LazyLock::new(|| {
    ["Request", "Reply"].map(|name| {
        let mut of_all = schema();
        let whole = of_all.as_object_mut().unwrap();
        whole.remove("anyOf").unwrap();
        whole.insert("$ref".to_owned(), json!(format!("#/$defs/{name}")));
        jsonschema::validator_for(&of_all).unwrap()
    })
});

/// Reports whether the schema allows this request.
pub(crate) fn is_request(request: &Value) -> bool {
    VALIDATORS[0].is_valid(request)
}

/// Asks as a page does, and validates both messages.
pub(crate) fn ask(playground: &mut Playground, request: Request) -> Reply {
    watch();
    let request = serde_json::to_value(request).unwrap();
    assert!(is_request(&request), "not in the schema: {request}");
    let text = playground.handle(&request.to_string());
    let reply: Value = serde_json::from_str(&text).unwrap();
    if let Err(error) = VALIDATORS[1].validate(&reply) {
        panic!("{error}: {}", text.chars().take(400).collect::<String>());
    }
    serde_json::from_value(reply).unwrap()
}

/// A refusal: its code and its text.
pub(crate) type Refusal = (String, String);

/// A reply that the test expects, or the refusal.
fn granted(reply: Reply) -> Result<Reply, Refusal> {
    match reply {
        Reply::Error { code, text } => Err((code, text)),
        other => Ok(other),
    }
}

/// The state of work in pieces.
#[derive(Debug, PartialEq)]
pub(crate) struct Counted {
    pub(crate) pieces: u64,
    pub(crate) over: bool,
    pub(crate) text: String,
    pub(crate) document: Value,
}

/// A page with the link of its game.
#[derive(Default)]
pub(crate) struct Page(pub(crate) Playground);

impl Page {
    /// Opens a link in a new page. Returns the page and what differs from the game of the link.
    pub(crate) fn of(link: &str) -> (Self, Vec<String>) {
        let mut page = Self::default();
        match page.open(link) {
            Ok(Reply::Opened { differences, .. }) => (page, differences),
            other => panic!("{link}: {other:?}"),
        }
    }

    /// Opens a link that names no digest or hashes.
    pub(crate) fn new(link: &str) -> Self {
        let (page, differences) = Self::of(link);
        assert!(differences.is_empty(), "{differences:?}");
        page
    }

    pub(crate) fn ask(&mut self, request: Request) -> Result<Reply, Refusal> {
        granted(ask(&mut self.0, request))
    }

    pub(crate) fn open(&mut self, link: &str) -> Result<Reply, Refusal> {
        let link = link.to_owned();
        self.ask(Request::Open { link })
    }

    pub(crate) fn add(&mut self, kind: Kind, name: &str, text: &str) -> Result<Reply, Refusal> {
        self.ask(Request::Add(own(kind, name, text)))
    }

    /// Returns a text that is not a refusal.
    pub(crate) fn text(&mut self, request: Request) -> String {
        match self.ask(request) {
            Ok(Reply::Text { text }) => text,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the findings of a check, and whether the file is fine.
    pub(crate) fn checked(&mut self, request: Request) -> (String, bool) {
        match self.ask(request) {
            Ok(Reply::Checked { text, fine, .. }) => (text, fine),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn pieces(&mut self, from: u64, count: u64) -> Result<Vec<String>, Refusal> {
        match self.ask(Request::Pieces { from, count })? {
            Reply::Results { results } => Ok(results),
            other => panic!("{other:?}"),
        }
    }

    /// Counts results.
    pub(crate) fn count(&mut self, results: Vec<String>) -> Result<Counted, Refusal> {
        match self.ask(Request::Count { results })? {
            Reply::Summary {
                pieces,
                over,
                text,
                document,
            } => Ok(Counted {
                pieces,
                over,
                text,
                document,
            }),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn link(&mut self) -> String {
        self.text(Request::Link { files: true })
    }

    pub(crate) fn record(&mut self) -> String {
        self.text(Request::Record {})
    }

    /// Returns the sheet of a viewer with these frames, and the seats that are asked.
    pub(crate) fn look_from(
        &mut self,
        seat: Option<usize>,
        (epoch, from): (u64, usize),
    ) -> (Value, Vec<usize>) {
        match self.ask(Request::Look { seat, epoch, from }) {
            Ok(Reply::Sheet { sheet, asked }) => (sheet, asked),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the sheet of a viewer with the beginning of its frames.
    pub(crate) fn look(&mut self, seat: Option<usize>) -> Value {
        self.look_from(seat, (0, 0)).0
    }

    /// Returns the seats that are asked.
    pub(crate) fn asked(&mut self) -> Vec<usize> {
        self.look_from(None, (0, 0)).1
    }

    /// Returns what a viewer sees, without the numbers that count questions and changes.
    pub(crate) fn seen(&mut self, seat: Option<usize>) -> Value {
        let mut sheet = self.look(seat);
        let mut frames = Vec::new();
        let mut news = sheet["timeline"].take();
        while news.is_object() {
            frames.extend(news["frames"].as_array().unwrap().clone());
            let at = (news["epoch"].as_u64().unwrap(), frames.len());
            news = match news["more"] == true {
                true => self.look_from(seat, at).0["timeline"].take(),
                false => Value::Null,
            };
        }
        let parts = sheet.as_object_mut().unwrap();
        parts.remove("version");
        parts.insert("timeline".to_owned(), json!(frames));
        if let Some(question) = parts["question"].as_object_mut() {
            question.remove("id");
        }
        sheet
    }

    /// Sends a request about the open question of a seat. Returns the reply and whether the record
    /// has all answers.
    pub(crate) fn say(&mut self, seat: usize, what: &Value) -> Result<(Value, bool), Refusal> {
        let id = self.look(Some(seat))["question"]["id"].clone();
        let mut request = what.clone();
        request["question"] = if id.is_null() { json!(0) } else { id };
        match self.ask(Request::Say { seat, request })? {
            Reply::Said { said, saved } => Ok((said, saved)),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a request that must be fulfilled.
    pub(crate) fn said(&mut self, seat: usize, what: &Value) -> bool {
        match self.say(seat, what) {
            Ok((_, saved)) => saved,
            Err(why) => panic!("seat {seat}, {what}: {why:?}"),
        }
    }

    /// Returns the first option of the open question of a seat, as words and numbers.
    pub(crate) fn first_option(&mut self, seat: usize) -> Value {
        let question = &self.look(Some(seat))["question"];
        let option = &question["options"][0];
        let mut words = vec![option["verb"].clone()];
        words.extend(option["parameters"].as_array().unwrap().iter().map(first));
        json!(words)
    }

    /// Gives the first option as the answer of a seat.
    pub(crate) fn choose(&mut self, seat: usize) {
        let words = self.first_option(seat);
        self.said(seat, &json!({ "do": words }));
    }

    /// Reports whether the game is over.
    pub(crate) fn is_over(&mut self) -> bool {
        !self.look(None)["end"].is_null()
    }

    /// Lets bots decide for all people until the game is over or this many phases have passed.
    pub(crate) fn pass(&mut self, phases: usize) {
        for _ in 0..phases {
            match self.asked().first() {
                Some(&seat) => self.said(seat, &json!({ "auto": true })),
                None => break,
            };
        }
    }
}

/// Returns the first of the values that a parameter may have.
fn first(parameter: &Value) -> Value {
    match parameter {
        Value::Array(all) => all[0].clone(),
        range => range["min"].clone(),
    }
}

pub(crate) fn own(kind: Kind, name: &str, text: &str) -> OwnFile {
    OwnFile {
        kind,
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

/// Returns the value of a key of a link.
pub(crate) fn value_of<'a>(link: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = link.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(found, _)| *found == key).map(|pair| pair.1)
}

/// Returns a link with another value of a key, or with the key at its end.
pub(crate) fn with_value(link: &str, key: &str, value: &str) -> String {
    let others = link.split('&').filter(|pair| {
        let found = pair.split_once('=').map_or(*pair, |pair| pair.0);
        found != key
    });
    let others: Vec<&str> = others.collect();
    format!("{}&{key}={value}", others.join("&"))
}

/// Packs the value of `answers` or `files` as a link has it.
pub(crate) fn packed(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(compress_to_vec(bytes, 10))
}

/// Unpacks the value of `answers` or `files`.
pub(crate) fn unpacked(value: &str) -> Vec<u8> {
    decompress_to_vec(&URL_SAFE_NO_PAD.decode(value).unwrap()).unwrap()
}
