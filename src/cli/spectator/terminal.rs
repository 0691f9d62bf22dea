//! Draws on the whole terminal. The terminal's state is restored after a drop, a panic or a signal.

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

use super::keys::{Key, KeyParser};

/// Enters the alternate screen, hides the cursor and turns off line wrap.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
/// Restores the main screen, the cursor and line wrap.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";
/// How often the key thread checks whether it should end.
const TICK: Duration = Duration::from_millis(100);
/// How long a quit key waits for the game, which a bot may delay.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// The maximum number of keys that wait while the game is busy.
const MOST_KEYS: usize = 64;
/// The exit code after Ctrl-C.
const INTERRUPTED: i32 = 130;

struct TerminalHandles {
    modes: Termios,
    input: File,
    output: File,
}

static TAKEN: Mutex<Option<TerminalHandles>> = Mutex::new(None);

/// Restores the terminal, if it has been taken over. Any thread may call this at any time.
fn give_back() {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(TerminalHandles {
        modes,
        input,
        mut output,
    }) = taken.take()
    {
        // There is nowhere to report a failure.
        let _ = output.write_all(LEAVE);
        let _ = tcsetattr(&input, OptionalActions::Flush, &modes);
    }
}

/// A terminal to draw on. Dropping it restores its former state.
pub(super) struct Terminal {
    pub(super) keys: Receiver<Key>,
    heard: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Terminal {
    /// Takes over the terminal of standard input and output.
    pub(super) fn take() -> io::Result<Self> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let keyboard = input.try_clone()?;
        let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let modes = tcgetattr(&input)?;
        let mut own = modes.clone();
        // Unbuffered keys without echo, Ctrl-C included.
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
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(TerminalHandles {
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

    /// Confirms the key that ends the program, so that the key thread does not exit the program.
    pub(super) fn hear(&self) {
        self.heard.store(true, Ordering::SeqCst);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        if let Some(reader) = self.reader.take() {
            // The thread ends on its own. After a panic, there is nothing left to do.
            let _ = reader.join();
        }
        give_back();
    }
}

/// Reads keys until the terminal is dropped. Exits the program if [`Terminal::hear`] does not
/// confirm a [`Key::Leave`] in time, for example while a bot thinks.
fn read_keys(mut keyboard: &File, keys: &SyncSender<Key>, heard: &AtomicBool, ended: &AtomicBool) {
    let mut reader = KeyParser::default();
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
            // Keys beyond the limit are dropped: a key may be held down while a bot thinks.
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
    let tick = Timespec::try_from(TICK).expect("a tick fits a timespec");
    let mut polled = [PollFd::new(keyboard, PollFlags::IN)];
    poll(&mut polled, Some(&tick)).is_ok_and(|count| count > 0)
}

/// Restores the terminal when a signal ends the program.
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
