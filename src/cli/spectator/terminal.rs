//! A terminal that is drawn on: taken from its lines for a while, and given back as it was,
//! whatever happens meanwhile.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use super::keys::{Key, Reader};

/// Another screen without a cursor, on which long lines are not wrapped.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
/// The screen that was there before, as it was.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";
/// How often it is looked whether nobody reads keys any more.
const TICK: Duration = Duration::from_millis(100);
/// How long a key that ends the program waits for the game, which a bot may hold up.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// How many keys wait until the game has time for them.
const MOST_KEYS: usize = 64;
/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// What is given back.
struct Found {
    modes: Termios,
    input: File,
    output: File,
}

/// The terminal, while it is drawn on.
static TAKEN: Mutex<Option<Found>> = Mutex::new(None);

/// Gives the terminal back, if it is taken. May be called by any thread, at any time.
fn give_back() {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Found {
        modes,
        input,
        mut output,
    }) = taken.take()
    {
        // There is nobody left to tell.
        let _ = output.write_all(LEAVE);
        let _ = tcsetattr(&input, OptionalActions::Flush, &modes);
    }
}

/// A terminal that is drawn on; dropped, it is as it was before.
pub(super) struct Terminal {
    /// Keys as they are pressed.
    pub(super) keys: Receiver<Key>,
    heard: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Terminal {
    /// Takes the terminal that this program's input and output are.
    pub(super) fn take() -> io::Result<Self> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let keyboard = input.try_clone()?;
        let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let modes = tcgetattr(&input)?;
        let mut own = modes.clone();
        // Keys one by one, unseen, Ctrl-C among them.
        own.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        own.input_modes -= InputModes::IXON;
        own.special_codes[SpecialCodeIndex::VMIN] = 1;
        own.special_codes[SpecialCodeIndex::VTIME] = 0;
        let panicked = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            panicked(info);
        }));
        end_with_signals();
        tcsetattr(&input, OptionalActions::Flush, &own)?;
        let entered = output.write_all(ENTER);
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Found {
            modes,
            input,
            output,
        });
        if let Err(error) = entered {
            give_back();
            return Err(error);
        }
        let (sender, keys) = mpsc::sync_channel(MOST_KEYS);
        let heard = Arc::new(AtomicBool::new(false));
        let ended = Arc::new(AtomicBool::new(false));
        let flags = (Arc::clone(&heard), Arc::clone(&ended));
        let reader = std::thread::spawn(move || read_keys(&keyboard, &sender, &flags.0, &flags.1));
        Ok(Self {
            keys,
            heard,
            ended,
            reader: Some(reader),
        })
    }

    /// The key that ends the program was heard: it ends in order.
    pub(super) fn hear(&self) {
        self.heard.store(true, Ordering::SeqCst);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        if let Some(reader) = self.reader.take() {
            // It ends by itself; had it panicked, nothing more would be left to do either.
            let _ = reader.join();
        }
        give_back();
    }
}

/// Reads keys until nobody wants any more. Where nobody hears that the program is to end, a bot
/// thinks for long, say: it ends.
fn read_keys(mut keyboard: &File, keys: &SyncSender<Key>, heard: &AtomicBool, ended: &AtomicBool) {
    let mut reader = Reader::default();
    let mut deadline: Option<Instant> = None;
    while !ended.load(Ordering::SeqCst) {
        let is_late = deadline.is_some_and(|deadline| Instant::now() > deadline);
        if is_late && !heard.load(Ordering::SeqCst) {
            give_back();
            std::process::exit(INTERRUPTED);
        }
        if !is_ready(keyboard) {
            continue;
        }
        let mut bytes = [0; 64];
        let pressed = match keyboard.read(&mut bytes) {
            // The terminal is gone.
            Ok(0) | Err(_) => vec![Key::Leave],
            Ok(count) => reader.read(&bytes[..count]),
        };
        for key in pressed {
            if key == Key::Leave && deadline.is_none() {
                deadline = Some(Instant::now() + PATIENCE);
            }
            // Keys beyond those that wait are lost: one is held down while a bot thinks.
            if let Err(TrySendError::Disconnected(_)) = keys.try_send(key) {
                return;
            }
        }
        if deadline.is_some() {
            std::thread::sleep(TICK);
        }
    }
}

fn is_ready(keyboard: &File) -> bool {
    let tick = Timespec::try_from(TICK).expect("a tick is short");
    let mut polled = [PollFd::new(keyboard, PollFlags::IN)];
    poll(&mut polled, Some(&tick)).is_ok_and(|count| count > 0)
}

/// Gives the terminal back when a signal ends the program.
fn end_with_signals() {
    use tokio::signal::unix::{SignalKind, signal};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .build();
            let Ok(runtime) = runtime else { return };
            let number = runtime.block_on(async {
                let mut terminate = signal(SignalKind::terminate()).ok()?;
                let mut hangup = signal(SignalKind::hangup()).ok()?;
                let mut interrupt = signal(SignalKind::interrupt()).ok()?;
                Some(tokio::select! {
                    _ = terminate.recv() => 15,
                    _ = hangup.recv() => 1,
                    _ = interrupt.recv() => 2,
                })
            });
            if let Some(number) = number {
                give_back();
                std::process::exit(128 + number);
            }
        });
    });
}
