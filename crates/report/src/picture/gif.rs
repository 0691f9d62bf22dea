//! A game as an animated GIF.
//!
//! A frame contains only what has changed since the frame before it, with colours of its own.

use std::cmp::Reverse;

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::film::Film;
use super::png::{Pixels, pixels_within};
use super::reel::{Reel, ReelFrame};
use super::{NOBODY, colour_of};
use risk_kernel::state::GameState;

/// The maximum size of a GIF, in bytes. Most chats accept it.
pub const LARGEST_GIF: usize = 8_000_000;
/// The maximum number of frames in a GIF.
pub const MOST_GIF_FRAMES: usize = 250;
/// The maximum number of territories, whose numbers would hide each other on larger maps.
pub const MOST_GIF_TERRITORIES: usize = 1_000;
/// The maximum number of pixels in a frame.
pub const MOST_GIF_PIXELS: usize = 2_000_000;
/// The minimum number of frames left when a longer game is thinned.
const FEWEST: usize = 10;
/// The intended total duration of all frames, and the limits for one frame, in seconds.
const ALL: f64 = 75.0;
const SHORTEST: f64 = 0.15;
const LONGEST: f64 = 0.7;
/// The duration of the last frame, in hundredths of a second.
const END: u16 = 400;
/// The index of pixels that do not change.
const UNCHANGED: u8 = 0;
/// The maximum number of colours in a frame, apart from unchanged pixels.
const MOST_COLOURS: usize = 255;
/// The number of colours that a frame keeps in any case.
const COMMON: usize = 64;
/// The distances between the other colours, squared, in order of preference.
const APART: [u32; 6] = [48 * 48, 32 * 32, 16 * 16, 8 * 8, 4 * 4, 0];

/// A game as an animated picture.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The content of the file.
    pub file: Vec<u8>,
    /// The number of frames.
    pub frames: usize,
    /// The number of turns per frame, at least 1.
    pub every: u64,
    /// The duration of each frame, in seconds.
    pub each: f64,
}

/// An animation that exceeds a limit even with few frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OversizedAnimation {
    /// The size that was found.
    pub found: usize,
    /// The maximum size.
    pub most: usize,
    /// The unit of both.
    pub unit: &'static str,
}

/// Animates the game of a reel. The game may stop before its end. `game` is the last state, and
/// `ending` describes the ending in words. While the result exceeds a limit, every second frame is
/// left out.
///
/// # Errors
/// Returns an error if the map has more than [`MOST_GIF_TERRITORIES`], if a frame has more than
/// [`MOST_GIF_PIXELS`], or if even a picture with few frames is larger than [`LARGEST_GIF`].
pub fn gif(
    mut reel: Reel,
    game: &GameState,
    names: &[String],
    title: &str,
    ending: Option<&str>,
) -> Result<Animation, OversizedAnimation> {
    let territories = game.board().len();
    within(territories, MOST_GIF_TERRITORIES, "territories")?;
    let mut film = Film::new(game, names, title, ending);
    let players = (0..names.len()).map(colour_of).chain([NOBODY.to_owned()]);
    let lands: Vec<u32> = players.map(|colour| number(&colour)).collect();
    let (mut frames, mut every) = reel.finish(game);
    loop {
        while frames.len() > MOST_GIF_FRAMES {
            (frames, every) = reel.thin();
        }
        let each = (ALL / frames.len() as f64).clamp(SHORTEST, LONGEST);
        let file = encode(&mut film, frames, each, &lands)?;
        if frames.len() < 2 * FEWEST {
            within(file.len(), LARGEST_GIF, "bytes with the fewest frames")?;
        }
        if file.len() <= LARGEST_GIF {
            let frames = frames.len();
            return Ok(Animation {
                file,
                frames,
                every,
                each,
            });
        }
        (frames, every) = reel.thin();
    }
}

fn within(found: usize, most: usize, unit: &'static str) -> Result<(), OversizedAnimation> {
    match found <= most {
        true => Ok(()),
        false => Err(OversizedAnimation { found, most, unit }),
    }
}

/// Encodes the frames of a film. It ends early if the result is too large and frames can be left
/// out.
fn encode(
    film: &mut Film<'_>,
    frames: &[ReelFrame],
    each: f64,
    lands: &[u32],
) -> Result<Vec<u8>, OversizedAnimation> {
    let mut strip: Option<FilmStrip> = None;
    for index in 0..frames.len() {
        let still = pixels_within(&film.draw(frames, index), MOST_GIF_PIXELS);
        let still = still.map_err(|found| OversizedAnimation {
            found,
            most: MOST_GIF_PIXELS,
            unit: "pixels in a frame",
        })?;
        let strip = strip.get_or_insert_with(|| FilmStrip::new(&still, lands));
        let hundredths = match index + 1 == frames.len() {
            true => END,
            false => (each * 100.0).round() as u16,
        };
        strip.push(&still, hundredths);
        let is_too_large = strip.encoder.get_ref().len() > LARGEST_GIF;
        if is_too_large && frames.len() >= 2 * FEWEST {
            break;
        }
    }
    Ok(strip.map_or_else(Vec::new, FilmStrip::finish))
}

/// A GIF under construction.
struct FilmStrip {
    encoder: Encoder<Vec<u8>>,
    width: usize,
    /// The pixels of the last frame.
    shown: Vec<u32>,
    /// The colours of land, which every frame keeps.
    lands: Vec<u32>,
}

impl FilmStrip {
    /// Begins with the size of a frame and the colours of land.
    fn new(first: &Pixels, lands: &[u32]) -> Self {
        let Pixels { width, height, .. } = *first;
        let encoder = Encoder::new(Vec::new(), width as u16, height as u16, &[]);
        let mut encoder = encoder.expect("memory can be written");
        let repeated = encoder.set_repeat(Repeat::Infinite);
        repeated.expect("memory can be written");
        Self {
            encoder,
            width,
            shown: vec![u32::MAX; width * height],
            lands: lands.to_vec(),
        }
    }

    /// Appends a frame that is shown for some hundredths of a second.
    fn push(&mut self, still: &Pixels, hundredths: u16) {
        let colours = still.rgb.chunks_exact(3);
        let colours = colours.map(|pixel| u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]]));
        let now: Vec<u32> = colours.collect();
        let area = self.changed(&now);
        let pairs = area
            .of(&now, self.width)
            .zip(area.of(&self.shown, self.width));
        let palette = Palette::new(pairs, &self.lands);
        let pairs = area
            .of(&now, self.width)
            .zip(area.of(&self.shown, self.width));
        let indexes = pairs.map(|(new, old)| match new == old {
            true => UNCHANGED,
            false => palette.index(new),
        });
        let frame = Frame {
            delay: hundredths,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            palette: Some(palette.table()),
            buffer: indexes.collect(),
            ..Frame::default()
        };
        let written = self.encoder.write_frame(&frame);
        written.expect("memory can be written");
        self.shown = now;
    }

    /// Returns the area that contains all changed pixels, and at least one pixel.
    fn changed(&self, now: &[u32]) -> Area {
        let rows = now.chunks_exact(self.width);
        let rows = rows.zip(self.shown.chunks_exact(self.width)).enumerate();
        let rows = rows.filter(|(_, (new, old))| new != old);
        let mut area: Option<Area> = None;
        for (y, (new, old)) in rows {
            let differs = |x: &usize| new[*x] != old[*x];
            let left = (0..self.width).find(differs).unwrap_or(0);
            let right = (0..self.width).rfind(differs).unwrap_or(0);
            let so_far = area.get_or_insert(Area {
                left,
                top: y,
                width: 1,
                height: 1,
            });
            let right = right.max(so_far.left + so_far.width - 1);
            so_far.left = so_far.left.min(left);
            so_far.width = right + 1 - so_far.left;
            so_far.height = y + 1 - so_far.top;
        }
        area.unwrap_or(Area {
            left: 0,
            top: 0,
            width: 1,
            height: 1,
        })
    }

    fn finish(self) -> Vec<u8> {
        self.encoder.into_inner().expect("memory can be written")
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// Returns the pixels of this area in a picture of a width, row by row.
    fn of(self, pixels: &[u32], width: usize) -> impl Iterator<Item = u32> {
        let rows = pixels.chunks_exact(width).skip(self.top).take(self.height);
        rows.flat_map(move |row| row[self.left..self.left + self.width].iter().copied())
    }
}

/// The colours of a frame: all colours of its changed pixels or, if there are too many, the nearest
/// of those that it keeps.
struct Palette {
    kept: Vec<u32>,
    /// Each colour in order, with its index.
    indexes: Vec<(u32, u8)>,
}

impl Palette {
    /// Chooses the colours for pixels, each with its colour now and before. The colours of `lands`
    /// matter most.
    fn new(pixels: impl Iterator<Item = (u32, u32)>, lands: &[u32]) -> Self {
        let changed = pixels.filter(|(new, old)| new != old).map(|(new, _)| new);
        let mut changed: Vec<u32> = changed.collect();
        changed.sort_unstable();
        let runs = changed.chunk_by(|a, b| a == b);
        let mut counts: Vec<(usize, u32)> = runs.map(|run| (run.len(), run[0])).collect();
        counts.sort_unstable_by_key(|&(count, colour)| {
            (!lands.contains(&colour), Reverse(count), colour)
        });
        let colours: Vec<u32> = counts.into_iter().map(|(_, colour)| colour).collect();
        let kept = kept(&colours);
        let indexed = colours.into_iter().map(|colour| {
            let nearest = (0..kept.len()).min_by_key(|&at| distance(kept[at], colour));
            (colour, nearest.map_or(UNCHANGED, |at| at as u8 + 1))
        });
        let mut indexes: Vec<(u32, u8)> = indexed.collect();
        indexes.sort_unstable();
        Self { kept, indexes }
    }

    fn index(&self, colour: u32) -> u8 {
        let found = self.indexes.binary_search_by_key(&colour, |&(of, _)| of);
        found.map_or(UNCHANGED, |at| self.indexes[at].1)
    }

    /// Returns the red, green and blue values of all indexes.
    fn table(&self) -> Vec<u8> {
        let all = std::iter::once(&0).chain(&self.kept);
        let channels = all.map(|colour| colour.to_be_bytes());
        channels
            .flat_map(|[_, red, green, blue]| [red, green, blue])
            .collect()
    }
}

/// Chooses at most [`MOST_COLOURS`] of some colours, which are given from the most frequent on: the
/// most frequent colours, then colours far from the others.
fn kept(colours: &[u32]) -> Vec<u32> {
    if colours.len() <= MOST_COLOURS {
        return colours.to_vec();
    }
    let (common, rest) = colours.split_at(COMMON);
    let mut kept = common.to_vec();
    for apart in APART {
        for &colour in rest {
            if kept.len() == MOST_COLOURS {
                return kept;
            }
            if kept.iter().all(|&other| distance(colour, other) > apart) {
                kept.push(colour);
            }
        }
    }
    kept
}

/// Returns a colour such as `#97d0fd` as a number.
fn number(colour: &str) -> u32 {
    u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or_default()
}

/// Returns the squared distance between two colours.
fn distance(one: u32, other: u32) -> u32 {
    let pairs = one.to_be_bytes().into_iter().zip(other.to_be_bytes());
    pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
