//! A story as single texts, for pages: each part of each act by itself.

use super::items::{Form, Item, items};
use super::orders::Orders;
use super::set_up::SetUp;
use super::wording::Wording;
use risk_engine::acts::{Act, Cause, Eyes};
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_text::paint::Paint;

/// A text of a story, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryText {
    /// The player whom the text is about; `None` for the game itself.
    pub player: Option<Player>,
    /// The text, without the player's name.
    pub text: String,
    /// Whether the text is the heading of a phase.
    pub is_heading: bool,
}

/// The texts of a game's acts.
#[derive(Debug)]
pub struct StoryTexts {
    wording: Wording,
    viewer: Eyes,
    in_set_up: bool,
    orders: Orders,
}

impl StoryTexts {
    /// Begins with a game in this state and players of these names. The acts are those that
    /// `viewer` sees.
    #[must_use]
    pub fn new(game: &GameState, round: u32, names: &[String], viewer: Eyes) -> Self {
        let paint = Paint {
            colour: false,
            width: 80,
        };
        Self {
            wording: Wording::new(game, names, paint),
            viewer,
            in_set_up: round == 0,
            orders: Orders::default(),
        }
    }

    /// Returns the texts of an act, in order.
    pub fn take(&mut self, act: Act) -> Vec<StoryText> {
        let mut texts = Vec::new();
        let mut add = |player, text: String, is_heading| {
            if !text.is_empty() {
                texts.push(StoryText {
                    player,
                    text,
                    is_heading,
                });
            }
        };
        match act.cause {
            Cause::Turn { .. } | Cause::Phase(_) => {
                for (player, action) in self.orders.take_unbooked() {
                    let sentence = self.wording.sentence(action);
                    add(Some(player), format!("{sentence}: not carried out"), false);
                }
            }
            Cause::Order(player, action) => self.orders.execute(player, action),
            Cause::Rules | Cause::Answer(..) => {}
        }
        self.in_set_up &= !matches!(act.cause, Cause::Turn { .. });
        if let Cause::Phase(seat) = act.cause {
            let heading = act.phase.and_then(|phase| self.wording.heading(phase));
            add(seat, heading.unwrap_or_default(), true);
        }
        for effect in &act.effects {
            self.orders.take(&self.wording, effect, None);
        }
        let is_others = match (act.cause, self.viewer) {
            (Cause::Order(player, _), Eyes::Player(viewer)) => player != viewer,
            _ => false,
        };
        let form = Form {
            in_set_up: self.in_set_up,
            may_hide: is_others && !is_open(&self.wording.decl),
            ..Form::default()
        };
        // A claim puts units on the territory, and one text says both.
        let mut set_up = (None, SetUp::default());
        for item in items(&self.wording, act, form) {
            match item {
                Item::Claimed(player, at) => {
                    set_up.0 = Some(player);
                    set_up.1.claim(at);
                }
                Item::SetUp(placing) => {
                    set_up.0 = Some(placing.player);
                    set_up.1.place(placing);
                }
                other => {
                    let (player, text) = other.text(&self.wording);
                    add(player, text, false);
                }
            }
        }
        add(set_up.0, set_up.1.text(&self.wording), false);
        texts
    }
}
