//! The fights and moves of a turn in an animation: arrows, the last dice, and the result in words.

use std::fmt::Write as _;

use super::reel::ReelFrame;
use super::{INK, Picture, Point, colour_of, distance, plate_half};
use risk_engine::acts::{Fight, FightResult};

/// Draws the arrows of all frames, one frame below the other, behind a window.
pub(super) fn strokes(picture: &Picture<'_>, body: &mut String, frames: &[ReelFrame]) {
    // Whole numbers, so that each frame is drawn alike. Soft edges have more colours than a GIF.
    let (width, high) = (picture.width, picture.height.ceil());
    let far = (frames.len() - 1) as f64 * high;
    let _ = write!(
        body,
        "<svg width=\"{width}\" height=\"{high}\"><g class=\"m\" id=\"acts\" \
         shape-rendering=\"crispEdges\" transform=\"translate(0 -{far})\">"
    );
    let mut plates = vec![0.0; picture.board.len()];
    for (index, frame) in frames.iter().enumerate() {
        for (at, (_, units)) in &frame.lands {
            plates[*at] = plate_half(units);
        }
        let _ = writeln!(
            body,
            "<g transform=\"translate(0 {})\">",
            index as f64 * high
        );
        for (&(from, to), &(by, is_fight)) in &frame.happened.strokes {
            let (from, to) = (from.index(), to.index());
            let [a, b] = [from, to].map(|at| picture.coast.places[at]);
            let far = picture.coast.around(from, to, width);
            let mut path = arrow(a, (b.0 + far, b.1), plates[to]);
            if far != 0.0 {
                path += &arrow((a.0 - far, a.1), b, plates[to]);
            }
            let thick = if is_fight { 4.0 } else { 2.0 };
            let colour = by.map_or("#888888".to_owned(), |by| colour_of(by.index()));
            for (stroke, thick) in [(INK, thick + 2.5), (&colour, thick)] {
                let _ = write!(
                    body,
                    "<path class=\"a\" d=\"{path}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>"
                );
            }
        }
        body.push_str("</g>");
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
pub(super) fn dice(body: &mut String, fight: &Fight, right: f64, top: f64) {
    let Some(roll) = fight.rolls().pop() else {
        return;
    };
    let colour = fight.by.filter(|_| !roll.is_of_either);
    let colour = colour.map_or("#ffffff".to_owned(), |by| colour_of(by.index()));
    for (y, mut values, fill) in [(6.0, roll.attack, &*colour), (24.0, roll.defend, "#ffffff")] {
        values.sort_unstable();
        for (column, value) in values.iter().enumerate() {
            let (x, y) = (right - 18.0 * (column as f64 + 1.0), top + y);
            let _ = write!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{fill}\" \
                 stroke=\"{INK}\"/><text class=\"n\" x=\"{:.1}\" y=\"{:.1}\">{value}</text>",
                x + 8.0,
                y + 12.6
            );
        }
    }
}
