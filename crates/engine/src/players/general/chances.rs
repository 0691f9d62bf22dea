//! What to expect of a fight, at once: the exact chances up to so many armies, kept in one table.

use risk_kernel::odds::Fight;

/// Fights with more armies on a side are taken for smaller ones in the same proportion.
const REACH: i32 = 100;

/// What comes of a fight to the end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    /// The chance that the land is taken.
    pub(super) capture: f32,
    /// Attackers left if it is taken, of those that could fight.
    pub(super) left: f32,
    /// Attackers left, whatever happens.
    pub(super) left_in_all: f32,
}

/// Expectations by free attackers and defenders.
pub(in crate::players) struct Chances {
    table: Vec<Expected>,
}

impl Chances {
    /// The chances under a ruleset's own dice; without dice, two to one wins.
    pub(in crate::players) fn new(mut fight: Option<Fight>) -> Self {
        let mut table = Vec::with_capacity(((REACH + 1) * (REACH + 1)) as usize);
        for attackers in 0..=REACH {
            for defenders in 0..=REACH {
                let odds = fight
                    .as_mut()
                    .and_then(|fight| fight.odds(attackers, defenders).ok());
                table.push(odds.map_or_else(
                    || guess(attackers, defenders),
                    |odds| Expected {
                        capture: odds.capture as f32,
                        left: odds.attackers_left_given_capture as f32,
                        left_in_all: odds.attackers_left as f32,
                    },
                ));
            }
        }
        Self { table }
    }

    /// What to expect of so many armies beyond the one that stays, against so many.
    #[inline]
    pub(super) fn expected(&self, attackers: f32, defenders: i32) -> Expected {
        if attackers < 0.5 {
            return Expected::default();
        }
        let most = attackers.max(defenders as f32);
        if most < REACH as f32 {
            return self.tabulated((attackers + 0.5) as i32, defenders);
        }
        let scale = most / REACH as f32;
        let small = |armies: f32| (armies / scale + 0.5) as i32;
        let least = i32::from(defenders > 0);
        let expected = self.tabulated(
            small(attackers).clamp(1, REACH),
            small(defenders as f32).clamp(least, REACH),
        );
        Expected {
            capture: expected.capture,
            left: expected.left * scale,
            left_in_all: expected.left_in_all * scale,
        }
    }

    fn tabulated(&self, attackers: i32, defenders: i32) -> Expected {
        self.table[(attackers * (REACH + 1) + defenders.clamp(0, REACH)) as usize]
    }
}

/// For rulesets whose fights can't be counted.
fn guess(attackers: i32, defenders: i32) -> Expected {
    let left = (attackers - defenders).max(0) as f32;
    let wins = attackers > 0 && attackers >= 2 * defenders;
    Expected {
        capture: if wins { 0.95 } else { 0.2 },
        left,
        left_in_all: left,
    }
}
