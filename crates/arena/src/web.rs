//! The scripts of the pages of tables and matches, which lie in `web/`.

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::get;
use risk_report::web::{self, Module};

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(Module {
            name: concat!("#arena/", $name),
            text: include_str!(concat!("../web/", $name, ".js")),
        }),*]
    };
}

const OWN: [Module; 10] = modules![
    "choice", "next", "panel", "play", "playback", "server", "shown", "table", "watch", "words"
];

fn modules() -> Vec<Module> {
    [&web::MODULES[..], &OWN].concat()
}

/// Returns the routes of the modules.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let modules = modules();
    modules.iter().fold(Router::new(), |routes, module| {
        let text = Bytes::from(module.served(&modules));
        let script = async move || {
            let kind = "text/javascript; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text)
        };
        routes.route(&module.path(), get(script))
    })
}
