//! Faults and the advice that they give.

use rhai::{Engine, ParseErrorType};
use rhai_guard::Source;

#[test]
fn reserved_words_are_known() {
    let names = |word: &str| {
        let engine = Engine::new_raw();
        let error = engine.compile(format!("fn f() {{ let {word} = 1; }}"));
        matches!(*error.unwrap_err().0, ParseErrorType::Reserved(_))
    };
    for word in rhai_guard::RESERVED.split(' ') {
        assert!(names(word), "{word}");
        let source = Source::new("x", format!("fn f() {{ let {word} = 1; }}"));
        let fault = rhai_guard::syntax::draft(&source).unwrap_err();
        assert!(fault.help.is_some(), "{word}");
    }
}

#[test]
fn python_is_recognised() {
    let help = |text: &str| {
        let fault = rhai_guard::syntax::draft(&Source::new("x", text)).unwrap_err();
        fault.help.is_some_and(|help| help.contains("cmd:"))
    };
    for text in [
        "import sys\nfor line in sys.stdin:\n    print(line)\n",
        "#!/usr/bin/env python3\nprint(1)\n",
        "def answer(view):\n    return 1\n",
    ] {
        assert!(help(text), "{text}");
    }
    assert!(!help("import \"sums\" as sums;\nfn f() { let x = ; }"));
}

/// The advice on sizes and the limits are written in different files.
#[test]
fn advice_on_sizes_names_the_limit() {
    use rhai_guard::compile::{Constants, compile};
    use rhai_guard::{Script, ScriptLimits, engine::Sandbox};
    let mut sandbox = Sandbox::new(&ScriptLimits::default(), |_| {});
    let text = "fn f(n) { let s = \"\"; for _i in 0..n { s += \"x\"; } s.len }";
    let script = Script::alone("x", text);
    let compiled = compile(&mut sandbox, &script, &Constants::new(), &["f"]).unwrap();
    let call = |n: i64| sandbox.call(&compiled.ast, "f", None, (n,));
    assert!(call(4_200).is_ok());
    let error = call(4_201).unwrap_err();
    let fault = sandbox.setup_fault(&error, &compiled.sources, "f");
    assert!(fault.help.unwrap().contains("4,200 bytes"));
}
