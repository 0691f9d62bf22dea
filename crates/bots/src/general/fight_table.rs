//! The expected outcomes of fights. Exact chances up to a maximum number of armies are computed
//! once and stored in a table.

use risk_kernel::odds::Fight;

/// The maximum number of armies on each side. Larger fights are scaled down in proportion.
const REACH: i32 = 100;

/// The expected outcome of a fight that continues to the end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExpectedFight {
    pub(super) capture: f32,
    /// The number of attackers left after a success, among the attackers that could fight.
    pub(super) left: f32,
    /// The number of attackers left, regardless of the outcome.
    pub(super) left_in_all: f32,
}

/// The expected results of fights to the end, by the numbers of attackers and defenders.
pub struct FightTable {
    table: Vec<ExpectedFight>,
}

impl FightTable {
    /// Computes the chances with a ruleset's own dice. Without dice, attackers win with a
    /// superiority of two to one.
    pub fn new(mut fight: Option<Fight>) -> Self {
        let mut table = Vec::with_capacity(((REACH + 1) * (REACH + 1)) as usize);
        for attackers in 0..=REACH {
            for defenders in 0..=REACH {
                let odds = fight
                    .as_mut()
                    .and_then(|fight| fight.odds(attackers, defenders).ok());
                table.push(odds.map_or_else(
                    || guess(attackers, defenders),
                    |odds| ExpectedFight {
                        capture: odds.capture as f32,
                        left: odds.attackers_left_given_capture as f32,
                        left_in_all: odds.attackers_left as f32,
                    },
                ));
            }
        }
        Self { table }
    }

    /// Returns the expected outcome for these defenders and attackers, excluding the army that
    /// stays.
    #[inline]
    pub(super) fn expected(&self, attackers: f32, defenders: i32) -> ExpectedFight {
        if attackers < 0.5 {
            return ExpectedFight::default();
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
        ExpectedFight {
            capture: expected.capture,
            left: expected.left * scale,
            left_in_all: expected.left_in_all * scale,
        }
    }

    fn tabulated(&self, attackers: i32, defenders: i32) -> ExpectedFight {
        self.table[(attackers * (REACH + 1) + defenders.clamp(0, REACH)) as usize]
    }
}

/// Estimates the outcome for rulesets whose fights can't be computed.
fn guess(attackers: i32, defenders: i32) -> ExpectedFight {
    let left = (attackers - defenders).max(0) as f32;
    let wins = attackers > 0 && attackers >= 2 * defenders;
    ExpectedFight {
        capture: if wins { 0.95 } else { 0.2 },
        left,
        left_in_all: left,
    }
}
