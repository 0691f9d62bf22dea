//! The language's own functions, each with a bounded cost. The cost depends on the arguments and
//! the result. A call whose result would be too large is rejected in advance.
//!
//! Rhai checks sizes only after a function returns, and counts a call as one operation regardless
//! of its work. Here the arguments of the packages' functions are examined and charged first.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Blob, Dynamic, Engine, EvalAltResult, FnPtr, FuncMetadata, ImmutableString, Map, Module,
    RhaiFunc, Shared,
};

use super::direct::Direct;
use super::finder::Finder;
use super::library::{self, Reader};
use super::meter;
use super::run::ListFunction;
use super::sizes::{LARGEST_MAP, LONGEST_ARRAY, LONGEST_STRING, set_limits};

type NativeResult<T> = Result<T, Box<EvalAltResult>>;

/// The limit on a function's work and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostBound {
    /// A few instructions, regardless of the arguments.
    Constant,
    /// The calls of the closure for each element. Each of these calls is counted.
    Calls,
    /// The sizes of the arguments and the result, multiplied by this factor.
    Charged(u64),
    /// The same as `Charged`. In addition, the call is rejected if its result would be too large.
    Measured(u64),
}

/// The functions whose result can be far larger than their arguments.
const MULTIPLY: [&str; 2] = ["pad", "replace"];
/// The functions that do more than examine each element once, each with the factor of its work.
const MORE: [(&str, u64); 8] = [
    ("sort", 32),
    ("sort_desc", 32),
    ("order", 32),
    ("order_desc", 32),
    // Entries are inserted into maps one at a time.
    ("mixin", 3),
    ("fill_with", 3),
    // This function creates a string for each key.
    ("keys", 2),
    ("+", 3),
];
const BYTE: u64 = 2;
const ENTRY: u64 = 8;

/// Returns the cost bound of a function with this name and these parameter types.
pub fn bound(name: &str, types: &[TypeId]) -> CostBound {
    let sized = [
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<Blob>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<&str>(),
        TypeId::of::<String>(),
    ];
    let is_sized = |of: &TypeId| sized.contains(of);
    let first_is = |of: TypeId| types.first() == Some(&of);
    let is_text =
        |of: &TypeId| [TypeId::of::<ImmutableString>(), TypeId::of::<&str>()].contains(of);
    // Scripts can also pass a function by its name.
    let by_name = first_is(TypeId::of::<Array>()) && types.iter().any(is_text);
    if types.contains(&TypeId::of::<FnPtr>()) || by_name {
        return if types.iter().any(is_sized) {
            CostBound::Calls
        } else {
            CostBound::Constant
        };
    }
    if !types.iter().any(is_sized) {
        return CostBound::Constant;
    }
    if MULTIPLY.contains(&name) {
        return CostBound::Measured(1);
    }
    CostBound::Charged(
        MORE.iter()
            .find(|(known, _)| *known == name)
            .map_or(1, |(_, factor)| *factor),
    )
}

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
    /// A function of lists that calls a script's function. A constant can be its object if
    /// `is_pure` is true.
    OfLists {
        function: ListFunction,
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
        let reader = library::reader(name).filter(|_| types[0] == TypeId::of::<Array>());
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

/// Charges for the arguments of a package's function, and checks the size of its result.
///
/// # Errors
/// Ends the call without enough fuel, or if an argument or the result is too large.
pub fn charge_arguments(
    name: &str,
    args: &[&mut Dynamic],
    measured: bool,
    factor: u64,
) -> NativeResult<()> {
    let mut work = 0;
    for arg in args {
        work += weigh(arg)?;
    }
    meter::afford(work * factor)?;
    if measured {
        measure(name, args)?;
    }
    Ok(())
}

/// Returns the work of examining a value once, including nested values.
///
/// # Errors
/// Ends the call if the value exceeds the limits on size or nesting.
pub fn weigh(value: &Dynamic) -> NativeResult<u64> {
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(text.len() as u64 * BYTE);
    }
    if value.is_array() || value.is_map() {
        let mut seen = (0, 0);
        let work = look(value, 0, &mut seen)?;
        return Ok(work);
    }
    Ok(value.as_blob_ref().map_or(0, |blob| blob.len() as u64))
}

/// Returns the number of elements and entries of a value, including nested values.
fn elements(value: &Dynamic) -> NativeResult<usize> {
    let mut seen = (0, 0);
    look(value, 0, &mut seen)?;
    Ok(1 + seen.0 + seen.1)
}

const DEEPEST: usize = 64;

fn look(value: &Dynamic, depth: usize, seen: &mut (usize, usize)) -> NativeResult<u64> {
    let mut work = 0;
    if let Ok(array) = value.as_array_ref() {
        work += look_at(&array, depth, seen)?;
    } else if let Ok(map) = value.as_map_ref() {
        work += look_at_map(&map, depth, seen)?;
    } else if let Ok(text) = value.as_immutable_string_ref() {
        work += text.len() as u64 / 16;
    }
    Ok(work)
}

fn look_at(array: &Array, depth: usize, seen: &mut (usize, usize)) -> NativeResult<u64> {
    seen.0 += array.len();
    if depth > DEEPEST || seen.0 > LONGEST_ARRAY {
        return Err(meter::too_large());
    }
    let mut work = array.len() as u64;
    for item in array {
        if !item.is_int() {
            work += look(item, depth + 1, seen)?;
        }
    }
    Ok(work)
}

fn look_at_map(map: &Map, depth: usize, seen: &mut (usize, usize)) -> NativeResult<u64> {
    seen.1 += map.len();
    if depth > DEEPEST || seen.1 > LARGEST_MAP {
        return Err(meter::too_large());
    }
    let mut work = map.len() as u64 * ENTRY;
    for item in map.values() {
        if !item.is_int() {
            work += look(item, depth + 1, seen)?;
        }
    }
    Ok(work)
}

fn measure(name: &str, args: &[&mut Dynamic]) -> NativeResult<()> {
    let text = |index: usize| match args.get(index) {
        Some(arg) if arg.is_string() => arg
            .as_immutable_string_ref()
            .map(|text| text.to_string())
            .unwrap_or_default(),
        Some(arg) => arg.as_char().map(String::from).unwrap_or_default(),
        None => String::new(),
    };
    let is_text = args.first().is_some_and(|first| first.is_string());
    let length = || {
        let length = args.get(1).and_then(|length| length.as_int().ok());
        // A length beyond the memory of a 32-bit machine is too large there, too.
        usize::try_from(length.unwrap_or(0).max(0)).unwrap_or(usize::MAX)
    };
    let (size, most) = match name {
        "pad" if is_text => (length(), LONGEST_STRING),
        "pad" => {
            let has = args[0].as_array_ref().map_or(0, |array| array.len());
            let more = length().saturating_sub(has);
            let each = args.get(2).map_or(Ok(1), |item| elements(item))?;
            (has.saturating_add(more.saturating_mul(each)), LONGEST_ARRAY)
        }
        _ => {
            let whole = text(0);
            let find = text(1);
            let by = text(2);
            let found = if find.is_empty() {
                whole.len() + 1
            } else {
                whole.matches(&find).count()
            };
            (
                whole.len() + found * by.len().saturating_sub(find.len()),
                LONGEST_STRING,
            )
        }
    };
    if size > most {
        Err(meter::too_large())
    } else {
        Ok(())
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
