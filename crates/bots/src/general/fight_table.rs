//! The expected outcomes of fights. Exact chances up to a maximum number of armies are computed
//! once and stored in a table.

use risk_kernel::id::Territory;
use risk_kernel::odds::Fight;
use risk_kernel::view::View;

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

/// The expected results of fights to the end, by class and the numbers of attackers and defenders.
pub struct FightTable {
    classes: Vec<Vec<ExpectedFight>>,
}

impl FightTable {
    /// Computes the chances with a ruleset's own dice. Without dice, attackers win with a
    /// superiority of two to one.
    pub fn new(mut fight: Option<Fight>) -> Self {
        let classes = 0..fight.as_ref().map_or(1, Fight::classes) as u32;
        let classes = classes.map(|class| Self::table(fight.as_mut(), class));
        Self {
            classes: classes.collect(),
        }
    }

    fn table(mut fight: Option<&mut Fight>, class: u32) -> Vec<ExpectedFight> {
        let mut table = Vec::with_capacity(((REACH + 1) * (REACH + 1)) as usize);
        for attackers in 0..=REACH {
            for defenders in 0..=REACH {
                let odds = fight
                    .as_mut()
                    .and_then(|fight| fight.odds_of(class, attackers, defenders).ok());
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
        table
    }

    /// Returns the class of an attack, or 0 if all fights are alike or fog hides it.
    #[inline]
    pub(super) fn class(&self, view: &View, from: Territory, to: Territory) -> u32 {
        match self.classes.len() {
            1 => 0,
            _ => view.fight_class(from, to).unwrap_or(0),
        }
    }

    /// Returns the number of defenders of class 0 that cost an attacker as much as these.
    pub(super) fn plain_defenders(&self, class: u32, defenders: i32) -> i32 {
        if class == 0 || defenders == 0 {
            return defenders;
        }
        let many = 2.0 * defenders as f32 + 8.0;
        let cost = |class| many - self.expected(class, many, defenders).left;
        (defenders as f32 * (cost(class) / cost(0).max(0.1)) + 0.5) as i32
    }

    /// Returns the expected outcome of an attack of a class for these defenders and attackers,
    /// excluding the army that stays.
    #[inline]
    pub(super) fn expected(&self, class: u32, attackers: f32, defenders: i32) -> ExpectedFight {
        if attackers < 0.5 {
            return ExpectedFight::default();
        }
        let most = attackers.max(defenders as f32);
        if most < REACH as f32 {
            return self.tabulated(class, (attackers + 0.5) as i32, defenders);
        }
        let scale = most / REACH as f32;
        let small = |armies: f32| (armies / scale + 0.5) as i32;
        let least = i32::from(defenders > 0);
        let expected = self.tabulated(
            class,
            small(attackers).clamp(1, REACH),
            small(defenders as f32).clamp(least, REACH),
        );
        ExpectedFight {
            capture: expected.capture,
            left: expected.left * scale,
            left_in_all: expected.left_in_all * scale,
        }
    }

    fn tabulated(&self, class: u32, attackers: i32, defenders: i32) -> ExpectedFight {
        self.classes[class as usize][(attackers * (REACH + 1) + defenders.clamp(0, REACH)) as usize]
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
