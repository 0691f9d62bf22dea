//! Expressions of programs made of choices.

use crate::grammar::{Kind, Variable, Writer};
use crate::templates::{OF_ANY, OF_BOOL, Template, templates};

/// The operators of integers.
const INTS: [&str; 13] = [
    "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "+", "-",
];
pub(crate) const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
const WORDS: [&str; 8] = ["", "a", "bc", "héllo", "x,y", "a b", "7", "abcdef"];

use Kind::{Array, Bool, Char, Float, Function, Int, Items, Map, Range, Text, Thing, Unit};

impl Writer<'_> {
    /// Writes an expression, mostly of this kind.
    pub(crate) fn expr(&mut self, kind: Kind, depth: usize) {
        if self.one_in(50) {
            // The parser refuses literals of some wrong types.
            let other = self.kind();
            self.put("[");
            self.literal(other, depth + 1);
            return self.put("].pop()");
        }
        let choice = self.choices.below(16);
        if !self.may_nest(depth) {
            if choice < 8 || !self.variable(kind) {
                self.literal(kind, depth);
            }
            return;
        }
        match choice {
            0..=1 => self.literal(kind, depth),
            2..=5 => {
                if !self.variable(kind) {
                    self.literal(kind, depth);
                }
            }
            6 => self.call_of(kind, depth),
            7..=8 => self.template_of_any(kind, depth),
            9 if self.this.is_some() || self.one_in(16) => {
                if self.this == Some(kind) || self.one_in(8) {
                    self.put("this");
                } else {
                    self.literal(kind, depth);
                }
            }
            10 if self.one_in(3) => self.switch(Some(kind), depth + 1),
            11 if self.one_in(3) => {
                self.put("{\n");
                self.within(|writer| {
                    writer.statement(depth + 1);
                    writer.expr(kind, depth + 1);
                });
                self.put("\n}");
            }
            _ => self.composed(kind, depth),
        }
    }

    fn composed(&mut self, kind: Kind, depth: usize) {
        match kind {
            Int if self.one_in(2) => {
                let operator = self.choices.of(&INTS);
                self.binary(operator, Int, Int, depth);
            }
            Int if self.one_in(4) => {
                let sign = self.choices.of(&["-", "+"]);
                self.put(sign);
                self.operand(Int, depth + 1);
            }
            Bool => self.condition_of(depth),
            Text if self.one_in(3) => {
                self.put("`");
                for _ in 0..1 + self.choices.below(2) {
                    let word = self.choices.of(&WORDS);
                    let part = self.kind();
                    self.put(&format!("{word}${{"));
                    self.expr(part, depth + 1);
                    self.put("}");
                }
                self.put("`");
            }
            Function if self.one_in(2) => self.closure(depth),
            _ => {
                let template = self.choices.of(templates(kind));
                self.template(template, kind, depth);
            }
        }
    }

    /// Writes a calculation of a Boolean.
    fn condition_of(&mut self, depth: usize) {
        match self.choices.below(8) {
            0 => {
                self.put("(");
                self.library_constant();
                self.put(" == ");
                self.expr(Int, depth + 1);
                self.put(")");
            }
            1..=2 => {
                let operator = self
                    .choices
                    .of(&["&&", "||", "&&", "||", "&&", "||", "^", "|", "&"]);
                self.binary(operator, Bool, Bool, depth);
            }
            3..=4 => {
                let operator = self.choices.of(&COMPARISONS);
                let left = self.kind();
                let right = if self.one_in(6) { self.kind() } else { left };
                self.binary(operator, left, right, depth);
            }
            5 => {
                let (of, within) =
                    self.choices
                        .of(&[(Int, Array), (Char, Text), (Text, Map), (Int, Range)]);
                let operator = self.choices.of(&["in", "!in"]);
                self.binary(operator, of, within, depth);
            }
            _ => {
                let template = self.choices.of(OF_BOOL);
                self.template(template, Bool, depth);
            }
        }
    }

    fn binary(&mut self, operator: &str, left: Kind, right: Kind, depth: usize) {
        self.put("(");
        self.expr(left, depth + 1);
        self.put(&format!(" {operator} "));
        self.expr(right, depth + 1);
        self.put(")");
    }

    fn template_of_any(&mut self, kind: Kind, depth: usize) {
        let template = self.choices.of(OF_ANY);
        self.template(template, kind, depth);
    }

    /// Writes a template: `{}` is an expression of the next of its kinds, `{0}` one of this kind.
    pub(crate) fn template(&mut self, template: Template<'_>, kind: Kind, depth: usize) {
        let (text, kinds) = template;
        let mut kinds = kinds.iter();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '|']) {
            let (before, after) = rest.split_at(at);
            self.put(before);
            if let Some(after) = after.strip_prefix("{}") {
                self.operand(*kinds.next().unwrap_or(&kind), depth + 1);
                rest = after;
            } else if let Some(after) = after.strip_prefix("{0}") {
                self.operand(kind, depth + 1);
                rest = after;
            } else if after.starts_with('|') && !after.starts_with("||") && !after.starts_with("| ")
            {
                // Nothing in the body of a nameless function sees the variables around it.
                let end = after[1..].find('|').map_or(after.len(), |end| end + 2);
                self.put(&after[..end]);
                rest = &after[end..];
                self.body_of_template(&mut rest, &mut kinds, kind, depth);
            } else {
                self.put(&after[..1]);
                rest = &after[1..];
            }
        }
        self.put(rest);
    }

    /// Writes the rest of a template, in which expressions see no variables.
    fn body_of_template(
        &mut self,
        rest: &mut &str,
        kinds: &mut std::slice::Iter<'_, Kind>,
        kind: Kind,
        depth: usize,
    ) {
        // The body ends at a comma or a parenthesis outside of others.
        let mut nesting = 0;
        let end = rest.find(|letter: char| {
            match letter {
                '(' | '[' | '{' => nesting += 1,
                ')' | ']' | ',' | '}' if nesting == 0 => return true,
                ')' | ']' | '}' => nesting -= 1,
                _ => {}
            }
            false
        });
        let body = &rest[..end.unwrap_or(rest.len())];
        if !body.contains("{}") {
            return;
        }
        let (before, after) = body.split_once("{}").unwrap_or((body, ""));
        self.put(before);
        let of = *kinds.next().unwrap_or(&kind);
        self.apart(Vec::new(), None, true, |writer| {
            writer.operand(of, depth + 1)
        });
        self.put(after);
        *rest = &rest[body.len()..];
    }

    /// Writes an expression before `.` or `[`.
    fn operand(&mut self, kind: Kind, depth: usize) {
        let start = self.out.len();
        self.expr(kind, depth);
        let written = &self.out[start..];
        if written.starts_with(['C', 'L']) {
            // A constant can't be the head of a chain.
            self.out.insert_str(start, "(() ?? ");
            return self.put(")");
        }
        let is_plain = written
            .starts_with(|letter: char| letter.is_ascii_lowercase() || "[\"'#`".contains(letter))
            && !written.starts_with("throw");
        if !is_plain {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }

    /// Writes a variable or a constant of a kind, if there is one.
    pub(crate) fn variable(&mut self, kind: Kind) -> bool {
        let mut known: Vec<String> = Vec::new();
        for variable in &self.variables {
            // An inner variable may hide an outer one of another kind.
            known.retain(|name| *name != variable.name);
            if variable.kind == kind {
                known.push(variable.name.clone());
            }
        }
        if self.choices.one_in(4) {
            let constants = self
                .constants
                .iter()
                .filter(|constant| constant.kind == kind && !constant.is_of_library());
            known.extend(constants.map(|constant| constant.name.clone()));
        }
        if known.is_empty() {
            return false;
        }
        let at = self.choices.below(known.len());
        self.out.push_str(&known[at]);
        true
    }

    /// Writes a constant of the other file, if there is one. In Rhai its value stays constant where
    /// it is not stored in a variable, unlike here.
    pub(crate) fn library_constant(&mut self) -> Kind {
        let of_library = |constant: &&Variable| constant.is_of_library();
        match self.constants.iter().find(of_library) {
            Some(constant) if !self.in_library => {
                self.out.push_str(&constant.name);
                constant.kind
            }
            _ => {
                self.put("1");
                Int
            }
        }
    }

    pub(crate) fn literal(&mut self, kind: Kind, depth: usize) {
        match kind {
            Int => {
                let number = self.choices.integer();
                let text = match number {
                    number if number == i64::MIN => "(-9223372036854775807 - 1)".to_owned(),
                    ..0 => format!("({number})"),
                    _ => number.to_string(),
                };
                self.put(&text);
            }
            Float => {
                let number = self.choices.float();
                let text = if number.abs() < 1e10 && number.abs() > 1e-10 || number == 0.0 {
                    format!("({number:.2})")
                } else {
                    format!("({number:e})").replace("e", ".0e")
                };
                self.put(&text.replace(".3.0e", ".3e"));
            }
            Bool => {
                let flag = self.choices.of(&["true", "false"]);
                self.put(flag);
            }
            Char => {
                let letter = self.choices.of(&["'a'", "'b'", "'é'", "'7'"]);
                self.put(letter);
            }
            Text => {
                let word = self.choices.of(&WORDS);
                self.put(&format!("\"{word}\""));
            }
            Unit => self.put("()"),
            Array => self.array(depth),
            Map => self.map(depth),
            Function => self.function_value(),
            Range => {
                let (from, to) = (self.choices.below(4), self.choices.below(8));
                let dots = self.choices.of(&["..", "..="]);
                self.put(&format!("({from}{dots}{to})"));
            }
            Thing => {
                let number = self.choices.below(8);
                self.put(&format!("thing({number})"));
            }
            Items => {
                let text = self
                    .choices
                    .of(&["range(0, 6, 2)", "\"abc\".chars()", "5.bits(0, 4)"]);
                self.put(text);
            }
        }
    }

    fn array(&mut self, depth: usize) {
        self.put("[");
        for number in 0..self.choices.below(5) {
            if number > 0 {
                self.put(", ");
            }
            let kind = if depth < 3 && self.one_in(8) {
                self.kind()
            } else {
                Int
            };
            self.literal(kind, depth + 2);
        }
        self.put("]");
    }

    fn map(&mut self, depth: usize) {
        if depth > 6 {
            return self.put("#{ a: 1, b: \"b\", c: [1], d: (), n: () }");
        }
        self.put("#{ a: ");
        self.literal(Int, depth);
        self.put(", b: ");
        self.literal(Text, depth);
        self.put(", c: ");
        self.literal(Array, depth + 3);
        self.put(", d: ");
        let inner = if self.one_in(3) { Unit } else { Map };
        self.literal(inner, depth + 3);
        self.put(", n: () }");
    }

    fn function_value(&mut self) {
        let text = self
            .choices
            .of(&["|x| x", "|x, y| x + y", "|| 1", "|x| x * 2", "|x| this"]);
        self.put(text);
    }

    /// Writes a nameless function with a longer body.
    fn closure(&mut self, depth: usize) {
        let kinds: Vec<Kind> = (0..self.choices.below(3)).map(|_| self.kind()).collect();
        let parameters: Vec<Variable> = kinds
            .iter()
            .enumerate()
            .map(|(number, kind)| Variable {
                name: format!("x{number}"),
                kind: *kind,
                is_constant: false,
            })
            .collect();
        let names: Vec<&str> = parameters.iter().map(|it| it.name.as_str()).collect();
        self.put(&format!("|{}| ", names.join(", ")));
        let (returns, this) = (self.kind(), self.kind());
        let outer = std::mem::replace(&mut self.returns, returns);
        self.apart(parameters, Some(this), true, |writer| {
            writer.put("{\n");
            writer.statement(depth + 1);
            writer.expr(returns, depth + 1);
            writer.put("\n}");
        });
        self.returns = outer;
    }

    /// Writes a call of a function of the script or of the other file.
    fn call_of(&mut self, kind: Kind, depth: usize) {
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|at| self.functions[*at].returns == kind && self.may_call(*at))
            .collect();
        let at = match fitting.len() {
            0 => return self.template_of_any(kind, depth),
            count => fitting[self.choices.below(count)],
        };
        self.call(at, depth);
    }

    /// Reports whether a function may be called here.
    pub(crate) fn may_call(&self, at: usize) -> bool {
        !self.in_closure || self.functions[at].name != "r0"
    }

    /// Writes a call of the function with this number.
    pub(crate) fn call(&mut self, at: usize, depth: usize) {
        let function = self.functions[at].clone();
        if let Some(this) = function.this {
            self.operand(this, depth + 1);
            let dot = if self.one_in(8) { "?." } else { "." };
            self.put(dot);
        }
        self.put(&format!("{}(", function.name));
        for (number, kind) in function.parameters.iter().enumerate() {
            if number > 0 {
                self.put(", ");
            }
            self.expr(*kind, depth + 1);
        }
        self.put(")");
    }
}
