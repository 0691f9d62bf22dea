//! Unpredictable bits from the system, for tokens and seeds.

/// Returns 128 unpredictable bits.
///
/// # Panics
/// Panics if the system has no random numbers.
#[must_use]
pub fn bits() -> [u8; 16] {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the system provides random numbers");
    bits
}

/// Returns a token of 128 unpredictable bits, in the form of a GUID.
pub(super) fn token() -> String {
    let number = u128::from_be_bytes(bits());
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        number >> 96,
        number >> 80 & 0xffff,
        number >> 64 & 0xffff,
        number >> 48 & 0xffff,
        number & 0xffff_ffff_ffff
    )
}
