//! A map in a terminal, with dots for territories and the names that fit.

use super::layout;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::view::View;
use risk_text::paint::Paint;

const MOST_LINES: usize = 24;

/// A dot or a letter of a territory, or `None` for an empty cell.
type MapCell = Option<(char, Territory)>;

/// The text after a territory's dot, and the seat that determines its colour.
struct DotMarks<'a> {
    text: &'a dyn Fn(Territory) -> String,
    colour: &'a dyn Fn(Territory) -> Option<usize>,
}

/// Draws the map in the paint's width, with one colour for the territories of each continent.
#[must_use]
pub fn overview(board: &Board, paint: Paint) -> Vec<String> {
    let marks = DotMarks {
        text: &|at| board.info(at).id.clone(),
        colour: &|at| board.info(at).continent.map(|continent| continent.index()),
    };
    lines(board, paint, &marks)
}

/// Draws the map as a player sees it, with armies and names in the owners' colours.
#[must_use]
pub fn seen(view: &View, paint: Paint) -> Vec<String> {
    let armies = |at: Territory| match view.armies(at) {
        Some(armies) => armies.to_string(),
        None => "?".to_owned(),
    };
    let marks = DotMarks {
        text: &|at| format!("{} {}", armies(at), view.board().info(at).id),
        colour: &|at| view.owner(at).map(|owner| owner.index()),
    };
    lines(view.board(), paint, &marks)
}

fn lines(board: &Board, paint: Paint, marks: &DotMarks<'_>) -> Vec<String> {
    let places = layout::places(board);
    let (left, wide) = span(places.iter().map(|place| place.0));
    let (top, high) = span(places.iter().map(|place| place.1));
    let columns = paint.width.clamp(40, 100) - 12;
    // A terminal line is about twice as high as a column is wide.
    let lines = ((high / wide * columns as f64 / 2.0).round() as usize).clamp(6, MOST_LINES);
    let mut cells: Vec<Vec<MapCell>> = vec![vec![None; columns + 12]; lines + 1];
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
        // If territories have the same place, the last one gets the dot.
        if cells[line][column].is_some_and(|(_, there)| there == at) {
            label(&mut cells[line][column + 1..], &(marks.text)(at), at);
        }
    }
    let drawn = cells.into_iter().map(|cells| draw(cells, marks, paint));
    drawn.collect()
}

/// Returns the minimum of the values and the difference between maximum and minimum.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = values.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (least.min(value), most.max(value)),
    );
    (least, (most - least).max(1e-6))
}

/// Writes a territory's name after its dot. A name that does not fit is cut, but to at least three
/// letters.
fn label(behind: &mut [MapCell], name: &str, at: Territory) {
    let free = behind.iter().take_while(|cell| cell.is_none()).count();
    let name: Vec<char> = name.chars().collect();
    let shown = name.len().min(free.saturating_sub(1));
    if shown >= name.len().min(3) {
        for (cell, letter) in behind.iter_mut().zip(&name[..shown]) {
            *cell = Some((*letter, at));
        }
    }
}

/// Draws a line. Adjacent cells of a territory share one style code.
fn draw(cells: Vec<MapCell>, marks: &DotMarks<'_>, paint: Paint) -> String {
    let colour = |at: Territory, text: &str| match (marks.colour)(at) {
        Some(colour) => paint.seat(colour, text),
        None => text.to_owned(),
    };
    let mut line = String::new();
    let mut run: Option<(String, Territory)> = None;
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
}
