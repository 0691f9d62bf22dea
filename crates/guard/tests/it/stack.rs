//! The deepest scripts that are admitted parse and run in a small stack.

use rhai_guard::compile::{Constants, compile};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, Script, ScriptLimits};

/// The stack of a thread that runs scripts in a page, less a quarter for the page itself.
const STACK: usize = 768 << 10;

/// Nested code: what stands before and after the code within it, and the code in the middle.
const NESTS: &[(&str, &str, &str, &str)] = &[
    ("parentheses", "(1 + ", ")", "f(n + 1)"),
    ("left operands", "(", " + 1)", "f(n + 1)"),
    ("negations", "-(", ")", "f(n + 1)"),
    ("arrays", "[", "]", "f(n + 1)"),
    ("maps", "#{ a: ", "}", "f(n + 1)"),
    ("calls", "g(", ")", "f(n + 1)"),
    ("methods", "n.g(", ")", "f(n + 1)"),
    ("indexes", "[1][", "]", "f(n + 1)"),
    ("and", "(true && ", ")", "f(n + 1)"),
    ("coalescing", "(() ?? ", ")", "f(n + 1)"),
    ("interpolations", "`${", "}`", "f(n + 1)"),
    ("if", "if true { ", " }", "f(n + 1)"),
    ("else", "if false { } else { ", " }", "f(n + 1)"),
    ("blocks", "{ ", " }", "f(n + 1)"),
    ("for", "for i in 0..2 { ", " }", "f(n + 1);"),
    ("for over", "for i in ", " { }", "f(n + 1)"),
    ("while", "while true { ", " break; }", "f(n + 1);"),
    ("loop", "loop { ", " break; }", "f(n + 1);"),
    ("do", "do { ", " } while false;", "f(n + 1);"),
    ("switch", "switch 1 { 1 => ", ", _ => 2 }", "f(n + 1)"),
    ("switch on", "switch ", " { 1 => 2 }", "f(n + 1)"),
    ("try", "try { ", " } catch { }", "f(n + 1);"),
    ("catch", "try { throw 1 } catch { ", " }", "f(n + 1);"),
    ("functions", "call(|| ", ")", "1"),
    ("callbacks", "[1].map(|x| ", ")", "f(x + 1)"),
    ("let", "{ let x = ", "; x }", "f(n + 1)"),
    ("return", "return ", "", "f(n + 1)"),
    ("assignments", "n.a = { ", "}", "f(n + 1)"),
    ("comparers", "[1, 2].sort(|x, y| ", ")", "f(x + 1)"),
];

fn text(nest: (&str, &str, &str, &str), depth: usize) -> String {
    let (_, before, after, middle) = nest;
    format!(
        "fn f(n) {{ {}{middle}{} }} fn g(x) {{ x }}",
        before.repeat(depth),
        after.repeat(depth)
    )
}

/// Compiles and runs a script in a thread with this stack. Returns what ended it, or `None` if it
/// was rejected.
fn run(text: String, stack: usize) -> Option<String> {
    let run = move || {
        let limits = ScriptLimits {
            budget: Budget(1_000_000),
            ..ScriptLimits::default()
        };
        let mut sandbox = Sandbox::new(&limits, |_| {});
        let script = Script::alone("deep", &text);
        let compiled = compile(&mut sandbox, &script, &Constants::new(), &["f"]).ok()?;
        let result = sandbox.call(&compiled.ast, "f", None, (1_i64,));
        Some(format!("{result:?}"))
    };
    let builder = std::thread::Builder::new().stack_size(stack);
    builder.spawn(run).unwrap().join().unwrap()
}

#[test]
fn the_deepest_scripts_run_in_a_small_stack() {
    for nest in NESTS {
        let (mut admitted, mut rejected) = (1, 100);
        while admitted + 1 < rejected {
            let middle = usize::midpoint(admitted, rejected);
            if run(text(*nest, middle), STACK).is_some() {
                admitted = middle;
            } else {
                rejected = middle;
            }
        }
        assert!(admitted > 8 || nest.0 == "return", "{nest:?}: {admitted}");
        // Many calls of flat functions, and few calls of deep ones.
        for depth in [1, admitted.div_ceil(2), admitted] {
            let ended = run(text(*nest, depth), STACK).unwrap();
            assert!(
                ended.contains("ErrorStackOverflow") || nest.0 == "functions",
                "{nest:?}: {ended}"
            );
        }
        assert_eq!(run(text(*nest, 4_000), STACK), None, "{nest:?}");
    }
}
