//! Numbers with a sign.

/// Formats a number with its sign and this many decimals, and 0 always as `+0`: a small negative
/// number is never rounded to `-0`.
#[must_use]
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => format!("+{digits}"),
        _ => text,
    }
}
