//! The sums that chain the lines of a record: each covers its line and the sum before.

/// How many hexadecimal digits a sum has.
pub const SUM_DIGITS: usize = 16;

/// What stands between a line's own keys and its sum.
const KEY: &str = ",\"sum\":\"";

/// The sum of a line: of the sum before it (empty for the first line) and of the line's text up to
/// the comma before its own sum.
#[must_use]
pub fn sum(before: &str, body: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize().to_hex()[..SUM_DIGITS].to_owned()
}

/// Writes the sums of lines, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The last sum in hexadecimal, and how much of it there is: nothing before the first line.
    last: [u8; SUM_DIGITS],
    len: usize,
}

impl Chain {
    /// Goes on behind a line with this sum.
    pub(super) fn behind(sum: &str) -> Self {
        let mut chain = Self::default();
        if sum.len() == SUM_DIGITS {
            chain.last.copy_from_slice(sum.as_bytes());
            chain.len = SUM_DIGITS;
        }
        chain
    }

    /// Empties a buffer for the next line. What covers the line stands before it: the last sum.
    pub(super) fn begin(&self, buffer: &mut Vec<u8>) {
        buffer.clear();
        buffer.extend_from_slice(&self.last[..self.len]);
    }

    /// Ends an object that is written down, but for its closing brace, behind [`Chain::begin`]; the
    /// line, with its sum.
    pub(super) fn close<'a>(&mut self, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        // In one piece: that is much the fastest for so little.
        let hash = blake3::hash(buffer);
        let start = self.len;
        for (pair, byte) in self.last.chunks_exact_mut(2).zip(hash.as_bytes()) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        self.len = SUM_DIGITS;
        buffer.extend_from_slice(KEY.as_bytes());
        buffer.extend_from_slice(&self.last);
        buffer.extend_from_slice(b"\"}\n");
        &buffer[start..]
    }
}

const fn digit(value: u8) -> u8 {
    if value < 10 {
        b'0' + value
    } else {
        b'a' + value - 10
    }
}

/// A line's text before its sum, and the sum that it says it has.
#[must_use]
pub fn split_sum(line: &str) -> Option<(&str, &str)> {
    let (body, rest) =
        line.split_at_checked(line.len().checked_sub(KEY.len() + SUM_DIGITS + 2)?)?;
    let sum = rest.strip_prefix(KEY)?.strip_suffix("\"}")?;
    sum.bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        .then_some((body, sum))
}
