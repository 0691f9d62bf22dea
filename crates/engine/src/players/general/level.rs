//! How far a general looks: the levels of `general`, each with what it may search and look at.

/// How much a general looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneralLevel {
    /// Sees one conquest ahead.
    Easy,
    /// Plans short chains of conquests.
    Normal,
    /// Plans whole campaigns, the end of a player among them.
    Hard,
}

/// How a general is minded: what it looks at, and how bold it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::players) struct Mood {
    level: GeneralLevel,
    /// How many times less losses and exposed land count.
    boldness: f32,
}

impl Mood {
    /// As it is, bolder, more careful, and with an eye on what is near alone.
    pub(in crate::players) const ALL: [Self; 4] = [
        Self::new(GeneralLevel::Hard, 1.0),
        Self::new(GeneralLevel::Hard, 1.6),
        Self::new(GeneralLevel::Hard, 0.6),
        Self::new(GeneralLevel::Normal, 1.0),
    ];
    /// Decides at a glance.
    pub(in crate::players) const QUICK: Self = Self::new(GeneralLevel::Easy, 1.0);

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

/// What a level may search, and what it looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// Plans that are kept at each length.
    pub(super) width: usize,
    /// Conquests that a plan may have.
    pub(super) depth: usize,
    /// Does it plan the end of players?
    pub(super) kills: bool,
    /// Does it keep sets of cards until they help most, and guard what it wants to keep?
    pub(super) patience: bool,
    /// How many times less losses and exposed land count.
    pub(super) boldness: f32,
}

impl GeneralLevel {
    /// Every level, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Normal, Self::Hard];

    /// The name behind the colon.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
        }
    }

    /// The level with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }

    pub(super) const fn skill(self) -> Skill {
        match self {
            Self::Easy => Skill {
                width: 1,
                depth: 1,
                kills: false,
                patience: false,
                boldness: 1.0,
            },
            Self::Normal => Skill {
                width: 2,
                depth: 2,
                kills: false,
                patience: false,
                boldness: 1.0,
            },
            Self::Hard => Skill {
                width: 12,
                depth: 48,
                kills: true,
                patience: true,
                boldness: 1.0,
            },
        }
    }
}
