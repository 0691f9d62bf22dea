//! Tests of rulesets: answers given in a position, and the expected state after them.

use std::path::Path;

use super::{TestArgs, TestOutcome, number, setup, wrong};
use crate::cli::Error;
use crate::cli::faults::rules_failed;
use risk_engine::{Setup, Worker};
use risk_kernel::id::{Mark, Player};
use risk_kernel::stepper::{StepError, Stepper, StepperSettings};
use risk_kernel::words::Words;
use risk_lab::test_files::{self, OneOrMore, RulesTest};
use risk_text::diag::TextFile;
use risk_text::plural::counted;

pub(super) fn run(
    args: &TestArgs,
    path: &Path,
    file: &TextFile,
) -> Result<Vec<TestOutcome>, Error> {
    let cases = test_files::of_rules(file)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let chosen = cases.tests.iter().filter(|case| args.has(&case.name.value));
    chosen.map(|case| run_test(case, file, folder)).collect()
}

/// The game at the end of a test.
struct FinalGame<'a> {
    setup: &'a Setup,
    stepper: &'a Stepper,
}

impl FinalGame<'_> {
    fn names(&self) -> &[String] {
        self.setup.position.as_ref().map_or(&[], |it| &it.names)
    }

    fn name(&self, player: Option<Player>) -> &str {
        player.map_or("nobody", |player| &self.names()[player.index()])
    }

    fn words(&self) -> Words<'_> {
        Words::new(&self.setup.rules.board, self.stepper.game().decl())
    }

    /// Reports whether any player may give this answer now.
    fn can(&self, said: &str) -> Result<bool, String> {
        let action = self.words().parse(said)?;
        let decisions = self.stepper.decisions().iter();
        Ok(decisions
            .into_iter()
            .any(|it| it.options.admit(action).is_ok()))
    }

    fn summary(&self) -> String {
        match (self.stepper.game().ending(), self.stepper.game().frame()) {
            (Some(ending), _) => {
                let winners = ending.winners.iter().map(|player| self.name(Some(player)));
                let winners = winners.collect::<Vec<_>>().join(" and ");
                format!("over ({}), won by {winners}", ending.reason)
            }
            (None, Some(frame)) => {
                let decisions = self.stepper.decisions().iter();
                let who: Vec<&str> = decisions.map(|it| self.name(Some(it.player))).collect();
                let phase = &self.stepper.game().decl().phases[frame.phase.index()].name;
                format!("{} in {phase}", who.join(" and "))
            }
            (None, None) => String::new(),
        }
    }
}

fn run_test(test: &RulesTest, file: &TextFile, folder: &Path) -> Result<TestOutcome, Error> {
    let setup = setup(folder, &test.from, test.seed.as_ref(), None)?;
    let mut worker = Worker::new(&setup)?;
    let settings = StepperSettings {
        asks_optional: true,
        ..StepperSettings::default()
    };
    let failed = |fault: &_| rules_failed(fault, None, number(&setup), None, &setup);
    let mut stepper = worker
        .stepper(number(&setup), settings)
        .map_err(|fault| failed(&fault))?;
    let mut text = None;
    for said in &test.say {
        match apply(&mut stepper, &mut worker, said) {
            Ok(()) => {}
            Err(StepError::Rules(fault)) => return Err(failed(&fault)),
            Err(StepError::Refused(why)) => {
                text = Some(why);
                break;
            }
        }
    }
    let there = FinalGame {
        setup: &setup,
        stepper: &stepper,
    };
    let text = match text {
        Some(text) => Some(text),
        None => holds(test, &there).err(),
    };
    Ok(TestOutcome {
        name: test.name.value.clone(),
        came: there.summary(),
        wrong: text.map(|text| wrong(file, &test.name, text)),
    })
}

/// Checks all expectations of a test, and describes the first that fails.
fn holds(test: &RulesTest, there: &FinalGame<'_>) -> Result<(), String> {
    for (wanted, texts) in [(true, &test.can), (false, &test.cannot)] {
        for said in texts.as_ref().map_or(&[][..], OneOrMore::all) {
            if there.can(said)? != wanted {
                let text = if wanted {
                    format!("`{said}` must be legal")
                } else {
                    format!("`{said}` must not be legal")
                };
                return Err(text);
            }
        }
    }
    holds_now(test, there)?;
    holds_on_land(test, there)?;
    holds_of_counters(test, there)
}

fn holds_now(test: &RulesTest, there: &FinalGame<'_>) -> Result<(), String> {
    let game = there.stepper.game();
    let phase = game
        .frame()
        .map(|frame| &game.decl().phases[frame.phase.index()].name);
    same(
        "the phase",
        test.phase.as_ref(),
        phase.map_or("none", String::as_str),
    )?;
    let asked = there.stepper.decisions().first().map(|it| it.player);
    same("the next player", test.asks.as_ref(), there.name(asked))?;
    let ending = game.ending();
    let reason = ending.map_or("none", |ending| &ending.reason);
    same("the ending", test.ending.as_ref(), reason)?;
    if let Some(wanted) = &test.winners {
        let won = ending.map(|ending| ending.winners).unwrap_or_default();
        let won: Vec<&str> = won.iter().map(|player| there.name(Some(player))).collect();
        let mut wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        wanted.sort_by_key(|name| there.names().iter().position(|it| it == name));
        if wanted != won {
            let won = won.join(", ");
            let wanted = wanted.join(", ");
            return Err(format!("the winners are [{won}], expected [{wanted}]"));
        }
    }
    Ok(())
}

fn holds_on_land(test: &RulesTest, there: &FinalGame<'_>) -> Result<(), String> {
    let game = there.stepper.game();
    let find = |id: &String| {
        let found = game.board().find(id);
        found.ok_or_else(|| format!("no territory named `{id}`"))
    };
    for (id, wanted) in test.owner.iter().flatten() {
        let owner = there.name(game.owner(find(id)?));
        same(&format!("the owner of {id}"), Some(wanted), owner)?;
    }
    for (id, wanted) in test.armies.iter().flatten() {
        let armies = game.armies(find(id)?);
        if armies != *wanted {
            let armies = counted(armies, "army");
            return Err(format!("{id} has {armies}, expected {wanted}"));
        }
    }
    for (name, land) in test.marks.iter().flatten() {
        let mark = game.decl().marks.iter().position(|mark| mark.name == *name);
        let mark = mark.ok_or_else(|| format!("no mark named `{name}`"))?;
        for (id, wanted) in land {
            let value = game.mark(find(id)?, Mark::from_index(mark));
            if value != *wanted {
                return Err(format!("{name} of {id} is {value}, expected {wanted}"));
            }
        }
    }
    Ok(())
}

fn holds_of_counters(test: &RulesTest, there: &FinalGame<'_>) -> Result<(), String> {
    let game = there.stepper.game();
    for (holder, counters) in test.counters.iter().flatten() {
        let seat = there.names().iter().position(|name| name == holder);
        if seat.is_none() && holder != "table" {
            return Err(format!("no player named `{holder}`"));
        }
        for (name, wanted) in counters {
            let counter = game.decl().counter(name);
            let counter = counter.ok_or_else(|| format!("no counter named `{name}`"))?;
            let value = game.counter(counter, seat.map(Player::from_index));
            if value != *wanted {
                return Err(format!("{name} of {holder} is {value}, expected {wanted}"));
            }
        }
    }
    Ok(())
}

fn same(what: &str, wanted: Option<&String>, here: &str) -> Result<(), String> {
    match wanted {
        Some(wanted) if wanted != here => Err(format!("{what} is {here}, expected {wanted}")),
        _ => Ok(()),
    }
}

/// Applies an answer for the first player who may give it.
fn apply(stepper: &mut Stepper, worker: &mut Worker<'_>, said: &str) -> Result<(), StepError> {
    let words = Words::new(stepper.game().board(), stepper.game().decl());
    let action = words
        .parse(said)
        .map_err(|error| StepError::Refused(error.to_string()))?;
    let decisions = stepper.decisions();
    let fits = decisions.iter().find(|it| it.options.admit(action).is_ok());
    let Some(decision) = fits.or_else(|| decisions.first()) else {
        let text = format!("`{said}` is not legal: the game is over");
        return Err(StepError::Refused(text));
    };
    let player = decision.player;
    stepper.apply(worker.rules_mut(), player, action)
}
