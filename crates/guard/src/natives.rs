//! The functions in Rust that scripts call: those of the host, and those of Rhai's packages.
//!
//! A function is found by its name and the types of its arguments, as Rhai finds it: first the
//! exact types, then with arguments of any type.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::direct::{Direct, HostFunction};
use rhai::{
    Array, Dynamic, Engine, FuncRegistration, ImmutableString, Map, RhaiFunc, RhaiNativeFunc,
    Variant,
};

use crate::packages::{NameTypes, Native, NativeBody, PackageSet};
use crate::readers::reader;

/// An engine and the functions that a host registered in it.
pub struct Natives {
    engine: Engine,
    table: Rc<NativeTable>,
}

/// All functions that scripts can call.
pub(crate) struct NativeTable {
    own: RefCell<HashMap<ImmutableString, Vec<(Vec<TypeId>, Rc<Native>)>>>,
    found: RefCell<HashMap<(ImmutableString, Vec<TypeId>), Option<Rc<Native>>>>,
    pub(crate) packages: Rc<PackageSet>,
}

/// The number of arguments, from the first, that Rhai matches with parameters of any type.
const MOST_OF_ANY_TYPE: usize = 16;

impl Natives {
    /// Creates an engine without functions of a host. `name_types` gives the host's types their
    /// names.
    #[must_use]
    pub fn new(name_types: NameTypes) -> Self {
        let table = NativeTable {
            own: RefCell::default(),
            found: RefCell::default(),
            packages: PackageSet::of(name_types),
        };
        let mut engine = Engine::new_raw();
        table.packages.register(&mut engine);
        Self {
            engine,
            table: Rc::new(table),
        }
    }

    pub(crate) fn table(&self) -> Rc<NativeTable> {
        Rc::clone(&self.table)
    }

    /// Registers a function. A parameter by reference, which only the first can be, is the object
    /// of a method.
    pub fn register_fn<A: 'static, const N: usize, const X: bool, R, const F: bool, M>(
        &mut self,
        name: &str,
        func: impl RhaiNativeFunc<A, N, X, R, F> + HostFunction<M> + Clone + 'static,
    ) where
        R: Variant + Clone,
    {
        self.register(name, true, func);
    }

    /// Registers a function. A constant can be the object of the method only if `is_pure` is true.
    pub fn register<A: 'static, const N: usize, const X: bool, R, const F: bool, M, T>(
        &mut self,
        name: &str,
        is_pure: bool,
        func: T,
    ) where
        R: Variant + Clone,
        T: RhaiNativeFunc<A, N, X, R, F> + HostFunction<M> + Clone + 'static,
    {
        let known = func.clone().into_rhai_function(is_pure, false);
        let direct = func.clone().direct();
        self.table.add(name, &T::param_types(), known, direct);
        FuncRegistration::new(name)
            .with_purity(is_pure)
            .register_into_engine(&mut self.engine, func);
    }

    /// Registers a property that scripts read.
    pub fn register_get<A: 'static, const X: bool, R, const F: bool, M>(
        &mut self,
        name: &str,
        func: impl RhaiNativeFunc<A, 1, X, R, F> + HostFunction<M> + Clone + 'static,
    ) where
        R: Variant + Clone,
    {
        self.register(&format!("get${name}"), true, func);
    }

    /// Registers the values in brackets that scripts read.
    pub fn register_indexer_get<A: 'static, const X: bool, R, const F: bool, M>(
        &mut self,
        func: impl RhaiNativeFunc<A, 2, X, R, F> + HostFunction<M> + Clone + 'static,
    ) where
        R: Variant + Clone,
    {
        self.register("index$get$", true, func);
    }
}

impl Deref for Natives {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl DerefMut for Natives {
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }
}

impl NativeTable {
    fn add(&self, name: &str, types: &[TypeId], func: RhaiFunc, direct: Option<Direct>) {
        let by_value = usize::from(func.is_method());
        let types: Vec<TypeId> = types
            .iter()
            .enumerate()
            .map(|(index, of)| as_passed(*of, index >= by_value))
            .collect();
        let lists = [TypeId::of::<Array>(), TypeId::of::<Map>()];
        let is_of_lists = types.first().is_some_and(|first| lists.contains(first));
        let native = Native {
            direct,
            reader: reader(name).filter(|_| is_of_lists),
            ..Native::new(NativeBody::Plain(func))
        };
        self.insert(name, types, native);
    }

    /// Adds a function of lists that calls a script's function, by its number.
    pub(crate) fn add_list(&self, name: &str, types: Vec<TypeId>, is_pure: bool, number: usize) {
        let body = NativeBody::OfLists { number, is_pure };
        self.insert(name, types, Native::new(body));
    }

    fn insert(&self, name: &str, types: Vec<TypeId>, native: Native) {
        let mut own = self.own.borrow_mut();
        let same_name = own.entry(name.into()).or_default();
        same_name.retain(|(known, _)| *known != types);
        same_name.push((types, Rc::new(native)));
        self.found.borrow_mut().clear();
    }

    /// Returns the function for a call with arguments of these types.
    pub(crate) fn find(&self, name: &ImmutableString, types: &[TypeId]) -> Option<Rc<Native>> {
        let key = (name.clone(), types.to_vec());
        if let Some(found) = self.found.borrow().get(&key) {
            return found.clone();
        }
        let found = self.search(name, types);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }

    fn search(&self, name: &str, types: &[TypeId]) -> Option<Rc<Native>> {
        let own = self.own.borrow();
        let own = own.get(name).map_or(&[][..], Vec::as_slice);
        let any = types.len().min(MOST_OF_ANY_TYPE);
        let mut wanted = types.to_vec();
        (0..1_usize << any).find_map(|mask| {
            for (index, of) in types.iter().enumerate() {
                let is_any = index < any && mask & (1 << (any - index - 1)) != 0;
                wanted[index] = if is_any { TypeId::of::<Dynamic>() } else { *of };
            }
            let found = own.iter().find(|(known, _)| *known == wanted);
            let found = found.map(|(_, native)| Rc::clone(native));
            found.or_else(|| self.packages.find(name, &wanted))
        })
    }
}

/// Returns the type of the values that are passed for a parameter: all strings have one type.
pub(crate) fn as_passed(of: TypeId, by_value: bool) -> TypeId {
    let texts = [TypeId::of::<&str>(), TypeId::of::<String>()];
    if by_value && texts.contains(&of) {
        TypeId::of::<ImmutableString>()
    } else {
        of
    }
}
