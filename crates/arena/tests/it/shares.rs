//! The share of an arena that one address may use.

use std::io::Write;
use std::net::{IpAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use risk_arena::share::{AddressQuota, QuotaError, household};
use risk_testing::web::{reply, server};
use serde_json::json;

use crate::matches::modest_bot;
use crate::server::Server;
use crate::strangers::answer;

#[test]
fn shares_count_for_each_address_first() {
    let at = |text: &str| text.parse::<IpAddr>().unwrap();
    let shares = AddressQuota::new(3, 2);
    let one = shares.take(at("10.0.0.1")).unwrap();
    let two = shares.take(at("::ffff:10.0.0.1")).unwrap();
    assert_eq!(shares.take(at("10.0.0.1")).unwrap_err(), QuotaError::ForOne);
    let three = shares.take(at("10.0.0.2")).unwrap();
    assert_eq!(shares.take(at("10.0.0.3")).unwrap_err(), QuotaError::ForAll);
    drop((one, three));
    let four = shares.take(at("10.0.0.3")).unwrap();
    drop((two, four));
    // A network of 64 bits is one household.
    assert_eq!(
        household(at("2001:db8::1")),
        household(at("2001:db8::ffff:1"))
    );
    assert_ne!(
        household(at("2001:db8::1")),
        household(at("2001:db8:0:1::1"))
    );
}

fn connect(from: &str, to: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket
            .connect(to.parse().unwrap())
            .await
            .unwrap()
            .into_std()
            .unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream
}

/// One address may watch with a limited number of connections.
// Other systems have 127.0.0.1 alone.
#[cfg(target_os = "linux")]
#[test]
fn one_address_shuts_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --rate 1000 --players 6",
    );
    let watch = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut watching: Vec<_> = (0..80)
        .map(|_| connect("127.0.0.1", &arena.address))
        .collect();
    let seen: Vec<String> = watching
        .iter_mut()
        .map(|stream| answer(stream, watch))
        .collect();
    assert_eq!(
        seen.iter().filter(|status| *status == "200").count(),
        64,
        "{seen:?}"
    );
    assert!(
        seen.iter().skip(64).all(|status| status == "429"),
        "{seen:?}"
    );
    assert_eq!(
        answer(&mut connect("127.0.0.2", &arena.address), watch),
        "200",
        "there is room for others"
    );
}

/// Joins that name a port without a reply use up the share of one address alone.
#[cfg(target_os = "linux")]
#[test]
fn joins_of_one_address_that_hang_shut_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --rate 1000 --players 6",
    );
    let held = Arc::new((Mutex::new((0, false)), Condvar::new()));
    let hold = Arc::clone(&held);
    let silent = server(move |_, _| {
        let (state, changed) = &*hold;
        let mut state = state.lock().unwrap();
        state.0 += 1;
        changed.notify_all();
        drop(changed.wait_while(state, |(_, over)| !*over).unwrap());
    });
    let join = |name: &str, url: &str| {
        let body = json!({ "name": name, "url": url }).to_string();
        format!(
            "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut waiting: Vec<_> = (0..8)
        .map(|number| {
            let mut stream = connect("127.0.0.1", &arena.address);
            stream
                .write_all(
                    join(&format!("slow {number}"), &format!("{silent}/{number}")).as_bytes(),
                )
                .unwrap();
            stream
        })
        .collect();
    let (state, changed) = &*held;
    drop(
        changed
            .wait_while(state.lock().unwrap(), |(count, _)| *count < 8)
            .unwrap(),
    );
    assert_eq!(
        answer(
            &mut connect("127.0.0.1", &arena.address),
            &join("late", &format!("{silent}/x"))
        ),
        "503"
    );
    assert_eq!(
        answer(
            &mut connect("127.0.0.2", &arena.address),
            &join("ann", &modest_bot())
        ),
        "200"
    );
    state.lock().unwrap().1 = true;
    changed.notify_all();
    waiting
        .iter_mut()
        .for_each(|stream| assert_eq!(answer(stream, ""), "400"));
}

/// On an open arena the bots of one address can't take all seats: others find seats while those
/// bots play.
#[cfg(target_os = "linux")]
#[test]
fn one_address_does_not_take_all_seats() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot odds --matches 4 --rate 1000 --listen 0.0.0.0 \
                --allow-callback 127.0.0.0/8";
    let arena = Server::arena(folder.path(), line);
    let place = arena.address.replace("0.0.0.0", "127.0.0.1");
    // Bots that think until the arena ends.
    let held = server(|request, stream| {
        if request.path == "/turn" {
            std::thread::park();
        }
        reply(stream, "");
    });
    let join = |from: &str, name: &str| {
        let body = json!({ "name": name, "url": format!("{held}/{name}") }).to_string();
        let head = "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        answer(
            &mut connect(from, &place),
            &format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
        )
    };
    // Four seats in four matches, half of them for one address.
    assert_eq!(
        ["a", "b", "c"].map(|name| join("127.0.0.1", name)),
        ["200", "200", "503"]
    );
    assert_eq!(
        ["d", "e"].map(|name| join("127.0.0.2", name)),
        ["200", "200"]
    );
}
