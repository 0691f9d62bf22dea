//! Random streams that are portable, keyed, and exactly uniform.
//!
//! Random numbers that players must not predict (dice, decks, set-up) come from the stream cipher
//! ChaCha8 with the game's key: no number can be computed from earlier numbers or from another
//! stream. A player's own random numbers come from a fast generator (xoshiro256++), seeded from a
//! separate ChaCha8 stream. Both algorithms are part of the record format. This module derives
//! numbers from whole 64-bit words itself, so a new version of a dependency can't change a game.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The purpose of a stream. A game has one stream for each of the first four purposes and one for
/// each player, so the numbers that a bot draws don't affect the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The dice of fights, and chances in percent.
    Dice,
    /// Shuffles of decks.
    Decks,
    /// Deals and random set-up.
    Setup,
    /// The seating order.
    Seats,
    /// The draws of the player in this seat.
    Player(u8),
}

impl Purpose {
    const fn number(self) -> u64 {
        match self {
            Self::Dice => 1,
            Self::Decks => 2,
            Self::Setup => 3,
            Self::Seats => 4,
            Self::Player(seat) => 16 + seat as u64,
        }
    }
}

/// The 256 bits that determine all randomness of one game. A host derives the key from the seed of
/// a match and the number of the game, with a hash that can't be inverted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GameKey([u8; 32]);

/// The number of the stream for the fingerprint. No `Purpose` uses this number.
const FINGERPRINT: u64 = 0;

impl GameKey {
    /// Creates a key from bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Creates a key from two numbers, for imagined games and tests. The key does not hide the
    /// numbers.
    #[must_use]
    pub fn of_numbers(first: u64, second: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&first.to_le_bytes());
        bytes[8..16].copy_from_slice(&second.to_le_bytes());
        Self(bytes)
    }

    /// Returns 64 bits that identify the key and reveal neither the key nor a stream.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let [word] = words(self, FINGERPRINT, 0);
        word
    }

    /// Returns a fast stream for a player or the seating order. It reveals no other stream.
    #[must_use]
    pub fn stream(&self, purpose: Purpose) -> Stream {
        let words: [u64; 4] = words(self, purpose.number(), 0);
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Stream::from_generator(Xoshiro256PlusPlus::from_seed(bytes))
    }
}

/// Omits the bytes because they determine the game.
impl std::fmt::Debug for GameKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GameKey(…)")
    }
}

/// The number of words that the cipher makes at once.
const WORDS: usize = 32;

/// Returns words of a stream, starting at the word with this number.
fn words<const N: usize>(key: &GameKey, purpose: u64, number: u64) -> [u64; N] {
    // The cipher reads the key, the number of the stream, and the position in the stream in 32-bit
    // words.
    let mut state = [0; 49];
    state[..32].copy_from_slice(&key.0);
    state[32..40].copy_from_slice(&purpose.to_le_bytes());
    state[40..48].copy_from_slice(&(number * 2).to_le_bytes());
    let mut cipher = ChaCha8Rng::deserialize_state(&state);
    std::array::from_fn(|_| cipher.next_u64())
}

/// An unpredictable stream of a game, for dice, decks or the set-up. It is the ChaCha8 stream that
/// belongs to the game's key and the number of the purpose.
#[derive(Clone)]
pub struct SecretStream {
    key: GameKey,
    purpose: Purpose,
    drawn: u64,
    /// The words around the next one, once one of them has been drawn. Copies share them.
    block: Option<Arc<[u64; WORDS]>>,
}

impl SecretStream {
    /// Creates the stream for one purpose of one game.
    #[must_use]
    pub const fn new(key: GameKey, purpose: Purpose) -> Self {
        Self {
            key,
            purpose,
            drawn: 0,
            block: None,
        }
    }

    /// Creates the stream in its state after `drawn` words.
    #[must_use]
    pub const fn behind(key: GameKey, purpose: Purpose, drawn: u64) -> Self {
        let mut stream = Self::new(key, purpose);
        stream.drawn = drawn;
        stream
    }

    /// Returns the fingerprint of the stream's key: see [`GameKey::fingerprint`].
    pub(super) fn fingerprint(&self) -> u64 {
        self.key.fingerprint()
    }

    /// Returns the number of words drawn so far.
    #[must_use]
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        let at = self.drawn as usize % WORDS;
        let word = match &self.block {
            Some(block) if at > 0 => block[at],
            _ => self.fill(at),
        };
        self.drawn += 1;
        word
    }

    /// Makes the words around the next one, which is the one at this index. A block that no copy
    /// shares is used again, because allocations count towards the limits of scripts.
    #[cold]
    fn fill(&mut self, at: usize) -> u64 {
        let first = self.drawn - at as u64;
        let made = words(&self.key, self.purpose.number(), first);
        let block = self.block.get_or_insert_default();
        match Arc::get_mut(block) {
            Some(own) => *own = made,
            None => *block = Arc::new(made),
        }
        block[at]
    }

    /// Returns a uniform number below `bound`, without bias.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        below(|| self.word(), bound)
    }

    /// Shuffles a slice. All orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, |bound| self.below(bound));
    }
}

/// Omits the key because it determines the game.
impl std::fmt::Debug for SecretStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretStream")
            .field("purpose", &self.purpose)
            .field("drawn", &self.drawn)
            .finish_non_exhaustive()
    }
}

impl PartialEq for SecretStream {
    fn eq(&self, other: &Self) -> bool {
        (self.key, self.purpose, self.drawn) == (other.key, other.purpose, other.drawn)
    }
}

impl Eq for SecretStream {}

/// A fast random stream that is not secret, for a player's own draws, a seating order or a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// Creates a stream from two numbers and a purpose. A few of its words are enough to
    /// reconstruct the numbers, so use it for maps, checks and experiments, not for games.
    #[must_use]
    pub fn new(first: u64, second: u64, purpose: Purpose) -> Self {
        let mut bytes = [0; 32];
        let mut word =
            mix(mix(first ^ 0x7269_736b) ^ mix(second).rotate_left(17) ^ (purpose.number() << 48));
        for chunk in bytes.chunks_exact_mut(8) {
            word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
            chunk.copy_from_slice(&mix(word).to_le_bytes());
        }
        Self::from_generator(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// Returns the generator of the stream, which determines the rest of the stream.
    #[must_use]
    pub const fn generator(&self) -> &Xoshiro256PlusPlus {
        &self.generator
    }

    /// Creates a stream that continues with this generator.
    #[must_use]
    pub const fn from_generator(generator: Xoshiro256PlusPlus) -> Self {
        Self { generator }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns a uniform number below `bound`, without bias.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        below(|| self.word(), bound)
    }

    /// Shuffles a slice. All orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, |bound| self.below(bound));
    }
}

/// Returns a uniform number below `bound`, without bias: multiplies, and draws again if the result
/// would be biased.
#[inline]
pub fn below(mut word: impl FnMut() -> u64, bound: u64) -> u64 {
    assert!(bound > 0, "can't draw a random number below 0");
    let mut wide = u128::from(word()) * u128::from(bound);
    if (wide as u64) < bound {
        let sliver = bound.wrapping_neg() % bound;
        while (wide as u64) < sliver {
            wide = u128::from(word()) * u128::from(bound);
        }
    }
    (wide >> 64) as u64
}

fn shuffle<T>(items: &mut [T], mut below: impl FnMut(u64) -> u64) {
    for last in (1..items.len()).rev() {
        let other = below(last as u64 + 1) as usize;
        items.swap(last, other);
    }
}

/// Mixes 64 bits bijectively (the finaliser of splitmix64).
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
