//! A game's map in a terminal: land in its owners' colours, armies, and the names that fit.

use super::chart::{Chart, Outlines, WordPlacer};
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_text::palette::{DARK, LIGHT, NOBODY, SEATS, letters_on};
use risk_text::{columns, escape_control, style};

/// The holder of a territory from the viewer's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The player of this seat, from 0.
    Seat(usize),
    /// No player: the territory is unowned.
    Nobody,
    /// Unknown: fog hides the owner.
    Unseen,
}

/// The appearance of territories.
pub struct Marks<'a> {
    /// The holder of a territory.
    pub holder: &'a dyn Fn(Territory) -> Holder,
    /// The text for the armies of a territory, or an empty string to omit it.
    pub armies: &'a dyn Fn(Territory) -> String,
    /// The territories that stand out: in reverse, or without colours by an asterisk before their
    /// names.
    pub marked: &'a [Territory],
    /// Whether land is coloured. Without colours, the letters of the seats fill it, starting with
    /// `a`.
    pub colour: bool,
}

/// Returns the letter of a seat.
#[must_use]
pub fn letter(seat: usize) -> char {
    char::from(b'a' + (seat % 26) as u8)
}

/// Draws the map in at most `wide` columns and `high` lines. No number or name is cut.
#[must_use]
pub fn coloured(
    outlines: &Outlines,
    board: &Board,
    wide: usize,
    high: usize,
    marks: &Marks<'_>,
) -> Vec<String> {
    let chart = outlines.chart(wide, high);
    let territories = || board.territories();
    let names: Vec<String> = territories()
        .map(|at| {
            let mark = !marks.colour && marks.marked.contains(&at);
            let name = escape_control(&board.info(at).name);
            format!("{}{name}", if mark { "*" } else { "" })
        })
        .collect();
    let numbers: Vec<String> = territories().map(|at| number(marks, at)).collect();
    let words = WordPlacer::new(&chart, &numbers, &names);
    let sheet = Sheet {
        chart: &chart,
        board,
        marks,
    };
    let mut cells = sheet.ground();
    for word in &words.placed {
        let bold = numbers[word.at.index()] == word.text;
        sheet.write(&mut cells, word, bold);
    }
    let rows = cells.chunks(chart.columns);
    rows.map(joined).collect()
}

/// Returns the number on a territory, with a letter if colours can't identify the owner.
fn number(marks: &Marks<'_>, at: Territory) -> String {
    let armies = (marks.armies)(at);
    match (marks.holder)(at) {
        Holder::Seat(seat) if !armies.is_empty() && (!marks.colour || seat >= SEATS.len()) => {
            format!("{}{armies}", letter(seat))
        }
        _ => armies,
    }
}

/// A cell's text and style. The text is empty in the second cell of a wide character.
#[derive(Clone, Default)]
struct StyledCell {
    text: String,
    code: String,
}

struct Sheet<'a> {
    chart: &'a Chart,
    board: &'a Board,
    marks: &'a Marks<'a>,
}

impl Sheet<'_> {
    fn ground(&self) -> Vec<StyledCell> {
        let places = (0..self.chart.rows)
            .flat_map(|row| (0..self.chart.columns).map(move |column| (column, row)));
        let cell = |(column, row)| {
            let Some(at) = self.chart.at(column, row) else {
                let lane = self.chart.is_lane(column, row);
                return StyledCell {
                    text: if lane { "·" } else { " " }.to_owned(),
                    code: if lane { "2" } else { "" }.to_owned(),
                };
            };
            let left = column
                .checked_sub(1)
                .and_then(|column| self.chart.at(column, row));
            let above = row
                .checked_sub(1)
                .and_then(|row| self.chart.at(column, row));
            let other = |there: Option<Territory>| there.filter(|&there| there != at);
            self.land(at, other(left), other(above))
        };
        places.map(cell).collect()
    }

    /// Draws land, with a line on the left or above if that land belongs to another territory.
    fn land(&self, at: Territory, left: Option<Territory>, above: Option<Territory>) -> StyledCell {
        let line = left.map(|_| '|').or_else(|| above.map(|_| '-'));
        let with_line = |fill: char, code: &str| StyledCell {
            text: line.unwrap_or(fill).to_string(),
            code: code.to_owned(),
        };
        let (land, fill) = match (self.marks.holder)(at) {
            Holder::Seat(seat) => (SEATS[seat % SEATS.len()], letter(seat)),
            Holder::Nobody => (NOBODY, '.'),
            Holder::Unseen => return with_line('░', "2"),
        };
        let blocked =
            |there: Territory| !self.board.borders(at, there) && !self.board.borders(there, at);
        if !self.marks.colour {
            return with_line(fill, "");
        }
        // Thick lines can't be crossed.
        let text = match (left, above) {
            (Some(left), _) if blocked(left) => "▌",
            (_, Some(above)) if blocked(above) => "▀",
            (Some(_), _) => "▏",
            (None, Some(_)) => "▔",
            (None, None) => " ",
        };
        StyledCell {
            text: text.to_owned(),
            code: letters_on(DARK, land),
        }
    }

    /// Writes a number or a name. Numbers on water or on other land keep their colour.
    fn write(&self, cells: &mut [StyledCell], word: &super::chart::PlacedWord, is_number: bool) {
        let code = match (self.marks.holder)(word.at) {
            _ if !self.marks.colour => String::new(),
            Holder::Seat(seat) => letters_on(LIGHT, SEATS[seat % SEATS.len()]),
            Holder::Nobody => letters_on(DARK, NOBODY),
            Holder::Unseen => "2".to_owned(),
        };
        let reverse = if self.marks.colour && self.marks.marked.contains(&word.at) {
            "7;"
        } else {
            ""
        };
        let mut column = word.column;
        for c in word.text.chars() {
            let wide = columns(c.encode_utf8(&mut [0; 4]));
            let place = word.row * self.chart.columns + column;
            if wide == 0 {
                if let Some(before) = place.checked_sub(1) {
                    cells[before].text.push(c);
                }
                continue;
            }
            let on_water = self.chart.at(column, word.row).is_none();
            cells[place] = StyledCell {
                text: c.to_string(),
                code: match (is_number, on_water) {
                    (false, true) => reverse.trim_end_matches(';').to_owned(),
                    (true, _) if self.marks.colour => format!("{reverse}1;{code}"),
                    _ => format!("{reverse}{code}"),
                },
            };
            for cell in &mut cells[place + 1..place + wide] {
                *cell = StyledCell::default();
            }
            column += wide;
        }
    }
}

/// Joins the cells of a line. Adjacent cells of the same style share one code.
fn joined(cells: &[StyledCell]) -> String {
    let mut line = String::new();
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let same = rest
            .iter()
            .take_while(|cell| cell.code == first.code || cell.text.is_empty())
            .count();
        let text: String = rest[..same].iter().map(|cell| cell.text.as_str()).collect();
        if first.code.is_empty() {
            line.push_str(&text);
        } else {
            line.push_str(&style(&first.code, &text));
        }
        rest = &rest[same..];
    }
    line.trim_end().to_owned()
}
