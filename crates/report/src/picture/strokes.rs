//! The fights and moves of a turn in an animated picture: arrows, the last dice, and the result in
//! words.

use std::fmt::Write as _;

use super::reel::ReelFrame;
use super::{INK, Picture, Point, colour_of, distance, plate_half};
use risk_engine::acts::{Fight, FightResult};

/// Draws the arrows of a frame, which end at the plates of units.
pub(super) fn strokes(
    picture: &Picture<'_>,
    body: &mut String,
    frame: &ReelFrame,
    units: &[String],
) {
    // Soft edges have more colours than a GIF.
    let (width, height) = (picture.width, picture.height);
    let _ = write!(
        body,
        "<svg width=\"{width}\" height=\"{height}\"><g id=\"acts\" fill=\"none\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\" shape-rendering=\"crispEdges\">"
    );
    for (&(from, to), &(by, is_fight)) in &frame.happened.strokes {
        let (from, to) = (from.index(), to.index());
        let [a, b] = [from, to].map(|at| picture.coast.places[at]);
        let far = picture.coast.around(from, to, width);
        let plate = plate_half(&units[to]);
        let mut path = arrow(a, (b.0 + far, b.1), plate);
        if far != 0.0 {
            path += &arrow((a.0 - far, a.1), b, plate);
        }
        let thick = if is_fight { 4.0 } else { 2.0 };
        let colour = by.map_or("#888888".to_owned(), |by| colour_of(by.index()));
        for (stroke, thick) in [(INK, thick + 2.5), (&colour, thick)] {
            let _ = write!(
                body,
                "<path d=\"{path}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>"
            );
        }
    }
    body.push_str("</g></svg>\n");
}

/// Returns the path of an arrow that bends to the left and ends at a plate.
fn arrow(from: Point, to: Point, plate: f64) -> String {
    let far = distance(from, to).max(1.0);
    let bend = 0.15_f64.min(40.0 / far);
    let x = f64::midpoint(from.0, to.0) + (to.1 - from.1) * bend;
    let y = f64::midpoint(from.1, to.1) - (to.0 - from.0) * bend;
    let last = distance((x, y), to).max(1.0);
    let (dx, dy) = ((to.0 - x) / last, (to.1 - y) / last);
    let gap = ((plate + 3.0) / dx.abs())
        .min(13.0 / dy.abs())
        .min(far * 0.4);
    let tip = (to.0 - dx * gap, to.1 - dy * gap);
    let wing = |aside: f64| {
        let (x, y) = (tip.0 - dx * 8.0 - dy * aside, tip.1 - dy * 8.0 + dx * aside);
        format!("{x:.1} {y:.1}")
    };
    let (left, right) = (wing(-5.0), wing(5.0));
    let (a, b) = from;
    let (c, d) = tip;
    format!("M{a:.1} {b:.1}Q{x:.1} {y:.1} {c:.1} {d:.1}M{left}L{c:.1} {d:.1}L{right}")
}

/// Describes the result of a fight, and the losses of the attacker and the defender.
pub(super) fn result(fight: &Fight) -> String {
    let [lost, killed] = fight.lost();
    let result = match fight.result {
        FightResult::Held => "held",
        FightResult::Emptied => "emptied",
        FightResult::Taken => "taken",
    };
    format!("{result}, {lost} lost, {killed} killed")
}

/// Draws the dice of a fight's last roll above a caption: the attacker's above the defender's.
pub(super) fn dice(body: &mut String, fight: &Fight, right: f64) {
    let Some(roll) = fight.rolls().pop() else {
        return;
    };
    let colour = fight.by.filter(|_| !roll.is_of_either);
    let colour = colour.map_or("#ffffff".to_owned(), |by| colour_of(by.index()));
    for (y, mut values, fill) in [(6.0, roll.attack, &*colour), (24.0, roll.defend, "#ffffff")] {
        values.sort_unstable();
        for (column, value) in values.iter().enumerate() {
            let x = right - 18.0 * (column as f64 + 1.0);
            let _ = write!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{fill}\" \
                 stroke=\"{INK}\"/><text class=\"die\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" \
                 font-weight=\"bold\" text-anchor=\"middle\">{value}</text>",
                x + 8.0,
                y + 12.6
            );
        }
    }
}
