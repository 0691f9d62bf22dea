//! Limits on connections: their number, their duration, and the size of request heads.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::watch;

use super::connections::{Caller, Connections};
use super::request_guard::Peer;

/// The longest head of a request, in bytes, and the most fields in it.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_FIELDS: usize = 64;
/// Open connections. More wait until one of them ends, or until one that waits for a whole request
/// is closed.
const MOST_CONNECTIONS: usize = 1_024;
/// Open connections from one address, likewise. More are closed if all of them are busy.
const MOST_OF_ONE: usize = 256;
/// How long the head of a request may take. A silent connection is closed after that.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long connections may take to end after the server stops.
const LEAVE: Duration = Duration::from_secs(3);

/// Serves requests until `stop` completes.
pub(super) fn run(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    // Each match needs a connection for every bot, and each viewer needs one.
    #[cfg(unix)]
    if let Ok((_, most)) = rlimit::Resource::NOFILE.get() {
        // If this fails, bots beyond the limit can't be reached, which shows as their faults.
        let _ = rlimit::Resource::NOFILE.set(most, most);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(answer(listener, app, stop));
    // Don't wait for tasks that wait for silent bots.
    runtime.shutdown_background();
    done
}

async fn answer(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let connections = Connections::new(MOST_CONNECTIONS, MOST_OF_ONE);
    let (leave, left) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = async {
                let room = connections.room().await;
                (room, listener.accept().await)
            } => accepted,
            () = &mut stop => break,
        };
        let (room, Ok((stream, peer))) = accepted else {
            // The client is gone, or no file descriptor is free.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Sends small answers without delay. A failure only makes them slower.
        let _ = stream.set_nodelay(true);
        let peer = peer.ip().to_canonical();
        let Some(caller) = connections.open(peer, room) else {
            continue;
        };
        let app = app
            .clone()
            .layer(Extension(Peer(peer)))
            .layer(Extension(caller.clone()));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(LONGEST_HEAD)
            .max_headers(MOST_FIELDS)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app))
            .with_upgrades();
        let left = left.clone();
        tokio::spawn(async move {
            // A client may break off.
            let _ = until_left(connection, left, caller).await;
        });
    }
    drop(left);
    // There may be no connections left, and those that don't end in time are dropped.
    let _ = leave.send(());
    let _ = tokio::time::timeout(LEAVE, leave.closed()).await;
    Ok(())
}

type Connection =
    http1::UpgradeableConnection<TokioIo<tokio::net::TcpStream>, TowerToHyperService<Router>>;

/// Waits for a connection to end: after its next answer if the server stops, immediately if it must
/// close in favour of another.
async fn until_left(
    connection: Connection,
    mut left: watch::Receiver<()>,
    caller: Caller,
) -> hyper::Result<()> {
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => return ended,
        () = caller.closed() => return Ok(()),
        _ = left.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}

/// Waits for a signal to end the program.
pub(super) async fn shutdown_signal() {
    let interrupted = async {
        // If the signal can't be received, wait forever.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        let terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        if let Ok(mut terminated) = terminated {
            tokio::select! {
                () = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    interrupted.await;
}
