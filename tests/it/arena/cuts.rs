//! Connections that are cut at random moments, and clients that don't read.

use std::io::Write;
use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpSocket;

use super::dialling::{ConnectionEnd, DialledBot};
use super::replayed;
use super::sockets::RULESETS;
use super::unruly::frame;
use crate::programs::Program;

/// A linear congruential generator.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Sends an answer, or cuts the connection before, within or after it; returns whether it was cut.
fn answer(bot: &mut DialledBot, lot: &mut Lcg, one_in: u64) -> bool {
    // The same question always gets the same answer.
    bot.chance = bot.asked["id"].as_u64().unwrap().wrapping_mul(977);
    let answer = bot.choose();
    if one_in == 0 || lot.below(one_in) > 0 {
        bot.say(&answer);
        return false;
    }
    let bytes = frame(0x81, answer.to_string().as_bytes());
    let said = lot.below(bytes.len() as u64 + 1) as usize;
    let stream = bot.socket.get_mut();
    stream.write_all(&bytes[..said]).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    true
}

/// Reconnects a bot; `None` once the match is over.
fn back(arena: &Program, token: &str) -> Option<DialledBot> {
    match DialledBot::open(&arena.address, &format!("/bot?token={token}")) {
        Ok(bot) => Some(bot),
        Err((410, _)) => None,
        Err(refused) => panic!("{refused:?}"),
    }
}

/// Returns the record of a match with one answer in `one_in` cut (0: none), and how many were cut.
fn played(ruleset: &str, options: &str, (one_in, seed): (u64, u64)) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let two = ["starwars", "warlight1", "warlight2"].contains(&ruleset);
    let (players, house) = match ruleset {
        "teams" => (4, "--bot random --bot random"),
        _ if two => (2, ""),
        _ => (3, "--bot random"),
    };
    let line = format!(
        "--protocol json --ruleset {ruleset} --players {players} --bot random {house} --seed 11 --seats fixed --records records --rate 10000 {options}"
    );
    let arena = Program::arena(folder.path(), &line);
    let (mut bot, token) = DialledBot::join(&arena.address, "ann");
    let mut lot = Lcg(seed);
    let mut cuts = 0;
    loop {
        let was_cut = match bot.hear() {
            Ok(message) if message["type"] == "hello" => {
                bot.say(&json!({ "protocol": 1 }));
                false
            }
            Ok(message) if message["type"] == "ask" => {
                bot.asked = message;
                answer(&mut bot, &mut lot, one_in)
            }
            Ok(_) => false,
            Err(ConnectionEnd::Closed(1000, why)) if why == "the match is over" => break,
            Err(_) => true,
        };
        if was_cut {
            cuts += 1;
            match back(&arena, &token) {
                Some(again) => bot = again,
                None => break,
            }
        }
    }
    arena.waits_for("match 1: ");
    assert_eq!(replayed(folder.path())["match-00001.jsonl"], 0, "{ruleset}");
    let record = std::fs::read_to_string(folder.path().join("records/match-00001.jsonl"));
    (record.unwrap(), cuts)
}

/// Runs two rulesets with one seed each; with RISK_EVERY_CASE, all rulesets with four seeds.
#[test]
fn connections_that_are_cut_at_random_moments_change_no_record() {
    let all = std::env::var_os("RISK_EVERY_CASE").is_some();
    for (index, (ruleset, options)) in RULESETS.iter().enumerate() {
        if !all && !["codelab", "simplified"].contains(ruleset) {
            continue;
        }
        let (whole, none) = played(ruleset, options, (0, 0));
        assert_eq!(none, 0);
        for seed in 0..if all { 4 } else { 1 } {
            let seed = 31 * index as u64 + seed;
            let (record, cuts) = played(ruleset, options, (4, seed));
            assert!(cuts > 0, "{ruleset}: nothing was cut");
            assert!(
                record == whole,
                "{ruleset}: cut {cuts} times under seed {seed}"
            );
        }
    }
}

/// Returns the peak memory in MiB.
fn peak(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: u64 = peak
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    kib >> 10
}

fn reads_nothing(address: &str) -> std::net::TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let address: SocketAddr = address.parse().unwrap();
        socket.connect(address).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    let head = format!(
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    (&stream).write_all(head.as_bytes()).unwrap();
    stream
}

/// Clients send nonsense without end and read none of the replies: the arena stops reading from
/// them, stays within its memory limit, and closes the connections.
#[test]
#[ignore = "waits for half a minute; run by .ci/nightly"]
fn a_slow_reader_is_turned_out() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(folder.path(), "--protocol codelab --errors --bot random");
    let open = || -> u64 {
        let text = arena.get("/metrics").1;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("risk_sockets "));
        line.unwrap().parse().unwrap()
    };
    let slow: Vec<_> = (0..4).map(|_| reads_nothing(&arena.address)).collect();
    let nonsense = frame(0x81, br#"{"event": "Nonsense", "data": {"playerId": 1}}"#);
    let nonsense = nonsense.repeat(1_000);
    for stream in &slow {
        let mut stream = stream;
        stream
            .set_write_timeout(Some(Duration::from_secs(2)))
            .unwrap();
        let mut said = 0;
        while stream.write_all(&nonsense).is_ok() {
            said += nonsense.len();
            assert!(said < 200 << 20, "it is listened to without end");
        }
    }
    for _ in 0..600 {
        if open() == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(open(), 0, "those who read nothing are gone");
    assert!(peak(arena.id()) < 200, "{} MiB", peak(arena.id()));
    assert_eq!(arena.get("/healthz").0, 200);
}
