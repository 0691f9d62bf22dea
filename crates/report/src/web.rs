//! The scripts and styles of pages, which lie in `web/`. Scripts are ES modules that import each
//! other by names such as `#report/dom`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, json};

/// An ES module of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// The name by which other modules import it, such as `#report/dom`.
    pub name: &'static str,
    /// The source text.
    pub text: &'static str,
}

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(Module {
            name: concat!("#report/", $name),
            text: include_str!(concat!("../web/", $name, ".js")),
        }),*]
    };
}

/// The modules of all pages that show a game.
pub const MODULES: [Module; 12] = modules![
    "acts", "arrows", "chart", "colours", "dom", "hints", "labels", "map", "players", "story",
    "timeline", "viewer",
];
/// The module of the page of a finished game.
pub(crate) const REPLAY: [Module; 1] = modules!["replay"];
/// The style of all pages that show a game.
pub const STYLE: &str = include_str!("../web/board.css");
/// The style of pages that step through a game.
pub const VIEWER_STYLE: &str = include_str!("../web/viewer.css");
/// The HTML for the choice of colours, theme and motion.
pub const LOOK: &str = include_str!("../web/look.html");
const VIEWER: &str = include_str!("../web/viewer.html");

impl Module {
    /// Returns the module's path on a server: `/web/report/dom.js`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/web/{}.js", self.name.trim_start_matches('#'))
    }

    /// Returns the source text for a server that has all of these modules at their paths. A policy
    /// that forbids inline scripts forbids import maps as well.
    #[must_use]
    pub fn served(&self, modules: &[Self]) -> String {
        let quoted = |text: &str| format!("\"{text}\"");
        modules.iter().fold(self.text.to_owned(), |text, module| {
            text.replace(&quoted(module.name), &quoted(&module.path()))
        })
    }

    /// Returns the module as a URL that contains it, for pages without a server.
    fn data(&self) -> String {
        let text = STANDARD.encode(self.text);
        format!("data:text/javascript;base64,{text}")
    }
}

/// Returns the HTML of a page that steps through a game, with the placeholder `{map}` for the
/// board's picture. `more` is HTML for the end of the last section.
#[must_use]
pub fn viewer(more: &str) -> String {
    VIEWER.replace("{look}", LOOK).replace("{more}", more)
}

/// Returns the import map of a page without a server. It contains the modules.
pub(crate) fn import_map(modules: &[Module]) -> String {
    let entry = |module: &Module| (module.name.to_owned(), json!(module.data()));
    let imports: Map<_, _> = modules.iter().map(entry).collect();
    json!({ "imports": imports }).to_string()
}
