//! A game as a picture for previews of its page: the board and the players below a heading, in
//! letters that stay readable when a chat shrinks the picture.

use std::fmt::Write as _;

use super::hints::is_gone;
use super::seats::TILE;
use super::totals::PlayerTotals;
use super::{
    COVER, FONTS, INK, NamedGame, Picture, SEA, Style, TITLE, Theme, fill_of, is_patterned, labels,
    patterns,
};
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_text::{escape_control, xml};

/// The width of a preview, in pixels.
pub const PREVIEW_WIDTH: u16 = 1_200;
/// The height of a preview, in pixels.
pub const PREVIEW_HEIGHT: u16 = 630;
/// The distance of everything from the edges.
const MARGIN: f64 = 36.0;
/// The top of the board and of the players.
const TOP: f64 = 124.0;
/// The width for the players.
const PLAYERS: f64 = 260.0;
/// The maximum height of a player.
const ROW: f64 = 68.0;
/// The scale of the board is a multiple of the inverse of this, so that each tile of a pattern has
/// whole pixels. Between other tiles, there are gaps.
const STEPS: f64 = TILE as f64;
/// The size of numbers on the board, compared with those of other pictures.
const ZOOM: f64 = 18.0 / STEPS;
/// The minimum area for each territory with such a number, in square pixels.
const SMALLEST: f64 = 1_600.0;

/// Draws a game as SVG for previews of its page, with [`PREVIEW_WIDTH`] and [`PREVIEW_HEIGHT`]. The
/// heading names the players and the result; a line below it may say more.
#[must_use]
pub fn preview(game: &GameState, names: &[String], heading: &str, line: &str) -> String {
    let mut body = patterns((0..names.len()).filter(|&seat| is_patterned(seat)));
    let room = f64::from(PREVIEW_WIDTH) - 2.0 * MARGIN;
    text(&mut body, heading, (MARGIN, 66.0), (40.0, 20.0), room);
    text(&mut body, line, (MARGIN, 102.0), (20.0, 12.0), room);
    board(&mut body, &NamedGame { names, game });
    players(&mut body, &NamedGame { names, game });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {PREVIEW_WIDTH} \
         {PREVIEW_HEIGHT}\" width=\"{PREVIEW_WIDTH}\" height=\"{PREVIEW_HEIGHT}\" \
         font-family=\"{FONTS}\">\n<rect width=\"100%\" height=\"100%\" fill=\"{SEA}\"/>\n\
         {body}</svg>\n"
    )
}

/// Draws the board at the left, as large as possible.
fn board(body: &mut String, held: &NamedGame<'_>) {
    let wide = f64::from(PREVIEW_WIDTH) - 3.0 * MARGIN - PLAYERS;
    let high = f64::from(PREVIEW_HEIGHT) - MARGIN - TOP;
    let style = Style {
        theme: Theme::Light,
        width: None,
        names: false,
        pixels: true,
    };
    let usual = Picture::new(held.game.board(), style);
    let scale = (wide / usual.width).min(high / (usual.height - TITLE));
    let width = (usual.width * scale / ZOOM).floor().max(1.0);
    let zoomed = Style {
        width: Some(width as u16),
        ..style
    };
    let zoomed = Picture::new(held.game.board(), zoomed);
    // On a map of many small territories, large numbers would hide the land.
    let area = zoomed.width * (zoomed.height - TITLE) / held.game.board().len() as f64;
    let picture = if area < SMALLEST { usual } else { zoomed };
    let (across, down) = (picture.width, picture.height - TITLE);
    let fitting = (wide / across).min(high / down);
    let scale = ((fitting * STEPS).floor() / STEPS).max(1.0 / STEPS);
    let left = (MARGIN + (wide - across * scale) / 2.0).round();
    let top = (TOP + (high - down * scale) / 2.0 - TITLE * scale).round();
    let _ = writeln!(
        body,
        "<g transform=\"translate({left} {top}) scale({scale})\">"
    );
    picture.ground(body, Some(held));
    picture.markers(body, held.game.decl(), |marker, at| {
        is_gone(held.game, marker, at)
    });
    picture.names_of_markers(body, held);
    picture.lines(body, Some(held.game));
    picture.names(body, Some(held));
    body.push_str("</g>\n");
}

/// Draws the players at the right, with their holdings.
fn players(body: &mut String, held: &NamedGame<'_>) {
    let high = f64::from(PREVIEW_HEIGHT) - MARGIN - TOP;
    let row = (high / held.names.len().max(1) as f64).min(ROW);
    let side = (row * 0.45).min(26.0);
    let left = f64::from(PREVIEW_WIDTH) - MARGIN - PLAYERS;
    let room = PLAYERS - side - 12.0;
    for (seat, name) in held.names.iter().enumerate() {
        let player = Player::from_index(seat);
        let top = TOP + seat as f64 * row;
        let totals = PlayerTotals {
            land: held.game.owned(player).count(),
            armies: held.game.strength(player),
            status: held.game.status(player),
        };
        let _ = writeln!(
            body,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" \
             rx=\"4\" fill=\"{}\" fill-opacity=\"{COVER}\" stroke=\"{INK}\"/>",
            fill_of(seat)
        );
        let x = left + side + 12.0;
        let sizes = (side, (side * 0.6).min(14.0));
        text(body, name, (x, top + side * 0.85), sizes, room);
        if row == ROW {
            let y = top + side + 20.0;
            text(body, &totals.text(held.game), (x, y), (15.0, 10.0), room);
        }
    }
}

/// Draws a line of text. It is as large as the room allows, between two sizes, and ends with `…` if
/// it does not fit.
fn text(body: &mut String, text: &str, at: super::Point, sizes: (f64, f64), room: f64) {
    let text = escape_control(text);
    let fitting = room / labels::width(&text, 1.0).max(1.0);
    let size = fitting.floor().min(sizes.0).max(sizes.1);
    let line = labels::shortened(&text, size, room);
    let _ = writeln!(
        body,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" fill=\"{INK}\">{}</text>",
        at.0,
        at.1,
        xml(&line)
    );
}
