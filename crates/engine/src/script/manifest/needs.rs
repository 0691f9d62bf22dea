//! Checks of a map and a number of players against the needs of a ruleset.

use crate::script::fault::ScriptFault;
use crate::script::manifest::Manifest;
use risk_kernel::board::Board;

impl Manifest {
    pub(in crate::script) fn players_fault(&self, players: usize) -> Option<ScriptFault> {
        let (least, most) = self.players;
        if (least..=most).contains(&players) {
            return None;
        }
        let sit = if players == 1 {
            "1 sits".to_owned()
        } else {
            format!("{players} sit")
        };
        let name = &self.name;
        let range = self.players_range();
        let text = format!("{name} is for {range} players, and {sit} down");
        let fault = ScriptFault::new("ruleset::players", text);
        Some(fault.help("give more or fewer --bot, or --players"))
    }

    pub(in crate::script) fn map_fits(&self, board: &Board) -> bool {
        board.len() as i64 >= self.needs_territories
            && !(self.needs_continents && board.continents().is_empty())
            && self.missing_data(board).is_none()
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
        let ruleset = &self.name;
        let map = board.name();
        let text = if (board.len() as i64) < self.needs_territories {
            let least = self.needs_territories;
            format!(
                "the ruleset {ruleset} needs at least {least} territories, and the map {map} has \
                 {}",
                board.len()
            )
        } else if let Some(key) = self.missing_data(board) {
            format!(
                "the ruleset {ruleset} needs a map that marks territories with `{key}`, and the \
                 map {map} has none"
            )
        } else {
            format!("the ruleset {ruleset} needs a map with continents, and the map {map} has none")
        };
        let own = if board.name() == self.map {
            String::new()
        } else {
            format!("its own map is `--map {}`; ", self.map)
        };
        let help = format!("{own}`risk-cli map list` shows all maps");
        ScriptFault::new("ruleset::map", text).help(help)
    }
}
