//! A map in a terminal: names where there is room for them, dots where there is not.

use super::layout;
use crate::kernel::board::Board;
use crate::kernel::id::Territory;
use crate::report::paint::Paint;

/// The most lines.
const MOST_LINES: usize = 24;

/// The map in lines of the paint's width, with the territories of each continent in a colour.
#[must_use]
pub fn overview(board: &Board, paint: Paint) -> Vec<String> {
    let places = layout::places(board);
    let span = |of: &dyn Fn(&layout::Point) -> f64| {
        let (least, most) = places.iter().map(of).fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        );
        (least, (most - least).max(1e-6))
    };
    let (left, wide) = span(&|place| place.0);
    let (top, high) = span(&|place| place.1);
    let columns = paint.width.clamp(40, 100) - 12;
    // A line of a terminal is about twice as high as a column is wide.
    let lines = ((high / wide * columns as f64 / 2.0).round() as usize).clamp(6, MOST_LINES);
    let mut cells: Vec<Vec<Option<(char, Territory)>>> = vec![vec![None; columns + 12]; lines + 1];
    let spot = |at: Territory| {
        let (x, y) = places[at.index()];
        let column = ((x - left) / wide * columns as f64).round() as usize;
        let line = ((y - top) / high * lines as f64).round() as usize;
        (line, column)
    };
    for at in board.territories() {
        let (line, column) = spot(at);
        cells[line][column] = Some(('●', at));
    }
    for at in board.territories() {
        let (line, column) = spot(at);
        let free = cells[line][column + 1..]
            .iter()
            .take_while(|cell| cell.is_none())
            .count()
            .saturating_sub(1);
        let name: Vec<char> = board.info(at).id.chars().collect();
        // A few letters say more than none.
        let shown = if name.len() <= free {
            name.len()
        } else {
            free.min(name.len())
        };
        if shown >= 3 && cells[line][column].is_some_and(|(_, there)| there == at) {
            for (offset, letter) in name[..shown].iter().enumerate() {
                cells[line][column + 1 + offset] = Some((*letter, at));
            }
        }
    }
    let colour = |at: Territory, text: &str| match board.info(at).continent {
        Some(continent) => paint.seat(continent.index(), text),
        None => text.to_owned(),
    };
    let draw = |cells: Vec<Option<(char, Territory)>>| {
        let (mut line, mut run): (String, Option<(String, Territory)>) = (String::new(), None);
        for cell in cells.into_iter().map(Some).chain([None]) {
            let cell = cell.flatten();
            match (&mut run, cell) {
                (Some((text, of)), Some((letter, at))) if *of == at => text.push(letter),
                (_, cell) => {
                    if let Some((text, of)) = run.take() {
                        line.push_str(&colour(of, &text));
                    }
                    match cell {
                        Some((letter, at)) => run = Some((letter.to_string(), at)),
                        None => line.push(' '),
                    }
                }
            }
        }
        line.trim_end().to_owned()
    };
    cells.into_iter().map(draw).collect()
}
