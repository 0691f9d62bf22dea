//! Rhai's packages, and the functions in Rust that a script can call.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Array, Dynamic, Engine, FuncMetadata, Module, RhaiFunc, Shared};

use crate::direct::Direct;
use crate::finder::Finder;
use crate::guard::{CostBound, bound};
use crate::meter;
use crate::readers::{Reader, reader};
use crate::sizes::set_limits;

/// A function in Rust.
pub(crate) struct Native {
    pub(crate) body: NativeBody,
    /// The function for direct calls on an object.
    pub(crate) direct: Option<Direct>,
    /// The function for objects that others share.
    pub(crate) reader: Option<Reader>,
}

/// The ways to call a function in Rust.
pub(crate) enum NativeBody {
    Plain(RhaiFunc),
    /// A package's function, which is charged for the sizes of its arguments and its result,
    /// multiplied by the factor. If `measured` is true, the result could be larger than the
    /// arguments, so its size is checked in advance.
    Charged {
        func: RhaiFunc,
        measured: bool,
        factor: u64,
    },
    /// A function of lists that calls a script's function, by its number. A constant can be its
    /// object if `is_pure` is true.
    OfLists {
        number: usize,
        is_pure: bool,
    },
}

impl Native {
    pub(crate) const fn new(body: NativeBody) -> Self {
        Self {
            body,
            direct: None,
            reader: None,
        }
    }

    pub(crate) fn plain(func: RhaiFunc) -> Rc<Self> {
        Rc::new(Self::new(NativeBody::Plain(func)))
    }

    /// Reports whether a constant can be the object of this method.
    pub(crate) fn is_pure(&self) -> bool {
        match &self.body {
            NativeBody::Plain(func) | NativeBody::Charged { func, .. } => func.is_pure(),
            NativeBody::OfLists { is_pure, .. } => *is_pure,
        }
    }

    /// Reports whether the function takes its first argument by reference.
    pub(crate) fn is_method(&self) -> bool {
        match &self.body {
            NativeBody::Plain(func) | NativeBody::Charged { func, .. } => func.is_method(),
            NativeBody::OfLists { .. } => true,
        }
    }
}

/// A function that registers the names of the host's types for messages and signatures.
pub type NameTypes = fn(&mut Engine);

thread_local! {
    static LIBRARIES: RefCell<Vec<(NameTypes, Rc<PackageSet>)>> =
        const { RefCell::new(Vec::new()) };
}

/// The packages. Each thread creates them once.
pub(crate) struct PackageSet {
    packages: Vec<Shared<Module>>,
    /// The engine on which the functions of the packages run.
    inner: Engine,
    /// The parameter types of the packages' functions, by name.
    signatures: BTreeMap<String, Vec<Vec<TypeId>>>,
    finder: Finder,
}

fn packages() -> Vec<Shared<Module>> {
    // The core package is not included. It contains functions that sleep and exit, and disabling a
    // symbol does not remove its function.
    vec![
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
    ]
}

/// Collects a property of each function of the language's own library.
fn each_native<T>(engine: &Engine, read: impl Fn(&FuncMetadata) -> T) -> Vec<T> {
    engine.collect_fn_metadata(None, |info| Some(read(info.metadata)), true)
}

impl PackageSet {
    /// Returns the current thread's library for a host.
    pub(crate) fn of(name_types: NameTypes) -> Rc<Self> {
        LIBRARIES.with_borrow_mut(|libraries| {
            let known = |(host, _): &&(NameTypes, _)| std::ptr::fn_addr_eq(*host, name_types);
            if let Some((_, library)) = libraries.iter().find(known) {
                return Rc::clone(library);
            }
            let library = Rc::new(Self::new(name_types));
            libraries.push((name_types, Rc::clone(&library)));
            library
        })
    }

    fn new(name_types: NameTypes) -> Self {
        let packages = packages();
        let mut inner = Engine::new_raw();
        for package in &packages {
            inner.register_global_module(Shared::clone(package));
        }
        set_limits(&mut inner);
        inner.on_progress(|_| meter::step().map(Dynamic::from));
        name_types(&mut inner);
        let mut signatures: BTreeMap<String, Vec<Vec<TypeId>>> = BTreeMap::new();
        let all = each_native(&inner, |data| {
            (data.name.to_string(), data.param_types.to_vec())
        });
        for (name, types) in all {
            signatures.entry(name).or_default().push(types);
        }
        Self {
            finder: Finder::new(&packages),
            packages,
            inner,
            signatures,
        }
    }

    /// Returns the engine on which the functions of the packages run.
    pub(crate) fn engine(&self) -> &Engine {
        &self.inner
    }

    /// Returns the function of a package with exactly these parameter types.
    pub(crate) fn find(&self, name: &str, types: &[TypeId]) -> Option<Rc<Native>> {
        let same_name = self.signatures.get(name)?;
        same_name.iter().find(|known| *known == types)?;
        let (measured, factor) = match bound(name, types) {
            CostBound::Constant | CostBound::Calls => {
                return self.finder.of_package(name, types).map(Native::plain);
            }
            CostBound::Charged(factor) => (false, factor),
            CostBound::Measured(factor) => (true, factor),
        };
        // `debug` and `print` would print the texts and return nothing.
        let called = match name {
            "debug" => "to_debug",
            "print" => "to_string",
            name => name,
        };
        let body = NativeBody::Charged {
            func: self.finder.of_package(called, types)?,
            measured,
            factor,
        };
        let reader = reader(name).filter(|_| types[0] == TypeId::of::<Array>());
        Some(Rc::new(Native {
            reader,
            ..Native::new(body)
        }))
    }

    /// Returns the language's own operator for these values.
    pub(crate) fn builtin(&self, name: &str, left: &Dynamic, right: &Dynamic) -> Option<RhaiFunc> {
        self.finder.operator(name, left, right)
    }

    /// Makes the names and types of the packages' functions known to an engine.
    pub(crate) fn register(&self, engine: &mut Engine) {
        for package in &self.packages {
            engine.register_global_module(Shared::clone(package));
        }
    }
}

/// Returns the cost bound of each function of the language's own library, keyed by signature.
#[must_use]
pub fn bounds(name_types: NameTypes) -> BTreeMap<String, String> {
    let mut engine = Engine::new_raw();
    for package in packages() {
        engine.register_global_module(package);
    }
    name_types(&mut engine);
    let all = each_native(&engine, |data| {
        let bound = bound(&data.name, &data.param_types);
        (data.gen_signature(Into::into), format!("{bound:?}"))
    });
    all.into_iter().collect()
}
