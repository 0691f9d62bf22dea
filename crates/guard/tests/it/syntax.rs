//! Rhai's parse of a script.

use rhai::{AST, ASTFlags, ASTNode, Dynamic, Engine, Expr, FnPtr, LexError, Position};
use rhai::{OptimizationLevel, ParseErrorType, Scope, Stmt, Token};

fn parse(script: &str) -> AST {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None);
    engine.compile(script).unwrap()
}

/// Collects results from the nodes of a script, in the order of the walk.
fn find<T>(ast: &AST, mut look: impl FnMut(&[ASTNode<'_>]) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        found.extend(look(path));
        true
    });
    found
}

fn at(place: Position) -> (usize, usize) {
    (place.line().unwrap(), place.position().unwrap())
}

/// Describes a call: its kind of node, name, number of arguments, and number of namespaces.
fn call(node: Option<&ASTNode<'_>>) -> Option<String> {
    let (kind, call) = match node? {
        ASTNode::Stmt(Stmt::FnCall(call, _)) => ("statement", call),
        ASTNode::Expr(Expr::FnCall(call, _)) => ("value", call),
        ASTNode::Expr(Expr::MethodCall(call, _)) => ("method", call),
        _ => return None,
    };
    let spaces = call.namespace.path.len();
    Some(format!("{} {kind} {} {spaces}", call.name, call.args.len()))
}

#[test]
fn calls_are_three_kinds_of_nodes() {
    let script = "fn a() { f(1); let x = g(1, 2); x.h(3); x.i = m::j(); `${k()}`; [|y| l(y)] }";
    let mut calls = find(&parse(script), |path| call(path.last()));
    calls.sort();
    // The object of a method is no argument, and the bodies of nameless functions are walked.
    let expected = [
        "f value 1 0",
        "g value 2 0",
        "h method 1 0",
        "j value 0 1",
        "k value 0 0",
    ];
    assert_eq!(calls[..5], expected);
    assert_eq!(calls[5..], ["l value 1 0"]);
    let (engine, ast) = (Engine::new_raw(), parse("fn a() { f(1); }"));
    let folded = engine.optimize_ast(&Scope::new(), ast, OptimizationLevel::Simple);
    let calls = find(&folded, |path| call(path.last()));
    assert_eq!(
        calls,
        ["f statement 1 0"],
        "the optimiser makes statements of them"
    );
}

#[test]
fn operators_are_calls_with_a_token() {
    let ast = parse("fn a(x, y) { x -= y * 2; x += 1; x = -y; f(x - y) }");
    let binary = find(&ast, |path| match path.last()? {
        ASTNode::Expr(Expr::FnCall(call, _)) => {
            call.op_token.clone().map(|token| (token, call.args.len()))
        }
        _ => None,
    });
    for token in [(Token::Multiply, 2), (Token::Minus, 1), (Token::Minus, 2)] {
        assert!(binary.contains(&token), "{binary:?}");
    }
    assert_eq!(binary.len(), 3);
    let assigned = find(&ast, |path| match path.last()? {
        ASTNode::Stmt(Stmt::Assignment(parts)) => {
            let operator = parts.0.get_op_assignment_info();
            Some(operator.map(|(.., operator, _)| operator.clone()))
        }
        _ => None,
    });
    assert_eq!(assigned, [Some(Token::Minus), Some(Token::Plus), None]);
}

#[test]
fn map_literals_keep_their_keys_with_places() {
    let keys = find(
        &parse("fn a() { #{ one: 1,\n  \"two\": #{} } }"),
        |path| match path.last()? {
            ASTNode::Expr(Expr::Map(map, _)) => {
                let keys = map
                    .0
                    .iter()
                    .map(|(key, _)| (key.name.to_string(), at(key.pos)));
                Some(keys.collect::<Vec<_>>())
            }
            _ => None,
        },
    );
    let outer = vec![("one".to_owned(), (1, 13)), ("two".to_owned(), (2, 3))];
    assert_eq!(keys, [outer, Vec::new()]);
}

#[test]
fn nameless_functions_are_constants_and_functions() {
    let ast = parse("fn a(list) { list.map(|x| x + 1); Fn(\"b\") }");
    let pointers = find(&ast, |path| match path.last()? {
        ASTNode::Expr(Expr::DynamicConstant(value, _)) => {
            value.read_lock::<FnPtr>().map(|it| it.fn_name().to_owned())
        }
        _ => None,
    });
    let functions: Vec<&str> = ast.iter_functions().map(|function| function.name).collect();
    assert_eq!((pointers.len(), functions.len()), (1, 2));
    assert!(pointers[0].starts_with("anon$"), "{pointers:?}");
    assert!(functions.contains(&pointers[0].as_str()), "{functions:?}");
    let named = find(&ast, |path| match path.last()? {
        ASTNode::Expr(Expr::FnCall(call, _)) if call.name == "Fn" => match &call.args[0] {
            Expr::StringConstant(name, _) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(named, ["b"]);
}

#[test]
fn the_top_of_a_file_is_statements() {
    let ast = parse("import \"x\" as y; const A = 3;; let b = \"t\"; fn f() {} 5 + 1");
    let kinds: Vec<String> = ast
        .statements()
        .iter()
        .map(|statement| match statement {
            Stmt::Import(import, _) => match &import.0 {
                Expr::StringConstant(file, _) => format!("import {file} {}", import.1.name),
                _ => "import".to_owned(),
            },
            Stmt::Var(variable, flags, place) => format!(
                "{} {} {} {:?}",
                variable.0.name,
                flags.intersects(ASTFlags::CONSTANT),
                matches!(variable.1, Expr::IntegerConstant(3, _)),
                at(*place)
            ),
            Stmt::Noop(_) => "nothing".to_owned(),
            _ => "other".to_owned(),
        })
        .filter(|kind| kind != "nothing")
        .collect();
    let expected = [
        "import x y",
        "A true true (1, 18)",
        "b false false (1, 32)",
        "other",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn names_of_loops_catches_and_variables_are_where_they_were() {
    let script = "fn f(p) { for x in p {} for (y, i) in p {} try { g() } catch (e) { } p; m::N }";
    let names = find(&parse(script), |path| match path.last()? {
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            let counter = parts.1.as_ref().map_or("", |counter| counter.name.as_str());
            Some(format!("for {} {counter}", parts.0.name))
        }
        ASTNode::Stmt(Stmt::TryCatch(flow, _)) => match &flow.expr {
            Expr::Variable(caught, ..) => Some(format!("catch {}", caught.1)),
            _ => None,
        },
        ASTNode::Expr(Expr::Variable(variable, ..)) if !variable.2.is_empty() => {
            Some(format!("{}::{}", variable.2.path[0].name, variable.1))
        }
        _ => None,
    });
    assert_eq!(names, ["for x ", "for y i", "catch e", "m::N"]);
}

#[test]
fn functions_know_their_places_and_this() {
    let ast = parse("fn f() {\n  this.x\n}\nfn g(a) { a }");
    let function = ast.shared_lib().get_script_fn("f", 0).unwrap();
    let (start, end) = (function.body.start_position(), function.body.end_position());
    assert_eq!((at(start), at(end)), ((1, 8), (3, 1)));
    let this = find(&ast, |path| match path.last()? {
        ASTNode::Expr(Expr::ThisPtr(place)) => Some(at(*place)),
        _ => None,
    });
    assert_eq!(this, [(2, 3)]);
    assert!(ast.shared_lib().get_script_fn("g", 0).is_none());
}

#[test]
fn the_optimiser_folds_constants_into_functions_but_not_heads_of_chains() {
    let engine = Engine::new_raw();
    let mut scope = Scope::new();
    scope.push_constant("ONE", 1_i64);
    scope.push_constant_dynamic("LIST", Dynamic::from_array(vec![Dynamic::from_int(7)]));
    let mut strict = Engine::new_raw();
    strict
        .set_strict_variables(true)
        .set_optimization_level(OptimizationLevel::None);
    let ast = strict
        .compile_with_scope(&scope, "fn f() { g(ONE, LIST); LIST[0] }")
        .unwrap();
    let functions = ast.clone_functions_only();
    let folded = engine.optimize_ast(&scope, functions, OptimizationLevel::Simple);
    let left = find(&folded, |path| match path.last()? {
        ASTNode::Expr(Expr::Variable(variable, short, _)) => Some((
            variable.1.to_string(),
            short.is_none() && variable.0.is_none() && variable.2.is_empty(),
            matches!(path[path.len() - 2], ASTNode::Stmt(Stmt::Assignment(_))),
        )),
        _ => None,
    });
    assert_eq!(left, [("LIST".to_owned(), true, false)]);
    // Without the optimiser, statements at the top level are unchanged.
    let top = parse("const A = \"x\" + \"y\";");
    let sums = find(&top, |path| {
        matches!(path.last(), Some(ASTNode::Expr(Expr::FnCall(..)))).then_some(())
    });
    assert_eq!(sums.len(), 1);
}

#[test]
fn strict_variables_refuse_unknown_names_and_what_is_around_a_function() {
    let mut engine = Engine::new_raw();
    engine.set_strict_variables(true);
    let refused = |script: &str| *engine.compile(script).unwrap_err().0;
    let name = |name: &str| ParseErrorType::VariableUndefined(name.to_owned());
    assert_eq!(refused("fn f() { x }"), name("x"));
    assert_eq!(refused("fn f(y, l) { l.map(|x| x + y) }"), name("y"));
    assert_eq!(
        refused("fn f() { m::g() }"),
        ParseErrorType::ModuleUndefined("m".to_owned())
    );
}

#[test]
fn symbols_that_are_disabled_are_no_names() {
    let mut engine = Engine::new_raw();
    for symbol in ["eval", "curry", "print"] {
        engine.disable_symbol(symbol);
        let error = *engine
            .compile(format!("fn f(x) {{ {symbol}(x) }}"))
            .unwrap_err()
            .0;
        let is_symbol = match &error {
            ParseErrorType::Reserved(name) => name == symbol,
            ParseErrorType::BadInput(LexError::ImproperSymbol(name, _)) => name == symbol,
            _ => false,
        };
        assert!(is_symbol, "{symbol}: {error:?}");
    }
}

#[test]
fn every_token_is_seen_and_can_be_refused() {
    let mut engine = Engine::new_raw();
    let seen = std::rc::Rc::new(std::cell::Cell::new(0));
    let count = std::rc::Rc::clone(&seen);
    #[expect(deprecated, reason = "what the crate uses")]
    engine.on_parse_token(move |token, _, _| {
        count.set(count.get() + 1);
        match token {
            Token::Identifier(name) if *name == "bad" => {
                Token::LexError(Box::new(LexError::Runtime("refused".to_owned())))
            }
            token => token,
        }
    });
    // `fn f ( a ) { a + "t" }`
    engine.compile("fn f(a) { a + \"t\" }").unwrap();
    assert_eq!(seen.get(), 10);
    let error = engine.compile("fn f() {\n  bad }").unwrap_err();
    let refused = LexError::Runtime("refused".to_owned());
    assert_eq!(*error.0, ParseErrorType::BadInput(refused));
    assert_eq!(at(error.1), (2, 3));
}

#[test]
fn what_the_language_has_itself_needs_no_function() {
    let engine = Engine::new_raw();
    let scripts = [
        ("type_of(1) == \"i64\"", "type_of"),
        ("is_def_fn(\"f\", 0)", "is_def_fn"),
        ("let x = 1; is_def_var(\"x\")", "is_def_var"),
        ("Fn(\"f\").call()", "Fn and call"),
    ];
    for (script, name) in scripts {
        let ran = engine.eval::<Dynamic>(&format!("fn f() {{ true }} {script}"));
        assert!(ran.unwrap().as_bool().unwrap(), "{name}");
    }
}

#[test]
fn the_statements_of_a_body_are_walked_in_order() {
    let ast = parse("fn f(x) { let a = [|y| y + x]; if x { 1; 2; } 3 }");
    let mut only = ast.clone_functions_only();
    only.retain_functions(|_, _, name, _| name == "f");
    let kinds = find(&only, |path| match path {
        [ASTNode::Stmt(statement)] => Some(match statement {
            Stmt::Var(..) => "let",
            Stmt::If(..) => "if",
            Stmt::Expr(_) => "expression",
            _ => "other",
        }),
        _ => None,
    });
    assert_eq!(kinds, ["let", "if", "expression"]);
}

#[test]
fn cases_are_stored_by_their_hash() {
    use std::hash::{Hash as _, Hasher as _};
    let ast = parse("fn f(x) { switch x { 3 => 1, \"a\" => 2, _ => 0 } }");
    let cases = find(&ast, |path| match path.last()? {
        ASTNode::Stmt(Stmt::Switch(parts, _)) => Some(parts.1.clone()),
        _ => None,
    });
    for value in [Dynamic::from_int(3), Dynamic::from("a".to_owned())] {
        let mut hasher = ahash::AHasher::default();
        value.hash(&mut hasher);
        assert!(cases[0].cases.contains_key(&hasher.finish()), "{value}");
    }
}
