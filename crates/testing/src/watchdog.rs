//! A watchdog that ends the program if a test hangs, and prints the test's name.
//!
//! `cargo test` only prints that a slow test "has been running for over 60 seconds", and then waits
//! forever. Helpers with which nearly all tests begin call [`watch`]: the first call starts a
//! thread that checks each test once a second. Tests need no calls of their own, no dependency is
//! needed, and nothing runs before `main`.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

/// The seconds of a test on an idle machine. The variable `RISK_TEST_SECONDS` overrides them.
const MOST_SECONDS: f64 = 300.0;

/// The running tests: their names, and for how many seconds they have been running.
static RUNNING: LazyLock<Mutex<BTreeMap<String, f64>>> = LazyLock::new(|| {
    thread::spawn(look_on);
    Mutex::default()
});

/// The name of the test in this thread. The test is over when the thread ends.
struct WatchedTest(String);

impl Drop for WatchedTest {
    fn drop(&mut self) {
        RUNNING.lock().unwrap().remove(&self.0);
    }
}

thread_local! {
    static WATCHED: OnceCell<WatchedTest> = const { OnceCell::new() };
}

/// Starts the time of this thread's test.
pub fn watch() {
    let thread = thread::current();
    // Threads without a name belong to servers, and last as long as the program.
    let Some(name) = thread.name() else {
        return;
    };
    WATCHED.with(|watched| {
        let first = watched.get().is_none();
        watched.get_or_init(|| WatchedTest(name.to_owned()));
        // With --test-threads=1 all tests run in one thread: each call restarts the time.
        if first || name == "main" {
            RUNNING.lock().unwrap().insert(name.to_owned(), 0.0);
        }
    });
}

fn look_on() {
    let most = std::env::var("RISK_TEST_SECONDS");
    let most = most.map_or(MOST_SECONDS, |text| text.parse().unwrap());
    loop {
        thread::sleep(Duration::from_secs(1));
        let step = 1.0 / load();
        for (name, seconds) in RUNNING.lock().unwrap().iter_mut() {
            *seconds += step;
            if *seconds > most {
                let told = format!("\n{name} hangs: it has been running for {most} seconds\n");
                let _ = std::io::stderr().write_all(told.as_bytes());
                std::process::exit(124);
            }
        }
    }
}

/// Returns the load of the machine for each processor, at least 1, so that slowness on a busy
/// machine does not count as a hang.
fn load() -> f64 {
    let processors = thread::available_parallelism().map_or(1, usize::from) as f64;
    let average = std::fs::read_to_string("/proc/loadavg").ok();
    let waiting = average.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    (waiting.unwrap_or(0.0) / processors).max(1.0)
}
