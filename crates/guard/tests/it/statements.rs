//! Statements of programs made of choices.

use crate::grammar::{Kind, Variable, Writer};
use crate::templates::{METHODS, PLACES, SELDOM};

use Kind::{Array, Bool, Char, Float, Int, Items, Map, Range, Text, Unit};

/// The assignments with an operator that fit values of a kind.
const fn assignments(kind: Kind) -> &'static [&'static str] {
    match kind {
        Int => &[
            "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=", "+=",
        ],
        Float => &["=", "+=", "-=", "*=", "/=", "%="],
        Bool => &["=", "&=", "|=", "^="],
        Text => &["=", "+=", "-="],
        Array | Map => &["=", "+="],
        Char => &["=", "+="],
        _ => &["="],
    }
}

impl Writer<'_> {
    /// Writes a statement.
    pub(crate) fn statement(&mut self, depth: usize) {
        if !self.may_nest(depth) {
            return self.short(depth);
        }
        match self.choices.below(32) {
            0..=7 => self.variable_statement(depth),
            8..=10 => self.assign(depth),
            11..=13 => self.assign_place(depth),
            14..=16 => self.method(depth),
            17..=18 => self.if_else(depth),
            19..=21 => self.for_loop(depth),
            22 => self.while_loop(depth),
            23 => {
                self.switch(None, depth + 1);
                self.put("\n");
            }
            24..=26 => self.try_catch(depth),
            27 => {
                self.put("{\n");
                self.within(|writer| writer.statements(depth + 1));
                self.put("}\n");
            }
            28..=29 => self.call_statement(depth),
            30 => self.leave(depth),
            _ => self.seldom(),
        }
    }

    pub(crate) fn statements(&mut self, depth: usize) {
        for _ in 0..self.choices.below(4) {
            self.statement(depth);
        }
    }

    fn short(&mut self, depth: usize) {
        if self.choices.below(4) == 3 {
            self.put(";\n");
        } else {
            self.variable_statement(depth + 1);
        }
    }

    /// Writes `let` or `const`.
    fn variable_statement(&mut self, depth: usize) {
        let kind = self.kind();
        let name = self.name();
        let is_constant = self.one_in(8);
        let word = if is_constant { "const" } else { "let" };
        self.put(&format!("{word} {name} = "));
        let kind = if self.one_in(6) {
            self.library_constant()
        } else {
            self.expr(kind, depth + 1);
            kind
        };
        self.put(";\n");
        self.variables.push(Variable {
            name,
            kind,
            is_constant,
        });
    }

    /// Returns a variable that may be changed, or makes one.
    fn target(&mut self, kind: Option<Kind>, depth: usize) -> Variable {
        let fits = |it: &&Variable| !it.is_constant && kind.is_none_or(|kind| kind == it.kind);
        let mut found: Vec<Variable> = self.variables.iter().filter(fits).cloned().collect();
        // The last variable of a name hides the others.
        found.retain(|it| {
            let last = self.variables.iter().rfind(|known| known.name == it.name);
            last.is_some_and(|last| last.kind == it.kind && !last.is_constant)
        });
        if let Some(this) = self.this
            && kind.is_none_or(|kind| kind == this)
            && self.one_in(2)
        {
            return Variable {
                name: "this".to_owned(),
                kind: this,
                is_constant: false,
            };
        }
        if !found.is_empty() {
            return found.swap_remove(self.choices.below(found.len()));
        }
        let kind = kind.unwrap_or(Int);
        let name = self.name();
        self.put(&format!("let {name} = "));
        self.expr(kind, depth + 1);
        self.put(";\n");
        let made = Variable {
            name,
            kind,
            is_constant: false,
        };
        self.variables.push(made.clone());
        made
    }

    fn assign(&mut self, depth: usize) {
        let target = self.target(None, depth);
        let operator = self.operator(target.kind);
        self.put(&format!("{} {operator} ", target.name));
        let kind = self.operand_kind(target.kind, operator);
        self.expr(kind, depth + 1);
        self.put(";\n");
    }

    fn operator(&mut self, kind: Kind) -> &'static str {
        if self.one_in(24) {
            return self.choices.of(assignments(Int));
        }
        self.choices.of(assignments(kind))
    }

    /// Returns the kind of the value for an assignment.
    fn operand_kind(&mut self, kind: Kind, operator: &str) -> Kind {
        match (kind, operator) {
            (Array, "+=") if self.one_in(2) => Int,
            (Text, "+=") => self.choices.of(&[Text, Text, Char, Int, Unit]),
            (Float, "+=" | "*=" | "-=") => self.choices.of(&[Float, Int]),
            _ => kind,
        }
    }

    /// Writes an assignment to a place in a value.
    fn assign_place(&mut self, depth: usize) {
        let (place, of, kind) = self.choices.of(PLACES);
        let target = self.target(Some(of), depth);
        self.put(&target.name);
        self.template((place, &[Int]), Int, depth);
        let operator = self.operator(kind);
        self.put(&format!(" {operator} "));
        let kind = self.operand_kind(kind, operator);
        self.expr(kind, depth + 1);
        self.put(";\n");
    }

    fn method(&mut self, depth: usize) {
        let (method, of, kinds) = self.choices.of(METHODS);
        if self.one_in(8) {
            let name = self.name();
            self.put(&format!("const {name} = "));
            self.expr(of, depth + 1);
            self.put(&format!(";\n{name}"));
            self.variables.push(Variable {
                name,
                kind: of,
                is_constant: true,
            });
        } else {
            let target = self.target(Some(of), depth);
            self.put(&target.name);
        }
        self.template((method, kinds), Int, depth);
        self.put(";\n");
    }

    fn call_statement(&mut self, depth: usize) {
        match self.functions.len() {
            0 => {
                let kind = self.kind();
                self.put("(");
                self.expr(kind, depth + 1);
                self.put(");\n");
            }
            count => {
                let at = self.choices.below(count);
                if !self.may_call(at) {
                    return;
                }
                // An object that the function may change.
                if let Some(this) = self.functions[at].this {
                    let target = self.target(Some(this), depth);
                    let function = self.functions[at].clone();
                    self.put(&format!("{}.{}(", target.name, function.name));
                    for (number, kind) in function.parameters.iter().enumerate() {
                        if number > 0 {
                            self.put(", ");
                        }
                        self.expr(*kind, depth + 1);
                    }
                    self.put(")");
                } else {
                    self.call(at, depth);
                }
                self.put(";\n");
            }
        }
    }

    fn if_else(&mut self, depth: usize) {
        self.put("if ");
        self.condition(depth + 1);
        self.put(" {\n");
        self.within(|writer| writer.statements(depth + 1));
        self.put("}");
        for _ in 0..self.choices.below(2) {
            self.put(" else if ");
            self.condition(depth + 1);
            self.put(" {\n");
            self.within(|writer| writer.statements(depth + 1));
            self.put("}");
        }
        if self.one_in(2) {
            self.put(" else {\n");
            self.within(|writer| writer.statements(depth + 1));
            self.put("}");
        }
        self.put("\n");
    }

    /// Writes a condition, which can't be a block.
    fn condition(&mut self, depth: usize) {
        self.put("(");
        if self.one_in(6) {
            let operator = self.choices.of(&["&&", "||"]);
            self.expr(Bool, depth);
            self.put(&format!(" {operator} "));
        }
        self.expr(Bool, depth);
        self.put(")");
    }

    /// Writes the body of a loop, with these variables.
    fn turns(&mut self, depth: usize, variables: Vec<Variable>) {
        self.put(" {\n");
        self.loops += 1;
        self.within(|writer| {
            writer.variables.extend(variables);
            writer.statements(depth + 1);
            if writer.one_in(4) {
                writer.put("if ");
                writer.condition(depth + 2);
                let leave = writer.choices.of(&["continue", "break", "break 7"]);
                writer.put(&format!(" {{ {leave}; }}\n"));
            }
        });
        self.loops -= 1;
        self.put("}");
    }

    fn for_loop(&mut self, depth: usize) {
        let over = self
            .choices
            .of(&[Range, Array, Text, Items, Range, Items, Array, Text, Map]);
        let kind = match over {
            Text => Char,
            _ => Int,
        };
        let local = |name: String, kind| Variable {
            name,
            kind,
            is_constant: false,
        };
        let name = self.name();
        let mut variables = vec![local(name.clone(), kind)];
        if self.one_in(3) {
            let counter = format!("{name}i");
            self.put(&format!("for ({name}, {counter}) in "));
            variables.push(local(counter, Int));
        } else {
            self.put(&format!("for {name} in "));
        }
        if over == Map && self.one_in(2) {
            self.expr(Map, depth + 1);
            self.put(".keys()");
        } else if over == Range && self.one_in(2) {
            self.put("0..");
            self.expr(Int, depth + 1);
        } else {
            let text = if over == Map { "[" } else { "(" };
            self.put(text);
            self.expr(over, depth + 1);
            self.put(if over == Map { "].pop()" } else { ")" });
        }
        self.turns(depth, variables);
        self.put("\n");
    }

    fn while_loop(&mut self, depth: usize) {
        let name = self.name();
        let most = self.choices.below(6);
        self.put(&format!("let {name} = 0;\n"));
        let counter = Variable {
            name: name.clone(),
            kind: Int,
            is_constant: true,
        };
        self.variables.push(counter);
        match self.choices.below(6) {
            0 => {
                self.put(&format!("while {name} < {most}"));
                self.turns_of(&name, depth, "");
            }
            1 => {
                self.put("while ");
                self.condition(depth + 1);
                self.turns_of(&name, depth, "");
            }
            2 => {
                self.put("do");
                self.turns_of(&name, depth, &format!(" while {name} < {most};"));
            }
            3 => {
                self.put("do");
                self.turns_of(&name, depth, &format!(" until {name} >= {most};"));
            }
            4 => {
                self.put(&format!(
                    "do {{ if {name} > {most} {{ break; }} {name} += 1; }} "
                ));
                self.put("until ");
                self.condition(depth + 1);
                self.put(";");
            }
            _ => {
                self.put("loop");
                self.turns_of(&name, depth, "");
            }
        }
        self.put("\n");
    }

    /// Writes the body of a loop that counts its turns and mostly ends after some.
    fn turns_of(&mut self, name: &str, depth: usize, after: &str) {
        self.put(" {\n");
        if !self.one_in(16) {
            self.put(&format!("{name} += 1; if {name} > 6 {{ break; }}\n"));
        }
        // The rest is a block, so its variables are not those of the condition.
        self.put("if true");
        self.turns(depth, Vec::new());
        self.put("\n}");
        self.put(after);
    }

    pub(crate) fn switch(&mut self, value: Option<Kind>, depth: usize) {
        let over = self.choices.of(&[
            Int, Int, Text, Int, Bool, Char, Float, Array, Unit, Int, Range, Map,
        ]);
        let bracket = if value.is_some() {
            ("(", ")")
        } else {
            ("", "")
        };
        self.put(bracket.0);
        self.put("switch ");
        self.put("(");
        self.expr(over, depth + 1);
        self.put(") {\n");
        for _ in 0..self.choices.below(4) {
            self.literal_case(over);
            if over == Int && self.one_in(3) {
                self.put(" | ");
                self.literal_case(over);
            }
            self.case(value, depth);
        }
        if over == Int {
            for _ in 0..self.choices.below(3) {
                let (from, to) = (self.choices.below(6), self.choices.below(12));
                let dots = self.choices.of(&["..", "..="]);
                self.put(&format!("{from}{dots}{}", from + to));
                self.case(value, depth);
            }
        }
        if value.is_some() || self.one_in(2) {
            self.put("_ => ");
            self.case_value(value, depth);
            self.put("\n");
        }
        self.put("}");
        self.put(bracket.1);
    }

    fn literal_case(&mut self, kind: Kind) {
        let text = match kind {
            Int => self.choices.below(8).to_string(),
            Text => {
                let word = self.choices.of(&["a", "", "bc", "7"]);
                format!("\"{word}\"")
            }
            Bool => self.choices.of(&["true", "false"]).to_owned(),
            Char => self.choices.of(&["'a'", "'b'", "'7'"]).to_owned(),
            Float => self.choices.of(&["0.0", "1.5", "2.0", "0.25"]).to_owned(),
            Array => self
                .choices
                .of(&["[]", "[1]", "[1, 2]", "[0, 0]"])
                .to_owned(),
            Map => self.choices.of(&["#{}", "#{ a: 1 }"]).to_owned(),
            Range => self.choices.of(&["\"range\"", "0", "'a'"]).to_owned(),
            _ => "()".to_owned(),
        };
        self.put(&text);
    }

    /// Writes the guard of a case, if it has one, and its value.
    fn case(&mut self, value: Option<Kind>, depth: usize) {
        if self.one_in(3) {
            self.put(" if ");
            self.condition(depth + 1);
        }
        self.put(" => ");
        self.case_value(value, depth);
        self.put(",\n");
    }

    fn case_value(&mut self, value: Option<Kind>, depth: usize) {
        match value {
            Some(kind) => self.expr(kind, depth + 1),
            None => {
                self.put("{\n");
                self.within(|writer| writer.statements(depth + 1));
                self.put("}");
            }
        }
    }

    fn try_catch(&mut self, depth: usize) {
        self.put("try {\n");
        self.within(|writer| {
            writer.statements(depth + 1);
            match writer.choices.below(4) {
                0 => writer.seldom(),
                1 => writer.throw(depth),
                _ => {}
            }
        });
        let name = self.name();
        if self.one_in(3) {
            self.put("} catch {\n");
        } else {
            self.put(&format!("}} catch ({name}) {{\n"));
        }
        self.within(|writer| writer.statements(depth + 1));
        if self.one_in(8) {
            self.put("throw;\n");
        }
        self.put("}\n");
    }

    fn throw(&mut self, depth: usize) {
        self.put("throw ");
        let kind = self.kind();
        self.expr(kind, depth + 1);
        self.put(";\n");
    }

    fn leave(&mut self, depth: usize) {
        match self.choices.below(8) {
            0 if self.loops > 0 => self.put("break;\n"),
            1 if self.loops > 0 => self.put("continue;\n"),
            2 => self.throw(depth),
            3 => self.put("return;\n"),
            4 => {
                self.put("return ");
                let kind = self.returns;
                self.expr(kind, depth + 1);
                self.put(";\n");
            }
            _ => {
                self.put("if ");
                self.condition(depth + 1);
                self.put(" { return ");
                let kind = self.returns;
                self.expr(kind, depth + 1);
                self.put("; }\n");
            }
        }
    }

    /// Writes a statement that mostly fails.
    fn seldom(&mut self) {
        let text = self.choices.of(SELDOM);
        let needs = |name: &str| text.contains(name);
        let has = |of: &Self, name: &str| of.constants.iter().any(|it| it.name == name);
        let fits = (!needs("C0") || has(self, "C0") && !self.in_library)
            && (!needs("lib::L0") || has(self, "lib::L0"));
        self.put(if fits { text } else { "throw 5;" });
        self.put("\n");
    }
}
