//! The links of a chain, one after another.

use std::any::TypeId;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FnPtr, INT, ImmutableString, Map, Position, Target};

use super::calls::{Args, DirectCall, NativePlace, References, Values, missing};
use super::machine::{Halt, Machine, Run};
use super::operators::AssignOperator;
use super::place::position;
use crate::value::Value;

/// A part of a chain.
pub(crate) struct Link {
    pub(crate) kind: LinkKind,
    /// Whether the chain ends here if the object is `()`, as in `a?.b`.
    pub(crate) is_optional: bool,
    /// The place of the name or the index.
    pub(crate) at: Position,
}

pub(crate) enum LinkKind {
    Property(Property),
    /// An index, with the host's function for reading.
    Index(NativePlace),
    Method(Method),
}

impl Method {
    /// Reports whether the method is a function in an entry of a map.
    pub(crate) fn is_entry(&self, object: &Value) -> bool {
        let Some(object) = object.inner() else {
            return false;
        };
        let map = object.as_map_ref();
        map.is_ok_and(|map| {
            map.get(self.place.name.as_str())
                .is_some_and(Dynamic::is_fnptr)
        })
    }
}

impl Link {
    pub(crate) const fn is_method(&self) -> bool {
        matches!(self.kind, LinkKind::Method(_))
    }
}

pub(crate) struct Property {
    pub(crate) key: ImmutableString,
    pub(crate) getter: NativePlace,
    /// The host's function for reading at an index, which may read the property instead.
    pub(crate) index: NativePlace,
}

impl Property {
    /// Returns the name as an index.
    #[inline]
    pub(crate) fn key(&self) -> Value {
        Value::Other(Dynamic::from(self.key.clone()))
    }

    /// Returns the host's function that reads the property at an index, if it was called before.
    #[inline]
    pub(crate) fn by_index(
        &self,
        object: TypeId,
        key: &[Value],
        is_constant: bool,
    ) -> Option<DirectCall> {
        let lacks = self.getter.lacks(object);
        lacks.then(|| self.index.direct(object, key, is_constant))?
    }
}

pub(crate) struct Method {
    /// Whether the method is a function in Rust: the file defines no function with this name.
    pub(crate) is_native: bool,
    pub(crate) arguments: usize,
    pub(crate) first_at: Position,
    pub(crate) place: NativePlace,
}

/// A new value for the end of a chain.
pub(crate) struct NewValue<'c> {
    pub(crate) value: Dynamic,
    pub(crate) operator: Option<&'c AssignOperator>,
    pub(crate) at: Position,
}

/// A walk along a chain.
pub(crate) struct Walk<'v> {
    /// The indexes and arguments of the rest of the chain.
    values: std::slice::IterMut<'v, Value>,
    /// Whether the object is a constant, or a part of one.
    is_constant: bool,
    /// The place of the first value of the chain.
    start: Position,
}

/// The value at the end of a chain, and whether the object may have changed.
type Walked = (Dynamic, bool);

impl<'v> Walk<'v> {
    pub(crate) fn new(values: &'v mut [Value], is_constant: bool, start: Position) -> Self {
        Self {
            values: values.iter_mut(),
            is_constant,
            start,
        }
    }

    fn next(&mut self) -> Value {
        self.values.next().map(Value::take).unwrap_or_default()
    }

    pub(crate) fn go(
        &mut self,
        machine: &mut Machine<'_>,
        links: &[Link],
        target: &mut Target<'_>,
        new: Option<NewValue<'_>>,
    ) -> Run<Walked> {
        let Some((link, rest)) = links.split_first() else {
            return Ok((Dynamic::UNIT, false));
        };
        if link.is_optional && target.as_ref().is_unit() {
            return Ok((Dynamic::UNIT, false));
        }
        match &link.kind {
            LinkKind::Method(method) => {
                let (value, changed) = self.method(machine, method, link, target)?;
                if rest.is_empty() {
                    return Ok((value, changed));
                }
                self.is_constant = false;
                self.go(machine, rest, &mut Target::TempValue(value), new)
            }
            LinkKind::Property(property) if target.as_ref().is_map() => {
                machine.step(link.at)?;
                self.entry(machine, &property.key, link, rest, target.as_mut(), new)
            }
            LinkKind::Property(property) => self.property(machine, property, rest, target, new),
            LinkKind::Index(index) => self.index(machine, index, link, rest, target, new),
        }
    }

    /// Continues at a part of the object.
    fn at_part(
        &mut self,
        machine: &mut Machine<'_>,
        rest: &[Link],
        part: &mut Target<'_>,
        new: Option<NewValue<'_>>,
    ) -> Run<Walked> {
        if !rest.is_empty() {
            return self.go(machine, rest, part, new);
        }
        match new {
            Some(_) if self.is_constant => {
                let error = EvalAltResult::ErrorAssignmentToConstant(String::new(), self.start);
                machine.fail(error)
            }
            Some(new) => {
                set(machine, part, new)?;
                Ok((Dynamic::UNIT, true))
            }
            None => {
                let value = std::mem::replace(part, Target::TempValue(Dynamic::UNIT));
                Ok((value.take_or_clone(), false))
            }
        }
    }

    fn entry(
        &mut self,
        machine: &mut Machine<'_>,
        key: &str,
        link: &Link,
        rest: &[Link],
        object: &mut Dynamic,
        new: Option<NewValue<'_>>,
    ) -> Run<Walked> {
        let adds = rest.is_empty() && new.is_some();
        let Ok(mut map) = object.as_map_mut() else {
            return Ok((Dynamic::UNIT, false));
        };
        let map: &mut Map = &mut map;
        if adds && !map.contains_key(key) {
            map.insert(key.into(), Dynamic::UNIT);
            self.is_constant = false;
        }
        let Some(value) = map.get_mut(key) else {
            let key = key.to_string();
            return machine.fail(EvalAltResult::ErrorPropertyNotFound(key, link.at));
        };
        self.at_part(machine, rest, &mut Target::RefMut(value), new)
    }

    fn index(
        &mut self,
        machine: &mut Machine<'_>,
        read: &NativePlace,
        link: &Link,
        rest: &[Link],
        target: &mut Target<'_>,
        new: Option<NewValue<'_>>,
    ) -> Run<Walked> {
        let index = self.next();
        machine.step(link.at)?;
        let object = target.as_mut();
        if object.is_map() {
            let key = match &index {
                Value::Other(key) => key.as_immutable_string_ref().ok(),
                _ => None,
            };
            return match key {
                Some(key) => self.entry(machine, &key, link, rest, object, new),
                None => machine.mismatch::<ImmutableString, _>(index.type_name(), link.at),
            };
        }
        if let Ok(mut array) = object.as_array_mut() {
            let Value::Int(number) = index else {
                return machine.mismatch::<INT, _>(index.type_name(), link.at);
            };
            let length = array.len();
            let Some(place) = position(length, number, true) else {
                return machine.fail(EvalAltResult::ErrorArrayBounds(length, number, link.at));
            };
            return self.at_part(machine, rest, &mut Target::RefMut(&mut array[place]), new);
        }
        let index = index.dynamic();
        self.is_constant = false;
        let part = machine.part(object, &index, link.at)?;
        match (part, new) {
            (Some(mut part), new) => self.at_part(machine, rest, &mut part, new),
            (None, Some(new)) if rest.is_empty() => {
                let mut value = self.by_host(machine, read, object, &index, new)?;
                machine.step(read.at)?;
                let mut index = index;
                let all = &[object, &mut index, &mut value];
                let error = missing(machine, "index$set$", all, read.at);
                machine.fail_with(error)
            }
            (None, new) => {
                let found = read.call_by_reference(machine, object, &mut [index])?;
                let mut part = Target::TempValue(found.dynamic());
                let walked = self.at_part(machine, rest, &mut part, new)?;
                if !rest.is_empty() && walked.1 {
                    // Rhai looks for a function that writes the part back.
                    machine.step(read.at)?;
                }
                Ok(walked)
            }
        }
    }

    /// Calculates the value that the host's function for an index gets.
    fn by_host(
        &mut self,
        machine: &mut Machine<'_>,
        read: &NativePlace,
        object: &mut Dynamic,
        index: &Dynamic,
        new: NewValue<'_>,
    ) -> Run<Dynamic> {
        if new.operator.is_none() {
            return Ok(new.value);
        }
        match read.call_by_reference(machine, object, &mut [index.clone()]) {
            Ok(found) => {
                let at = new.at;
                let mut value = found.dynamic();
                set(machine, &mut Target::RefMut(&mut value), new)?;
                machine.check_size(&value, at)?;
                Ok(value)
            }
            Err(_) => {
                machine.halt = None;
                Ok(new.value)
            }
        }
    }

    fn property(
        &mut self,
        machine: &mut Machine<'_>,
        property: &Property,
        rest: &[Link],
        target: &mut Target<'_>,
        new: Option<NewValue<'_>>,
    ) -> Run<Walked> {
        let is_reference = target.is_ref();
        let object = target.as_mut();
        if rest.is_empty() {
            let Some(new) = new else {
                let value = self.get(machine, property, object, is_reference)?;
                return Ok((value, false));
            };
            let mut value = new.value;
            if new.operator.is_some() {
                let mut before = self.get(machine, property, object, is_reference)?;
                let new = NewValue { value, ..new };
                set(machine, &mut Target::RefMut(&mut before), new)?;
                value = before;
            }
            look_for_setter(machine, property)?;
            let setter = format!("set${}", property.key);
            let error = missing(machine, &setter, &[object, &mut value], property.getter.at);
            return machine.fail_with(error);
        }
        let mut value = self.get(machine, property, object, is_reference)?;
        self.is_constant = false;
        let (result, changed) = self.go(machine, rest, &mut Target::RefMut(&mut value), new)?;
        if changed {
            look_for_setter(machine, property)?;
        }
        Ok((result, changed))
    }

    /// Reads a property with the host's function for it, or else with that for an index.
    fn get(
        &self,
        machine: &mut Machine<'_>,
        property: &Property,
        object: &mut Dynamic,
        is_reference: bool,
    ) -> Run<Dynamic> {
        let getter = &property.getter;
        machine.step(getter.at)?;
        if let Some(get) = getter.direct(object.type_id(), &[], self.is_constant)
            && let Some(answer) = get.on(object, &mut [])
        {
            return machine.answered(answer, getter.at).map(Value::dynamic);
        }
        let mut first = None;
        if getter.find(machine, &[&mut *object]).is_some() {
            let args = &mut [&mut *object];
            let got = getter.run(machine, args, is_reference, self.is_constant);
            match got {
                Err(halted) if !is_no_property(machine) => return Err(halted),
                Ok(value) => return Ok(value.dynamic()),
                Err(_) => first = machine.halt.take(),
            }
        }
        let mut key = [property.key()];
        let index = &property.index;
        if let Some(get) = property.by_index(object.type_id(), &key, self.is_constant) {
            machine.step(index.at)?;
            if let Some(answer) = get.on(object, &mut key) {
                return machine.answered(answer, index.at).map(Value::dynamic);
            }
            machine.recount(1);
        }
        let key = property.key().dynamic();
        let got = index.call_by_reference(machine, object, &mut [key]);
        if got.is_err() && is_no_type(machine) {
            let args = &[&mut *object];
            let error = || missing(machine, &getter.name, args, getter.at);
            machine.halt = Some(first.unwrap_or_else(|| Halt::Error(error())));
        }
        got.map(Value::dynamic)
    }

    fn method(
        &mut self,
        machine: &mut Machine<'_>,
        method: &Method,
        link: &Link,
        target: &mut Target<'_>,
    ) -> Run<Walked> {
        let mut args: Values = (0..method.arguments).map(|_| self.next()).collect();
        let name = &method.place.name;
        let is_reference = target.is_ref();
        let at = link.at;
        if let Some(value) = self.direct(machine, method, target, &mut args, at)? {
            return Ok((value.dynamic(), true));
        }
        let mut args: Args = args.into_iter().map(Value::dynamic).collect();
        if name == "call" {
            return self.call(machine, method, at, target, args);
        }
        let named = {
            let map = target.as_ref().as_map_ref().ok();
            map.and_then(|map| {
                let function = map.get(name.as_str())?.read_lock::<FnPtr>()?;
                Some(function.clone())
            })
        };
        if let Some(function) = named {
            let name = function.fn_name();
            args.insert_many(0, function.curry().iter().cloned());
            let this = Some((target.as_mut(), self.is_constant));
            let value = machine.call_named(name, this, &mut args, is_reference, at)?;
            return Ok((value.dynamic(), false));
        }
        if let Some(value) = machine.keyword(name, Some(target.as_ref()), &args, at)? {
            return Ok((value, false));
        }
        let object = target.as_mut();
        if let Some(found) = machine.find_method(object, name, args.len()) {
            let this = Some((object, self.is_constant));
            let value = machine.call_found(&found, this, &mut args, at)?;
            return Ok((value.dynamic(), false));
        }
        machine.step(at)?;
        let mut all: References<'_> = std::iter::once(object).chain(args.iter_mut()).collect();
        let place = &method.place;
        let (value, changed) =
            place.run_method(machine, &mut all, is_reference, self.is_constant)?;
        drop(all);
        if changed && let Err(error) = target.propagate_changed_value(at) {
            return machine.fail_with(error);
        }
        Ok((value.dynamic(), changed))
    }

    /// Calls a function of the host directly, or returns `None`.
    fn direct(
        &self,
        machine: &mut Machine<'_>,
        method: &Method,
        target: &mut Target<'_>,
        args: &mut [Value],
        at: Position,
    ) -> Run<Option<Value>> {
        let is_root = Rc::ptr_eq(&machine.program, &machine.runtime.root);
        let (Target::RefMut(_) | Target::TempValue(_)) = target else {
            return Ok(None);
        };
        let object = target.as_mut();
        if !is_root || !method.is_native || object.is_map() {
            return Ok(None);
        }
        let place = &method.place;
        let Some(function) = place.direct(object.type_id(), args, self.is_constant) else {
            return Ok(None);
        };
        machine.step(at)?;
        let Some(answer) = function.on(object, args) else {
            machine.recount(1);
            return Ok(None);
        };
        machine.answered(answer, at).map(Some)
    }

    /// Calls a function that is the object or the first argument.
    fn call(
        &mut self,
        machine: &mut Machine<'_>,
        method: &Method,
        at: Position,
        target: &mut Target<'_>,
        mut args: Args,
    ) -> Run<Walked> {
        let function = target
            .as_ref()
            .read_lock::<FnPtr>()
            .map(|function| function.clone());
        let is_reference = target.is_ref();
        let (function, this) = match function {
            Some(function) => (function, None),
            None if args.is_empty() => {
                let found = machine
                    .engine
                    .map_type_name(target.as_ref().type_name())
                    .to_owned();
                return machine.mismatch::<FnPtr, _>(&found, at);
            }
            None => {
                let first = args.remove(0);
                let Some(function) = first.read_lock::<FnPtr>().map(|function| function.clone())
                else {
                    let found = machine.engine.map_type_name(first.type_name()).to_owned();
                    return machine.mismatch::<FnPtr, _>(&found, method.first_at);
                };
                (function, Some((target.as_mut(), self.is_constant)))
            }
        };
        args.insert_many(0, function.curry().iter().cloned());
        let name = function.fn_name();
        let value = machine.call_named(name, this, &mut args, is_reference, at)?;
        Ok((value.dynamic(), false))
    }
}

/// Gives a place a new value.
pub(crate) fn set(
    machine: &mut Machine<'_>,
    target: &mut Target<'_>,
    new: NewValue<'_>,
) -> Run<()> {
    match new.operator {
        None => {
            machine.check_contents(&new.value, new.at)?;
            *target.as_mut() = new.value;
        }
        Some(operator) => operator.assign(machine, target.as_mut(), new.value)?,
    }
    match target.propagate_changed_value(new.at) {
        Ok(()) => Ok(()),
        Err(error) => machine.fail_with(error),
    }
}

/// Counts the operations of Rhai's search for a function that writes a property. No host has one.
fn look_for_setter(machine: &mut Machine<'_>, property: &Property) -> Run<()> {
    machine.step(property.getter.at)?;
    machine.step(property.index.at)
}

fn is_no_type(machine: &Machine<'_>) -> bool {
    matches!(machine.error(), Some(EvalAltResult::ErrorIndexingType(..)))
}

fn is_no_property(machine: &Machine<'_>) -> bool {
    matches!(machine.error(), Some(EvalAltResult::ErrorDotExpr(..)))
}
