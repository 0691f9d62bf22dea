//! Time controls limit the time that a player has for its answers. Other modules measure the time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

const MOST: Duration = Duration::from_secs(3_600);

/// The time of each player, as a bank that is full when a game begins. One answer may use up the
/// whole bank. Each answer then returns some time to the bank, until it is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time in the full bank.
    pub bank: Duration,
    /// The time that each answer returns to the bank.
    pub per_move: Duration,
}

/// The state of one player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time control to which the clock belongs.
    pub control: TimeControl,
    /// The time left for the next answer.
    pub left: Duration,
}

impl TimeControl {
    /// Returns a clock with a full bank, as at the beginning of a game.
    #[must_use]
    pub const fn full(self) -> TimeLeft {
        TimeLeft {
            control: self,
            left: self.bank,
        }
    }
}

impl TimeLeft {
    /// Returns the clock after an answer that took this long.
    #[must_use]
    pub fn after(self, took: Duration) -> Self {
        let rest = self.left.saturating_sub(took) + self.control.per_move;
        Self {
            left: rest.min(self.control.bank),
            ..self
        }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Parses `move=1s,bank=10s`. One of the two values is enough. Without `bank`, the bank is as
    /// large as the time of one move. Without `move`, answers return no time.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut bank = None;
        let mut per_move = None;
        for part in text.split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let slot = match key.trim() {
                "move" => &mut per_move,
                "bank" => &mut bank,
                other => {
                    return Err(format!(
                        "unknown key `{other}` in a clock: expected `move` or `bank`"
                    ));
                }
            };
            if slot.is_some() {
                return Err(format!("duplicate key `{}` in a clock", key.trim()));
            }
            *slot = Some(duration(value.trim())?);
        }
        let per_move = per_move.unwrap_or_default();
        let bank = bank.unwrap_or(per_move);
        if bank.is_zero() {
            return Err("a clock must have a time greater than 0".to_owned());
        }
        if per_move > bank {
            let text = "`bank` must be at least as large as `move`";
            return Err(text.to_owned());
        }
        Ok(Self { bank, per_move })
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || {
        let most = MOST.as_secs();
        format!("expected a time such as 10s or 250ms, at most {most}s, found `{text}`")
    };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let time = match &text[digits.len()..] {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        _ => return Err(wrong()),
    };
    if time > MOST { Err(wrong()) } else { Ok(time) }
}

struct DurationText(Duration);

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        if millis.is_multiple_of(1_000) {
            write!(f, "{}s", millis / 1_000)
        } else {
            write!(f, "{millis}ms")
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "move={},bank={}",
            DurationText(self.per_move),
            DurationText(self.bank)
        )
    }
}
