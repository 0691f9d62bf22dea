//! The forms of arenas on their pages.

use maud::{DOCTYPE, Markup, html};

/// The example of an address.
const ADDRESS: &str = "http://127.0.0.1:4444";

/// Returns the page for a bot that could not join, with the reason.
pub(super) fn not_joined(why: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Your bot has not joined" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/watch.css";
            }
            body {
                main {
                    h1 { "Your bot has not joined" }
                    p { (why) "." }
                    p { "The back button of your browser leads to what you filled in." }
                    p { a href="/" { "Back to the matches" } }
                }
            }
        }
    };
    page.into_string()
}

fn name() -> Markup {
    html! { label { "Name " input name="name" required maxlength="30" autocomplete="off"; } }
}

fn address() -> Markup {
    html! {
        label {
            "Address "
            input name="url" required maxlength="500" placeholder=(ADDRESS) autocomplete="off";
        }
    }
}

/// The form to register a bot that listens over HTTP, in any encoding.
pub(super) fn join() -> Markup {
    html! {
        details {
            summary { "Join with a bot" }
            form method="post" action="/join" {
                (name())
                (address())
                label {
                    "Encoding "
                    select name="encoding" {
                        option { "form" }
                        option { "raw" }
                        option { "wrapped" }
                    }
                }
                button { "Join" }
            }
        }
    }
}

/// The form to register a bot that listens over HTTP, for arenas that bots can dial.
pub(super) fn join_over_http() -> Markup {
    html! {
        details {
            summary { "Join with a bot" }
            p {
                "A bot joins by itself when it opens a WebSocket at "
                code { "/bot?name=NAME" }
                ". Register a bot that listens over HTTP here."
            }
            form method="post" action="/join" {
                (name())
                (address())
                button { "Join" }
            }
        }
    }
}

/// The form to begin a new game.
pub(super) fn new_game() -> Markup {
    html! {
        details {
            summary { "New game" }
            p { "This drops the current game and disconnects its players." }
            form method="post" action="/new" { button { "Drop the game" } }
        }
    }
}
