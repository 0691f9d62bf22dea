//! The page to watch a match. The map is a picture, and the script draws everything else from the
//! server's data.

use maud::{Markup, html};

use super::hosted::PublishedMatch;
use super::match_server::MatchServer;
use risk_report::{picture, web};

/// Returns the style shared with pages of finished games, followed by the page's own style.
pub(super) fn style() -> String {
    let own = include_str!("../web/watch.css");
    format!("{}{}{own}", web::STYLE, web::VIEWER_STYLE)
}

const FRAME: &str = include_str!("../web/watch.html");

/// Returns the line with the match's commitment, if it has one. After the match, the line includes
/// the seed and the salt.
fn dice(hosted: Option<&PublishedMatch>) -> Markup {
    let Some((hosted, commitment)) = hosted.and_then(|it| Some((it, it.commitment()?))) else {
        return Markup::default();
    };
    html! {
        p.dice {
            "Dice settled before the match: " code { (commitment) }
            @if let Some((seed, salt)) = hosted.revealed() {
                ", by the seed " code { (seed) } " and the salt " code { (salt) }
            }
        }
    }
}

/// Renders the page of a match, or of the newest match at the root.
pub(super) fn page(
    watched: &impl MatchServer,
    hosted: Option<&PublishedMatch>,
    root: bool,
) -> String {
    let title = watched.title();
    let number = hosted.map(|hosted| hosted.number);
    let events = match number {
        Some(number) if !root => format!("/match/{number}/events"),
        _ => "/events".to_owned(),
    };
    let map = match (watched.audience().map.get(), hosted) {
        (Some(map), Some(_)) => Some(map.as_str()),
        (None, Some(hosted)) => {
            // The picture shows an empty board. The script adds what viewers may see.
            let game = hosted.empty.get();
            let map = &watched.audience().map;
            game.map(|game| {
                map.get_or_init(|| picture::live(game, &hosted.names))
                    .as_str()
            })
        }
        (_, None) => None,
    };
    let form = if root {
        watched.form()
    } else {
        Markup::default()
    };
    // The map is inserted last, so its text is never searched for placeholders.
    FRAME
        .replace("{events}", &events)
        .replace(
            "{match}",
            &number.map_or_else(String::new, |number| number.to_string()),
        )
        .replace("{form}", &form.into_string())
        .replace("{dice}", &dice(hosted.filter(|_| !root)).into_string())
        .replace("{viewer}", &web::viewer(""))
        .replace("{nobody}", picture::NOBODY)
        .replace(
            "{title}",
            &html! { (title) }.into_string().replace('{', "&#123;"),
        )
        .replacen("{map}", map.unwrap_or_default(), 1)
}
