//! A real browser: headless Chromium, driven over its debugging protocol.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::programs::{Process, skip};

pub(crate) struct Browser {
    _process: Process,
    _profile: tempfile::TempDir,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    count: u64,
    /// Events that no call asked for: errors of the page, and the addresses of its requests.
    pub(crate) events: Vec<Value>,
}

impl Browser {
    /// Starts a browser; `None` without Chromium, unless `RISK_NEEDS_PROGRAMS` requires it.
    pub(crate) fn start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let started = ["chromium", "chromium-browser", "google-chrome"]
            .iter()
            .find_map(|name| {
                Command::new(name)
                    .args([
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                    ])
                    .arg(format!("--user-data-dir={}", profile.path().display()))
                    .arg("about:blank")
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .ok()
            });
        let Some(mut process) = started else {
            skip("Chromium");
            return None;
        };
        let mut lines = BufReader::new(process.stderr.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let url = lines
            .find_map(|line| Some(line.split_once("listening on ")?.1.to_owned()))
            .unwrap();
        // Chromium may write more: its pipe must not fill up.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(url).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream
                .set_read_timeout(Some(Duration::from_secs(30)))
                .unwrap();
        }
        let mut browser = Self {
            _process: Process(process),
            _profile: profile,
            socket,
            session: None,
            count: 0,
            events: Vec::new(),
        };
        let target =
            browser.call("Target.createTarget", &json!({ "url": "about:blank" }))["targetId"]
                .clone();
        let attached = browser.call(
            "Target.attachToTarget",
            &json!({ "targetId": target, "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        let said = self.try_call(method, params);
        said.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.count += 1;
        let mut request = json!({ "id": self.count, "method": method, "params": params });
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.socket
            .send(Message::text(request.to_string()))
            .unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else {
                continue;
            };
            let value: Value = serde_json::from_str(&text).unwrap();
            if value["id"] == self.count {
                let error = value["error"].clone();
                return if error.is_null() {
                    Ok(value["result"].clone())
                } else {
                    Err(error)
                };
            }
            self.events.push(value);
        }
    }

    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let mut said = self.try_call("Runtime.evaluate", &params);
        // A page that is being left has no values; the next one has.
        for _ in 0..100 {
            match &said {
                Err(error) if error["message"].to_string().contains("navigated") => {
                    std::thread::sleep(Duration::from_millis(50));
                    said = self.try_call("Runtime.evaluate", &params);
                }
                _ => break,
            }
        }
        let said = said.unwrap_or_else(|error| panic!("{expression}: {error}"));
        assert!(said["exceptionDetails"].is_null(), "{expression}: {said}");
        said["result"]["value"].clone()
    }

    pub(crate) fn wait(&mut self, expression: &str) {
        for _ in 0..600 {
            if self.value(expression) == true {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let page = self.value("document.body.innerText");
        panic!("never: {expression}\n{page}");
    }

    pub(crate) fn size(&mut self, width: u32, height: u32, mobile: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Saves a screenshot of the page if `RISK_SCREENSHOTS` names a folder.
    pub(crate) fn picture(&mut self, name: &str) {
        if let Ok(folder) = std::env::var("RISK_SCREENSHOTS") {
            let shot = self.call(
                "Page.captureScreenshot",
                &json!({ "captureBeyondViewport": true }),
            );
            let bytes = base64::engine::general_purpose::STANDARD
                .decode(shot["data"].as_str().unwrap())
                .unwrap();
            std::fs::write(std::path::Path::new(&folder).join(name), bytes).unwrap();
        }
    }
}
