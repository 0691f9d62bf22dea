//! Tools that no game needs: checks, imports, the reference, pages and animations. The site has a
//! second module with these, which pages load when they are used for the first time.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::messages::{Reply, Request};
use crate::replay::Recorded;
use crate::replies::{MOST_GAMES, rendered, text};
use crate::work::refuse;
use risk_engine::acts::Eyes;
use risk_engine::{Library, Worker};
use risk_lab::check::{self, BotTrial};
use risk_maps::lint::Levels;
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, CheckedMap};
use risk_report::picture::gif::gif;
use risk_report::picture::{self, Reel};
use risk_report::story::{self, ONE_LINE};
use risk_report::viewer::{self, Frames};
use risk_report::{api_search, checks, counts};
use risk_text::diag::LoadError;

/// Fulfils a request. Returns the request if it needs no tool.
pub(crate) fn fulfil(
    library: &Library,
    request: Request,
) -> Result<Result<Reply, LoadError>, Request> {
    if let Request::CheckRuleset { games, .. } | Request::CheckBot { games, .. } = &request
        && games.is_some_and(|games| games > MOST_GAMES)
    {
        let text = format!("a check plays at most {MOST_GAMES} games");
        return Ok(refuse(text, "ask for fewer games"));
    }
    Ok(match request {
        Request::CheckRuleset { name, games } => Ok(checked(&check::ruleset(
            library,
            &name,
            games,
            &mut |_, _| {},
        ))),
        Request::CheckBot {
            name,
            ruleset,
            games,
        } => {
            let trial = BotTrial {
                ruleset: &ruleset,
                alone: true,
                against: "random",
                games,
            };
            Ok(checked(&check::bot(library, &name, &trial)))
        }
        Request::CheckMap { name } => check_map(library, &name),
        Request::ImportMap { name } => import_map(library, &name),
        Request::Reference {} => Ok(Reply::Reference {
            entries: api_search::reference(),
        }),
        Request::Page { record } => page(library, &record),
        Request::Gif { record } => animation(library, &record),
        other => return Err(other),
    })
}

fn checked(report: &check::Report) -> Reply {
    let facts = report.facts.iter();
    let facts: String = facts
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    Reply::Checked {
        fine: !report.fails(),
        text: format!("{}{facts}", rendered(&report.findings)),
        document: checks::report(report),
    }
}

fn check_map(library: &Library, name: &str) -> Result<Reply, LoadError> {
    let map = risk_maps::check(library, name, &Levels::default())?;
    let verdict = match &map.board {
        Some(board) => format!("valid: {}", counts::counts(board)),
        None => "invalid".to_owned(),
    };
    Ok(Reply::Checked {
        fine: map.board.is_some(),
        text: format!("{}{name}: {verdict}\n", rendered(&map.findings)),
        document: checks::map(name, &map),
    })
}

/// Returns a map in YAML, with all that its form does not say left for its user to add.
fn import_map(library: &Library, name: &str) -> Result<Reply, LoadError> {
    let settings = CheckSettings {
        is_import: true,
        ..Levels::default().into()
    };
    let CheckedMap {
        board, findings, ..
    } = risk_maps::check_with(library, name, &settings)?;
    let board = board.ok_or(LoadError { findings })?;
    Ok(text(write(&board, Target::Yaml).text))
}

fn too_large<T>(code: &str, text: String) -> Result<T, LoadError> {
    LoadError::refuse(code, text, "save the record instead")
}

/// Returns the page of a recorded game.
fn page(library: &Library, record: &str) -> Result<Reply, LoadError> {
    let recorded = Recorded::read(library, record)?;
    let mut worker = Worker::new(&recorded.setup)?;
    let mut frames = Frames::new(recorded.setup.names(), Eyes::All);
    let finished = recorded.play(&mut worker, &mut frames)?;
    let outcome = finished.outcome.as_ref().ok();
    let page = viewer::page(frames, &recorded.about(), &finished.game, outcome);
    page.map(text).or_else(|length| {
        let text = format!("the page would have {length} bytes");
        too_large("replay::page", text)
    })
}

/// Returns the animation of a recorded game, in base64.
fn animation(library: &Library, record: &str) -> Result<Reply, LoadError> {
    let recorded = Recorded::read(library, record)?;
    let mut worker = Worker::new(&recorded.setup)?;
    let number = recorded.record.header.game;
    let begun = worker.position(number);
    let mut reel = Reel::new(&begun.unwrap_or_else(|| worker.empty_board(number)));
    let finished = recorded.play(&mut worker, &mut reel)?;
    let names = recorded.setup.names();
    let shown = picture::names_in_pixels(&names);
    let ending = finished.outcome.as_ref().ok();
    let ending = ending.map(|it| story::ended(&finished.game, it, &shown, ONE_LINE));
    let title = recorded.title();
    let made = gif(reel, &finished.game, &names, &title, ending.as_deref());
    made.map(|animation| text(STANDARD.encode(animation.file)))
        .or_else(|it| {
            let text = format!(
                "an animation must have at most {} {}, found {}",
                it.most, it.unit, it.found
            );
            too_large("replay::animation", text)
        })
}
