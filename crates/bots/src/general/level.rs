//! The levels of `general`, which limit its search.

risk_text::named! {
    /// The depth of a general's search.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GeneralLevel {
        /// Sees one conquest ahead.
        Easy = "easy",
        /// Plans short chains of conquests.
        Normal = "normal",
        /// Plans whole campaigns, including the elimination of a player.
        Hard = "hard",
        /// Plans like [`GeneralLevel::Hard`], and compares plans by the chance to win that it has
        /// learned from games.
        Learned = "learned",
    }
}

/// A level, and how bold the general is.
#[derive(Clone, Copy, Debug)]
pub struct GeneralProfile {
    level: GeneralLevel,
    /// The divisor for the costs of losses and exposed territories.
    boldness: f32,
}

impl GeneralProfile {
    /// The usual mood, a bolder mood, a more careful mood, and a mood that considers only nearby
    /// targets.
    pub const ALL: [Self; 4] = [
        Self::new(GeneralLevel::Hard, 1.0),
        Self::new(GeneralLevel::Hard, 1.6),
        Self::new(GeneralLevel::Hard, 0.6),
        Self::new(GeneralLevel::Normal, 1.0),
    ];
    /// A mood that decides quickly.
    pub const QUICK: Self = Self::new(GeneralLevel::Easy, 1.0);

    const fn new(level: GeneralLevel, boldness: f32) -> Self {
        Self { level, boldness }
    }

    pub(super) const fn skill(self) -> Skill {
        Skill {
            boldness: self.boldness,
            ..self.level.skill()
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// The number of plans that are kept at each length.
    pub(super) width: usize,
    pub(super) depth: usize,
    pub(super) kills: bool,
    /// Whether the general saves sets of cards until they help most, and guards territories to hold
    /// them.
    pub(super) patience: bool,
    pub(super) boldness: f32,
    /// The number of plans that are compared by the learned chance to win; 0 if none are.
    pub(super) compared: usize,
}

impl GeneralLevel {
    pub(super) const fn skill(self) -> Skill {
        match self {
            Self::Easy => Skill {
                width: 1,
                depth: 1,
                kills: false,
                patience: false,
                boldness: 1.0,
                compared: 0,
            },
            Self::Normal => Skill {
                width: 2,
                depth: 2,
                kills: false,
                patience: false,
                boldness: 1.0,
                compared: 0,
            },
            Self::Hard => Skill {
                width: 12,
                depth: 48,
                kills: true,
                patience: true,
                boldness: 1.0,
                compared: 0,
            },
            Self::Learned => Skill {
                compared: 16,
                ..Self::Hard.skill()
            },
        }
    }
}
