//! What happens to players who make faults.

use risk_kernel::declare::{OnFault, Strikes};
use risk_kernel::event::Status;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Player;
use risk_kernel::{Answer, Limits};

use super::{A, QUIET, SilentSink, Toy, all_at_once, declaration, reason, say};

fn strike() -> Result<Answer, BotFault> {
    Err(BotFault::strike(FaultKind::Timeout, "no answer"))
}

#[test]
fn faults_follow_the_policy() {
    let illegal = || Ok(say(100));
    let rows: &[(OnFault, &str)] = &[
        (OnFault::Skip, "1 says 4, 1 says 1, 1 says 1"),
        (
            OnFault::FirstOption,
            "0 says 1, 1 says 4, 0 says 1, 1 says 1",
        ),
        (OnFault::Neutral, "1 says 4, 1 says 1, 1 says 1"),
        (OnFault::Forfeit, "1 says 4, 1 says 1, 1 says 1"),
    ];
    for &(then, expected) in rows {
        let mut toy = Toy::new(all_at_once);
        toy.apply = |game, _, who, said| {
            if said == 1 && game.answers() > 2 || game.answers() > 5 {
                game.leave(who);
            }
            Ok(())
        };
        let says = vec![vec![strike(), illegal()], vec![Ok(say(4))]];
        let strikes = Strikes {
            limit: 2,
            per_decision: false,
            then,
        };
        let (log, finished) = toy.play_with(
            says,
            declaration(strikes),
            Limits::default(),
            &mut SilentSink,
        );
        let said: Vec<_> = log
            .iter()
            .filter(|line| line.contains("says"))
            .cloned()
            .collect();
        assert_eq!(said.join(", "), expected, "{then:?}");
        assert_eq!(finished.game.strikes(Player(0)), 2, "{then:?}");
        let status = finished.game.status(Player(0));
        let wanted = match then {
            OnFault::Neutral => Status::Neutral,
            OnFault::Forfeit => Status::Forfeited,
            _ => Status::Playing,
        };
        assert_eq!(status, wanted);
    }
}

#[test]
fn strikes_can_count_for_each_decision() {
    let mut toy = Toy::new(|game| game.push_for(A, Player(0), [0; 3]));
    toy.apply = |game, _, who, said| {
        if said == 9 {
            game.leave(who);
        }
        Ok(())
    };
    let says = vec![vec![strike(), Ok(say(2)), strike(), Ok(say(9))], vec![]];
    let strikes = Strikes {
        limit: 2,
        per_decision: true,
        then: OnFault::Neutral,
    };
    let (_, finished) = toy.play_with(
        says,
        declaration(strikes),
        Limits::default(),
        &mut SilentSink,
    );
    assert_eq!(
        (
            finished.game.status(Player(0)),
            finished.game.strikes(Player(0))
        ),
        (Status::Playing, 2)
    );
}

#[test]
fn rules_that_ask_faulty_players_for_ever_do_not_idle_but_end() {
    let mut toy = Toy::new(|game| game.push_for(QUIET, Player(0), [0; 3]));
    toy.enter = |game, frame| {
        if frame.phase == QUIET {
            game.push_for(A, Player(0), [0; 3])?;
            game.push_for(QUIET, Player(0), [0; 3])?;
        }
        Ok(())
    };
    let says = vec![(0..500).map(|_| Ok(say(77))).collect(), vec![]];
    let limits = Limits {
        answers: 400,
        idle: 100,
        ..Limits::default()
    };
    let strikes = Strikes {
        limit: 1,
        per_decision: true,
        then: OnFault::Skip,
    };
    let (_, finished) = toy.play_with(says, declaration(strikes), limits, &mut SilentSink);
    assert_eq!(reason(&finished), "fault-limit");
}
