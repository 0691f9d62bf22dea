//! The language's own functions, each with a bounded cost. The cost depends on the arguments and
//! the result. A call whose result would be too large is rejected in advance.
//!
//! Rhai checks sizes only after a function returns, and counts a call as one operation regardless
//! of its work. Here the functions of Rhai's packages therefore run on a separate engine. Scripts
//! call guards, which examine the arguments, charge for them, and forward the call.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Blob, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Map,
    Module, NativeCallContext, RhaiFunc, Shared,
};

use super::direct::Direct;
use super::finder::Finder;
use super::meter;
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
    pub(crate) func: RhaiFunc,
    /// The function for direct calls on an object.
    pub(crate) direct: Option<Direct>,
    /// The bound of a package's function.
    pub(crate) bound: Option<CostBound>,
}

/// A function that registers the names of the host's types for messages and signatures.
pub type NameTypes = fn(&mut Engine);

thread_local! {
    static LIBRARIES: RefCell<Vec<(NameTypes, Rc<PackageSet>)>> =
        const { RefCell::new(Vec::new()) };
}

/// The packages, and the guards that hide their functions. Each thread creates them once.
pub(crate) struct PackageSet {
    guards: Shared<Module>,
    packages: Vec<Shared<Module>>,
    /// The engine on which the functions of the packages run.
    inner: Rc<Engine>,
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

/// A function of the engine: its name, its parameter types, and whether it takes the first
/// parameter by reference.
struct NativeFunction {
    name: String,
    types: Vec<TypeId>,
    is_method: bool,
    signature: String,
}

/// Returns all functions of the language's own library.
fn natives(engine: &Engine) -> Vec<NativeFunction> {
    engine.collect_fn_metadata(
        None,
        |info| {
            let data = info.metadata;
            Some(NativeFunction {
                name: data.name.to_string(),
                types: data.param_types.to_vec(),
                is_method: data
                    .params_info
                    .first()
                    .is_some_and(|first| first.contains("&mut ")),
                signature: data.gen_signature(Into::into),
            })
        },
        true,
    )
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
        let all = natives(&inner);
        let inner = Rc::new(inner);
        let mut signatures: BTreeMap<String, Vec<Vec<TypeId>>> = BTreeMap::new();
        for native in &all {
            let same_name = signatures.entry(native.name.clone()).or_default();
            same_name.push(native.types.clone());
        }
        let mut guards = Module::new();
        for native in all {
            let (measured, factor) = match bound(&native.name, &native.types) {
                CostBound::Constant | CostBound::Calls => continue,
                CostBound::Charged(factor) => (false, factor),
                CostBound::Measured(factor) => (true, factor),
            };
            let func = guarded(&inner, &native, measured, factor);
            let registration = FuncRegistration::new(native.name).in_global_namespace();
            registration.set_into_module_raw(&mut guards, native.types, func);
        }
        guards.build_index();
        Self {
            guards: guards.into(),
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
        let bound = bound(name, types);
        let called = match bound {
            CostBound::Constant | CostBound::Calls => name,
            CostBound::Charged(_) | CostBound::Measured(_) => text_of(name),
        };
        let func = self.finder.of_package(called, types)?;
        Some(Rc::new(Native {
            func,
            direct: None,
            bound: Some(bound),
        }))
    }

    /// Returns the language's own operator for these values.
    pub(crate) fn builtin(&self, name: &str, left: &Dynamic, right: &Dynamic) -> Option<RhaiFunc> {
        self.finder.operator(name, left, right)
    }
}

/// Charges for the arguments of a package's function, and checks the size of its result.
pub(crate) fn charge_arguments(
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

/// Returns the function that is called for a name. `debug` and `print` would print the strings and
/// return nothing, so the functions that create the strings are called instead.
fn text_of(name: &str) -> &str {
    match name {
        "debug" => "to_debug",
        "print" => "to_string",
        name => name,
    }
}

/// Returns a guard for a native function. The guard charges for the sizes of the arguments and the
/// result. Without enough fuel it does not call the function. If `measured` is true, the result
/// could be larger than the arguments, so the guard checks its size in advance.
fn guarded(engine: &Rc<Engine>, native: &NativeFunction, measured: bool, factor: u64) -> RhaiFunc {
    let name = text_of(&native.name).to_owned();
    let engine = Rc::clone(engine);
    let run = move |context: Option<NativeCallContext<'_>>, args: &mut [&mut Dynamic]| {
        let context = context.expect("Rhai passes a context to this function");
        charge_arguments(&name, args, measured, factor)?;
        let global = context.global_runtime_state();
        let source = context.call_source();
        let place = context.call_position();
        let context = NativeCallContext::new_with_all_fields(&engine, &name, source, global, place);
        let result = context.call_native_fn_raw(&name, true, args)?;
        meter::charge(weigh(&result)? * factor);
        Ok(result)
    };
    // The function itself checks whether an argument passed by reference may be changed.
    if native.is_method {
        RhaiFunc::Method {
            func: Shared::new(run),
            has_context: true,
            is_pure: true,
            is_volatile: false,
        }
    } else {
        RhaiFunc::Pure {
            func: Shared::new(run),
            has_context: true,
            is_pure: true,
            is_volatile: false,
        }
    }
}

/// Charges for Rhai's size check of a whole array after each call.
///
/// # Errors
/// Ends the call if the array exceeds the limits on size or nesting.
pub fn charge_list(array: &Array) -> NativeResult<()> {
    meter::charge(look_at(array, 0, &mut (0, 0))?);
    Ok(())
}

/// Charges for Rhai's size check of a whole map after each call.
///
/// # Errors
/// Ends the call if the map exceeds the limits on size or nesting.
pub fn charge_map(map: &Map) -> NativeResult<()> {
    meter::charge(weigh_map(map)?);
    Ok(())
}

/// Returns the work of examining a map once, including nested values.
///
/// # Errors
/// Ends the call if the map exceeds the limits on size or nesting.
pub fn weigh_map(map: &Map) -> NativeResult<u64> {
    look_at_map(map, 0, &mut (0, 0))
}

/// Registers the packages, and the guards that hide their functions.
pub(crate) fn register(engine: &mut Engine, name_types: NameTypes) {
    let library = PackageSet::of(name_types);
    for package in &library.packages {
        engine.register_global_module(Shared::clone(package));
    }
    // The module that is registered last is searched first.
    engine.register_global_module(Shared::clone(&library.guards));
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
    let all = natives(&engine);
    all.into_iter()
        .map(|native| {
            (
                native.signature,
                format!("{:?}", bound(&native.name, &native.types)),
            )
        })
        .collect()
}
