//! Shapes of territories: reads SVG path data into rings of integers, and writes rings as path
//! data.

use std::fmt::Write as _;

use kurbo::{Arc, SvgArc};
use risk_kernel::board::Ring;

const MOST_BYTES: usize = 100_000;
pub(super) const MOST_CORNERS: usize = 10_000;
/// The maximum number of corners in all territories of a map.
pub(super) const MOST_OF_MAP: usize = 400_000;
/// The largest absolute value of a number in path data, before relative coordinates are added up.
const FARTHEST: f64 = 1_000_000.0;
/// The side of a picture. Coordinates range from 0 to this value, rightwards and downwards.
pub(super) const SIDE: i32 = 10_000;
/// The number of straight lines that replace a curve.
const CURVE: u32 = 12;

type Point = (f64, f64);

/// An error in path data, with its byte offset.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) at: usize,
    pub(super) text: String,
    /// Whether the error is an open subpath.
    pub(super) open: bool,
}

/// Reads path data. Curves become straight lines, and coordinates are rounded.
pub(super) fn read(data: &str) -> Result<Vec<Ring>, Flaw> {
    let rings = points(data, true)?;
    let far = f64::from(SIDE) * 10.0;
    let is_far = |&(x, y): &Point| x.abs() > far || y.abs() > far;
    if let Some((x, y)) = rings.iter().flatten().find(|point| is_far(point)) {
        return Err(flaw(
            0,
            format!("coordinates must be from -{far} to {far}, found a corner at {x:.0} {y:.0}"),
        ));
    }
    let rings: Vec<Ring> = rings.iter().filter_map(|ring| whole(ring)).collect();
    if rings.is_empty() {
        return Err(flaw(0, "a shape must have at least 3 corners"));
    }
    Ok(rings)
}

/// Returns the subpaths of path data. If `strict`, an open subpath is an error; otherwise it is
/// closed, and the limits are those of a whole map, because a drawing is scaled down.
pub(super) fn points(data: &str, strict: bool) -> Result<Vec<Vec<Point>>, Flaw> {
    if strict && data.len() > MOST_BYTES {
        let text = format!("path data must have at most {MOST_BYTES} bytes");
        return Err(flaw(0, text));
    }
    let mut reader = PathReader {
        data: data.as_bytes(),
        strict,
        ..PathReader::default()
    };
    reader.read()?;
    Ok(reader.rings)
}

fn flaw(at: usize, text: impl Into<String>) -> Flaw {
    Flaw {
        at,
        text: text.into(),
        open: false,
    }
}

/// Writes rings as path data. Each ring starts at its first corner and continues in relative steps.
pub(super) fn write(rings: &[Ring]) -> String {
    let mut text = String::new();
    for ring in rings {
        let Some(&(mut x, mut y)) = ring.first() else {
            continue;
        };
        let _ = write!(text, "M{x} {y}l");
        for (index, &(to_x, to_y)) in ring.iter().enumerate().skip(1) {
            let dx = to_x - x;
            let dy = to_y - y;
            let gap = |number: i32| if number < 0 { "" } else { " " };
            let before = if index == 1 { "" } else { gap(dx) };
            let _ = write!(text, "{before}{dx}{}{dy}", gap(dy));
            (x, y) = (to_x, to_y);
        }
        text.push('z');
    }
    text
}

#[derive(Default)]
struct PathReader<'a> {
    data: &'a [u8],
    strict: bool,
    at: usize,
    here: Point,
    start: Point,
    /// The last control point of a curve, and whether the curve was cubic.
    bend: Option<(Point, bool)>,
    ring: Vec<Point>,
    rings: Vec<Vec<Point>>,
    corners: usize,
}

impl PathReader<'_> {
    fn read(&mut self) -> Result<(), Flaw> {
        self.skip();
        if !matches!(self.data.get(self.at), Some(b'M' | b'm')) {
            let text = "path data must begin with M and a first corner, for example M 10 20";
            return Err(flaw(self.at, text));
        }
        while let Some(&command) = self.data.get(self.at) {
            let place = self.at;
            if !command.is_ascii_alphabetic() {
                return Err(flaw(
                    place,
                    "expected a command: M, L, H, V, C, S, Q, T, A or Z",
                ));
            }
            self.at += 1;
            self.run(command, place)?;
        }
        self.end(self.data.len())
    }

    /// Runs a command on its numbers. Several groups of numbers repeat the command.
    fn run(&mut self, command: u8, place: usize) -> Result<(), Flaw> {
        let relative = command.is_ascii_lowercase();
        let kind = command.to_ascii_uppercase();
        let count = match kind {
            b'Z' => {
                self.close();
                self.skip();
                return Ok(());
            }
            b'H' | b'V' => 1,
            b'M' | b'L' | b'T' => 2,
            b'S' | b'Q' => 4,
            b'C' => 6,
            b'A' => 7,
            _ => {
                let text = format!("unknown command `{}` in path data", char::from(command));
                return Err(flaw(place, text));
            }
        };
        let mut kind = kind;
        loop {
            let mut numbers = [0.0; 7];
            for (index, number) in numbers[..count].iter_mut().enumerate() {
                *number = self.number(kind == b'A' && (index == 3 || index == 4))?;
            }
            if kind == b'M' {
                self.end(place)?;
            }
            self.step(kind, relative, &numbers);
            let most = if self.strict {
                MOST_CORNERS
            } else {
                MOST_OF_MAP
            };
            if self.corners > most {
                let text = format!("a shape must have at most {most} corners");
                return Err(flaw(place, text));
            }
            // After a move, further pairs of numbers are lines.
            if kind == b'M' {
                kind = b'L';
            }
            self.skip();
            if self.data.get(self.at).is_none_or(u8::is_ascii_alphabetic) {
                return Ok(());
            }
        }
    }

    fn step(&mut self, kind: u8, relative: bool, numbers: &[f64; 7]) {
        let (x, y) = if relative { self.here } else { (0.0, 0.0) };
        let at = |index: usize| (x + numbers[index], y + numbers[index + 1]);
        let here = self.here;
        let mirrored = |bend: Option<(Point, bool)>, cubic: bool| match bend {
            Some((point, was)) if was == cubic => (2.0 * here.0 - point.0, 2.0 * here.1 - point.1),
            _ => here,
        };
        let bend = self.bend.take();
        match kind {
            b'M' => {
                self.start = at(0);
                self.line(at(0));
            }
            b'L' => self.line(at(0)),
            b'H' => self.line((x + numbers[0], here.1)),
            b'V' => self.line((here.0, y + numbers[0])),
            b'C' => self.cubic(at(0), at(2), at(4)),
            b'S' => self.cubic(mirrored(bend, true), at(0), at(2)),
            b'Q' => self.quadratic(at(0), at(2)),
            b'T' => self.quadratic(mirrored(bend, false), at(0)),
            _ => self.arc(numbers, at(5)),
        }
    }

    fn line(&mut self, to: Point) {
        // After Z, a line may begin at the start of the closed ring.
        if self.ring.is_empty() && to != self.start {
            self.ring.push(self.start);
        }
        self.corners += 1;
        self.here = to;
        self.ring.push(to);
    }

    fn cubic(&mut self, a: Point, b: Point, to: Point) {
        let from = self.here;
        for step in 1..=CURVE {
            let t = f64::from(step) / f64::from(CURVE);
            let s = 1.0 - t;
            let mix = |f: f64, a: f64, b: f64, to: f64| {
                s * s * s * f + 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t * to
            };
            self.line((mix(from.0, a.0, b.0, to.0), mix(from.1, a.1, b.1, to.1)));
        }
        self.bend = Some((b, true));
    }

    fn quadratic(&mut self, bend: Point, to: Point) {
        let from = self.here;
        let toward = |end: Point| {
            let part = 2.0 / 3.0;
            (
                end.0 + (bend.0 - end.0) * part,
                end.1 + (bend.1 - end.1) * part,
            )
        };
        self.cubic(toward(from), toward(to), to);
        self.bend = Some((bend, false));
    }

    fn arc(&mut self, numbers: &[f64; 7], to: Point) {
        let [rx, ry, turn, large, sweep, ..] = *numbers;
        let arc = Arc::from_svg_arc(&SvgArc {
            from: self.here.into(),
            to: to.into(),
            radii: (rx, ry).into(),
            x_rotation: turn.to_radians(),
            large_arc: large != 0.0,
            sweep: sweep != 0.0,
        });
        if let Some(arc) = arc {
            let near = arc.radii.x.max(arc.radii.y) / 1_000.0;
            arc.to_cubic_beziers(near, |a, b, to| self.cubic(a.into(), b.into(), to.into()));
            self.bend = None;
        }
        self.line(to);
    }

    fn close(&mut self) {
        self.here = self.start;
        let ring = std::mem::take(&mut self.ring);
        if !ring.is_empty() {
            self.rings.push(ring);
        }
    }

    /// Ends a ring before the next ring or at the end of the data. The ring must have returned to
    /// its start.
    fn end(&mut self, place: usize) -> Result<(), Flaw> {
        let (Some(&first), Some(&last)) = (self.ring.first(), self.ring.last()) else {
            return Ok(());
        };
        let apart = (first.0 - last.0).abs() > 0.5 || (first.1 - last.1).abs() > 0.5;
        if self.strict && apart {
            let open = true;
            let text = "unclosed subpath".to_owned();
            return Err(Flaw {
                at: place,
                text,
                open,
            });
        }
        let here = self.here;
        self.close();
        self.here = here;
        Ok(())
    }

    fn skip(&mut self) {
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        self.at += self.data[self.at..]
            .iter()
            .take_while(|byte| blank(byte))
            .count();
    }

    /// Reads the next number. A flag is a single digit.
    fn number(&mut self, is_flag: bool) -> Result<f64, Flaw> {
        self.skip();
        let place = self.at;
        let rest = &self.data[place..];
        let len = if is_flag {
            usize::from(matches!(rest.first(), Some(b'0' | b'1')))
        } else {
            length(rest)
        };
        let text = str::from_utf8(&rest[..len]).unwrap_or_default();
        let number: f64 = text
            .parse()
            .map_err(|_| flaw(place, "expected a number, for example 12 or -3.5"))?;
        if number.abs() > FARTHEST || !number.is_finite() {
            let text = format!("expected a number from -{FARTHEST} to {FARTHEST}, found {text}");
            return Err(flaw(place, text));
        }
        self.at += len;
        Ok(number)
    }
}

/// Returns the length of the number at the start, in bytes.
fn length(bytes: &[u8]) -> usize {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    at += digits(at);
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let power = digits(at + 1 + sign);
        if power > 0 {
            at += 1 + sign + power;
        }
    }
    at
}

/// Rounds a ring and removes repeated corners. Returns `None` if fewer than three corners remain.
pub(super) fn whole(points: &[Point]) -> Option<Ring> {
    let mut ring: Ring = Vec::with_capacity(points.len());
    for &(x, y) in points {
        let corner = (x.round() as i32, y.round() as i32);
        if ring.last() != Some(&corner) {
            ring.push(corner);
        }
    }
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    (ring.len() >= 3).then_some(ring)
}
