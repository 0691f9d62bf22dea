//! Times as people and programs read them.

const DAY: u64 = 86_400;

/// Formats a time, in seconds since 1970-01-01 UTC, as in RFC 3339: `2026-11-27T04:29:23Z`. Leap
/// seconds don't count. Years after 9999 have more digits.
///
/// ```
/// assert_eq!(risk_text::utc(951_782_400), "2000-02-29T00:00:00Z");
/// ```
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / DAY);
    let rest = seconds % DAY;
    let [hour, minute, second] = [rest / 3_600, rest / 60 % 60, rest % 60];
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Converts days since 1970-01-01 to a date of the Gregorian calendar. The formula is from Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms". Its years begin in March, so that the
/// day that some years lack is the last one.
const fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}
