//! Arenas and served bots in this process, each on a port of its own.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{IpAddr, TcpListener};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use risk_arena::bot::{self, BotListener, SERVED, ServedBot};
use risk_arena::secret::Secret;
use risk_arena::{ArenaConfig, ArenaHooks, ServerConfig, arena_named};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{read, verify};
use risk_engine::script::ScriptLimits;
use risk_engine::{Library, MatchSpec, RuleSetup, Seats, Seed, Setup, Worker};
use risk_testing::games;
use risk_testing::http::ask;
use risk_testing::watchdog::watch;
use risk_text::escape_control;
use risk_wire::transport::Networks;

/// The library of the program, with the schemes of remote bots.
pub(crate) fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> =
        LazyLock::new(|| games::library().with_schemes(risk_wire::SCHEMES));
    &LIBRARY
}

/// Sets up a match with bots of this library.
pub(crate) fn setup(
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    seed: u64,
    options: &[(&str, &str)],
) -> Setup {
    games::setup_from(library(), ruleset, map, bots, seed, options)
}

/// The settings of a server, written as the options of `serve` and `bot serve`.
struct Settings<'a> {
    folder: &'a Path,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Settings<'a> {
    fn new(folder: &'a Path, line: &'a str) -> Self {
        let flags = ["--errors", "--forbid-loopback"];
        let mut words = line.split_whitespace();
        let mut given = Vec::new();
        while let Some(name) = words.next() {
            assert!(name.starts_with('-'), "{line}: {name}");
            let is_flag = flags.contains(&name);
            let value = if is_flag { "" } else { words.next().unwrap() };
            given.push((name.trim_start_matches('-'), value));
        }
        Self { folder, given }
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.given.iter().filter(move |given| given.0 == name);
        named.map(|given| given.1)
    }

    fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    fn one<T: FromStr>(&self, name: &str) -> Option<T> {
        let parsed = |text: &str| text.parse().ok();
        self.all(name)
            .next()
            .map(|text| parsed(text).unwrap_or_else(|| panic!("--{name} {text}")))
    }

    /// Returns a name or a path, the latter in the folder of the test.
    fn path(&self, spec: &str) -> String {
        match spec.strip_prefix("./") {
            Some(name) => self.folder.join(name).display().to_string(),
            None => spec.to_owned(),
        }
    }

    fn options(&self) -> Vec<(String, String)> {
        let said = self.all("o").chain(self.all("option"));
        let pair = |option: &str| {
            let (name, value) = option.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        };
        said.map(pair).collect()
    }

    fn spec(&self, ruleset: &str) -> MatchSpec {
        let ruleset = self.one("ruleset").unwrap_or(ruleset.to_owned());
        MatchSpec {
            map: self.one::<String>("map").map(|map| self.path(&map)),
            options: self.options(),
            bots: self.all("bot").map(|bot| self.path(bot)).collect(),
            seats: self.all("seats").next().and_then(Seats::from_name),
            strikes: self.one("strikes"),
            seed: self
                .one("seed")
                .unwrap_or_else(|| Seed::from_bits(risk_arena::random::bits())),
            ..MatchSpec::new(&self.path(&ruleset))
        }
    }

    /// Returns the settings of an arena, with those of the program where none are given.
    fn arena(&self) -> ArenaConfig {
        let arena = arena_named(self.all("protocol").next().unwrap()).unwrap();
        let spec = MatchSpec {
            usual: arena.protocol.options.to_vec(),
            ..self.spec(arena.protocol.ruleset)
        };
        let house = spec.bots.len();
        let has_seats = spec.seats.is_some();
        let mut setup = spec.load(library()).unwrap();
        if !has_seats {
            setup.seats = arena.defaults.seats;
        }
        // Seats without a house bot are left to the players who join.
        setup.bots.truncate(house);
        let (least, most) = setup.rules.players().unwrap();
        let usual = usize::from(arena.defaults.table).clamp(least, most);
        let secret = self.all("secret-file").next();
        let secret = secret.map(|file| std::fs::read_to_string(self.folder.join(file)).unwrap());
        ArenaConfig {
            setup,
            table: self.one("players").unwrap_or(usual),
            least,
            arena,
            timeout: Duration::from_secs(self.one("timeout").unwrap_or(arena.defaults.timeout)),
            within: Arc::new(Networks {
                loopback: !self.has("forbid-loopback"),
                others: self
                    .all("allow-callback")
                    .map(|net| {
                        let one = net.parse::<IpAddr>().map(Into::into);
                        net.parse().or(one).unwrap()
                    })
                    .collect(),
            }),
            server: ServerConfig {
                secret: secret.map(|text| Secret::new(&text).unwrap()),
                at_once: self
                    .one("matches")
                    .unwrap_or(usize::from(arena.defaults.at_once)),
                match_time: Duration::from_secs(self.one("match-time").unwrap_or(3_600)),
                grace: Duration::from_secs(30),
                rate: self.one("rate").unwrap_or(50),
                local_only: self.listen().is_loopback(),
                hosts: self.all("host").map(str::to_owned).collect(),
            },
            first: 1,
            tells_errors: self.has("errors"),
            practice: self.has("seed"),
        }
    }

    fn listen(&self) -> IpAddr {
        let usual = IpAddr::from([127, 0, 0, 1]);
        self.one("listen").unwrap_or(usual)
    }

    fn open(&self) -> TcpListener {
        TcpListener::bind((self.listen(), 0)).unwrap()
    }
}

/// Opens the record of the first match from this number on that has none yet.
fn new_record(folder: &Path, from: u64) -> io::Result<(u64, Option<Box<dyn Write + Send>>)> {
    let mut number = from;
    loop {
        let path = folder.join(format!("match-{number:05}.jsonl"));
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => return Ok((number, Some(Box::new(file)))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// A server in a thread of this process, which serves as long as the tests run.
pub(crate) struct Server {
    pub(crate) address: String,
    said: Arc<Mutex<String>>,
}

impl Server {
    fn new(listener: &TcpListener) -> Self {
        watch();
        Self {
            address: listener.local_addr().unwrap().to_string(),
            said: Arc::default(),
        }
    }

    /// Returns a function that keeps lines as the program prints them.
    fn tell(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let said = Arc::clone(&self.said);
        move |text| {
            let line = format!("{}\n", escape_control(text));
            said.lock().unwrap().push_str(&line);
        }
    }

    /// Starts an arena on a free port. With a seed, its matches are for practice.
    pub(crate) fn arena(folder: &Path, line: &str) -> Self {
        let settings = Settings::new(folder, line);
        let mut config = settings.arena();
        let listener = settings.open();
        let server = Self::new(&listener);
        let records: Option<String> = settings.one("records");
        let records = records.map(|name| folder.join(name));
        if let Some(folder) = &records {
            std::fs::create_dir_all(folder).unwrap();
            config.first = 1 + last_record(folder);
        }
        let hooks = ArenaHooks {
            record: Box::new(move |number| match &records {
                Some(folder) => new_record(folder, number),
                None => Ok((number, None)),
            }),
            tell: Arc::new(server.tell()),
        };
        thread::spawn(move || risk_arena::arena(config, hooks, listener).unwrap());
        server
    }

    /// Serves a bot of Hacker Risk on a free port.
    pub(crate) fn bot(folder: &Path, line: &str) -> Self {
        let (name, line) = line.split_once(' ').unwrap_or((line, ""));
        let settings = Settings::new(folder, line);
        let protocol = SERVED[0];
        let spec = settings.spec(protocol.protocol.ruleset);
        let served = ServedBot {
            spec: BotSpec::parse(library(), &settings.path(name)).unwrap(),
            rules: RuleSetup::load(library(), &spec.ruleset, spec.map.as_deref(), &spec.options)
                .unwrap(),
            limits: ScriptLimits::default(),
        };
        let listener = settings.open();
        let server = Self::new(&listener);
        let at = BotListener {
            listener,
            protocol,
            local_only: true,
            hosts: settings.all("host").map(str::to_owned).collect(),
        };
        let tell = server.tell();
        thread::spawn(move || bot::serve(served, at, tell, || Ok(())).unwrap().unwrap());
        server
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn waits_for(&self, text: &str) {
        for _ in 0..6_000 {
            if self.said().contains(text) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not say {text}:\n{}", self.said());
    }

    /// Returns the status of a GET with this `Host` header.
    pub(crate) fn as_host(&self, host: &str, path: &str) -> u16 {
        ask(&self.address, host, "GET", path, &[], "").0
    }

    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let address = &self.address;
        let (status, _, body) = ask(address, address, "POST", path, headers, body);
        (status, body)
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) = ask(&self.address, &self.address, "GET", path, &[], "");
        (status, body)
    }

    /// Returns the status and head of a GET.
    pub(crate) fn get_head(&self, path: &str) -> (u16, String) {
        let (status, head, _) = ask(&self.address, &self.address, "GET", path, &[], "");
        (status, head)
    }
}

/// Returns the highest number of a record in the folder, or 0.
fn last_record(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let numbers = entries.filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let number = name.strip_prefix("match-")?.strip_suffix(".jsonl")?;
        number.parse().ok()
    });
    numbers.max().unwrap_or(0)
}

/// Plays a record again, and checks that it is whole and that of its match.
pub(crate) fn verified(text: &str) {
    let record = read(text).unwrap();
    let header = &record.header;
    let rules = RuleSetup::load(library(), &header.ruleset, Some(&header.map), &[]).unwrap();
    let setup = header.setup(rules).unwrap();
    let report = verify(&record, &mut Worker::new(&setup).unwrap());
    assert!(report.unwrap().whole, "{:?}", record.broken);
}

/// Verifies each record in the folder, and returns the number of faults by file name.
pub(crate) fn replayed(folder: &Path) -> BTreeMap<String, usize> {
    let mut faults = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("records")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let text = std::fs::read_to_string(folder.join("records").join(&name)).unwrap();
        verified(&text);
        faults.insert(name, text.matches("\"line\":\"fault\"").count());
    }
    faults
}
