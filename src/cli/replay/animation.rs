//! Recorded games as animated pictures.

use std::path::Path;

use super::LoadedRecord;
use crate::cli::drawing::warn_of_letters;
use crate::cli::{CommandResult, Error, save, say};
use risk_report::picture::gif::{Animation, OversizedAnimation, gif};
use risk_report::picture::{self, Reel};
use risk_report::story::{self, ONE_LINE};
use risk_text::escape_control;

/// Writes the game as an animated GIF, and prints a summary of its frames.
pub(super) fn write(replay: &mut LoadedRecord<'_, '_>, path: &Path, force: bool) -> CommandResult {
    if path.extension().is_none_or(|ending| ending != "gif") {
        let text = format!("expected a .gif file, found {}", path.display());
        return Error::refuse("cli::picture", text, "write game.gif, for example");
    }
    let (worker, number) = (&replay.worker, replay.record.header.game);
    let names = replay.names();
    let begun = worker.position(number);
    let begun = begun.unwrap_or_else(|| worker.empty_board(number));
    let mut reel = Reel::new(&begun);
    let finished = replay.play(&mut reel)?;
    let title = replay.title();
    let outcome = finished.outcome.as_ref().ok();
    let shown = picture::names_in_pixels(&names);
    let ending = outcome.map(|it| story::ended(&finished.game, it, &shown, ONE_LINE));
    let made = gif(reel, &finished.game, &names, &title, ending.as_deref());
    let animation = made.map_err(too_large)?;
    save(path, &animation.file, force)?;
    let board = finished.game.board();
    let lands = board.territories().map(|at| board.info(at).name.as_str());
    let continents = board.groups().iter().map(|info| info.name.as_str());
    let players = names.iter().map(String::as_str);
    let all: Vec<&str> = lands.chain(continents).chain(players).collect();
    warn_of_letters(&all.concat());
    say(&summary(path, &animation))?;
    replay.whole()
}

fn too_large(oversized: OversizedAnimation) -> Error {
    let OversizedAnimation { found, most, unit } = oversized;
    Error::input(
        "replay::animation",
        format!("an animation must have at most {most} {unit}, found {found}"),
        "draw one position with `--render`, or write a page with `--html`",
    )
}

/// Describes the animation: its frames, and the turns that each frame covers.
fn summary(path: &Path, animation: &Animation) -> String {
    let name = path.display().to_string();
    let turns = match animation.every {
        1 => "one per turn".to_owned(),
        every => format!("one per {every} turns"),
    };
    format!(
        "{}: {} frames, {turns}, {:.2} seconds each, {} kB",
        escape_control(&name),
        animation.frames,
        animation.each,
        animation.file.len().div_ceil(1_000)
    )
}
