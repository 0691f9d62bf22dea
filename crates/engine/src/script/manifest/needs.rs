//! Checks whether a map and a number of players meet the requirements of a ruleset.

use crate::script::manifest::Manifest;
use rhai_guard::ScriptFault;
use risk_kernel::board::Board;
use risk_text::plural::counted;
use risk_text::suggest;

impl Manifest {
    pub(in crate::script) fn players_fault(&self, players: usize) -> Option<ScriptFault> {
        let (least, most) = self.players;
        if (least..=most).contains(&players) {
            return None;
        }
        let name = &self.decl.name;
        let range = counted(self.players_range(), "player");
        let text = format!("{name} needs {range}, found {players}");
        let fault = ScriptFault::new("ruleset::players", text);
        Some(fault.help("add or remove `--bot`, or set the number with `--players`"))
    }

    pub(in crate::script) fn map_fits(&self, board: &Board) -> bool {
        board.len() as i64 >= self.needs_territories
            && !(self.needs_continents && board.groups().is_empty())
            && self.missing_data(board).is_none()
            && self.missing_place(board).is_none()
    }

    /// Returns an id to which a kind of units is limited and which the map lacks.
    fn missing_place(&self, board: &Board) -> Option<&str> {
        let mut all = self.decl.unit_rules.iter().flat_map(|rules| &rules.only);
        let is_missing = |id: &&String| board.places_of(id).is_none();
        all.find(is_missing).map(String::as_str)
    }

    pub(super) fn missing_data(&self, board: &Board) -> Option<&str> {
        let has = |key: &String| {
            board
                .territories()
                .any(|at| board.info(at).data.contains_key(key))
        };
        self.needs_data
            .iter()
            .find(|key| !has(key))
            .map(String::as_str)
    }

    pub(in crate::script) fn map_fault(&self, board: &Board) -> ScriptFault {
        let ruleset = &self.decl.name;
        let map = board.name();
        let text = if (board.len() as i64) < self.needs_territories {
            let least = self.needs_territories;
            format!(
                "{ruleset} needs a map with at least {least} territories, but {map} has {}",
                board.len()
            )
        } else if let Some(key) = self.missing_data(board) {
            format!(
                "{ruleset} needs a map whose territories have the key `{key}`, but those \
                 of {map} don't"
            )
        } else if let Some(id) = self.missing_place(board) {
            let of_groups = board.groups().iter().map(|group| group.id.as_str());
            let places = board.territories().map(|at| board.info(at).id.as_str());
            let near = suggest::nearest(id, of_groups.chain(places));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!(
                "{ruleset} needs a map with the group or territory `{id}`, but {map} has none{near}"
            )
        } else {
            format!("{ruleset} needs a map with continents, but {map} has none")
        };
        let own = if board.name() == self.map {
            String::new()
        } else {
            format!("use its default map with `--map {}`; ", self.map)
        };
        let help = format!("{own}list all maps with `risk-cli map list`");
        ScriptFault::new("ruleset::map", text).help(help)
    }
}
