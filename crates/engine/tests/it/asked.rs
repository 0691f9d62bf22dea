//! When a script is asked for an answer, and when the answer follows from an earlier one.

use std::cell::RefCell;
use std::rc::Rc;

use risk_engine::{HostedBot, Worker, hosted};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, NullSink, Preferences, RuleQueries};
use risk_testing::games::setup;

/// An attack: its turn, its source and target, and whether the bot was asked for it.
type AttackRecord = (u32, [i32; 2], bool);

struct Spy {
    bot: Box<dyn HostedBot>,
    attacked: Rc<RefCell<Vec<AttackRecord>>>,
}

impl Spy {
    fn note(&self, view: &View, action: Action) {
        if view.decl().verbs[action.verb.index()].name == "attack" {
            let [from, to] = [action.args()[0], action.args()[1]];
            let mut attacked = self.attacked.borrow_mut();
            attacked.push((view.turn(), [from, to], self.bot.was_asked()));
        }
    }
}

impl Bot for Spy {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
    }

    fn preferences(&self) -> Preferences<'_> {
        self.bot.preferences()
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let answer = self.bot.answer(view, options)?;
        match &answer {
            Answer::One(action) => self.note(view, *action),
            Answer::Steps(steps) => self.note(view, steps[0]),
        }
        Ok(answer)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let action = self.bot.try_next(view, rules)?;
        self.note(view, action);
        Some(action)
    }
}

/// Further rounds of a fight follow from the first answer and add no time to a clock.
#[test]
fn a_fight_is_one_request() {
    let options = [("max_turns", "60")];
    let setup = setup("codelab", None, &["planner", "random"], 7, &options);
    let mut worker = Worker::new(&setup).unwrap();
    let attacked = Rc::new(RefCell::new(Vec::new()));
    let spy = Spy {
        bot: worker.bot("planner").unwrap(),
        attacked: Rc::clone(&attacked),
    };
    let mut bots = vec![hosted(spy), worker.bot("random").unwrap()];
    let played = worker.play_with(0, &mut bots, &mut NullSink);
    assert!(played.outcome.is_ok());
    let attacked = attacked.borrow();
    let asked = attacked.iter().filter(|(.., asked)| *asked).count();
    assert!(asked > 5 && asked < attacked.len(), "{attacked:?}");
    assert!(attacked[0].2);
    for pair in attacked.windows(2) {
        let goes_on = pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1;
        assert!(pair[1].2 || goes_on, "{pair:?}");
    }
}
