//! The keys of whoever watches.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// To stop, or to go on.
    Pause,
    /// On to the next decision.
    Step,
    /// On to the next turn.
    Turn,
    /// More decisions a second.
    Faster,
    /// Fewer decisions a second.
    Slower,
    /// To stop watching: the terminal is given back.
    Leave,
}

/// Reads keys from a terminal's bytes, which may come in parts.
#[derive(Default)]
pub(super) struct Reader {
    /// The beginning of a sequence.
    begun: Vec<u8>,
}

impl Reader {
    /// The keys in some bytes; what means nothing is left out.
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
            // Parameters of a sequence, as many as come.
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
