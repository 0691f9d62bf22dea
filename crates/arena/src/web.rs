//! The scripts of the pages of tables and matches, which lie in `web/`.

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::{MethodRouter, get};
use risk_report::web::{self, Module};

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(Module {
            name: concat!("#arena/", $name),
            text: include_str!(concat!("../web/", $name, ".js")),
        }),*]
    };
}

const OWN: [Module; 12] = modules![
    "choice", "next", "panel", "play", "playback", "served", "server", "shown", "table", "talk",
    "watch", "words"
];

fn modules() -> Vec<Module> {
    [&web::MODULES[..], &OWN].concat()
}

/// Returns the routes of the modules.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let modules = modules();
    modules.iter().fold(Router::new(), |routes, module| {
        let kind = "text/javascript; charset=utf-8";
        routes.route(&module.path(), file(kind, module.served(&modules)))
    })
}

fn file<S: Clone + Send + Sync + 'static>(kind: &'static str, text: String) -> MethodRouter<S> {
    let text = Bytes::from(text);
    get(async move || ([(header::CONTENT_TYPE, kind)], text))
}

/// Returns the route of a style sheet.
pub(super) fn style<S: Clone + Send + Sync + 'static>(text: String) -> MethodRouter<S> {
    file("text/css; charset=utf-8", text)
}
