//! The counter that assigns players to teams.

use rhai::Map;

use super::reader::DeclarationReader;
use risk_kernel::declare::{CounterDecl, Visibility};
use risk_kernel::id::Counter;

impl DeclarationReader<'_> {
    /// Reads `teams`, the name of a counter that all players can see.
    pub(super) fn teams(&mut self, map: &Map, counters: &[CounterDecl]) -> Option<Counter> {
        let named = map.get("teams")?.clone().into_string().unwrap_or_default();
        let mut all = counters.iter();
        let at = all.position(|it| it.name == named && it.seen == Visibility::All);
        if at.is_none() {
            self.wrong("teams", "the name of a counter whose value all players see");
        }
        at.map(Counter::from_index)
    }
}
