//! Finds functions in Rhai's packages and the language's own operators.
//!
//! Rhai has no public way to get a function of a module. But it remembers the functions that it
//! called, so this module calls a function twice with sample values and takes it from Rhai's cache.
//! The functions of the packages only compute, so these calls have no effect.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use rhai::{
    Array, Blob, Caches, Dynamic, Engine, EvalContext, FLOAT, FnPtr, INT, ImmutableString, Map,
    Module, RhaiFunc, Scope, Shared,
};

/// A value of a type that no function knows.
#[derive(Clone)]
struct Stranger;

/// Finds functions.
pub(crate) struct Finder {
    /// An engine with the packages, and one without any function.
    packages: Engine,
    bare: Engine,
    operators: RefCell<HashMap<(String, TypeId, TypeId), Option<RhaiFunc>>>,
}

impl Finder {
    pub(crate) fn new(packages: &[Shared<Module>]) -> Self {
        let mut with_packages = Engine::new_raw();
        for package in packages {
            with_packages.register_global_module(Shared::clone(package));
        }
        Self {
            packages: with_packages,
            bare: Engine::new_raw(),
            operators: RefCell::default(),
        }
    }

    /// Returns the function of a package with these parameter types.
    pub(crate) fn of_package(&self, name: &str, types: &[TypeId]) -> Option<RhaiFunc> {
        let samples = types
            .iter()
            .map(|of| sample(*of))
            .collect::<Option<Vec<_>>>()?;
        found(&self.packages, name, &samples)
    }

    /// Returns the language's own operator for two values.
    pub(crate) fn operator(&self, name: &str, left: &Dynamic, right: &Dynamic) -> Option<RhaiFunc> {
        let (first, second) = (left.type_id(), right.type_id());
        let key = (name.to_owned(), first, second);
        if let Some(known) = self.operators.borrow().get(&key) {
            return known.clone();
        }
        let value = |of: TypeId, value: &Dynamic| sample(of).unwrap_or_else(|| value.clone());
        let samples = [value(first, left), value(second, right)];
        let func = found(&self.bare, name, &samples);
        self.operators.borrow_mut().insert(key, func.clone());
        func
    }
}

fn sample(of: TypeId) -> Option<Dynamic> {
    let samples: [(TypeId, fn() -> Dynamic); 14] = [
        (TypeId::of::<INT>(), || Dynamic::from_int(1)),
        (TypeId::of::<FLOAT>(), || Dynamic::from_float(1.0)),
        (TypeId::of::<bool>(), || Dynamic::TRUE),
        (TypeId::of::<char>(), || Dynamic::from('a')),
        (TypeId::of::<()>(), || Dynamic::UNIT),
        (TypeId::of::<ImmutableString>(), || {
            Dynamic::from("a".to_owned())
        }),
        (TypeId::of::<Array>(), || Dynamic::from_array(Array::new())),
        (TypeId::of::<Blob>(), || Dynamic::from_blob(Blob::new())),
        (TypeId::of::<Map>(), || Dynamic::from_map(Map::new())),
        (TypeId::of::<FnPtr>(), || {
            FnPtr::new("f").map_or(Dynamic::UNIT, Dynamic::from)
        }),
        (TypeId::of::<Range<INT>>(), || Dynamic::from(0..1_i64)),
        (TypeId::of::<RangeInclusive<INT>>(), || {
            Dynamic::from(0..=1_i64)
        }),
        (TypeId::of::<Dynamic>(), || Dynamic::from(Stranger)),
        (TypeId::of::<u8>(), || Dynamic::from(1_u8)),
    ];
    let found = samples.iter().find(|(known, _)| *known == of);
    found.map(|(_, make)| make())
}

fn found(engine: &Engine, name: &str, samples: &[Dynamic]) -> Option<RhaiFunc> {
    let mut global = engine.new_global_runtime_state();
    let mut caches = Caches::new();
    let mut scope = Scope::new();
    // Rhai remembers a function when it is called again.
    for _ in 0..2 {
        let mut values = samples.to_vec();
        let mut args: Vec<&mut Dynamic> = values.iter_mut().collect();
        let mut context = EvalContext::new(engine, &mut global, &mut caches, &mut scope, None);
        // Only the look-up matters, not the result.
        let _ = context.call_fn_raw(name, true, false, &mut args);
    }
    let known = caches.fn_resolution_cache_mut();
    let entry = known.dict.values().flatten().next();
    entry.map(|entry| entry.func.clone())
}
