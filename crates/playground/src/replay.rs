//! Recorded games: verified, and shown.

use std::path::Path;

use crate::game::rules_failed;
use crate::messages::Reply;
use risk_engine::acts::Eyes;
use risk_engine::record::{self, Playback, Record, VerifyError};
use risk_engine::{Library, RuleSetup, Setup, Worker};
use risk_kernel::{FinishedGame, Sink, StopReason};
use risk_report::picture;
use risk_report::viewer::{self, Frames, GamePageInfo};
use risk_text::diag::LoadError;

/// A record with the setup of its game.
pub(crate) struct Recorded {
    pub(crate) record: Record,
    pub(crate) setup: Setup,
}

fn refuse<T>(code: &str, text: impl Into<String>, help: &str) -> Result<T, LoadError> {
    LoadError::refuse(code, text.into(), help)
}

impl Recorded {
    pub(crate) fn read(library: &Library, text: &str) -> Result<Self, LoadError> {
        if text.len() as u64 > record::MOST_BYTES {
            let most = record::MOST_BYTES;
            return refuse(
                "record::damaged",
                format!("the record has more than {most} bytes"),
                "",
            );
        }
        let record = record::read(text).or_else(|broken| {
            let help = "write one with `risk-cli play --record game.jsonl`";
            refuse("record::damaged", broken.to_string(), help)
        })?;
        let header = &record.header;
        // A path names a file of another machine. A page has such files by their names.
        let named = |spec: &str| match risk_maps::files::is_path(spec) {
            true => Path::new(spec)
                .file_stem()
                .and_then(|it| it.to_str())
                .map(str::to_owned),
            false => None,
        };
        let ruleset = named(&header.ruleset).unwrap_or_else(|| header.ruleset.clone());
        let map = named(&header.map).unwrap_or_else(|| header.map.clone());
        let rules = RuleSetup::load(library, &ruleset, Some(&map), &[])?;
        let setup = header.setup(rules).or_else(|unfit| {
            let help = "add the ruleset and the map with which the game was played";
            refuse("record::differs", unfit.to_string(), help)
        })?;
        Ok(Self { record, setup })
    }

    pub(crate) fn about(&self) -> GamePageInfo {
        GamePageInfo {
            game: self.setup.rules.title(),
            seed: self.setup.seed.to_string(),
            names: self.setup.names(),
            ..GamePageInfo::default()
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("{}, seed {}", self.setup.rules.title(), self.setup.seed)
    }

    /// Plays the game again.
    pub(crate) fn play(
        &self,
        worker: &mut Worker<'_>,
        sink: &mut dyn Sink,
    ) -> Result<FinishedGame, LoadError> {
        let mut playback = Playback::new(&self.record, None);
        let number = self.record.header.game;
        let finished = worker.play_with(number, &mut playback.seats, sink);
        match &finished.outcome {
            Err(StopReason::Rules(fault)) => Err(LoadError::one(rules_failed(fault))),
            _ => Ok(finished),
        }
    }
}

/// Verifies a record, and returns what shows its game.
pub(crate) fn show(library: &Library, text: &str) -> Result<Reply, LoadError> {
    let recorded = Recorded::read(library, text)?;
    let mut worker = Worker::new(&recorded.setup)?;
    let differs = match record::verify(&recorded.record, &mut worker) {
        Ok(_) => {
            // A game that is not over yet lacks only the line of its end.
            let broken = recorded.record.broken.as_ref();
            let broken = broken.filter(|it| it.line <= text.lines().count());
            broken.map(ToString::to_string)
        }
        Err(VerifyError::Differs(found)) => Some(found.to_string()),
        Err(VerifyError::Rules(_)) => None,
    };
    let mut frames = Frames::new(recorded.setup.names(), Eyes::All);
    let finished = recorded.play(&mut worker, &mut frames)?;
    let game = &finished.game;
    let frames = frames.take_last(game);
    let frames = frames
        .iter()
        .map(|it| serde_json::from_str(it).expect("a frame is JSON"));
    let about = recorded.about();
    Ok(Reply::Replay {
        title: recorded.title(),
        map: picture::live(
            &worker.empty_board(recorded.record.header.game),
            &about.names,
        ),
        head: viewer::head(&about, game, finished.outcome.as_ref().ok()),
        frames: frames.collect(),
        digest: record::hex(game.digest()),
        differs,
    })
}
