//! Metrics for the operator in the Prometheus text format: requests, matches, faults and
//! connections.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Counters since the start.
#[derive(Debug)]
pub(super) struct Metrics {
    began: u64,
    /// Requests by status class. Index 2 counts 2xx.
    requests: [AtomicU64; 6],
    pub(super) begun: AtomicU64,
    finished: AtomicU64,
    stopped: AtomicU64,
    pub(super) answers: AtomicU64,
    pub(super) dialled: AtomicU64,
    faults: Mutex<BTreeMap<&'static str, u64>>,
}

/// The current values.
pub(super) struct Gauges {
    pub(super) waiting: usize,
    pub(super) running: usize,
    pub(super) connected: usize,
    pub(super) viewers: usize,
    pub(super) ruleset: String,
    pub(super) protocol: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            began: now.map_or(0, |now| now.as_secs()),
            requests: Default::default(),
            begun: AtomicU64::default(),
            finished: AtomicU64::default(),
            stopped: AtomicU64::default(),
            answers: AtomicU64::default(),
            dialled: AtomicU64::default(),
            faults: Mutex::default(),
        }
    }
}

/// The name, help text and value of a metric without labels.
pub(super) type PlainMetric = (&'static str, &'static str, u64);

pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Metrics {
    /// Counts a request by the status of its response.
    pub(super) fn answered(&self, status: u16) {
        let class = usize::from(status / 100).min(self.requests.len() - 1);
        count(&self.requests[class]);
    }

    /// Counts a match that ended with an outcome or was stopped.
    pub(super) fn ended(&self, has_outcome: bool) {
        count(match has_outcome {
            true => &self.finished,
            false => &self.stopped,
        });
    }

    pub(super) fn faulted(&self, kind: &'static str) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        *faults.entry(kind).or_insert(0) += 1;
    }

    /// Formats all metrics. `more` contains the metrics specific to this kind of server.
    pub(super) fn text(&self, now: &Gauges, more: &[PlainMetric]) -> String {
        let mut out = MetricsText(String::new());
        let labels = [
            ("version", risk_engine::VERSION),
            ("protocol", now.protocol),
            ("ruleset", &now.ruleset),
        ];
        let help = "Version, protocol and ruleset; always 1.";
        out.family("risk_arena_info", "gauge", help, &[(&labels, 1)]);
        for (name, help, value) in self.plain(now) {
            out.family(name, kind(name), help, &[(&[], value)]);
        }
        let requests = ["2xx", "3xx", "4xx", "5xx"].into_iter();
        let requests = requests.zip(self.requests[2..].iter().map(get));
        let name = "risk_requests_total";
        let help = "Requests by status.";
        out.by_label(name, help, "status", requests);
        let ends = [("outcome", &self.finished), ("stopped", &self.stopped)];
        let ends = ends.map(|(end, value)| (end, get(value)));
        let name = "risk_matches_ended_total";
        let help = "Matches that ended with an outcome or were stopped.";
        out.by_label(name, help, "end", ends.into_iter());
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let faults = faults.clone().into_iter();
        let help = "Bot faults by kind.";
        out.by_label("risk_faults_total", help, "kind", faults);
        for (name, help, value) in more {
            out.family(name, kind(name), help, &[(&[], *value)]);
        }
        out.0
    }

    fn plain(&self, now: &Gauges) -> [PlainMetric; 8] {
        [
            (
                "risk_start_time_seconds",
                "Start time as a Unix timestamp.",
                self.began,
            ),
            (
                "risk_matches_begun_total",
                "Matches that began.",
                get(&self.begun),
            ),
            (
                "risk_matches_running",
                "Matches under way.",
                now.running as u64,
            ),
            (
                "risk_players_waiting",
                "Players at the open table.",
                now.waiting as u64,
            ),
            (
                "risk_answers_total",
                "Decisions in all matches.",
                get(&self.answers),
            ),
            (
                "risk_sockets_opened_total",
                "WebSockets opened.",
                get(&self.dialled),
            ),
            ("risk_sockets", "Open WebSockets.", now.connected as u64),
            ("risk_viewers", "Viewers.", now.viewers as u64),
        ]
    }
}

pub(super) fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// Derives the type from the name. The name of a counter ends in `_total`.
fn kind(name: &str) -> &'static str {
    if name.ends_with("_total") {
        "counter"
    } else {
        "gauge"
    }
}

/// A value with its labels.
type LabelledValue<'a> = (&'a [(&'static str, &'a str)], u64);

struct MetricsText(String);

impl MetricsText {
    /// Adds values that differ only in one label.
    fn by_label<'a>(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        rows: impl Iterator<Item = (&'a str, u64)>,
    ) {
        let rows: Vec<_> = rows.map(|(word, value)| ([(label, word)], value)).collect();
        let rows: Vec<LabelledValue<'_>> = rows
            .iter()
            .map(|(label, value)| (&label[..], *value))
            .collect();
        self.family(name, kind(name), help, &rows);
    }

    fn family(&mut self, name: &str, kind: &str, help: &str, rows: &[LabelledValue<'_>]) {
        let out = &mut self.0;
        // Writing to a string can't fail.
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in rows {
            let pairs = labels
                .iter()
                .map(|(key, value)| format!("{key}=\"{}\"", escape(value)));
            let pairs = pairs.collect::<Vec<_>>().join(",");
            let braces = if pairs.is_empty() {
                pairs
            } else {
                format!("{{{pairs}}}")
            };
            let _ = writeln!(out, "{name}{braces} {value}");
        }
    }
}

/// Escapes the value of a label.
fn escape(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    value.replace('\n', "\\n")
}
