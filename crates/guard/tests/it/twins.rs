//! Both evaluators give the same values, errors and operations.

use crate::judge::Twins;

/// Bodies of functions.
const BODIES: &[&str] = &[
    "",
    "1",
    "1 + 2 * 3 - 4 / 5 % 6",
    "let x = 0; for i in 0..30 { x += i * 2; } x",
    "let x = 0; let i = 0; while i < 30 { i += 1; if i % 3 == 0 { x += i; } } x",
    "let x = 0; for i in 0..10 { x = g(x, i); } x",
    "let m = #{ a: 1, b: 2 }; for i in 0..10 { m.a = m.a + m.b; } m",
    "let a = []; for i in 0..10 { a.push(i); } let s = 0; for v in a { s += v; } s",
    "9223372036854775807 + 1",
    "-9223372036854775807 - 2",
    "9223372036854775807 * 2",
    "1 / 0",
    "1 % 0",
    "2 ** 70",
    "2 ** -1",
    "2 ** 0.5",
    "1 << 65",
    "-1 >> 70",
    "5 & 3 | 8 ^ 1",
    "1.5 + 2",
    "1 + 1.5",
    "0.1 + 0.2 == 0.3",
    "1 == 1.0",
    "\"a\" + \"b\" + 1 + 'c' + ()",
    "\"abc\" - \"b\"",
    "\"a\" < \"b\" && 'x' > 'a' || false",
    "() == () && !(1 == \"1\") && true != false",
    "[1, 2] == [1, 2]",
    "#{ a: 1 } == #{ a: 1 }",
    "1 + true",
    "!1",
    "-\"a\"",
    "+5",
    "let x = 5; x += 1.5; x",
    "let x = \"a\"; x += \"b\"; x += 'c'; x -= \"a\"; x",
    "let x = [1]; x += 2; x += [3, 4]; x",
    "let x = 1; x += \"a\"; x",
    "let x = (); x += 1; x",
    "let x = true; x |= false; x &= true; x ^= true; x",
    "let x = 7; x -= 2; x *= 3; x /= 2; x %= 4; x **= 3; x <<= 2; x >>= 1; x |= 1; x &= 7; x ^= 2; x",
    "let x = 9223372036854775807; x += 1; x",
    "let x = 2.0; x **= 0.5; x *= 2; x",
    "const C = [1]; C.push(2); C",
    "const C = 5; let d = C + 1; d",
    "let x = [1, 2, 3]; x[0] + x[-1]",
    "[1, 2, 3][3]",
    "[1, 2, 3][-4]",
    "let a = [[1, 2], [3]]; a[0][1] = 9; a[1][0] += 5; a",
    "let m = #{}; m[\"k\"] = 1; m.k += 4; m[\"z\"] = m.k; m",
    "let m = #{ a: #{ b: [1, #{ c: 2 }] } }; m.a.b[1].c += 7; m.a.b[0] = m.a.b[1].c; m",
    "let m = #{}; m.x",
    "let m = #{}; m[1]",
    "let m = #{ a: 1 }; m.a.b",
    "let x = 5; x.foo",
    "let x = 5; x.foo = 1",
    "let x = 5; x[0] = true; x[3] = true; x",
    "let x = 255; x[0..4] = 0; x",
    "let x = 255; x[1..=3]",
    "let x = 255; x[70]",
    "let s = \"hello\"; s[1] = 'a'; s",
    "let s = \"hello\"; s[-1]",
    "let s = \"hello\"; s[1..3]",
    "let s = \"hello\"; s[1..=3] = \"ipp\"; s",
    "let s = \"hello\"; s[9]",
    "let s = \"hello\"; s.len + s.to_upper().len()",
    "let m = (); m?.a?.b ?? 5",
    "let m = #{ a: () }; m.a?.b ?? 5",
    "let m = (); m?[0]",
    "() ?? () ?? 3",
    "let x = if true { 1 } else { 2 }; x",
    "if false { 1 }",
    "switch 3 { 1 => 10, 3 => 30, _ => 0 }",
    "switch 5 { 1 => 1, 2..6 if g(1, 1) > 5 => 2, 2..=6 => 3, _ => 4 }",
    "switch \"a\" { \"b\" => 1, \"a\" if false => 2, \"a\" => 3 }",
    "switch [1, 2] { [1, 2] => 1, _ => 2 }",
    "switch 2.5 { 1..3 => 1, _ => 2 }",
    "switch () { () => 1, _ => 2 }",
    "switch 9 { 1 => 1 }",
    "let x = 0; loop { x += 1; if x == 3 { continue; } if x > 5 { break x * 2; } }",
    "let x = 0; do { x += 1; if x == 2 { continue; } } while x < 4; x",
    "let x = 0; do { x += 1; } until x >= 4; x",
    "for (x, i) in [5, 6] { if i == 1 { break x; } }",
    "for c in \"ab\" { if c == 'b' { return c; } }",
    "let s = 0; for i in range(0, 10, 3) { s += i; } s",
    "let s = 0; for i in range(10, 0, -3) { s += i; } s",
    "let s = 0.0; for i in range(0.0, 1.0, 0.25) { s += i; } s",
    "range(0, 10, 0)",
    "let s = 0; for b in 5.bits() { if b { s += 1; } } s",
    "let s = []; for c in \"abcdef\".chars(1, 3) { s.push(c); } s",
    "for i in 0..=3 { }",
    "for i in 0..10 { if i == 4 { return i; } }",
    "let s = 0; for i in 5..2 { s += 1; } s",
    "try { throw 5; } catch (e) { e + 1 }",
    "try { 1 / 0 } catch (e) { return e; }",
    "try { h(3) } catch (e) { return e; }",
    "try { throw #{ a: 1 }; } catch (e) { throw; }",
    "try { [1][2] } catch { 5 }",
    "try { let m = #{}; m.a } catch (e) { return e; }",
    "throw",
    "throw 7",
    "return",
    "return [1, 2]",
    "h(2)",
    "let x = 5; { let x = 6; x += 1; } x",
    "let x = 1; let x = x + 1; x",
    "`a${1 + 1}b${\"c\"}${[1, #{ a: 2 }]}${()}${1.5}${true}`",
    "``",
    "`${g(1, 2)}`",
    "[1, 2, 3].map(|x| x * 2)",
    "[1, 2, 3].map(|x, i| x * i)",
    "[1, 2, 3].filter(|x| x > 1)",
    "[3, 1, 2].sort(|a, b| a - b)",
    "let a = [3, 1, 2]; a.sort(|a, b| b - a); a.sort(); a",
    "[1, 2, 3].reduce(|sum, x| (sum ?? 0) + x)",
    "[1, 2, 3].reduce(|sum, x, i| sum + x * i, 10)",
    "[1, 2, 3].some(|x| x == 2) && [1].all(|x| x == 1)",
    "let a = [1, 2]; a.for_each(|| this += 1); a",
    "let a = [1, 2, 3, 4]; let b = a.drain(|x| x % 2 == 0); a.retain(|x| x > 1); [a, b]",
    "#{ a: 1, b: 2 }.map(|k, v| v + 1)",
    "#{ a: 1, b: 2 }.filter(|k| k == \"a\")",
    "[1, 2].map(|x| [1][x])",
    "[4, 5].index_of(5) + [4, 5].index_of(|x| x == 4)",
    "[\"a\"].index_of(\"a\")",
    "[1, 2].zip([3, 4], |a, b| a + b)",
    "let p = Fn(\"g\"); p.call(1, 2) + call(p, 3, 4)",
    "let p = |x| x + 1; p.call(1)",
    "let x = 4; x.call(|y| this + y, 5)",
    "let x = 4; x.add_to(5)",
    "let x = 4; x.bump(); x",
    "let m = #{ n: 4 }; m.n.bump(); m",
    "let a = [4]; a[0].bump(); a",
    "let m = #{ v: 3, plus: |x| this.v + x }; m.plus(4)",
    "let m = #{ v: 3, grow: |x| { this.v = x; } }; m.grow(4); m.v",
    "let c = 1; if c { 2 }",
    "let c = 1; true && c",
    "let c = 3; for i in c { }",
    "let k = \"a\"; [1][k]",
    "[1, 2].map(|x| x.plus(1))",
    "Fn(\"nope\").call(1)",
    "Fn(\"1x\")",
    "call(5)",
    "this",
    "this.x = 1",
    "type_of(1) + type_of(\"a\") + [].type_of() + type_of(1.5)",
    "is_def_fn(\"g\", 2) && !is_def_fn(\"g\", 3)",
    "let x = 1; is_def_var(\"x\") && !is_def_var(\"y\")",
    "1 in [1, 2] && \"a\" in #{ a: 1 } && 'b' in \"abc\" && 3 in 0..5 && 9 !in [1]",
    "abs(-5) + min(3, 4) + max(1.5, 2) + sign(-3)",
    "let a = [1, 2, 3]; a.pop() + a.shift() + a.len()",
    "let a = [1, 2]; a.insert(1, 9); a.append([7]); a.reverse(); a",
    "let m = #{ a: 1 }; m.remove(\"a\"); m.keys() + m.values()",
    "[1, 2, 3].extract(1..3)",
    "\"a,b\".split(\",\")",
    "\"abc\".contains(\"b\")",
    "parse_int(\"42\") + \"7\".parse_int()",
    "(2.7).floor() + 2.2.ceiling() + 2.5.round()",
    "4.0.sqrt()",
    "to_string(5) + 5.to_string()",
    "let x = debug(5); x",
    "let f = 0; let o = #{ a: [1, 2] }; o.a.push(3); o.a.len()",
    "let o = #{ a: [1, 2] }; o.a.len",
    "g({ let y = 5; y }, 2)",
    "let x = 1; g(x, { x = 5; 1 })",
    "let x = 1; x + { x = 5; 1 }",
    "deep(20)",
    "let a = [1, 2, 3]; a[g(0, 1)] += g(1, 1); a",
    "let a = [#{ b: 1 }]; a[0].b += a[0].b; a",
    "1.0 / 0.0",
    "5.0 % 3",
    "let x = 1; x[0..70]",
    "\"a\".pad(5, 'x')",
    "let a = []; a.pad(3, 1); a",
    "let a = [1]; a.pad(20000, 1)",
    "let a = [1]; a.pad(5000000000, 1)",
    "let s = \"x\"; loop { s += s; }",
    "let a = []; loop { a.push(a); }",
    "loop { }",
    "let x = 0; while true { x += 1; }",
    "for i in 0..100000 { }",
    "fact(15)",
    "let x = 10; x.is_odd",
    "let r = 1..5; r.start + r.end",
    "0..5 == 0..5",
    "(1..5).contains(3)",
    "let b = #{ a: 1 }; b.mixin(#{ c: 2 }); b + #{ d: 4 }",
    "'a'.to_upper() + \"x\"",
    "let x = 3; if x > 2 && x < 4 || false { \"yes\" } else if x == 9 { 1 } else { 2 }",
    "let v = [5, 3, 8]; let best = -1; for x in v { if x > best { best = x; } } best",
    "1 + { 2; 3 }",
    "let x = { let y = 2; y * y }; x",
    // An object of the host.
    "let t = thing(3); t.number + t.plus(4) + t[5]",
    "let t = thing(3); for i in 0..5 { t.grow(i); } [t.number, t.is_more(2), t.is_more(99)]",
    "thing(3).inner.inner.number",
    "let t = thing(3); t.inner.grow(5); t.number",
    "let t = thing(3); t.list.len() + t.list[1] + t.list.len",
    "let t = thing(3); for i in 0..4 { t.list.push(i); } t.list",
    "let t = thing(3); for i in 0..4 { t.list[0] += 1; } t.list",
    "let t = thing(3); t.of(\"a\", [1, \"b\"], #{ c: 1 })",
    "let t = thing(3); let s = 0; for i in 0..6 { try { s += t.checked(i); } catch (e) { s -= 1; } } s",
    "let t = thing(3); for i in 0..3 { t.checked(2 - i); }",
    "let t = thing(3); t.named(\"a\", \"b\") + t.named(\"c\", \"d\")",
    "let t = thing(3); for i in 0..3 { t.named(\"a\", \"b\"); }",
    "let t = thing(3); t.broken + 1",
    "let t = thing(3); for i in 0..3 { try { 1 + t.broken + 2 } catch { } } t.left()",
    "let t = thing(3); t.nothing",
    "let t = thing(3); t.nothing = 1",
    "let t = thing(3); t.number = 1",
    "let t = thing(3); t.number += 1",
    "let t = thing(3); t[2] = 1",
    "let t = thing(3); t[\"a\"]",
    "let t = thing(3); t.plus(\"a\")",
    "const T = thing(3); T.reset(); T",
    "const T = thing(3); T.grow(1); T.number",
    "let t = thing(3); t.reset(); t.number",
    "let t = thing(3); [t.left(), t.left(), 1 + t.left() + 2, t.left()]",
    "let t = thing(3); t.work(5000); t.left()",
    "let t = thing(3); let x = 1; x + t.left() + { x += 1; x } + t.left()",
    "total([1, 2]) + total([])",
    "let l = [1, 2]; total(l) + l.total() + l.len()",
    "thing(1) == thing(1) && thing(1) != thing(2)",
    "thing(1) == 1",
    "let m = #{ t: thing(2) }; m.t.grow(4); m.t.number + m.t.list.len()",
    "let a = [thing(2)]; a[0].grow(4); a[0].number",
    "let t = thing(5); let u = t; u.grow(1); t.number - u.number",
    "`${thing(1).number} ${thing(2)}`",
    "let t = thing(1); t?.number",
    "thing(true)",
    "work(thing(1), 600)",
    "let x = [1, 2]; x.len = 3",
    "[\"g\", \"h\"].index_of(\"h\")",
    "[\"x\", 'x', 1, \"x\"].index_of(\"x\", -1)",
    "let l = [4, 5, 6]; let s = 0; for i in 0..9 { if i in l { s += i } } s + left(thing(1))",
    "let l = [\"a\", \"b\"]; let s = 0; for i in [\"b\", \"c\"] { if i in l { s += 1 } } s + left(thing(1))",
    "let l = [4, 1.0, \"a\"]; let s = 0; for i in [1, \"a\", 4, 1.0, ()] { if i in l { s += 1 } } s",
    "let l = []; l.pad(300, 7); let s = 0; for i in 0..9 { if l.contains(i) { s += 1 } } s + left(thing(1))",
    "let m = #{ a: 1 }; let s = 0; for i in [\"a\", \"b\"] { if i in m { s += 1 } } s",
    "let l = [1, 2]; let n = l; for i in 0..3 { len(n) + n.len + n.len(); n.is_empty() } n.push(3); [l, n]",
    "let t = thing(2); for i in 0..3 { plus(t, i); grow(t, i); } t.number",
    "const T = thing(2); for i in 0..3 { plus(T, i); } for i in 0..3 { reset(T); } T.number",
    "for i in 0..3 { plus(thing(i), 1); len([i]); } for i in 0..3 { checked(thing(i), 1) }",
    "[\"x\"].index_of(\"two words\")",
    "[5, 6].index_of(\"empty\")",
    "[1, 2].reduce(\"g\", 5) + [1, 2].reduce_rev(\"g\", 1)",
    "[1, 2].map(\"fact\")",
    "[1, 2].map(\"no such\")",
    "[1, 2].map(\"missing\")",
    "[3, 1].order(\"g\")",
    "[1, 1].dedup(|a, b| 5)",
    "[2, 1].order(\"nothing\")",
    "let f = |a| a; [2, 1].sort(f)",
    "let f = |a, b, c| a; [1].map(f)",
    "let f = |a, b, c| a; #{ a: 1 }.map(f)",
    "let f = || 1; [1].reduce(f)",
    "[3, 1, 2].sort(|a, b| a < b)",
    "[1, 2].for_each(\"g\")",
    "[1, 2, 3].drain(|x| x > 1, 5)",
    "let f = |a| a; [1, 2].zip([3], f)",
    "let x = [1]; x.map(|| { this += 1; throw 3 })",
    "try { [1, 2].map(|x| throw x) } catch (e) { e }",
    "try { [1].map(|x| x.pad(20_000, 1)) } catch (e) { 5 }",
    "[[1, 2], [3]].map(|x| x.map(|y| y + 1))",
    "let f = Fn(\"g\"); [thing(1), 3].filter(f)",
    "let f = Fn(\"number\"); [thing(1)].map(f)",
    "let f = Fn(\"to_string\"); [1, 2].map(f)",
    "[thing(1)].index_of(|x| x.number == 1)",
    "type_of(this)",
    "try { abs(this); } catch { }",
    "try { g(this, 1); } catch { }",
    "let x = 5; x.call(|| {}); call(|| {})",
    "[1, 2].map(|x| {})",
    "let p = |a, b| 1; [1].for_each(p)",
    "let p = |a| 1; [1].zip([2], p)",
    "let p = || 1; [1].reduce(p)",
    "let p = |a, b, c| 1; [1].map(p)",
    "const C = #{ a: [1] }; C.filter(|k| { this = 1; true })",
    "const C = [[1], [2]]; C.map(|x| { x.push(1); x.map(|| { this += 1; this }) }).map(|| { this.push(2); this })",
    "const C = [[1]]; C.map(|| this.push(2))",
    "const C = thing(1); C.list.push(2); C.inner.reset(); C",
    "const C = #{ a: [1] }; let d = [C, C.a]; d[0].a.push(2); d[1].push(3); d",
    "const C = #{ a: 1 }; C.call(|| { this.b = 5; }); C",
    "const C = #{ a: [1] }; C.a.call(|| { this = 5; }); C",
    "const C = #{ a: #{ b: 1 } }; C.call(|| { this.a.b = 5; }); C",
    "const C = [1]; C.call(|| { this[0] += 5; }); C",
    "const C = [[1]]; C[0].push(2); C",
    "const C = #{ c: [1] }; C.c.push(2); C",
    "let x = 6; x[1..3].to_string()",
    "let s = \"abc\"; s[0].to_upper()",
    "\"abc\"[0..2].trim()",
    "let a = 5; a[-70..=-3]",
    "let a = 5; a[2329..=64]",
    "const C = #{ a: 1 }; C.remove(\"a\")",
    "const C = [2, 1]; C.sort(); C",
    "try { this = [1, 2].len(); } catch { 5 }",
    "this += 5",
    "this = 5",
    "let x = 5; +x + [1, 2].reduce(|s, x| s + +x, 0)",
];

const LIB: &str = "
fn g(a, b) { a + b }
fn h(n) { if n == 0 { throw \"bottom\"; } h(n - 1) }
fn add_to(n) { this + n }
fn bump() { this += 1; }
fn deep(n) { if n == 0 { 0 } else { 1 + deep(n - 1) } }
fn fact(n) { if n < 2 { 1 } else { n * fact(n - 1) } }
fn empty() { }
";

/// The system's function differs between machines; this library does not.
#[test]
fn powers_are_those_of_one_library() {
    for step in 1..400 {
        let (base, exponent) = (f64::from(step) * 0.37, f64::from(step % 41) * 0.173 - 3.0);
        let text = format!(
            "fn f() {{ let x = {base:?}; x **= {exponent:?}; [{base:?} ** {exponent:?}, x] }}"
        );
        let power = libm::pow(base, exponent);
        let own = Twins::new(&text).unwrap().own();
        assert_eq!(own.result, Ok(format!("[{power:?}, {power:?}]")), "{text}");
    }
}

/// Bodies of functions that use another file.
const OF_LIBRARY: &[&str] = &[
    "lib::X = 5;",
    "lib::X += 5;",
    "lib::X + lib::l(2)",
    "lib::e(5); lib::l(6)",
    "import \"lib\" as lib; lib::l(lib::X)",
    "let x = lib::Y; x.push(lib::X); x",
];

#[test]
fn both_evaluators_agree_on_other_files() {
    let library = "export const X = 5; export const Y = [1]; fn l(a) { a } fn e(a) { }";
    for body in OF_LIBRARY {
        let text = format!("import \"lib\" as lib; fn f() {{ {body} }}");
        let twins = Twins::with_library(&text, library).unwrap();
        assert_eq!(twins.judge(), twins.own(), "{body}");
    }
}

#[test]
fn variables_of_one_name_count_once() {
    for name in ["a", "a{}"] {
        let lets = (0..501).map(|number| {
            let name = name.replace("{}", &number.to_string());
            format!("let {name} = {number}; ")
        });
        let twins = Twins::new(&format!("fn f() {{ {}5 }}", lets.collect::<String>())).unwrap();
        assert_eq!(twins.judge(), twins.own());
        assert_eq!(twins.own().result.is_ok(), name == "a");
    }
}

#[test]
fn both_evaluators_agree() {
    let mut wrong = Vec::new();
    for body in BODIES {
        let text = format!("fn f() {{ {body} }}{LIB}");
        match Twins::new(&text) {
            Err(faults) => wrong.push(format!("{body}\n  refused: {faults}")),
            Ok(twins) => {
                let (judge, own) = (twins.judge(), twins.own());
                // The limits on memory differ: this crate counts values where they are made.
                if judge != own && !(judge.is_of_memory() && own.is_of_memory()) {
                    wrong.push(format!("{body}\n  judge {judge:?}\n  own   {own:?}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.join(
            "
"
        )
    );
}
