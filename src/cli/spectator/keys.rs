//! The keys of the spectator.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Pauses or continues.
    Pause,
    /// Goes to the next decision.
    Step,
    /// Goes to the next turn.
    Turn,
    Faster,
    Slower,
    /// Stops watching and restores the terminal.
    Leave,
}

/// Parses keys from a terminal's bytes, which may be split anywhere.
#[derive(Default)]
pub(super) struct KeyParser {
    /// The beginning of an escape sequence.
    begun: Vec<u8>,
}

impl KeyParser {
    /// Returns the keys in these bytes, and ignores all other input.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Key> {
        bytes.iter().filter_map(|&byte| self.take(byte)).collect()
    }

    fn take(&mut self, byte: u8) -> Option<Key> {
        match (self.begun.as_slice(), byte) {
            (_, 0x1b) => {
                self.begun = vec![byte];
                None
            }
            ([0x1b], b'[' | b'O') => {
                self.begun.push(byte);
                None
            }
            // Parameters of an escape sequence.
            ([0x1b, b'[', ..], b'0'..=b'?') => None,
            ([0x1b, _, ..], last) => {
                self.begun.clear();
                (last == b'C').then_some(Key::Step)
            }
            (_, plain) => {
                self.begun.clear();
                key(plain)
            }
        }
    }
}

const fn key(byte: u8) -> Option<Key> {
    Some(match byte {
        b' ' | b'p' => Key::Pause,
        b'n' | b'N' => Key::Step,
        b't' | b'T' => Key::Turn,
        b'+' | b'=' => Key::Faster,
        b'-' | b'_' => Key::Slower,
        // Ctrl-C, Ctrl-D.
        b'q' | b'Q' | 3 | 4 => Key::Leave,
        _ => return None,
    })
}
