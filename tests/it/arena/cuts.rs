//! Connections that are cut at random moments, and clients that don't read.

use risk_testing::dialling::frame;
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpSocket;

use crate::programs::Program;

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
