//! Rhai's behaviour while a script runs.

use std::any::TypeId;
use std::cell::Cell;
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FuncRegistration, INT,
    ImmutableString, Map, Module, NativeCallContext, Position, RhaiFunc, Scope, Shared,
};

/// Returns an engine with the packages that scripts have.
fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        .register_global_module(ArithmeticPackage::new().as_shared_module())
        .register_global_module(LogicPackage::new().as_shared_module())
        .register_global_module(BasicIteratorPackage::new().as_shared_module())
        .register_global_module(BasicFnPackage::new().as_shared_module())
        .register_global_module(BasicStringPackage::new().as_shared_module())
        .register_global_module(MoreStringPackage::new().as_shared_module())
        .register_global_module(BasicArrayPackage::new().as_shared_module())
        .register_global_module(BasicMapPackage::new().as_shared_module());
    engine
}

/// Counts how often the engine checks whether a script may go on.
fn steps(script: &str) -> u64 {
    let mut engine = engine();
    let count = Rc::new(Cell::new(0));
    let counted = Rc::clone(&count);
    engine.on_progress(move |_| {
        counted.set(counted.get() + 1);
        None
    });
    engine.set_optimization_level(rhai::OptimizationLevel::None);
    engine.run(script).unwrap();
    count.get()
}

fn number(engine: &Engine, script: &str) -> INT {
    engine.eval(script).unwrap()
}

/// A change of a number here changes each budget, and each record with a budget.
#[test]
fn operations_are_counted_as_they_were() {
    let rows = [
        ("1 + 2;", 4),
        ("let x = 1; x += 2;", 5),
        ("for i in 0..10 { i; }", 24),
        ("fn f(x) { x } f(f(1));", 10),
        ("let m = #{ a: [1, 2] }; m.a[1] = m.a[0];", 19),
        ("let l = [1, 2, 3]; l.map(|x| x * 2);", 29),
        ("let l = [1, 2, 3]; l.sort(|a, b| b - a);", 26),
    ];
    for (script, operations) in rows {
        assert_eq!(steps(script), operations, "{script}");
    }
}

#[test]
fn what_ends_a_call_is_not_caught_by_the_script() {
    let mut engine = engine();
    let left = Cell::new(20);
    engine.on_progress(move |_| {
        left.set(left.get() - 1);
        (left.get() < 0).then(|| Dynamic::from("over"))
    });
    let script = "try { loop { } } catch (e) { } 5";
    match *engine.eval::<INT>(script).unwrap_err() {
        EvalAltResult::ErrorTerminated(why, _) => assert_eq!(why.into_string().unwrap(), "over"),
        other => panic!("{other}"),
    }
}

#[test]
fn a_raw_engine_has_no_clock_file_exit_or_sleep() {
    let names = |engine: &Engine| {
        engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true)
    };
    assert_eq!(names(&Engine::new_raw()), Vec::<String>::new());
    let all = names(&engine());
    for banned in [
        "sleep",
        "exit",
        "timestamp",
        "eval",
        "import",
        "open",
        "rand",
    ] {
        assert!(!all.iter().any(|name| name == banned), "{banned}");
    }
    assert!(all.len() > 300, "{}", all.len());
}

/// The limits of the library's functions are chosen by their declared types.
#[test]
fn functions_say_their_types_and_results() {
    let found = |name: &str, first: TypeId| {
        engine().collect_fn_metadata(
            None,
            |info| {
                let data = info.metadata;
                let types = data.param_types.to_vec();
                let fits = data.name == name && types.first() == Some(&first);
                let by_reference = data.params_info.first()?.contains("&mut ");
                fits.then(|| (types.len(), by_reference, data.return_type.to_string()))
            },
            true,
        )
    };
    let array = TypeId::of::<Array>();
    assert_eq!(found("pop", array), [(1, true, "Dynamic".to_owned())]);
    assert!(found("len", array)[0].1);
    let text = TypeId::of::<ImmutableString>();
    let replaced = found("replace", text);
    assert!(
        replaced.iter().all(|found| found.0 == 3) && replaced.len() >= 4,
        "{replaced:?}"
    );
    let mut engine = Engine::new_raw();
    engine.register_fn("whole", || 1_i64);
    engine.register_fn("tried", || Ok::<f64, Box<EvalAltResult>>(1.0));
    let mut results = engine.collect_fn_metadata(
        None,
        |info| Some(info.metadata.return_type.to_string()),
        true,
    );
    // Rhai stores functions in a hash map.
    results.sort_unstable();
    assert!(
        results[0].starts_with("core::result::Result<f64, "),
        "{results:?}"
    );
    assert_eq!(results[1], "i64");
}

#[test]
fn the_module_that_was_registered_last_is_asked_first() {
    let mut engine = engine();
    let mut guards = Module::new();
    FuncRegistration::new("len")
        .in_global_namespace()
        .set_into_module(&mut guards, |list: &mut Array| list.len() as INT + 100);
    guards.build_index();
    engine.register_global_module(guards.into());
    assert_eq!(number(&engine, "[1, 2].len()"), 102);
    engine.register_fn("len", |list: &mut Array| list.len() as INT + 200);
    assert_eq!(
        number(&engine, "[1, 2].len()"),
        202,
        "the engine's own come before all modules"
    );
}

/// Guards pass calls to an engine of their own, with the first argument unchanged.
#[test]
fn a_function_may_call_those_of_another_engine() {
    let inner = Rc::new(engine());
    let mut outer = Engine::new_raw();
    let mut guards = Module::new();
    let run = move |context: Option<NativeCallContext<'_>>, args: &mut [&mut Dynamic]| {
        let context = context.expect("it was asked for");
        let global = context.global_runtime_state();
        let (source, place) = (context.call_source(), context.call_position());
        let context = NativeCallContext::new_with_all_fields(&inner, "push", source, global, place);
        context.call_native_fn_raw("push", true, args)
    };
    let func = RhaiFunc::Method {
        func: Shared::new(run),
        has_context: true,
        is_pure: true,
        is_volatile: false,
    };
    let types = [TypeId::of::<Array>(), TypeId::of::<Dynamic>()];
    FuncRegistration::new("put")
        .in_global_namespace()
        .set_into_module_raw(&mut guards, types, func);
    guards.build_index();
    outer.register_global_module(guards.into());
    let list = outer.eval::<Array>("let l = [1]; l.put(2); l").unwrap();
    assert_eq!(list.len(), 2);
}

#[test]
fn errors_hold_one_call_a_level() {
    let ast = engine()
        .compile("fn f() {\n g(1) }\nfn g(x) {\n h() }\nfn h() { [1][3] }")
        .unwrap();
    let error = engine()
        .call_fn::<INT>(&mut Scope::new(), &ast, "f", ())
        .unwrap_err();
    let mut chain = Vec::new();
    let mut inner = &*error;
    while let EvalAltResult::ErrorInFunctionCall(name, _, next, place) = inner {
        chain.push((name.as_str(), place.line()));
        inner = next;
    }
    assert_eq!(chain, [("g", Some(2)), ("h", Some(4))]);
    assert!(
        matches!(inner, EvalAltResult::ErrorArrayBounds(1, 3, _)),
        "{inner}"
    );
    assert!(inner.to_string().contains(" (line 5, position "), "{inner}");
}

/// Successive calls share the functions and the caches of lookups.
#[test]
fn functions_are_called_with_what_earlier_calls_looked_up() {
    let engine = engine();
    let ast = engine
        .compile("fn f(x) { this.sum += x; g(this.sum) }\nfn g(x) { x * 2 }")
        .unwrap();
    let mut global = engine.new_global_runtime_state();
    global.lib.push(Shared::clone(ast.shared_lib()));
    let mut caches = Caches::new();
    let mut scope = Scope::new();
    let mut this = Dynamic::from_map(Map::from([("sum".into(), Dynamic::from_int(1))]));
    for result in [8, 14] {
        let mut context = EvalContext::new(&engine, &mut global, &mut caches, &mut scope, None);
        let mut given = Dynamic::from_int(3);
        let args = &mut [&mut this, &mut given];
        let returned = context.call_fn_raw("f", false, true, args).unwrap();
        assert_eq!(returned.as_int().unwrap(), result);
    }
    let mut context = EvalContext::new(&engine, &mut global, &mut caches, &mut scope, None);
    let mut wrong = Dynamic::from_bool(true);
    let error = context
        .call_fn_raw("f", false, true, &mut [&mut this, &mut wrong])
        .unwrap_err();
    let is_outermost = matches!(&*error, EvalAltResult::ErrorInFunctionCall(name, _, _, Position::NONE) if name == "f");
    assert!(is_outermost, "{error:?}");
}

#[test]
fn functions_that_were_called_twice_are_remembered() {
    let engine = engine();
    let mut global = engine.new_global_runtime_state();
    let mut caches = Caches::new();
    let mut scope = Scope::new();
    for known in [0, 1] {
        let mut list = Dynamic::from_array(vec![Dynamic::from_int(7)]);
        let mut context = EvalContext::new(&engine, &mut global, &mut caches, &mut scope, None);
        let popped = context.call_fn_raw("pop", true, false, &mut [&mut list]);
        assert_eq!(popped.unwrap().as_int(), Ok(7));
        let dict = &caches.fn_resolution_cache_mut().dict;
        assert_eq!(dict.values().flatten().count(), known);
    }
    let dict = &caches.fn_resolution_cache_mut().dict;
    let func = &dict.values().flatten().next().unwrap().func;
    assert!(func.is_plugin_fn() && func.is_method());
}

#[test]
fn sizes_are_checked_after_calls_and_points_but_not_after_brackets() {
    let mut engine = engine();
    engine
        .set_max_map_size(3)
        .set_max_array_size(3)
        .set_max_string_size(10);
    let too_large = |script: &str| {
        let error = engine.run(script).unwrap_err();
        assert!(
            matches!(*error, EvalAltResult::ErrorDataTooLarge(..)),
            "{error:?}"
        );
    };
    too_large("let l = [1, 2]; l.push(3); l.push(4);");
    too_large("let t = \"123456\"; t + t;");
    too_large("let m = #{ a: 1, b: 2 }; m.c = 3; m.d = 4;");
    let brackets = "let m = #{ a: 1, b: 2 }; m[\"c\"] = 3; m[\"d\"] = 4;";
    engine.run(brackets).unwrap();
}

#[test]
fn values_are_small_and_maps_in_order() {
    assert_eq!(size_of::<Dynamic>(), 16);
    let engine = engine();
    let keys: Array = engine.eval("#{ b: 1, a: 2, c: 3 }.keys()").unwrap();
    let keys: Vec<String> = keys
        .into_iter()
        .map(|key| key.into_string().unwrap())
        .collect();
    assert_eq!(keys, ["a", "b", "c"]);
}

#[test]
fn values_have_the_names_that_messages_turn_into_words() {
    let rows = [
        ("()", "()"),
        ("1", "i64"),
        ("1.5", "f64"),
        ("\"\"", "string"),
        ("#{}", "map"),
        ("[]", "array"),
        ("true", "bool"),
        ("Fn(\"f\")", "Fn"),
    ];
    for (script, name) in rows {
        let value: Dynamic = engine().eval(script).unwrap();
        assert_eq!(value.type_name(), name, "{script}");
    }
}

#[test]
fn messages_begin_as_the_crate_expects() {
    let of = |script: &str| *engine().run(script).unwrap_err();
    match of("[1].map(|a, b, c, d| a)") {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => match *inner {
            EvalAltResult::ErrorFunctionNotFound(signature, _) => {
                assert!(signature.starts_with("anon$"), "{signature}");
            }
            other => panic!("{other:?}"),
        },
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            assert!(signature.starts_with("anon$"), "{signature}");
        }
        other => panic!("{other:?}"),
    }
    let mut strict = engine();
    strict.set_fail_on_invalid_map_property(true);
    let error = *strict.run("let m = #{}; m.x").unwrap_err();
    assert!(
        matches!(error, EvalAltResult::ErrorPropertyNotFound(..)),
        "{error:?}"
    );
    assert!(matches!(
        of("9223372036854775807 + 1"),
        EvalAltResult::ErrorArithmetic(..)
    ));
    let deep = of("fn f() { f() } f()");
    let mut inner = &deep;
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
    }
    assert!(
        matches!(inner, EvalAltResult::ErrorStackOverflow(_)),
        "{inner:?}"
    );
}
