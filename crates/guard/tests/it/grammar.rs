//! Programs of the whole language, made of choices. The same choices make the same program, in
//! tests and in a fuzz target.

/// The bytes that choose.
pub(crate) struct Choices<'b>(&'b [u8]);

/// Returns the bytes of a seed.
pub(crate) fn bytes_of(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).to_le_bytes()
    };
    let mut bytes: Vec<u8> = (0..length.div_ceil(8)).flat_map(|_| next()).collect();
    bytes.truncate(length);
    bytes
}

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    fn byte(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(first)
    }

    /// Returns a number below a limit, 0 after the last byte.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let mut number = self.byte();
        if limit > 64 {
            number = number * 256 + self.byte();
        }
        number % limit
    }

    /// Returns true once in this many times, never after the last byte.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an integer, often one at which calculations overflow.
    pub(crate) fn integer(&mut self) -> i64 {
        match self.below(8) {
            0..=3 => self.below(8) as i64,
            4 => -(self.below(6) as i64),
            5 => self.below(5000) as i64 - 2500,
            6 => 1_i64
                .wrapping_shl(self.below(64) as u32)
                .wrapping_sub(self.below(2) as i64),
            _ => self.of(&[i64::MAX, i64::MIN, i64::MAX - 1, -1, 64, 63, 3_037_000_500]),
        }
    }

    pub(crate) fn float(&mut self) -> f64 {
        match self.below(4) {
            0 | 1 => self.below(64) as f64 / 4.0,
            2 => -(self.below(1000) as f64) / 10.0,
            _ => self.of(&[0.0, 1e300, -1e-300, 9.3e18, 0.1, 1e16]),
        }
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Int,
    Float,
    Bool,
    Char,
    Text,
    Unit,
    Array,
    Map,
    Function,
    Range,
    Thing,
    Items,
}

impl Kind {
    pub(crate) const ALL: [Self; 12] = [
        Self::Int,
        Self::Float,
        Self::Bool,
        Self::Char,
        Self::Text,
        Self::Unit,
        Self::Array,
        Self::Map,
        Self::Function,
        Self::Range,
        Self::Thing,
        Self::Items,
    ];

    /// The kinds of most values, the more usual ones more often.
    const USUAL: [Self; 14] = [
        Self::Int,
        Self::Int,
        Self::Int,
        Self::Array,
        Self::Map,
        Self::Text,
        Self::Bool,
        Self::Float,
        Self::Map,
        Self::Thing,
        Self::Char,
        Self::Array,
        Self::Function,
        Self::Range,
    ];

    /// The name of the type where a function is defined for it.
    const fn type_name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::Char => "char",
            Self::Text => "string",
            Self::Array => "array",
            Self::Map => "map",
            Self::Function => "\"Fn\"",
            Self::Range => "\"range\"",
            Self::Thing => "Thing",
            Self::Unit => "\"()\"",
            Self::Items => "\"Items\"",
        }
    }
}

#[derive(Clone)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) is_constant: bool,
}

impl Variable {
    pub(crate) fn is_of_library(&self) -> bool {
        self.name.starts_with("lib::")
    }
}

/// A function of the script or, with a namespace, of the other file.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Kind>,
    pub(crate) returns: Kind,
    /// The kind of object on which it is called.
    pub(crate) this: Option<Kind>,
}

/// A script and the file `lib` that it imports.
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) library: String,
}

/// A writer of a program.
pub(crate) struct Writer<'b> {
    pub(crate) choices: Choices<'b>,
    pub(crate) out: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
    /// The constants of the file and of the other file.
    pub(crate) constants: Vec<Variable>,
    pub(crate) this: Option<Kind>,
    pub(crate) returns: Kind,
    /// The number of loops around a statement.
    pub(crate) loops: usize,
    pub(crate) in_library: bool,
    /// Whether it writes a nameless function. Calls in these count as other numbers of levels.
    pub(crate) in_closure: bool,
    names: usize,
}

/// The length of a text from which on it only gets short expressions.
const LONGEST: usize = 6_000;
/// The greatest nesting of expressions and of statements.
const DEEPEST: usize = 5;

impl Program {
    /// Makes a program of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut writer = Writer::new(Choices::new(bytes));
        let library = writer.library();
        let text = writer.script(&library);
        Self { text, library }
    }
}

impl<'b> Writer<'b> {
    pub(crate) fn new(choices: Choices<'b>) -> Self {
        Self {
            choices,
            out: String::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            this: None,
            returns: Kind::Int,
            loops: 0,
            in_library: false,
            in_closure: false,
            names: 0,
        }
    }
}

impl Writer<'_> {
    pub(crate) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.choices.one_in(times)
    }

    /// Returns a kind of values, mostly a usual one.
    pub(crate) fn kind(&mut self) -> Kind {
        if self.one_in(12) {
            self.choices.of(&Kind::ALL)
        } else {
            self.choices.of(&Kind::USUAL)
        }
    }

    /// Returns a name that is new, or hides an older one.
    pub(crate) fn name(&mut self) -> String {
        if self.one_in(8)
            && let Some(known) = self.variables.last()
        {
            return known.name.clone();
        }
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Reports whether parts of an expression or statement may follow at this depth.
    pub(crate) fn may_nest(&self, depth: usize) -> bool {
        depth < DEEPEST && self.out.len() < LONGEST && !self.choices.is_empty()
    }

    /// Writes something that sees only these variables, as the body of a function does.
    pub(crate) fn apart(
        &mut self,
        variables: Vec<Variable>,
        this: Option<Kind>,
        is_closure: bool,
        write: impl FnOnce(&mut Self),
    ) {
        let outer = std::mem::replace(&mut self.variables, variables);
        let outer_this = std::mem::replace(&mut self.this, this);
        let loops = std::mem::take(&mut self.loops);
        let in_closure = std::mem::replace(&mut self.in_closure, is_closure);
        write(self);
        self.variables = outer;
        self.this = outer_this;
        self.loops = loops;
        self.in_closure = in_closure;
    }

    /// Writes something whose variables end with it.
    pub(crate) fn within(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = self.variables.len();
        write(self);
        self.variables.truncate(outer);
    }

    /// Writes a file that the script imports, or none.
    fn library(&mut self) -> String {
        if self.one_in(2) {
            return String::new();
        }
        self.in_library = true;
        let mut hidden = Vec::new();
        for number in 0..self.choices.below(3) {
            let export = if self.one_in(4) { "" } else { "export " };
            let name = format!("L{number}");
            let kind = self.constant(export, &name);
            hidden.extend(export.is_empty().then(|| name.clone()));
            self.constants.push(Variable {
                name,
                kind,
                is_constant: true,
            });
        }
        for number in 0..1 + self.choices.below(2) {
            self.function(&format!("l{number}"), None);
        }
        self.in_library = false;
        // Within the file its functions have no namespace.
        for function in &mut self.functions {
            function.name = format!("lib::{}", function.name);
        }
        self.constants
            .retain(|constant| !hidden.contains(&constant.name));
        for constant in &mut self.constants {
            constant.name = format!("lib::{}", constant.name);
        }
        std::mem::take(&mut self.out)
    }

    fn script(&mut self, library: &str) -> String {
        if !library.is_empty() {
            self.put("import \"lib\" as lib;\n");
        }
        for number in 0..self.choices.below(3) {
            let name = format!("C{number}");
            let kind = self.constant("", &name);
            self.constants.push(Variable {
                name,
                kind,
                is_constant: true,
            });
        }
        for number in 0..self.choices.below(4) {
            let this = self.one_in(2).then(|| self.kind());
            self.function(&format!("g{number}"), this);
        }
        if self.one_in(4) {
            self.recursive();
        }
        self.returns = self.kind();
        self.put("fn f() {\n");
        if !library.is_empty() && self.one_in(2) {
            self.put("import \"lib\" as lib;\n");
        }
        self.apart(Vec::new(), None, false, Self::main_body);
        self.put("}\n");
        std::mem::take(&mut self.out)
    }

    /// Writes a constant outside functions.
    fn constant(&mut self, export: &str, name: &str) -> Kind {
        let kind = self.choices.of(&[
            Kind::Int,
            Kind::Text,
            Kind::Float,
            Kind::Array,
            Kind::Map,
            Kind::Bool,
            Kind::Char,
            Kind::Range,
        ]);
        self.put(&format!("{export}const {name} = "));
        self.literal(kind, 3);
        self.put(";\n");
        kind
    }

    fn function(&mut self, name: &str, this: Option<Kind>) {
        let parameters: Vec<Variable> = (0..self.choices.below(4))
            .map(|number| Variable {
                name: format!("p{number}"),
                kind: self.kind(),
                is_constant: false,
            })
            .collect();
        let names: Vec<&str> = parameters.iter().map(|it| it.name.as_str()).collect();
        let names = names.join(", ");
        match this {
            Some(kind) if self.one_in(4) => {
                self.put(&format!("fn {}.{name}({names}) {{\n", kind.type_name()));
            }
            _ => self.put(&format!("fn {name}({names}) {{\n")),
        }
        self.returns = self.kind();
        let kinds = parameters.iter().map(|it| it.kind).collect();
        self.apart(parameters, this, false, Self::body);
        self.put("}\n");
        self.functions.push(Function {
            name: name.to_owned(),
            parameters: kinds,
            returns: self.returns,
            this,
        });
    }

    /// Writes a function that calls itself, seldom without an end.
    fn recursive(&mut self) {
        let text = self.choices.of(&[
            "fn r0(p0) { if p0 < 1 { 0 } else { p0 + r0(p0 - 1) } }\n",
            "fn r0(p0) {\n  if p0 <= 0 { throw \"bottom\"; }\n  r0(p0 - 1)\n}\n",
            "fn r0(p0) { if p0 > 60 { p0 } else { r0(p0 + 1) } }\n",
            "fn r0(p0) { switch p0 { 0 => 1, 1..9 => r0(p0 - 1) * 2, _ => r0(p0 % 9) } }\n",
            "fn r0(p0) { [p0 % 5].map(|x| if x < 1 { 1 } else { r0(x - 1) })[0] }\n",
        ]);
        self.put(text);
        self.functions.push(Function {
            name: "r0".to_owned(),
            parameters: vec![Kind::Int],
            returns: Kind::Int,
            this: None,
        });
    }

    /// Writes the function that is called. An error ends a part of it, not all.
    fn main_body(&mut self) {
        self.put("for turn in 0..3 {\n");
        self.within(|writer| {
            for _ in 0..2 + writer.choices.below(4) {
                writer.put("try {\n");
                let from = writer.variables.len();
                writer.statement(0);
                writer.statement(0);
                writer.variables.truncate(from);
                writer.put("} catch { }\n");
            }
        });
        self.put("}\n");
        self.body();
    }

    /// Writes the statements of a function and its value.
    fn body(&mut self) {
        let kind = self.returns;
        for _ in 0..1 + self.choices.below(6) {
            self.statement(0);
        }
        self.expr(kind, 1);
        self.put("\n");
    }
}
