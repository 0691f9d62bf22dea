//! Random streams: their origin, and that no stream follows from another.

use std::collections::BTreeSet;

use risk_kernel::rng::{GameKey, Purpose, SecretStream};

/// The first block of ChaCha8 for the key and the nonce of zeros: test case 1 of
/// draft-strombergson-chacha-test-vectors-01.
#[test]
fn the_cipher_is_chacha_of_eight_rounds() {
    let block = 0x3e00_ef2f_895f_40d6_u64;
    assert_eq!(GameKey::new([0; 32]).fingerprint(), block.swap_bytes());
}

#[test]
fn a_stream_goes_on_behind_any_number_of_words() {
    let key = GameKey::of_numbers(5, 7);
    let mut stream = SecretStream::new(key, Purpose::Decks);
    for drawn in 0..40 {
        let mut behind = SecretStream::behind(key, Purpose::Decks, drawn);
        assert_eq!(behind, stream);
        assert_eq!(behind.word(), stream.clone().word(), "after {drawn} words");
        stream.word();
        assert_eq!(stream.drawn(), drawn + 1);
    }
}

/// Compares all streams of keys that differ in one bit.
#[test]
fn no_two_streams_have_a_word_in_common() {
    let mut words = BTreeSet::new();
    let mut drawn = 0;
    for bit in 0..256 {
        let mut bytes = [0x5a; 32];
        bytes[bit / 8] ^= 1 << (bit % 8);
        let key = GameKey::new(bytes);
        words.insert(key.fingerprint());
        for purpose in [Purpose::Dice, Purpose::Decks, Purpose::Setup] {
            let mut stream = SecretStream::new(key, purpose);
            words.extend((0..9).map(|_| stream.word()));
        }
        for purpose in [Purpose::Seats, Purpose::Player(0), Purpose::Player(1)] {
            let mut stream = key.stream(purpose);
            words.extend((0..9).map(|_| stream.word()));
        }
        drawn += 1 + 6 * 9;
    }
    assert_eq!(words.len(), drawn);
}

#[test]
fn neither_key_nor_words_are_shown() {
    let key = GameKey::new([0xab; 32]);
    let mut stream = SecretStream::new(key, Purpose::Dice);
    stream.word();
    for shown in [format!("{key:?}"), format!("{stream:?}")] {
        assert!(
            !shown.contains("171") && !shown.contains("ab, ab"),
            "{shown}"
        );
    }
}
