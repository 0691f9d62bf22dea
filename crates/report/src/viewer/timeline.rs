//! The frames of a match so far, for pages that step through the match.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

/// The number of frame bytes that are packed together, which is also the maximum per message.
const BLOCK: usize = 256 << 10;
/// The maximum packed size of a match, in bytes. A longer match starts over, and its record
/// contains the earlier frames.
const MOST_BYTES: usize = 4 << 20;

/// The frames of a match, with a head that applies to all of them.
#[derive(Debug, Default)]
pub struct Timeline {
    /// The number of times the frames started over, from 1. It is 0 if there are no frames yet.
    epoch: u64,
    head: Value,
    /// The number of changes of the head.
    heads: u64,
    blocks: Vec<Block>,
    /// The frames after `blocks` that are not packed yet.
    open: Vec<String>,
    open_bytes: usize,
    packed_bytes: usize,
    /// A hash of each frame.
    hashes: Vec<u64>,
}

#[derive(Debug)]
struct Block {
    first: usize,
    count: usize,
    packed: Vec<u8>,
}

/// The position of a viewer in a timeline.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    epoch: u64,
    heads: u64,
    next: usize,
}

impl Cursor {
    /// Creates the position of a viewer that knows this many frames of an epoch, and the head.
    #[must_use]
    pub const fn new(epoch: u64, next: usize) -> Self {
        Self {
            epoch,
            heads: 1,
            next,
        }
    }
}

impl Timeline {
    /// Creates a timeline without frames, whose head applies to all of them.
    #[must_use]
    pub fn new(head: Value) -> Self {
        Self {
            epoch: 1,
            head,
            heads: 1,
            ..Self::default()
        }
    }

    /// Reports whether the timeline has not begun.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.epoch == 0
    }

    /// Reports whether the timeline must start over with a frame of the whole state.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.packed_bytes > MOST_BYTES
    }

    /// Drops all frames.
    pub fn begin_anew(&mut self) {
        *self = Self {
            epoch: self.epoch + 1,
            head: std::mem::take(&mut self.head),
            heads: self.heads + 1,
            ..Self::default()
        };
    }

    /// Replaces the contents with those of another timeline.
    pub fn replace(&mut self, other: Self) {
        let (epoch, heads) = (self.epoch + 1, self.heads + 1);
        *self = Self {
            epoch,
            heads,
            ..other
        };
    }

    /// Changes the head. Each viewer receives it again.
    pub fn change_head(&mut self, change: impl FnOnce(&mut Value)) {
        change(&mut self.head);
        self.heads += 1;
    }

    /// Returns a timeline of the same game that begins again.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self {
            epoch: self.epoch,
            heads: self.heads,
            head: self.head.clone(),
            ..Self::default()
        }
    }

    /// Follows an earlier timeline of the game. Viewers go on with it if all its frames are here,
    /// and begin again otherwise. Reports whether there is anything new for them.
    pub fn follow(&mut self, earlier: &Self) -> bool {
        let goes_on = self.hashes.starts_with(&earlier.hashes);
        self.epoch += u64::from(!goes_on);
        !goes_on || self.hashes.len() > earlier.hashes.len()
    }

    /// Adds frames, each as a JSON object.
    pub fn add(&mut self, frames: Vec<String>) {
        for frame in frames {
            self.hashes.push(hash_of(&frame));
            self.open_bytes += frame.len();
            self.open.push(frame);
            if self.open_bytes >= BLOCK {
                self.pack();
            }
        }
    }

    /// Packs the frames that are not packed yet.
    pub fn pack(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let open = std::mem::take(&mut self.open);
        self.open_bytes = 0;
        let text = open.join(",");
        let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6);
        self.packed_bytes += packed.len();
        let last = self.blocks.last();
        self.blocks.push(Block {
            first: last.map_or(0, |last| last.first + last.count),
            count: open.len(),
            packed,
        });
    }

    fn first_open(&self) -> usize {
        let last = self.blocks.last();
        last.map_or(0, |last| last.first + last.count)
    }

    /// Returns the next message to a viewer as a JSON object, or `None` if there is nothing new.
    #[must_use]
    pub fn news(&self, cursor: &mut Cursor) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        if cursor.epoch != self.epoch {
            *cursor = Cursor {
                epoch: self.epoch,
                ..Cursor::default()
            };
        }
        let from = cursor.next;
        let (frames, next) = self.frames(from);
        let head = if cursor.heads == self.heads {
            Value::Null
        } else {
            self.head.clone()
        };
        if head.is_null() && from == next {
            return None;
        }
        (cursor.heads, cursor.next) = (self.heads, next);
        Some(format!(
            "{{\"epoch\":{},\"head\":{head},\"from\":{from},\"more\":{},\"frames\":[{frames}]}}",
            self.epoch,
            self.has_more(cursor),
        ))
    }

    /// Reports whether there are frames after a position.
    #[must_use]
    pub fn has_more(&self, cursor: &Cursor) -> bool {
        cursor.epoch == self.epoch && cursor.next < self.first_open() + self.open.len()
    }

    /// Returns the frames from a number to the end of a block, and the number after the last frame.
    fn frames(&self, from: usize) -> (String, usize) {
        let block = self.blocks.iter();
        let mut block = block.filter(|block| block.first <= from);
        if let Some(block) = block.next_back()
            && from < block.first + block.count
        {
            // A viewer starts at the beginning of a block, unless it saw part of the block before
            // it was packed.
            let text = unpacked(block);
            if block.first == from {
                return (text, block.first + block.count);
            }
            let frames: Vec<Value> =
                serde_json::from_str(&format!("[{text}]")).expect("frames are JSON");
            let rest = frames[from - block.first..].iter();
            let rest: Vec<String> = rest.map(ToString::to_string).collect();
            return (rest.join(","), block.first + block.count);
        }
        let first = self.first_open();
        let rest = self.open.get(from.saturating_sub(first)..);
        (rest.unwrap_or_default().join(","), first + self.open.len())
    }
}

fn hash_of(frame: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    frame.hash(&mut hasher);
    hasher.finish()
}

fn unpacked(block: &Block) -> String {
    let bytes = miniz_oxide::inflate::decompress_to_vec(&block.packed);
    let bytes = bytes.expect("blocks are valid deflate data");
    String::from_utf8(bytes).expect("frames are text")
}
