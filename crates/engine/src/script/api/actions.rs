//! Actions as scripts see them.

use std::sync::Arc;

use rhai::{INT, ImmutableString};

use crate::script::api::{BYTE, NativeResult, fail, int};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::action::Action;
use risk_kernel::declare::Declaration;

#[derive(Clone)]
pub(crate) struct ActionValue {
    action: Action,
    decl: Arc<Declaration>,
}

impl ActionValue {
    pub(crate) fn new(action: Action, decl: &Arc<Declaration>) -> Self {
        Self {
            action,
            decl: Arc::clone(decl),
        }
    }

    pub(crate) fn decl(&self) -> &Declaration {
        &self.decl
    }

    pub(crate) fn action(&self) -> Action {
        self.action
    }

    pub(super) fn get(&self, key: &str) -> NativeResult<INT> {
        let Some(info) = self.decl.verbs.get(self.action.verb.index()) else {
            return fail("expected an action");
        };
        match info.slots.iter().position(|slot| slot.0 == key) {
            Some(index) => Ok(int(self.action.args()[index])),
            None => {
                meter::afford(BYTE * key.len() as u64)?;
                let names: Vec<&str> = info.slots.iter().map(|slot| slot.0.as_str()).collect();
                fail(format!(
                    "the action `{}` has no parameter `{key}`; {}",
                    info.name,
                    risk_text::suggest::help(key, names)
                ))
            }
        }
    }
}

pub(super) fn register(engine: &mut Natives) {
    engine.register_type_with_name::<ActionValue>("Action");
    engine.register_get("verb", |it: &mut ActionValue| int(it.action.verb.0));
    engine.register_get("verb_name", |it: &mut ActionValue| -> ImmutableString {
        it.decl.verbs[it.action.verb.index()].name.as_str().into()
    });
    engine.register_indexer_get(|it: &mut ActionValue, key: ImmutableString| it.get(&key));
}
