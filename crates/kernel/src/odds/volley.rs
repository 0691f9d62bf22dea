//! Battles in percent: all armies fight simultaneously, and each army kills with the same chance.
//! The number of kills is a weighted mean of the expected and the rolled number, rounded.

use std::collections::BTreeMap;

use super::expected::Odds;
use super::levels::{Filler, Levels};
use crate::phases::table::{self, NumberTable};

/// A battle in which both sides shoot once.
#[derive(Debug)]
pub(super) struct Volley {
    /// The chance in percent that an army kills, for the attacker and the defender.
    percent: [i64; 2],
    /// The weight of the rolled kills, in percent.
    luck: i64,
    /// Whether a fraction of a kill is rounded randomly. If false, it is rounded half up.
    weighted: bool,
    /// The chance of each number of kills, by side and number of armies.
    kills: Levels<[Vec<Vec<f64>>; 2]>,
}

impl Volley {
    pub(super) fn from_tables(tables: &BTreeMap<String, NumberTable>, class: u32) -> Option<Self> {
        let value = |name: &str, side: i32| {
            let table = table::of_class(tables, name, 1, class)?;
            table.get(&[side]).ok().map(i64::from)
        };
        let percent = [value("kill_percent", 0)?, value("kill_percent", 1)?];
        let luck = value("kill_luck", 0)?;
        let fits = percent
            .iter()
            .chain([&luck])
            .all(|number| (0..=100).contains(number));
        fits.then_some(Self {
            percent,
            luck,
            weighted: value("kill_weighted", 0)? > 0,
            kills: Levels::default(),
        })
    }

    /// Returns the chance of each number of kills by one side with 0 to `most` armies.
    fn kills_of(&self, side: usize, most: i32) -> Vec<Vec<f64>> {
        let hit = self.percent[side] as f64 / 100.0;
        // The chance of each number of hits.
        let mut all = vec![1.0];
        let mut kills = Vec::new();
        for count in 0..=most as usize {
            let mut row = vec![0.0; count + 1];
            let mut next = vec![0.0; count + 2];
            for (hits, &chance) in all.iter().enumerate() {
                let (whole, up) = self.rounded(count as i64, hits as i64, self.percent[side]);
                row[whole] += chance * (1.0 - up);
                if up > 0.0 {
                    row[whole + 1] += chance * up;
                }
                next[hits] += chance * (1.0 - hit);
                next[hits + 1] += chance * hit;
            }
            kills.push(row);
            all = next;
        }
        kills
    }

    fn rounded(&self, armies: i64, hits: i64, percent: i64) -> (usize, f64) {
        let parts = (100 - self.luck) * armies * percent + self.luck * hits * 100;
        let whole = parts / 10_000;
        let rest = parts % 10_000;
        let up = match (self.weighted, rest) {
            (_, 0) => 0.0,
            (true, rest) => rest as f64 / 10_000.0,
            (false, rest) => f64::from(u8::from(rest >= 5_000)),
        };
        (whole as usize, up)
    }

    /// Returns the odds of one battle. `attackers_left_given_capture` is summed over captures but
    /// not yet divided by the chance of a capture.
    pub(super) fn odds(&self, attackers: i32, defenders: i32, filler: Filler) -> Odds {
        let a = attackers as usize;
        let d = defenders as usize;
        let most = attackers.max(defenders);
        let [attacker, defender] = self.kills.reaching(most, filler, |reach| {
            [self.kills_of(0, reach), self.kills_of(1, reach)]
        });
        let mut sum = Odds::default();
        for (killed, by) in attacker[a].iter().enumerate() {
            for (lost, chance) in defender[d].iter().enumerate() {
                let chance = by * chance;
                let left = d - killed.min(d);
                let lost = lost.min(a);
                // If all armies would die, one defender survives.
                let left = if left == 0 && lost == a { 1 } else { left };
                sum.attackers_left += chance * (a - lost) as f64;
                sum.defenders_left += chance * left.min(d) as f64;
                if left == 0 {
                    sum.capture += chance;
                    sum.attackers_left_given_capture += chance * (a - lost) as f64;
                }
            }
        }
        sum
    }
}
