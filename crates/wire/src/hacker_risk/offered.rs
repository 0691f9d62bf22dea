//! The actions that an arena offers.

use serde_json::Value;

use super::vocabulary::DecisionKind;
use super::wire_action::WireAction;

/// The maximum number of actions read from an arena's list, and the maximum length of each action
/// in characters.
const MOST_OFFERED: usize = 32;
const LONGEST_OFFERED: usize = 100;

/// The names of the actions that an arena offers. The list is never empty.
#[derive(Clone, Debug)]
pub struct OfferedActions(Vec<String>);

impl OfferedActions {
    pub(super) fn read(you: &Value) -> Result<Self, String> {
        let actions = you.get("available_actions").and_then(Value::as_array);
        let actions = actions.ok_or("missing list `you.available_actions`")?;
        let names = actions.iter().take(MOST_OFFERED).filter_map(Value::as_str);
        let names: Vec<String> = names
            .filter(|name| name.chars().count() <= LONGEST_OFFERED)
            .map(str::to_owned)
            .collect();
        if names.is_empty() {
            return Err("no valid action name in `you.available_actions`".to_owned());
        }
        Ok(Self(names))
    }

    /// Reports whether the arena offers this action.
    #[must_use]
    pub fn has(&self, action: WireAction) -> bool {
        self.0.iter().any(|name| name == action.as_str())
    }

    /// Returns the first of `actions` that the arena offers.
    pub(super) fn first_of(&self, actions: &[WireAction]) -> Option<WireAction> {
        actions.iter().copied().find(|action| self.has(*action))
    }

    /// Returns the name of the first offered action, even if the name is unknown.
    pub(super) fn first(&self) -> &str {
        &self.0[0]
    }

    /// Returns the kind of decision that the offered actions belong to.
    pub(super) fn decision(&self) -> Option<DecisionKind> {
        let mut kinds = DecisionKind::ALL.into_iter();
        kinds.find(|kind| self.first_of(kind.actions()).is_some())
    }
}
