//! `ask.search(…)`: the search of the built-in bot `search`, as one call.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FnPtr, INT, Map, NativeCallContext};

use super::context::{ImaginationContext, LIGHT};
use super::plan_search::{OwnWorth, SearchLimits};
use crate::script::api::ask::PlanValue;
use crate::script::api::{AskValue, BYTE, NativeResult, ScriptView, fail, kind};
use crate::script::meter;
use rhai_guard::{Natives, memory};
use risk_bots::Plan;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Player;
use risk_kernel::view::{Facts, View};

/// The maximum number of imagined games of a search.
const MOST_ROLLOUTS: INT = 100_000;
/// The settings of a call.
struct Settings {
    rollouts: u64,
    policy: String,
    worth: Option<FnPtr>,
}

impl Settings {
    fn read(map: &Map) -> NativeResult<Self> {
        let mut settings = Self {
            rollouts: MOST_ROLLOUTS as u64,
            policy: LIGHT.to_owned(),
            worth: None,
        };
        for (key, value) in map {
            meter::afford(BYTE * key.len() as u64)?;
            match key.as_str() {
                "rollouts" => match value.as_int() {
                    Ok(number @ 1..=MOST_ROLLOUTS) => settings.rollouts = number as u64,
                    _ => return fail(format!("`rollouts` must be 1 to {MOST_ROLLOUTS}")),
                },
                "policy" => match value.clone().into_string() {
                    Ok(name) => settings.policy = name,
                    Err(_) => return fail("`policy` must be a name, for example \"light\""),
                },
                "worth" => match value.clone().try_cast::<FnPtr>() {
                    Some(worth) => settings.worth = Some(worth),
                    None => return fail("`worth` must be a function `|view, who| …`"),
                },
                other => {
                    let names = ["rollouts", "policy", "worth"];
                    let help = risk_text::suggest::help(other, names);
                    return fail(format!("unknown setting `{other}` of a search; {help}"));
                }
            }
        }
        Ok(settings)
    }
}

pub(super) fn register(engine: &mut Natives) {
    engine.register_fn(
        "search",
        |context: NativeCallContext<'_>, it: &mut AskValue| search(&context, it, &Map::new()),
    );
    engine.register_fn(
        "search",
        |context: NativeCallContext<'_>, it: &mut AskValue, settings: Map| {
            search(&context, it, &settings)
        },
    );
}

fn search(
    context: &NativeCallContext<'_>,
    ask: &AskValue,
    settings: &Map,
) -> NativeResult<PlanValue> {
    let settings = Settings::read(settings)?;
    let seen = &ask.seen;
    let Some(room) = &seen.room else {
        return fail("a bot can search only in a function that returns an answer");
    };
    room.check_free()?;
    room.check_policy(&settings.policy)?;
    let failed: RefCell<Option<Box<EvalAltResult>>> = RefCell::default();
    let own = settings.worth.as_ref().map(|worth| {
        |facts: &Facts, who: Player| {
            let view = memory::counted(|| own_worth(context, seen, room, worth, facts, who));
            view.map_err(|error| {
                memory::counted(|| failed.replace(Some(error)));
                RuleFault::new("`worth` failed")
            })
        }
    });
    let left = meter::left();
    let limits = SearchLimits {
        seed: room.rng.borrow_mut().word(),
        // The rest is for the bot's own work after the search.
        work: left - left / 4,
        rollouts: settings.rollouts,
    };
    // What a search keeps serves the whole game, so no call is charged for its memory.
    let found = memory::uncounted(|| {
        room.with_search(&settings.policy, &seen.view, |search| {
            let worth = own.as_ref().map(|own| own as &OwnWorth<'_>);
            search.best_plan(&seen.view, &ask.options, &limits, worth)
        })
    });
    if let Some(error) = failed.take() {
        return Err(error);
    }
    let found = room.checked(found)?;
    // One imagined decision may take more work than was left.
    let most = meter::left() - meter::left() / 8;
    meter::charge(found.spent.min(most).saturating_mul(meter::WORK));
    let steps = found.actions.into_iter();
    let steps = steps.map(|action| Plan::say(&ask.decl, action));
    Ok(PlanValue(steps.reduce(Plan::then).unwrap_or_default()))
}

/// Calls the function `worth` of the script with what its player sees.
fn own_worth(
    context: &NativeCallContext<'_>,
    seen: &ScriptView,
    room: &Rc<ImaginationContext>,
    worth: &FnPtr,
    facts: &Facts,
    who: Player,
) -> NativeResult<INT> {
    let _asking = room.begin_asking()?;
    let view = ScriptView {
        view: View::new(facts, seen.view.me()),
        ..seen.clone()
    };
    let mut args = [Dynamic::from(view), Dynamic::from(INT::from(who.0))];
    let said = rhai_guard::call_back(context, worth, &mut args)?;
    match said.as_int() {
        Ok(value) => Ok(value),
        Err(_) => fail(format!(
            "`worth` must return an integer, found {}",
            kind(&said)
        )),
    }
}
