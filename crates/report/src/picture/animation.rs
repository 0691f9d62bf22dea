//! A game as an animated picture: SVG with CSS keyframes. It needs no script, so it also moves in
//! pages and guides that only display pictures. Chats do not play it; for them, each frame can be
//! drawn as a still.
//!
//! Territories change colour. Texts move in vertical strips behind windows that show one row each.
//! A territory's strip contains all its army counts. Another strip contains the moments of the
//! game.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::reel::{Garrison, PlayerTotals, Reel, ReelFrame};
use super::strokes::{dice, result, strokes};
use super::{
    COVER, FONTS, INK, NOBODY, NamedGame, Picture, Point, SEA, Style, UnplacedTexts, fill_of,
    is_patterned, labels, patterns, plate_half,
};
use crate::counts::moment;
use risk_kernel::event::{Dice, Status};
use risk_kernel::id::{Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::escape_control;
use risk_text::plural::counted;
use risk_text::xml;

/// The maximum size of an animation, in bytes.
pub const LARGEST_ANIMATION: usize = 2_000_000;
/// The minimum number of frames left when a longer game is thinned.
pub(super) const FEWEST: usize = 10;
/// The intended total duration of all frames, and the limits for one frame, in seconds.
const ALL: f64 = 75.0;
const SHORTEST: f64 = 0.15;
const LONGEST: f64 = 0.7;
/// The duration of the last frame, in seconds.
const END: f64 = 4.0;
/// The height of a row of text, in pixels.
const ROW: f64 = 22.0;
/// The height of a caption with the dice above it, in pixels.
const CAPTION: f64 = 62.0;
/// The length of a bar for a share of 100 %, in pixels.
const BAR: f64 = 80.0;

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

/// The limits of an animation in one format.
#[derive(Clone, Copy)]
pub(super) struct AnimationLimits {
    pub(super) frames: usize,
    pub(super) bytes: usize,
}

/// Animates the game of a reel as SVG. The game may stop before its end. `game` is the last state,
/// and `ending` describes the ending in words.
///
/// # Errors
/// Returns an error if even a picture with few frames is larger than [`LARGEST_ANIMATION`].
pub fn animation(
    reel: Reel,
    game: &GameState,
    names: &[String],
    title: &str,
    ending: Option<&str>,
) -> Result<Animation, OversizedAnimation> {
    let film = AnimationSource {
        picture: &Picture::new(game.board(), Style::default()),
        held: NamedGame { names, game },
        title,
        ending,
    };
    let limits = AnimationLimits {
        frames: usize::MAX,
        bytes: LARGEST_ANIMATION,
    };
    within(limits, reel, game, |frames, clock| {
        Ok(film.draw(frames, clock).into_bytes())
    })
}

/// Draws the frames of a reel. While the result exceeds a limit, it leaves out every second frame
/// and draws the rest again.
pub(super) fn within(
    limits: AnimationLimits,
    mut reel: Reel,
    game: &GameState,
    draw: impl Fn(&[ReelFrame], FrameTiming) -> Result<Vec<u8>, OversizedAnimation>,
) -> Result<Animation, OversizedAnimation> {
    let (mut frames, mut every) = reel.finish(game);
    loop {
        while frames.len() > limits.frames {
            (frames, every) = reel.thin();
        }
        let each = (ALL / frames.len() as f64).clamp(SHORTEST, LONGEST);
        let file = draw(frames, FrameTiming::new(frames.len(), each))?;
        if file.len() <= limits.bytes {
            return Ok(Animation {
                file,
                frames: frames.len(),
                every,
                each,
            });
        }
        if frames.len() < 2 * FEWEST {
            return Err(OversizedAnimation {
                found: file.len(),
                most: limits.bytes,
                unit: "bytes with the fewest frames",
            });
        }
        (frames, every) = reel.thin();
    }
}

/// The timing of the frames, in seconds.
#[derive(Clone, Copy)]
pub(super) struct FrameTiming {
    frames: usize,
    each: f64,
    whole: f64,
    /// The length of the time bar without motion, from 0 to 1.
    passed: f64,
}

impl FrameTiming {
    fn new(frames: usize, each: f64) -> Self {
        Self {
            frames,
            each,
            whole: frames as f64 * each + END,
            passed: 1.0,
        }
    }

    /// Returns the time for which a frame is shown, in seconds.
    #[cfg(feature = "pictures")]
    pub(super) fn shown(self, frame: usize) -> f64 {
        if frame + 1 == self.frames {
            END
        } else {
            self.each
        }
    }

    /// Returns the start of a frame as a percentage, for keyframes.
    fn at(self, frame: usize) -> String {
        let percent = format!("{:.3}", frame as f64 * self.each / self.whole * 100.0);
        format!("{}%", percent.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The parts of the picture that are the same in every attempt.
#[derive(Clone, Copy)]
pub(super) struct AnimationSource<'a> {
    pub(super) picture: &'a Picture<'a>,
    pub(super) held: NamedGame<'a>,
    pub(super) title: &'a str,
    pub(super) ending: Option<&'a str>,
}

impl AnimationSource<'_> {
    fn draw(&self, frames: &[ReelFrame], clock: FrameTiming) -> String {
        let picture = self.picture;
        let mut style = String::new();
        let players = self.held.names.len();
        let mut body = patterns((0..players).filter(|&seat| is_patterned(seat)));
        picture.ground(&mut body, Some(&self.held));
        // The film does not follow counters, so it shows all markers.
        picture.markers(&mut body, self.held.game.decl(), |_, _| false);
        picture.names_of_markers(&mut body, &self.held);
        picture.lines(&mut body);
        strokes(picture, &mut body, frames);
        let lands = self.lands(frames);
        for (index, land) in lands.iter().enumerate() {
            let colours = land.iter().map(|(frame, (owner, _))| {
                let colour = owner.map_or(NOBODY.to_owned(), |player| fill_of(player.index()));
                (*frame, format!("fill:{colour}"))
            });
            keyframes(&mut style, &format!("land-{index}"), colours, clock);
        }
        let unplaced = self.armies(&mut body, &mut style, &lands, clock);
        let (wide, rows) = self.players(&mut body, &mut style, frames, clock);
        let (legend_wide, legend) =
            picture.legend(&mut body, &unplaced, picture.height + rows + 6.0);
        let width = picture.width.max(wide).max(legend_wide);
        let height = picture.height + rows + legend + 6.0;
        self.moments(&mut body, frames, width);
        self.frame(&body, &style, width, height, clock)
    }

    /// Draws one frame without motion. The frame contains all territories, and `held` their owners.
    #[cfg(feature = "pictures")]
    pub(super) fn still(&self, frame: &ReelFrame, passed: f64) -> String {
        let clock = FrameTiming::new(1, SHORTEST);
        self.draw(std::slice::from_ref(frame), FrameTiming { passed, ..clock })
    }

    /// Returns the whole picture: the body with its style sheet and title.
    fn frame(
        &self,
        body: &str,
        style: &str,
        width: f64,
        height: f64,
        FrameTiming {
            frames,
            each,
            whole,
            passed,
        }: FrameTiming,
    ) -> String {
        let title = escape_control(self.title);
        // The dice stand beside the title.
        let room = width - 60.0 - 18.0 * Dice::MOST as f64;
        let heading = xml(&labels::shortened(&title, 22.0, room));
        let title = xml(&title);
        let dark = self.picture.style.theme.rules();
        // Readers who prefer reduced motion see the end of the game.
        let moving = if frames < 2 {
            String::new()
        } else {
            let steps = frames - 1;
            let share = steps as f64 * each / whole * 100.0;
            let [when, acts] =
                [CAPTION, self.picture.height.ceil()].map(|high| steps as f64 * high);
            format!(
                "@media (prefers-reduced-motion:no-preference){{.m,[id^=land-]{{\
                 animation:{whole:.2}s step-end infinite}}\n\
                 #when,#acts{{--far:-{when:.0}px;animation-name:when}}#acts{{--far:-{acts}px}}\
                 @keyframes when{{0%{{transform:translateY(0);\
                 animation-timing-function:steps({steps},end)}}\
                 {share:.3}%,to{{transform:translateY(var(--far))}}}}\n\
                 #time{{animation-name:time}}@keyframes time{{0%{{transform:scaleX(0);\
                 animation-timing-function:steps({steps},end)}}\
                 {share:.3}%,to{{transform:scaleX(1)}}}}\n{style}}}"
            )
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"{FONTS}\">\n\
             <title>{title}</title>\n<style>{dark}\n\
             .n{{font-weight:bold;text-anchor:middle}}.n,.t{{font-size:13px}}\
             .a{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\n{moving}</style>\n\
             <rect class=\"sea\" width=\"100%\" height=\"100%\" fill=\"{SEA}\"/>\n\
             <text class=\"over\" x=\"20\" y=\"34\" font-size=\"22\" font-weight=\"bold\" \
             fill=\"#22303c\">{heading}</text>\n{body}<rect id=\"time\" class=\"m over\" \
             y=\"{:.0}\" width=\"{:.0}\" height=\"4\" fill=\"{INK}\" \
             fill-opacity=\".4\"/>\n</svg>\n",
            height - 4.0,
            width * passed
        )
    }

    /// Returns the changes of each territory, each with its frame.
    fn lands(&self, frames: &[ReelFrame]) -> Vec<Vec<(usize, Garrison)>> {
        let mut lands = vec![Vec::new(); self.picture.board.len()];
        for (index, frame) in frames.iter().enumerate() {
            for (at, land) in &frame.lands {
                lands[*at].push((index, land.clone()));
            }
        }
        lands
    }

    /// Draws each territory's armies and name. Returns the texts without room.
    fn armies(
        &self,
        body: &mut String,
        style: &mut String,
        lands: &[Vec<(usize, Garrison)>],
        clock: FrameTiming,
    ) -> UnplacedTexts {
        let strip = |land: &Vec<(usize, Garrison)>| {
            Strip::new(
                land.iter()
                    .map(|(frame, (_, units))| (*frame, units.clone())),
            )
        };
        let strips: Vec<Strip<String>> = lands.iter().map(strip).collect();
        let widest = plates(body, &strips);
        for (index, strip) in strips.iter().enumerate() {
            strip.keyframes(style, &format!("armies-{index}"), ROW, clock);
        }
        let mark = |at: Territory, (x, y): Point| {
            let strip = &strips[at.index()];
            let mut text = format!(
                "<svg class=\"n\" fill=\"#22303c\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
                 height=\"{ROW}\">{}",
                x - widest,
                y - ROW / 2.0,
                2.0 * widest,
                strip.begin(&format!("armies-{}", at.index()), ROW)
            );
            for (row, units) in strip
                .rows
                .iter()
                .enumerate()
                .filter(|(_, units)| !units.is_empty())
            {
                let top = ROW * row as f64;
                let _ = write!(
                    text,
                    "<use href=\"#n{}\" y=\"{top}\"/><text x=\"{widest:.1}\" \
                     y=\"{:.1}\">{}</text>",
                    units.len(),
                    top + 15.6,
                    xml(units)
                );
            }
            text.push_str("</g></svg>");
            let halves = strip.rows.iter().map(|units| plate_half(units));
            (text, halves.fold(15.0, f64::max))
        };
        let taken = self.picture.middles(self.held.game.decl());
        self.picture.marked(body, &taken, 15.0, mark)
    }

    /// Draws the players with their holdings. Returns the size of the drawing to the right and
    /// below.
    fn players(
        &self,
        body: &mut String,
        style: &mut String,
        frames: &[ReelFrame],
        clock: FrameTiming,
    ) -> (f64, f64) {
        let names: Vec<_> = self
            .held
            .names
            .iter()
            .map(|it| escape_control(it))
            .collect();
        let widths = names.iter().map(|name| labels::width(name, 13.0));
        let named = 24.0 + widths.fold(0.0, f64::max) + 14.0;
        let wide = named + BAR + 240.0;
        let columns = ((self.picture.width - 40.0) / wide).floor().max(1.0) as usize;
        for (seat, name) in names.iter().enumerate() {
            let x = 20.0 + (seat % columns) as f64 * wide;
            let y = self.picture.height + (seat / columns) as f64 * (ROW + 2.0);
            let colour = fill_of(seat);
            let held = frames.iter().enumerate();
            let strip = Strip::new(held.map(|(frame, of)| {
                let standing = of.players[seat];
                (frame, (standing.land, standing.text(self.held.game)))
            }));
            let id = format!("player-{seat}");
            strip.keyframes(style, &id, ROW, clock);
            let _ = write!(
                body,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"16\" height=\"16\" rx=\"3\" \
                 fill=\"{colour}\" fill-opacity=\"{COVER}\" stroke=\"#22303c\" \
                 stroke-width=\"0.5\"/><text class=\"over\" x=\"{:.1}\" y=\"{:.1}\" \
                 font-size=\"13\" fill=\"#22303c\">{}</text><svg class=\"t\" fill=\"#22303c\" \
                 x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.0}\" height=\"{ROW}\">{}",
                y + 2.0,
                x + 24.0,
                y + 15.0,
                xml(name),
                x + named,
                wide - named,
                strip.begin(&id, ROW)
            );
            self.holdings(body, &strip.rows, &colour);
            body.push_str("</g></svg>\n");
        }
        let rows = names.len().div_ceil(columns) as f64;
        (wide + 20.0, rows * (ROW + 2.0) + 8.0)
    }

    /// Draws the rows of a player's holdings: a text and a bar for the share of all territories.
    fn holdings(&self, body: &mut String, rows: &[(usize, String)], colour: &str) {
        let all = self.picture.board.len().max(1) as f64;
        for (row, (land, text)) in rows.iter().enumerate() {
            let top = row as f64 * ROW;
            let share = *land as f64 / all * BAR;
            let _ = write!(
                body,
                "<path d=\"M0 {}h{share:.1}v10h-{share:.1}z\" fill=\"{colour}\"/><text \
                 class=\"over\" x=\"{:.1}\" y=\"{}\">{}</text>",
                top + 5.0,
                share + 8.0,
                top + 15.0,
                xml(&escape_control(text))
            );
        }
    }

    fn moments(&self, body: &mut String, frames: &[ReelFrame], width: f64) {
        let last = frames.len() - 1;
        let _ = write!(
            body,
            "<svg class=\"t\" fill=\"#22303c\" x=\"20\" width=\"{:.0}\" \
             height=\"{CAPTION}\"><g class=\"m\" id=\"when\" transform=\"translate(0 -{:.0})\">",
            width - 40.0,
            last as f64 * CAPTION
        );
        for (index, frame) in frames.iter().enumerate() {
            let when = frame.when;
            let made = counted(when.answers, "decision");
            let now = moment(when.round, when.turn);
            let fight = frame.happened.last_fight.as_ref();
            let text = match (self.ending.filter(|_| index == last), fight) {
                (Some(ending), _) => {
                    let rounds = counted(self.held.game.round(), "round");
                    format!("after {rounds}: {ending}")
                }
                (None, Some(fight)) => {
                    let (target, result) = (self.picture.name(fight.to), result(fight));
                    let text = format!("{now}, after {made}: {target} {result}");
                    let fits = labels::width(&text, 13.0) <= width - 40.0;
                    if fits {
                        text
                    } else {
                        format!("{now}: {result}")
                    }
                }
                (None, None) => format!("{now}, after {made}"),
            };
            let top = index as f64 * CAPTION;
            if let Some(fight) = fight {
                dice(body, fight, width - 40.0, top);
            }
            let _ = write!(
                body,
                "<text class=\"over\" data-decision=\"{}\" y=\"{}\">{}</text>",
                when.answers,
                top + 55.0,
                xml(&escape_control(&text))
            );
        }
        body.push_str("</g></svg>\n");
    }
}

impl PlayerTotals {
    /// Describes the totals. Units of several kinds have no common name.
    pub(super) fn text(self, game: &GameState) -> String {
        match (self.status, self.land) {
            (Status::Eliminated, 0) => "eliminated".to_owned(),
            (status, land) => {
                let land = counted(land, "territory");
                let armies = match game.decl().units.len() {
                    1 => Words::new(game.board(), game.decl()).units(Unit(0), self.armies),
                    _ => counted(self.armies, "unit"),
                };
                let status = match status {
                    Status::Playing => String::new(),
                    status => format!(", {}", status.as_str()),
                };
                format!("{land}, {armies}{status}")
            }
        }
    }
}

/// Defines a plate for units of each length. Returns half the width of the widest, with its line.
fn plates(body: &mut String, strips: &[Strip<String>]) -> f64 {
    let mut halves: BTreeMap<usize, f64> = BTreeMap::new();
    for units in strips.iter().flat_map(|strip| &strip.rows) {
        let half = halves.entry(units.len()).or_default();
        *half = half.max(plate_half(units));
    }
    // A whole number, so that plates are at the same place in each frame of a GIF.
    let widest = halves.values().copied().fold(10.0, f64::max).ceil() + 1.0;
    for (length, half) in halves.iter().filter(|(length, _)| **length > 0) {
        let _ = writeln!(
            body,
            "<defs><rect id=\"n{length}\" x=\"{:.1}\" y=\"1\" width=\"{:.1}\" height=\"20\" \
             rx=\"10\" fill=\"#ffffff\" stroke=\"#22303c\"/></defs>",
            widest - half,
            2.0 * half
        );
    }
    widest
}

/// The strip behind a window: its distinct rows, and the visible row from each frame on.
struct Strip<T> {
    rows: Vec<T>,
    steps: Vec<(usize, usize)>,
}

impl<T: Ord + Clone> Strip<T> {
    fn new(values: impl Iterator<Item = (usize, T)>) -> Self {
        let values: Vec<(usize, T)> = values.collect();
        let mut rows: Vec<T> = values.iter().map(|(_, value)| value.clone()).collect();
        rows.sort();
        rows.dedup();
        let step = |(frame, value): &(usize, T)| {
            let row = rows.binary_search(value).expect("every value has a row");
            (*frame, row)
        };
        let mut steps: Vec<(usize, usize)> = values.iter().map(step).collect();
        steps.dedup_by_key(|(_, row)| *row);
        Self { steps, rows }
    }

    /// Returns the opening tag of the strip. Without motion, the strip shows the row of the last
    /// frame.
    fn begin(&self, id: &str, high: f64) -> String {
        let shown = self.steps.last().map_or(0, |(_, row)| *row);
        let far = shown as f64 * high;
        format!("<g class=\"m\" id=\"{id}\" transform=\"translate(0 -{far})\">")
    }

    fn keyframes(&self, style: &mut String, id: &str, high: f64, clock: FrameTiming) {
        let steps = self.steps.iter().map(|&(frame, row)| {
            let far = row as f64 * high;
            (frame, format!("transform:translateY(-{far}px)"))
        });
        keyframes(style, id, steps, clock);
    }
}

/// Writes the keyframes of an element, unless it never changes.
fn keyframes(
    style: &mut String,
    id: &str,
    steps: impl Iterator<Item = (usize, String)>,
    clock: FrameTiming,
) {
    let mut begins: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = None;
    for (frame, look) in steps {
        if last.as_ref() != Some(&look) {
            begins
                .entry(look.clone())
                .or_default()
                .push(clock.at(frame));
            last = Some(look);
        }
    }
    if begins.len() < 2 {
        return;
    }
    let _ = write!(style, "#{id}{{animation-name:{id}}}@keyframes {id}{{");
    for (look, begins) in begins {
        let _ = write!(style, "{}{{{look}}}", begins.join(","));
    }
    style.push_str("}\n");
}
