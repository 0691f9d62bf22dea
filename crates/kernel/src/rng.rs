//! Random streams: portable, seeded, and exactly uniform.
//!
//! The generator (xoshiro256++) is part of the record format. Numbers are taken from whole 64-bit
//! words by our own method, so that no version of a crate can change a game.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for. A game has one of each of the first four, and each player has an own one,
/// so that a bot that draws more numbers changes no die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The dice of fights, and tries in percent.
    Dice,
    /// Shuffles of decks.
    Decks,
    /// Deals and random set-up.
    Setup,
    /// Who sits where.
    Seats,
    /// Whatever the player in this seat draws for itself.
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

/// One stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
    drawn: u64,
}

/// What the random streams of a game begin with: the same two numbers give the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSeed {
    /// The seed of the match.
    pub seed: u64,
    /// The number of the game in it, from 0.
    pub number: u64,
}

impl Stream {
    /// The stream for one purpose of one game: a function of the three numbers alone.
    #[must_use]
    pub fn new(seed: u64, game: u64, purpose: Purpose) -> Self {
        let mut bytes = [0; 32];
        let mut word =
            mix(mix(seed ^ 0x7269_736b) ^ mix(game).rotate_left(17) ^ (purpose.number() << 48));
        for chunk in bytes.chunks_exact_mut(8) {
            word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
            chunk.copy_from_slice(&mix(word).to_le_bytes());
        }
        Self {
            generator: Xoshiro256PlusPlus::from_seed(bytes),
            drawn: 0,
        }
    }

    /// The generator behind the stream.
    #[doc(hidden)]
    #[must_use]
    pub const fn generator(&self) -> &Xoshiro256PlusPlus {
        &self.generator
    }

    /// A stream that goes on with this generator.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_generator(generator: Xoshiro256PlusPlus) -> Self {
        Self {
            generator,
            drawn: 0,
        }
    }

    /// How many words were drawn.
    #[must_use]
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// The word that [`Stream::word`] gives next; nothing is drawn.
    #[must_use]
    pub fn peek(&self) -> u64 {
        self.generator.clone().next_u64()
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.drawn += 1;
        self.generator.next_u64()
    }

    /// A uniform number below `bound`, exactly (multiply, and draw again in the biased sliver).
    ///
    /// # Panics
    /// When `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a random number below 0 was asked for");
        let mut wide = u128::from(self.word()) * u128::from(bound);
        if (wide as u64) < bound {
            let sliver = bound.wrapping_neg() % bound;
            while (wide as u64) < sliver {
                wide = u128::from(self.word()) * u128::from(bound);
            }
        }
        (wide >> 64) as u64
    }

    /// Puts a slice into random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// A bijective mix of 64 bits (the finaliser of splitmix64).
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
