//! The forms of arenas on their pages.

use maud::{Markup, html};
use risk_report::page::{self, plain};

/// The example of an address.
const ADDRESS: &str = "http://127.0.0.1:4444";

/// Returns the page for a bot that could not join, with the reason.
pub(super) fn not_joined(why: &str) -> String {
    let heading = "Your bot has not joined";
    let body = html! {
        main {
            h1 { (heading) }
            p { (plain(why)) "." }
            p { "The back button of your browser leads to what you filled in." }
            p { a href="/" { "Back to the matches" } }
        }
    };
    page::served(heading, "/watch.css", &body)
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
