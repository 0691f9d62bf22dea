//! Games that begin from positions: a written position reads back, and the game goes on as it did.

use std::sync::Arc;

use risk_engine::record::Recorder;
use risk_engine::record::{Playback, RecordLine, header, hex, read};
use risk_engine::{NullSink, Setup, Worker, load_ruleset};
use risk_kernel::position::Position;
use risk_kernel::state::GameState;
use risk_lab::analysis::chances;
use risk_maps::files::FileKind;
use risk_maps::position::{self, Origin};
use risk_testing::by_case::each;
use risk_testing::games::{library, setup};
use risk_text::diag::TextFile;

/// Returns a position's text, as a record of that setup would have it.
fn text(setup: &Setup, game: &GameState) -> String {
    let options = setup.rules.options.iter();
    let options: Vec<_> = options
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    let names: Vec<_> = setup.bots.iter().map(|bot| bot.name.clone()).collect();
    let origin = Origin {
        ruleset: &setup.rules.ruleset_spec,
        map: &setup.rules.map_spec,
        options: &options,
        seed: &setup.seed,
        game: 0,
        names: &names,
    };
    position::write(
        &Position::from_game(game),
        game.board(),
        game.decl(),
        origin,
    )
}

#[test]
fn a_position_of_any_ruleset_goes_on_as_the_game_did() {
    const PLAGUE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../report/tests/rulesets/plague.rhai"
    );
    let all = (library().names(FileKind::Ruleset).into_iter()).chain([PLAGUE]);
    each(all, |ruleset| {
        let manifest = load_ruleset(library(), ruleset).unwrap().manifest;
        let players = manifest.players.0.max(2);
        let mut match_ = setup(
            ruleset,
            None,
            &vec!["random"; players],
            11,
            &[("max_turns", "12")],
        );
        let mut worker = Worker::new(&match_).unwrap();
        let mut recorder = Recorder::new(Vec::new(), &header(&worker, 0));
        let finished = worker.play(0, &mut recorder);
        let lines = recorder
            .finish(finished.outcome.as_ref().ok(), &finished.game)
            .unwrap();
        let record = read(std::str::from_utf8(&lines).unwrap()).unwrap();
        let last = record.answers();
        let moments = [0, last / 4, last / 2, last - 1];
        let games = chances::positions(&mut worker, &record, &moments).unwrap();
        // Answers made simultaneously have no position between them.
        assert!(games.len() >= moments.len() - 1);
        let end = record.lines.last().unwrap().1.clone();
        let RecordLine::End(end) = end else {
            panic!("the game has an end")
        };
        for game in games {
            let written = text(&match_, &game);
            let file = TextFile::new("position.yaml", &written);
            let read = position::read(&file).unwrap();
            match_.position = Some(Arc::new(read));
            let mut again = Worker::new(&match_).unwrap();
            let begun = again.position(0).unwrap();
            assert_eq!(begun.cells(), game.cells());
            assert_eq!(begun.digest(), game.digest());
            assert_eq!(text(&match_, &begun), written);
            // The same answers meet the same dice and cards.
            let mut rest = record.clone();
            let behind = game.answers();
            rest.lines
                .retain(|(_, line)| line.decision().is_none_or(|n| n > behind));
            let mut seats = Playback::new(&rest, None).seats;
            let finished = again.play_with(0, &mut seats, &mut NullSink);
            assert_eq!(hex(finished.game.digest()), end.digest);
            // Another game number has other dice.
            assert_ne!(again.position(1).unwrap().digest(), game.digest());
        }
    });
}
