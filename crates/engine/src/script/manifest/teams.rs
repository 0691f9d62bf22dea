//! The counter that assigns players to teams.

use rhai::Map;

use super::reader::DeclarationReader;
use risk_kernel::declare::{CounterDecl, Visibility};

impl DeclarationReader<'_> {
    /// Reads `teams`, the name of a counter that all players can see.
    pub(super) fn teams(&mut self, map: &Map, counters: &[CounterDecl]) -> Option<String> {
        let named = map.get("teams")?.clone().into_string().ok();
        let is_seen =
            |name: &str| (counters.iter()).any(|it| it.name == name && it.seen == Visibility::All);
        let found = named.filter(|name| is_seen(name));
        if found.is_none() {
            self.wrong("teams", "the name of a counter whose value all players see");
        }
        found
    }
}
