//! The sums that chain the lines of a record. Each sum covers its line and the previous sum.

/// The number of hexadecimal digits of a sum.
pub const SUM_DIGITS: usize = 16;

const KEY: &str = ",\"sum\":\"";

/// Returns the sum of a line. It covers the previous sum (empty for the first line) and the text of
/// the line up to the comma before the line's own sum.
#[must_use]
pub fn sum(before: &str, body: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize().to_hex()[..SUM_DIGITS].to_owned()
}

#[derive(Clone, Debug, Default)]
pub(super) struct HashChain {
    /// The last sum in hexadecimal. `len` is its length, which is 0 before the first line.
    last: [u8; SUM_DIGITS],
    len: usize,
}

impl HashChain {
    pub(super) fn behind(sum: &str) -> Self {
        let mut chain = Self::default();
        if sum.len() == SUM_DIGITS {
            chain.last.copy_from_slice(sum.as_bytes());
            chain.len = SUM_DIGITS;
        }
        chain
    }

    /// Clears the buffer and writes the last sum to it, because the next sum covers the last sum.
    pub(super) fn begin(&self, buffer: &mut Vec<u8>) {
        buffer.clear();
        buffer.extend_from_slice(&self.last[..self.len]);
    }

    /// Adds the sum to an object that was written after [`HashChain::begin`] without its closing
    /// brace. Returns the whole line.
    pub(super) fn close<'a>(&mut self, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        // For such a small amount of data, hashing one piece is by far the fastest.
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

/// Splits a line into the text before its sum, and the sum.
#[must_use]
pub fn split_sum(line: &str) -> Option<(&str, &str)> {
    let (body, rest) =
        line.split_at_checked(line.len().checked_sub(KEY.len() + SUM_DIGITS + 2)?)?;
    let sum = rest.strip_prefix(KEY)?.strip_suffix("\"}")?;
    sum.bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        .then_some((body, sum))
}
