//! The loops, and what the programs of all evaluators share.

use std::error::Error;
use std::time::Instant;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine};

/// The name, the body and the result of each loop, with 300 turns.
const LOOPS: [(&str, &str, i64); 5] = [
    (
        "for",
        "let x = 0; for i in 0..300 { x += i * 2; } x",
        89_700,
    ),
    (
        "while",
        "let x = 0; let i = 0; while i < 300 { i += 1; if i % 3 == 0 { x += i; } } x",
        15_150,
    ),
    (
        "call",
        "let x = 0; for i in 0..300 { x = f(x, i); } x",
        44_850,
    ),
    (
        "map",
        "let m = #{ a: 1, b: 2 }; for i in 0..300 { m.a = m.a + m.b; } m.a",
        601,
    ),
    (
        "array",
        "let a = []; for i in 0..300 { a.push(i); } let s = 0; for v in a { s += v; } s",
        44_850,
    ),
];

/// Success, or any error.
pub type Done<T = ()> = Result<T, Box<dyn Error>>;

/// A loop and the number of its calls.
pub struct Task {
    /// A script with the loop as its function `run`.
    pub text: String,
    result: i64,
    calls: u32,
}

impl Task {
    /// Reads a task from the command line, for example `for 1000`.
    ///
    /// # Errors
    /// Returns an error if there is no such loop, or no number.
    pub fn read() -> Done<Self> {
        let mut args = std::env::args().skip(1);
        let name = args.next().unwrap_or_default();
        let found = LOOPS.iter().find(|(known, ..)| *known == name);
        let (_, body, result) = found.ok_or("a loop is for, while, call, map or array")?;
        Ok(Self {
            text: format!("fn run() {{ {body} }} fn f(a, b) {{ a + b }}"),
            result: *result,
            calls: args.next().unwrap_or_default().parse()?,
        })
    }

    /// Makes the calls, and prints the nanoseconds of each.
    ///
    /// # Errors
    /// Returns the error of a call, or an error if its result is wrong.
    pub fn run(&self, mut call: impl FnMut() -> Done<Dynamic>) -> Done {
        let begun = Instant::now();
        for _ in 0..self.calls {
            let result = call()?;
            if result.as_int() != Ok(self.result) {
                return Err(format!("expected {}, found {result}", self.result).into());
            }
        }
        println!("{}", begun.elapsed().as_nanos() / u128::from(self.calls));
        Ok(())
    }
}

/// Returns an engine of Rhai without limits.
#[must_use]
pub fn bare() -> Engine {
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
