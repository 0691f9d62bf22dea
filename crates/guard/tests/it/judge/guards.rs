//! Guards in front of the language's own functions, for Rhai's evaluator.

use rhai::{
    Engine, FuncRegistration, Module, NativeCallContext, RhaiFunc, Shared,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage,
        BasicMapPackage, BasicStringPackage, LogicPackage, MoreStringPackage, Package,
    },
};
use rhai_guard::guard::{CostBound, bound, charge_arguments, weigh};
use rhai_guard::{meter, sizes};

fn packages() -> [Shared<Module>; 8] {
    [
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

/// Registers guards that charge for each call of a package's function as the evaluator does.
pub(crate) fn register(engine: &mut Engine) {
    let mut inner = Engine::new_raw();
    for package in packages() {
        inner.register_global_module(package);
    }
    sizes::set_limits(&mut inner);
    inner.on_progress(|_| meter::step().map(rhai::Dynamic::from));
    let all = inner.collect_fn_metadata(
        None,
        |info| {
            let data = info.metadata;
            let first = data.params_info.first();
            let is_method = first.is_some_and(|first| first.contains("&mut "));
            Some((data.name.to_string(), data.param_types.to_vec(), is_method))
        },
        true,
    );
    let inner = Shared::new(inner);
    let mut guards = Module::new();
    for (name, types, is_method) in all {
        let (measured, factor) = match bound(&name, &types) {
            CostBound::Constant | CostBound::Calls => continue,
            CostBound::Charged(factor) => (false, factor),
            CostBound::Measured(factor) => (true, factor),
        };
        let func = guarded(&inner, &name, is_method, measured, factor);
        let registration = FuncRegistration::new(name).in_global_namespace();
        registration.set_into_module_raw(&mut guards, types, func);
    }
    guards.build_index();
    // The module that is registered last is searched first.
    engine.register_global_module(guards.into());
}

fn guarded(
    engine: &Shared<Engine>,
    name: &str,
    is_method: bool,
    measured: bool,
    factor: u64,
) -> RhaiFunc {
    let name = match name {
        "debug" => "to_debug",
        "print" => "to_string",
        name => name,
    };
    let name = name.to_owned();
    let engine = Shared::clone(engine);
    let run = move |context: Option<NativeCallContext<'_>>, args: &mut [&mut rhai::Dynamic]| {
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
    let func = Shared::new(run);
    let (has_context, is_pure, is_volatile) = (true, true, false);
    if is_method {
        RhaiFunc::Method {
            func,
            has_context,
            is_pure,
            is_volatile,
        }
    } else {
        RhaiFunc::Pure {
            func,
            has_context,
            is_pure,
            is_volatile,
        }
    }
}
