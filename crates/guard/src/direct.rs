//! Functions of the host that are called with a script's values directly.
//!
//! Rhai passes each argument as its own type, which takes longer than most functions of a host.

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, INT, NativeCallContext, Variant};

use crate::NativeResult;
use crate::value::Value;

/// A function with its object and its arguments.
pub type Direct = Rc<dyn Fn(&mut Dynamic, &mut [Value]) -> NativeResult<Value>>;

/// A function of the host. `M` describes its parameters and its result.
pub trait HostFunction<M>: Sized {
    /// Returns the function for direct calls. There is none without an object or with Rhai's
    /// context.
    fn direct(self) -> Option<Direct> {
        None
    }
}

/// Marks a function whose parameters are all values.
pub struct ByValue<M>(PhantomData<M>);
/// Marks a function of values that may fail.
pub struct TryByValue<M>(PhantomData<M>);
/// Marks a function whose first parameter is an object, which it takes by reference.
pub struct ByObject<M>(PhantomData<M>);
/// Marks a function of an object that may fail.
pub struct TryByObject<M>(PhantomData<M>);
/// Marks a function that takes Rhai's context.
pub struct WithContext<M>(PhantomData<M>);

/// Reports whether Rhai converts an argument to this type for the time of a call.
fn is_borrowed(of: TypeId) -> bool {
    of == TypeId::of::<&str>() || of == TypeId::of::<String>()
}

/// Takes an argument. The caller checked its type.
#[inline]
fn argument<T: Variant + Clone>(value: &mut Value) -> NativeResult<T> {
    if TypeId::of::<T>() == TypeId::of::<INT>()
        && let Value::Int(number) = value
    {
        return same_type(*number);
    }
    if TypeId::of::<T>() == TypeId::of::<bool>()
        && let Value::Bool(flag) = value
    {
        return same_type(*flag);
    }
    let value = value.take().dynamic();
    if TypeId::of::<T>() == TypeId::of::<Dynamic>() {
        return same_type(value);
    }
    value.try_cast::<T>().ok_or_else(unexpected)
}

/// Returns a value as another name of its type.
#[inline]
fn same_type<A: 'static, B: 'static>(value: A) -> NativeResult<B> {
    let mut value = Some(value);
    let value = (&mut value as &mut dyn Any).downcast_mut::<Option<B>>();
    value.and_then(Option::take).ok_or_else(unexpected)
}

#[cold]
fn unexpected() -> Box<EvalAltResult> {
    "an argument has an unexpected type".into()
}

#[inline]
fn answer<T: Variant + Clone>(value: T) -> Value {
    if TypeId::of::<T>() == TypeId::of::<INT>()
        && let Some(number) = (&value as &dyn Any).downcast_ref::<INT>()
    {
        return Value::Int(*number);
    }
    if TypeId::of::<T>() == TypeId::of::<bool>()
        && let Some(flag) = (&value as &dyn Any).downcast_ref::<bool>()
    {
        return Value::Bool(*flag);
    }
    if TypeId::of::<T>() == TypeId::of::<()>() {
        return Value::Unit;
    }
    Value::from(Dynamic::from(value))
}

macro_rules! host_functions {
    ($(($($number:tt $of:ident $name:ident),*))*) => {$(
        impl<FN, R, $($of),*> HostFunction<ByValue<($($of,)* R,)>> for FN
        where
            FN: Fn($($of),*) -> R + 'static,
            R: Variant + Clone,
            $($of: Variant + Clone,)*
        {
        }

        impl<FN, R, $($of),*> HostFunction<TryByValue<($($of,)* R,)>> for FN
        where
            FN: Fn($($of),*) -> NativeResult<R> + 'static,
            R: Variant + Clone,
            $($of: Variant + Clone,)*
        {
        }

        impl<FN, R, T, $($of),*> HostFunction<ByObject<(T, $($of,)* R,)>> for FN
        where
            FN: Fn(&mut T, $($of),*) -> R + 'static,
            T: Variant + Clone,
            R: Variant + Clone,
            $($of: Variant + Clone,)*
        {
            fn direct(self) -> Option<Direct> {
                if [$(TypeId::of::<$of>()),*].into_iter().any(is_borrowed) {
                    return None;
                }
                Some(Rc::new(move |object, _args: &mut [Value]| {
                    let mut object = object.write_lock::<T>().ok_or_else(unexpected)?;
                    $(let $name = argument::<$of>(&mut _args[$number])?;)*
                    Ok(answer(self(&mut object, $($name),*)))
                }))
            }
        }

        impl<FN, R, T, $($of),*> HostFunction<TryByObject<(T, $($of,)* R,)>> for FN
        where
            FN: Fn(&mut T, $($of),*) -> NativeResult<R> + 'static,
            T: Variant + Clone,
            R: Variant + Clone,
            $($of: Variant + Clone,)*
        {
            fn direct(self) -> Option<Direct> {
                if [$(TypeId::of::<$of>()),*].into_iter().any(is_borrowed) {
                    return None;
                }
                Some(Rc::new(move |object, _args: &mut [Value]| {
                    let mut object = object.write_lock::<T>().ok_or_else(unexpected)?;
                    $(let $name = argument::<$of>(&mut _args[$number])?;)*
                    self(&mut object, $($name),*).map(answer)
                }))
            }
        }

        impl<FN, R, T, $($of),*> HostFunction<WithContext<(T, $($of,)* R,)>> for FN
        where
            FN: Fn(NativeCallContext<'_>, &mut T, $($of),*) -> R + 'static,
        {
        }
    )*};
}

host_functions! {
    ()
    (0 A a)
    (0 A a, 1 B b)
    (0 A a, 1 B b, 2 C c)
    (0 A a, 1 B b, 2 C c, 3 D d)
    (0 A a, 1 B b, 2 C c, 3 D d, 4 E e)
    (0 A a, 1 B b, 2 C c, 3 D d, 4 E e, 5 F f)
    (0 A a, 1 B b, 2 C c, 3 D d, 4 E e, 5 F f, 6 G g)
}
