//! The overview of an arena: its open table and its matches.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::Markup;
use serde_json::{Value, json};

use super::hosted::PublishedMatch;
use super::lobby::Lobby;
use super::match_server::{Audience, MatchServer, title};

/// The number of matches on a page of the list: the default and the maximum.
const PAGE: (usize, usize) = (100, 1_000);
impl Lobby {
    /// Returns the open table and at most `count` matches before a number, newest first. Returns an
    /// error if `count` is 0 or exceeds the maximum for a page.
    pub(super) fn listed(
        &self,
        before: Option<u64>,
        count: Option<usize>,
    ) -> Result<Value, String> {
        let count = count.unwrap_or(PAGE.0);
        if count == 0 || count > PAGE.1 {
            return Err(format!("`count` must be 1 to {}", PAGE.1));
        }
        let mut overview = self.overview();
        let state = self.state();
        let older = |number: &u64| before.is_none_or(|before| *number < before);
        let at_hand = state.matches.values().map(|it| (it.number, it.summary()));
        // A long match may still be in memory when later matches are already in `older`.
        let mut all: BTreeMap<u64, Value> = at_hand.filter(|(number, _)| older(number)).collect();
        let rest = state.older.range(..before.unwrap_or(u64::MAX)).rev();
        all.extend(
            rest.take(count + 1)
                .map(|(&number, it)| (number, it.clone())),
        );
        drop(state);
        let last = all.keys().rev().nth(count - 1).copied();
        let is_more = all.len() > count;
        let page: Vec<Value> = all.into_values().rev().take(count).collect();
        overview["matches"] = Value::Array(page);
        overview["next"] = json!(
            last.filter(|_| is_more)
                .map(|before| { format!("/matches?before={before}&count={count}") })
        );
        Ok(overview)
    }
}

impl MatchServer for Lobby {
    fn title(&self) -> String {
        title(&self.config.setup, self.config.practice)
    }

    fn form(&self) -> Markup {
        (self.config.arena.form)()
    }

    fn find(&self, number: u64) -> Option<Arc<PublishedMatch>> {
        self.state().matches.get(&number).map(Arc::clone)
    }

    fn newest(&self) -> Option<Arc<PublishedMatch>> {
        let state = self.state();
        let newest = state.matches.last_key_value();
        newest.map(|(_, hosted)| Arc::clone(hosted))
    }

    fn audience(&self) -> &Audience {
        &self.audience
    }

    fn is_closing(&self) -> bool {
        self.state().closing
    }

    fn overview(&self) -> Value {
        let state = self.state();
        let house: Vec<&str> = self
            .config
            .setup
            .bots
            .iter()
            .map(|house| house.name.as_str())
            .collect();
        let matches = state.matches.values().rev().map(|hosted| hosted.summary());
        json!({
            "ruleset": self.config.setup.rules.ruleset_name(),
            "map": self.config.setup.rules.map_name(),
            "practice": self.config.practice,
            "open": {
                "match": state.next,
                "commitment": self.next_commitment(&state),
                "joined": state.waiting.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>(),
                "house": house,
                "seats": self.config.table,
                "least": self.config.least,
                "closed": state.closing || state.running >= self.config.server.at_once,
            },
            "matches": matches.collect::<Vec<_>>(),
        })
    }
}
