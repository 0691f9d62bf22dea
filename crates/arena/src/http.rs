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

use super::connections::{ConnectionHandle, Connections};
use super::request_guard::Peer;

/// The maximum length of a request head, in bytes, and the maximum number of header fields.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_FIELDS: usize = 64;
/// The maximum number of open connections. Additional clients wait until a connection ends, or
/// until a connection that waits for a whole request is closed.
const MOST_CONNECTIONS: usize = 1_024;
/// The maximum number of open connections from one address. If all of them are busy, additional
/// connections are closed.
const MOST_OF_ONE: usize = 256;
/// The time limit for receiving a request head. After this time, a silent connection is closed.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time limit for connections after the server stops.
const LEAVE: Duration = Duration::from_secs(3);

/// Serves requests until `stop` completes.
pub(super) fn run(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    // Each match needs one connection per bot, and each viewer needs one.
    #[cfg(unix)]
    if let Ok((_, most)) = rlimit::Resource::NOFILE.get() {
        // If this call fails, bots beyond the limit can't be reached, which appears as their
        // faults.
        let _ = rlimit::Resource::NOFILE.set(most, most);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(answer(listener, app, stop));
    // Tasks may be waiting for silent bots, so the shutdown does not wait for tasks.
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
            // The client has disconnected, or no file descriptor is available.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Small responses are sent without delay. A failure only makes them slower.
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
            // The client may disconnect.
            let _ = until_left(connection, left, caller).await;
        });
    }
    drop(left);
    // There may be no connections left. Connections that don't end in time are dropped.
    let _ = leave.send(());
    let _ = tokio::time::timeout(LEAVE, leave.closed()).await;
    Ok(())
}

type Connection =
    http1::UpgradeableConnection<TokioIo<tokio::net::TcpStream>, TowerToHyperService<Router>>;

/// Waits for a connection to end. If the server stops, the connection ends after its next response.
/// If it must close in favour of another connection, it ends immediately.
async fn until_left(
    connection: Connection,
    mut left: watch::Receiver<()>,
    caller: ConnectionHandle,
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

/// Waits for a shutdown signal.
pub(super) async fn shutdown_signal() {
    let interrupted = async {
        // If the signal can't be received, this function waits forever.
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
