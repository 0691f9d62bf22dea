//! Reads the policies for faults and for what players see.

use rhai::{Dynamic, Map};

use super::reader::DeclarationReader;
use risk_kernel::declare::{OnFault, Sight, Strikes};

impl DeclarationReader<'_> {
    pub(super) fn strikes(&mut self, map: &Map) -> Strikes {
        let section = self.section(map, "strikes");
        self.only(&section, "`strikes`", &["n", "per"]);
        let limit = section
            .get("n")
            .map_or(Ok(3), Dynamic::as_int)
            .ok()
            .filter(|n| (0..=1000).contains(n));
        let per = section
            .get("per")
            .map_or(Ok("game".to_owned()), |per| per.clone().into_string())
            .unwrap_or_default();
        let then = self.text(map, "on_fault", false);
        let then = if then.is_empty() {
            Some(OnFault::Skip)
        } else {
            OnFault::from_name(&then)
        };
        match (limit, per.as_str(), then) {
            (Some(limit), "game" | "decision", Some(then)) => {
                return Strikes {
                    limit: limit as u32,
                    per_decision: per == "decision",
                    then,
                };
            }
            (_, _, None) => self.wrong(
                "on_fault",
                "\"skip\", \"first-option\", \"neutral\", \"forfeit\" or \"hook\"",
            ),
            _ => self.wrong(
                "strikes",
                "a map such as #{ n: 3, per: \"game\" }: `n` is 0 to 1000 (0 for no limit), `per` \
                 is \"game\" or \"decision\"",
            ),
        }
        Strikes::default()
    }

    /// Returns the visibility of owners and of units.
    pub(super) fn sight(&mut self, map: &Map) -> (Sight, Sight) {
        let section = self.section(map, "sight");
        self.only(&section, "`sight`", &["owners", "units"]);
        let mut sight = |key: &str| match section.get(key).map(|value| value.clone().into_string())
        {
            None => Sight::All,
            Some(Ok(word)) if word == "all" => Sight::All,
            Some(Ok(word)) if word == "near" => Sight::Near,
            Some(Ok(word)) if word == "own" => Sight::Own,
            Some(_) => {
                self.wrong(key, "\"all\", \"near\" or \"own\"");
                Sight::All
            }
        };
        (sight("owners"), sight("units"))
    }
}
