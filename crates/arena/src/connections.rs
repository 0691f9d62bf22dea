//! Open connections: their number, their addresses, and which connections wait for a request. If
//! there is no place for a new connection, the one that has waited longest is closed.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::share::{AddressQuota, QuotaPermit, household};

/// The open connections, limited in total and per address.
#[derive(Debug)]
pub(super) struct Connections {
    room: Arc<Semaphore>,
    callers: Arc<AddressQuota>,
    all: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    /// A clock that ticks when a connection opens, becomes busy or becomes idle.
    count: u64,
    by_number: BTreeMap<u64, ConnectionEntry>,
}

#[derive(Debug)]
struct ConnectionEntry {
    from: IpAddr,
    /// The value of `count` when the connection began to wait for a whole request, or `None` while
    /// a request is being answered.
    idle_since: Option<u64>,
    close: Arc<Notify>,
    _place: (OwnedSemaphorePermit, QuotaPermit),
}

/// The place of an open connection, released on drop.
#[derive(Debug)]
pub(super) struct ConnectionGuard {
    connections: Arc<Connections>,
    number: u64,
    close: Arc<Notify>,
}

/// A handle to a connection, passed to its request handlers.
#[derive(Clone, Debug)]
pub(super) struct ConnectionHandle(Arc<ConnectionGuard>);

/// A guard that marks a connection as busy with a whole request.
pub(super) struct BusyGuard(Option<ConnectionHandle>);

impl Connections {
    pub(super) fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self {
            room: Arc::new(Semaphore::new(most)),
            callers: AddressQuota::new(most, most_of_one),
            all: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place before a client connects. If all places are taken, it closes an idle
    /// connection.
    pub(super) async fn room(&self) -> OwnedSemaphorePermit {
        if self.room.available_permits() == 0 {
            self.drop_idle(None);
        }
        let room = Arc::clone(&self.room).acquire_owned().await;
        room.expect("the semaphore is never closed")
    }

    /// Registers a connection. Returns `None` if its address has reached the limit and all its
    /// connections are busy.
    pub(super) fn open(
        self: &Arc<Self>,
        from: IpAddr,
        room: OwnedSemaphorePermit,
    ) -> Option<ConnectionHandle> {
        let share = self.callers.take(from).ok().or_else(|| {
            self.drop_idle(Some(household(from)));
            self.callers.take(from).ok()
        })?;
        let close = Arc::<Notify>::default();
        let mut open = self.lock();
        open.count += 1;
        let number = open.count;
        let entry = ConnectionEntry {
            from: household(from),
            idle_since: Some(number),
            close: Arc::clone(&close),
            _place: (room, share),
        };
        open.by_number.insert(number, entry);
        drop(open);
        Some(ConnectionHandle(Arc::new(ConnectionGuard {
            connections: Arc::clone(self),
            number,
            close,
        })))
    }

    /// Closes the connection that has waited longest for a whole request, from one address or from
    /// any.
    fn drop_idle(&self, of: Option<IpAddr>) {
        let mut open = self.lock();
        let entries = open.by_number.iter();
        let idle = entries
            .filter(|(_, entry)| of.is_none_or(|of| of == entry.from))
            .filter_map(|(&number, entry)| Some((entry.idle_since?, number)));
        let Some((_, number)) = idle.min() else {
            return;
        };
        let entry = open.by_number.remove(&number);
        drop(open);
        if let Some(entry) = entry {
            entry.close.notify_one();
        }
    }
}

impl ConnectionHandle {
    /// Waits until the connection must close in favour of another.
    pub(super) async fn closed(&self) {
        self.0.close.notified().await;
    }

    /// Marks the connection as busy, so it is not closed in favour of another.
    pub(super) fn answers(&self) -> BusyGuard {
        self.set(false);
        BusyGuard(Some(self.clone()))
    }

    fn set(&self, idle: bool) {
        let mut open = self.0.connections.lock();
        open.count += 1;
        let count = open.count;
        if let Some(entry) = open.by_number.get_mut(&self.0.number) {
            entry.idle_since = idle.then_some(count);
        }
    }
}

impl BusyGuard {
    /// Keeps the connection busy until it ends.
    pub(super) fn for_good(mut self) {
        self.0 = None;
    }
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        if let Some(caller) = &self.0 {
            caller.set(true);
        }
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.connections.lock().by_number.remove(&self.number);
    }
}
