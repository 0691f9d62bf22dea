//! Attacks that predicted dice and cards when all streams of a game were invertible mixes of a
//! short seed. Each succeeds against that derivation, which is only here, and fails against
//! today's.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use risk_engine::{GameKey, Purpose, Seed};
use risk_kernel::rng::{SecretStream, mix};

/// Default seeds had twenty bits.
const SEEDS: u64 = 1 << 20;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const DICE: u64 = 1;
const OWN: u64 = 17;

fn old_state(start: u64) -> [u64; 4] {
    [1, 2, 3, 4].map(|step| mix(start.wrapping_add(GOLDEN.wrapping_mul(step))))
}

fn old_start(seed: u64, game: u64, purpose: u64) -> u64 {
    mix(mix(seed ^ 0x7269_736b) ^ mix(game).rotate_left(17) ^ (purpose << 48))
}

fn generator(state: [u64; 4]) -> Xoshiro256PlusPlus {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(state) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    Xoshiro256PlusPlus::from_seed(bytes)
}

fn old(seed: u64, purpose: u64) -> Xoshiro256PlusPlus {
    generator(old_state(old_start(seed, 0, purpose)))
}

/// Maps the first words of a stream to rounds of three dice against two.
fn rounds(mut word: impl FnMut() -> u64, count: usize) -> Vec<u64> {
    let below = |word: u64| ((u128::from(word) * 7_776) >> 64) as u64;
    (0..count).map(|_| below(word())).collect()
}

fn new_rounds(key: GameKey, count: usize) -> Vec<u64> {
    let mut dice = SecretStream::new(key, Purpose::Dice);
    rounds(|| dice.word(), count)
}

/// Predicts the dice from the number that a bot gets for its own dice.
fn by_own_number(told: u64) -> Option<Vec<u64>> {
    let seed = (0..SEEDS).find(|&seed| old(seed, OWN).next_u64() >> 11 == told)?;
    let mut dice = old(seed, DICE);
    Some(rounds(|| dice.next_u64(), 900))
}

/// Predicts the dice from the rounds seen so far.
fn by_rounds(seen: &[u64]) -> Option<Vec<u64>> {
    let fits = |&seed: &u64| {
        let mut dice = old(seed, DICE);
        rounds(|| dice.next_u64(), seen.len()) == seen
    };
    let mut dice = old((0..SEEDS).find(fits)?, DICE);
    Some(rounds(|| dice.next_u64(), 900))
}

/// The inverse of [`mix`].
fn unmix(word: u64) -> u64 {
    let unshift = |word: u64, by: u32| {
        let mut found = word;
        for _ in 0..64 / by {
            found = word ^ (found >> by);
        }
        found
    };
    // The inverses of the odd factors of `mix` modulo 2^64.
    let word = unshift(word, 31).wrapping_mul(0x3196_42b2_d24d_8ec3);
    let word = unshift(word, 27).wrapping_mul(0x96de_1b17_3f11_9089);
    unshift(word, 30)
}

/// Predicts the dice from the state of a player's generator, for any seed. A process that runs a
/// script has that state.
fn by_own_generator(state: [u64; 4]) -> Vec<u64> {
    let start = unmix(state[0]).wrapping_sub(GOLDEN);
    let before = unmix(start) ^ (OWN << 48);
    let mut dice = generator(old_state(mix(before ^ (DICE << 48))));
    rounds(|| dice.next_u64(), 900)
}

#[test]
fn the_old_dice_were_foretold() {
    let seed = 933_933;
    let mut dice = old(seed, DICE);
    let wanted = rounds(|| dice.next_u64(), 900);
    let told = old(seed, OWN).next_u64() >> 11;
    assert_eq!(by_own_number(told), Some(wanted.clone()));
    assert_eq!(by_rounds(&wanted[..12]), Some(wanted.clone()));
    let state = old_state(old_start(seed, 0, OWN));
    assert_eq!(by_own_generator(state), wanted);
}

/// Returns the words of a player's generator, which a bot in its own process receives.
fn state(key: GameKey, seat: u8) -> [u64; 4] {
    let shown = format!("{:?}", key.stream(Purpose::Player(seat)).generator());
    let words = shown.split(|c: char| !c.is_ascii_digit());
    let words: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
    // The words come after the digits of the type's name.
    words[words.len() - 4..].try_into().unwrap()
}

#[test]
fn todays_dice_are_not() {
    for seed in [Seed::from(933_933), Seed::from_bits([7; 16])] {
        let key = seed.key(0);
        let wanted = new_rounds(key, 900);
        let own = key.stream(Purpose::Player(1)).word();
        assert_eq!(by_own_number(own >> 11), None);
        assert_eq!(by_rounds(&wanted[..12]), None);
        for seat in 0..4 {
            assert_ne!(by_own_generator(state(key, seat)), wanted);
        }
    }
}

/// A search of all short seeds under today's derivation finds a short seed and no drawn one: a
/// typed seed hides nothing.
#[test]
fn a_short_seed_is_found_and_a_drawn_one_is_not() {
    let find = |seed: &Seed| {
        let seen = new_rounds(seed.key(0), 12);
        let fits = |&typed: &u64| new_rounds(Seed::from(typed).key(0), 12) == seen;
        (0..20_000).find(fits)
    };
    assert_eq!(find(&Seed::from(12_345)), Some(12_345));
    assert_eq!(find(&Seed::from_bits([7; 16])), None);
}

/// The seed of one match of many reveals nothing about the others: they are not consecutive
/// numbers.
#[test]
fn seeds_of_matches_have_nothing_in_common() {
    let secret = Seed::from_bits([1; 16]);
    let seeds: std::collections::BTreeSet<Seed> =
        (0..1_000).map(|it| secret.of_match(it)).collect();
    assert_eq!(seeds.len(), 1_000);
    assert!(seeds.iter().all(|seed| seed.as_str().len() == 26));
    assert!(!seeds.contains(&secret));
    // No seed of a match makes the seed of another.
    let first = secret.of_match(0);
    assert!((0..1_000).all(|number| !seeds.contains(&first.of_match(number))));
}

#[test]
fn seeds_are_words() {
    for fine in ["7", "autumn-2026", "0", "007", "a.b_c", &"x".repeat(64)] {
        assert_eq!(Seed::new(fine).unwrap().as_str(), fine);
    }
    for wrong in ["", "-7", "a b", "é", ".x", "a\n", "x/y", &"x".repeat(65)] {
        assert!(Seed::new(wrong).is_err(), "{wrong:?}");
    }
    let drawn = Seed::from_bits([0xff; 16]);
    assert_eq!(drawn.as_str().len(), 26);
    assert_eq!(Seed::new(drawn.as_str()).unwrap(), drawn);
}

/// `printf 'abc 7' | b3sum`.
#[test]
fn a_commitment_is_the_hash_of_salt_and_seed() {
    let found = Seed::from(7).commitment(&Seed::new("abc").unwrap());
    assert_eq!(found, blake3::hash(b"abc 7").to_hex().to_string());
    assert_ne!(found, Seed::from(8).commitment(&Seed::new("abc").unwrap()));
}

#[test]
fn a_record_reveals_what_was_committed_to() {
    use risk_engine::Worker;
    use risk_engine::record::{Recorder, VerifyError, header, read, verify};
    let options = [("max_turns", "3")];
    let mut setup =
        risk_testing::games::setup("codelab", Some("duel"), &["random"; 2], 1, &options);
    setup.salt = Some(Seed::from_bits([9; 16]));
    let mut worker = Worker::new(&setup).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &header(&worker, 0));
    let finished = worker.play(0, &mut recorder);
    let text = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    let mut record = read(&String::from_utf8(text.unwrap()).unwrap()).unwrap();
    let verified = verify(&record, &mut worker).unwrap();
    assert_eq!(verified.commitment, setup.commitment());
    assert!(verified.commitment.is_some());
    record.header.salt = Some(Seed::from_bits([8; 16]));
    let Err(VerifyError::Differs(mismatch)) = verify(&record, &mut worker) else {
        panic!("another salt is believed");
    };
    let is_named = mismatch.text.contains("`commitment`");
    assert!(mismatch.line == 1 && is_named, "{mismatch}");
}
