//! Connections: how many, how long, and how large the heads of requests are.

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
/// Connections at once. More wait until one of them ends, or until one on which no whole request
/// has come makes room.
const MOST_CONNECTIONS: usize = 1_024;
/// Connections at once from one address, likewise; more are closed where all are being answered.
const MOST_OF_ONE: usize = 256;
/// How long the head of a request may take. A connection on which nothing comes is
/// closed after that.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long connections have to end when the server does.
const LEAVE: Duration = Duration::from_secs(3);

/// Answers until `stop` is through.
pub(super) fn run(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    // Each match has a connection for every bot, and each viewer one.
    #[cfg(unix)]
    if let Ok((_, most)) = rlimit::Resource::NOFILE.get() {
        // With fewer files, bots beyond them can't be reached; it shows as their faults.
        let _ = rlimit::Resource::NOFILE.set(most, most);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(answer(listener, app, stop));
    // What waits for bots that do not answer is not waited for.
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
            // Whoever knocked is gone, or there is no file left for now.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Small answers leave at once. Where that can't be had they are slower, and nothing else.
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
            // A client that breaks off is its own affair.
            let _ = until_left(connection, left, caller).await;
        });
    }
    drop(left);
    // Nobody may be there to hear it, and those who do not leave in time are left behind.
    let _ = leave.send(());
    let _ = tokio::time::timeout(LEAVE, leave.closed()).await;
    Ok(())
}

type Connection =
    http1::UpgradeableConnection<TokioIo<tokio::net::TcpStream>, TowerToHyperService<Router>>;

/// Until a connection ends, which it does behind its next answer when the server does, and at once
/// where it is to make room.
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

/// Until somebody wants the program to end.
pub(super) async fn shutdown_signal() {
    let interrupted = async {
        // Without a way to be told to end there is none.
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
