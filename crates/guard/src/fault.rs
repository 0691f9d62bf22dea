//! Turns every script error into a fault that states the position, the problem and a remedy.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use rhai::{EvalAltResult, LexError, ParseErrorType, Position};

use super::budget::{Budget, Exceeded};
use super::meter::MOST_CELLS;
use super::{Source, brackets, native, source};
use risk_text::diag::{Finding, Level, TextFile, word_at};
use risk_text::suggest;

/// A position in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// The script or a file that it imports.
    pub source: Source,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

/// A fault that occurred while a script was loaded or run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptFault {
    /// A short code for the kind of fault.
    pub code: Cow<'static, str>,
    /// A description of the problem without a full stop.
    pub text: String,
    /// Advice for the user.
    pub help: Option<String>,
    /// The position in a script, or `None` if it is unknown.
    pub place: Option<ScriptPlace>,
    /// The hook that was called, or `None` if the fault occurred outside hooks.
    pub hook: Option<String>,
    /// The function and position of each call inside the script that led to the fault, outermost
    /// call first.
    pub chain: Vec<(String, String)>,
    /// Whether the fault is a warning, with which games can still be played.
    pub warning: bool,
    /// The limit that the call exceeded, or `None` if it ended for another reason.
    pub exceeded: Option<Exceeded>,
}

impl From<ScriptFault> for Finding {
    fn from(fault: ScriptFault) -> Self {
        let text = fault.to_string();
        let mut finding = Self::error(&fault.code, text);
        finding.help = fault.help;
        if fault.warning {
            finding.level = Level::Warn;
        }
        match fault.place {
            Some(place) => {
                let (start, len) = word_at(&place.source.text, place.line, place.column);
                let (name, text) = (place.source.name, place.source.text);
                finding.at(&TextFile { name, text }, start, len)
            }
            None => finding,
        }
    }
}

impl From<ScriptFault> for Vec<ScriptFault> {
    fn from(fault: ScriptFault) -> Self {
        vec![fault]
    }
}

impl ScriptFault {
    /// Returns an error if there are faults.
    ///
    /// # Errors
    /// Returns the faults.
    pub fn none_of(faults: Vec<Self>) -> Result<(), Vec<Self>> {
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// Creates a fault that concerns a whole script.
    #[must_use]
    pub fn new(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            code: code.into(),
            text,
            help: None,
            place: None,
            hook: None,
            chain: Vec::new(),
            warning: false,
            exceeded: None,
        }
    }

    /// Adds advice for the user.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Turns the fault into a warning, with which games can still be played.
    #[must_use]
    pub const fn warning(mut self) -> Self {
        self.warning = true;
        self
    }

    /// Adds a position.
    #[must_use]
    pub fn at(mut self, source: &Source, position: Position) -> Self {
        self.place = position.line().map(|line| ScriptPlace {
            source: source.clone(),
            line,
            column: position.position().unwrap_or(1),
        });
        self
    }

    /// Compares two faults of one file by warning, position, code and text, for lists.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        let place = |fault: &Self| {
            let place = fault.place.as_ref();
            place.map_or((0, 0), |place| (place.line, place.column))
        };
        (self.warning, place(self), &self.code, &self.text).cmp(&(
            other.warning,
            place(other),
            &other.code,
            &other.text,
        ))
    }

    /// Converts a parser error. `names` are the known names, for suggestions on misspelled names.
    pub fn of_parsing(error: &rhai::ParseError, source: &Source, names: &[&str]) -> Self {
        let (text, help) = match &*error.0 {
            kind if looks_like_python(&source.text) || is_reserved(kind) => not_rhai(kind),
            ParseErrorType::VariableUndefined(name) if names.contains(&name.as_str()) => (
                format!("`{name}` is out of scope"),
                Some(
                    "declare the variable in this block; in place of an anonymous function, which \
                     sees only its parameters and constants, use a loop"
                        .to_owned(),
                ),
            ),
            ParseErrorType::VariableUndefined(name) => (
                format!("no variable or constant named `{name}`"),
                Some(suggest::help(name, names.iter().copied())),
            ),
            ParseErrorType::ModuleUndefined(name) if name == "base" => (
                "no namespace named `base`".to_owned(),
                Some("name a base ruleset with `extends`".to_owned()),
            ),
            ParseErrorType::ModuleUndefined(name) => (
                format!("no namespace named `{name}`"),
                Some(format!(
                    "write `import \"{name}\" as {name};` at the top to import {name}.rhai"
                )),
            ),
            ParseErrorType::Reserved(name) if name == "print" => no_printing(),
            ParseErrorType::BadInput(LexError::ImproperSymbol(name, _)) if name == "print" => {
                no_printing()
            }
            ParseErrorType::BadInput(lex) => (lower(&lex.to_string()), None),
            ParseErrorType::AssignmentToConstant(name) if !name.is_empty() => {
                (format!("can't assign to the constant `{name}`"), None)
            }
            ParseErrorType::MissingToken(token, why) => (
                format!("expected `{token}` {why}").trim_end().to_owned(),
                None,
            ),
            other => (lower(&other.to_string()), None),
        };
        let code = match &*error.0 {
            ParseErrorType::VariableUndefined(_) => "script::unknown-name",
            ParseErrorType::ModuleUndefined(_) => "script::namespace",
            _ => "script::syntax",
        };
        let mut fault = Self::new(code, text).at(source, error.1);
        fault.help = help;
        if follows_open_bracket(&error.0) {
            fault.at_open_bracket(source)
        } else {
            fault
        }
    }

    /// Moves a parser error to a bracket before it that is never closed, if there is one.
    fn at_open_bracket(self, source: &Source) -> Self {
        let Some((kind, (line, column))) = brackets::unclosed(&source.text) else {
            return self;
        };
        let is_before = |place: &ScriptPlace| (line, column) <= (place.line, place.column);
        if !self.place.as_ref().is_none_or(is_before) {
            return self;
        }
        let closing = match kind {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        let mut fault = Self::new(self.code, format!("`{kind}` is never closed"))
            .help(format!("add the missing `{closing}`"));
        fault.place = Some(ScriptPlace {
            source: source.clone(),
            line,
            column,
        });
        fault
    }

    /// Converts a run-time error. `sources` are all files in which the error may have occurred, the
    /// script's own file first.
    pub fn of_running(
        error: &EvalAltResult,
        sources: &[Source],
        hook: &str,
        budget: Budget,
    ) -> Self {
        let found = UnwoundError::new(error, sources);
        let exceeded = match found.inner {
            EvalAltResult::ErrorTerminated(why, _) => why.clone().try_cast::<Exceeded>(),
            EvalAltResult::ErrorTooManyOperations(_) => Some(Exceeded::Operations),
            EvalAltResult::ErrorStackOverflow(_) => Some(Exceeded::Depth),
            _ => None,
        };
        let mut fault = match (exceeded, found.inner) {
            (Some(exceeded), _) => Self::of_limit(exceeded, budget).at(found.file, found.position),
            (None, EvalAltResult::ErrorParsing(kind, position)) => {
                let error = rhai::ParseError(Box::new(kind.clone()), *position);
                Self::of_parsing(&error, found.file, &[])
            }
            (None, EvalAltResult::ErrorDotExpr(text, _)) if text.starts_with("No writable") => {
                let text = "`.key = …` can only set an entry of a map";
                Self::new("script::failed", text)
                    .help("create a map with `let m = #{};`; values from the program are read-only")
                    .at(found.file, found.position)
            }
            (None, inner) => {
                let (text, help) = describe(inner);
                let mut fault = Self::new("script::failed", text).at(found.file, found.position);
                fault.help = help;
                fault
            }
        };
        if fault.place.is_none() {
            // Some errors have no position. For these, the position of the function is used.
            let innermost = found.chain.last().map_or(hook, |(name, _)| name.as_str());
            let name = innermost.split('(').next().unwrap_or(innermost);
            let position = source::function_position(found.file, name);
            fault = fault.at(found.file, position);
        }
        fault.hook = Some(hook.to_owned());
        fault.chain = found.chain;
        fault.exceeded = exceeded.or(match found.inner {
            EvalAltResult::ErrorDataTooLarge(..) => Some(Exceeded::Size),
            _ => None,
        });
        fault
    }

    fn of_limit(exceeded: Exceeded, budget: Budget) -> Self {
        match exceeded {
            Exceeded::Operations => {
                let text = format!("the call exceeds its budget of {} operations", budget.0);
                Self::new("script::budget", text).help(
                    "check for an endless loop, or replace a loop with a single query such as \
                     `ask.most`",
                )
            }
            Exceeded::Values => {
                let text = format!(
                    "the call makes or copies more than {MOST_CELLS} elements (8 for each entry)"
                );
                Self::new("script::budget", text).help(COPIES)
            }
            Exceeded::Copies => Self::new(
                "script::budget",
                "the call copies more than 256 MiB of arrays, maps and strings",
            )
            .help(COPIES),
            Exceeded::Memory => Self::new(
                "script::memory",
                "the script holds more than 64 MiB of memory",
            )
            .help("store less between calls, and build smaller values"),
            Exceeded::Size => Self::new(
                "script::failed",
                "a string, an array or a map exceeds its maximum size",
            )
            .help(SIZES),
            Exceeded::Depth => Self::new("script::failed", "too many nested function calls")
                .help("end the recursion, or use a loop"),
            Exceeded::Interrupt => Self::new("script::failed", "the call was interrupted"),
        }
    }
}

/// Reports whether an open bracket may cause this kind of error.
fn follows_open_bracket(kind: &ParseErrorType) -> bool {
    matches!(
        kind,
        ParseErrorType::UnexpectedEOF
            | ParseErrorType::BadInput(LexError::UnexpectedInput(_))
            | ParseErrorType::MissingToken(..)
            | ParseErrorType::MissingSymbol(_)
            | ParseErrorType::MalformedIndexExpr(_)
            | ParseErrorType::ExprExpected(_)
            | ParseErrorType::PropertyExpected
            | ParseErrorType::VariableExpected
            | ParseErrorType::WrongFnDefinition
            | ParseErrorType::FnMissingParams(_)
            | ParseErrorType::FnMissingBody(_)
    )
}

/// Reports whether a script that can't be parsed has a line that Python's programs begin with.
fn looks_like_python(text: &str) -> bool {
    text.lines().any(|line| {
        let is_import = line.starts_with("import ") && !line.contains(['"', '`']);
        let is_block = line.starts_with("def ") || line.starts_with("class ");
        is_import || is_block || line.starts_with("from ") || line.starts_with("#!/")
    })
}

/// Reports whether a reserved word is in place of a name. `print` has a message of its own.
fn is_reserved(kind: &ParseErrorType) -> bool {
    let is_known = |name: &String| name != "print" && RESERVED.split(' ').any(|word| word == name);
    matches!(kind, ParseErrorType::Reserved(name) if is_known(name))
}

/// Describes a reserved word, or a script in Python.
fn not_rhai(kind: &ParseErrorType) -> (String, Option<String>) {
    let (text, help) = match kind {
        ParseErrorType::Reserved(name) if is_reserved(kind) => (
            format!("`{name}` is a reserved word"),
            format!("choose another name, for example `{name}_`"),
        ),
        _ => (
            "this looks like Python: expected a script in Rhai".to_owned(),
            "run a program in another language with `--bot 'cmd:python3 bot.py'`; ladders take \
             only scripts in Rhai"
                .to_owned(),
        ),
    };
    (text, Some(help))
}

fn no_printing() -> (String, Option<String>) {
    (
        "scripts can't use `print`".to_owned(),
        Some("use `debug(…)`, which shows a value in `risk-cli play`".to_owned()),
    )
}

/// An error without the errors of the enclosing calls.
struct UnwoundError<'a> {
    inner: &'a EvalAltResult,
    file: &'a Source,
    position: Position,
    /// The function and position of each call that led to the error, outermost call first.
    chain: Vec<(String, String)>,
}

impl<'a> UnwoundError<'a> {
    fn new(error: &'a EvalAltResult, sources: &'a [Source]) -> Self {
        let find = |name: &str| sources.iter().find(|known| *known.name == *name);
        let mut chain = Vec::new();
        let mut file = &sources[0];
        let mut inner = error;
        let mut outer = error.position();
        loop {
            match inner {
                EvalAltResult::ErrorInFunctionCall(name, source, next, position) => {
                    let line = position.line().unwrap_or(0);
                    let there = if file.name == sources[0].name {
                        String::new()
                    } else {
                        format!(" of {}", file.name)
                    };
                    chain.push((name.clone(), format!("line {line}{there}")));
                    file = find(source).unwrap_or(file);
                    outer = *position;
                    inner = next;
                }
                EvalAltResult::ErrorInModule(name, next, position) => {
                    file = find(name).unwrap_or(file);
                    outer = *position;
                    inner = next;
                }
                _ => break,
            }
        }
        let own = inner.position();
        Self {
            position: if own.is_none() { outer } else { own },
            inner,
            file,
            chain,
        }
    }
}

const SIZES: &str = "use at most 4,200 bytes in a string, 10,000 elements in an array and 5,000 \
                     entries in a map (in bots, 1,800 elements and 500 entries, or more on large \
                     maps), counting nested values, and at most 64 levels of nesting";

const COPIES: &str = "don't copy large arrays and maps in a loop: `a[i]` of nested arrays and a \
                      change after `let b = a` copy";

fn describe(error: &EvalAltResult) -> (String, Option<String>) {
    match error {
        EvalAltResult::ErrorRuntime(value, _) => (value.to_string(), None),
        EvalAltResult::ErrorFunctionNotFound(signature, _) if signature.starts_with("anon$") => (
            "an anonymous function has the wrong number of parameters".to_owned(),
            Some(
                "see `risk-cli ruleset api --surface table` for the arguments that functions such \
                 as `map` and `sort` pass"
                    .to_owned(),
            ),
        ),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => (
            format!(
                "no function `{}`",
                signature.replace("i64", "int").replace("f64", "float")
            ),
            Some("check the name, and the number and types of the arguments".to_owned()),
        ),
        EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) if !name.contains('$') => (
            format!("can't call `{name}` on a constant"),
            Some("copy the constant into a variable with `let`".to_owned()),
        ),
        EvalAltResult::ErrorUnboundThis(_) => (
            "`this` has no value in this call".to_owned(),
            Some("call the function as a method: `object.function()`".to_owned()),
        ),
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            let mut kinds = ["array", "map", "string"].into_iter();
            let kind = kinds.find(|kind| what.contains(kind));
            let kind = kind.map_or("a value", type_word);
            (
                format!("{kind} exceeds its maximum size"),
                Some(SIZES.to_owned()),
            )
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => (
            format!("no property `{name}`"),
            Some(format!(
                "write `if \"{name}\" in map {{ map[\"{name}\"] }} else {{ 0 }}`: `??` doesn't apply to \
                 missing keys"
            )),
        ),
        other => (in_plain_words(other), None),
    }
}

/// Returns the text of an error without advice.
fn in_plain_words(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorDotExpr(text, _) if !text.is_empty() => {
            no_property(text).unwrap_or_else(|| lower(text))
        }
        EvalAltResult::ErrorAssignmentToConstant(name, _) => {
            format!("can't assign to the constant `{name}`")
        }
        EvalAltResult::ErrorFor(_) => "`for` expects an array, a range or a string".to_owned(),
        EvalAltResult::ErrorIndexingType(types, _) if !types.is_empty() => {
            let kind = types.split(" [").next().unwrap_or(types);
            format!("can't index {}", type_word(kind))
        }
        EvalAltResult::ErrorMismatchDataType(expected, found, _)
        | EvalAltResult::ErrorMismatchOutputType(expected, found, _)
            if !expected.is_empty() && !found.is_empty() =>
        {
            let (expected, found) = (type_word(expected), type_word(found));
            format!("expected {expected}, found {found}")
        }
        other => {
            let mut bare = other.to_string();
            // Rhai appends a position to its messages, but the fault shows the position separately.
            if let Some(cut) = bare.rfind(" (line ") {
                bare.truncate(cut);
            }
            lower(&bare)
        }
    }
}

/// Translates Rhai's error about an unknown property of a value.
fn no_property(text: &str) -> Option<String> {
    let (name, rest) = text
        .strip_prefix("Unknown property '")?
        .split_once("' - ")?;
    let kind = rest.split('\'').nth(1)?;
    Some(format!("{} has no property `{name}`", type_word(kind)))
}

/// Returns the name of a Rhai type for messages.
fn type_word(name: &str) -> &str {
    native::type_word(name).unwrap_or(name)
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let second_is_lower = text.chars().nth(1).is_some_and(char::is_lowercase);
    match chars.next() {
        Some(first) if second_is_lower => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// The words that the language reserves although it doesn't use all of them: no variable, function
/// or parameter can have such a name. They are separated by spaces.
pub const RESERVED: &str = "\
    async await call case curry debug default eval go goto is match module new nil null package \
    print protected public shared spawn static super sync this thread use var void with yield";

impl fmt::Display for ScriptFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let Some(hook) = &self.hook {
            write!(f, ", in `{hook}`")?;
        }
        let mut calls = String::new();
        for (name, place) in &self.chain {
            // The number in the name of an anonymous function differs between machines.
            let name = match name.as_str() {
                name if name.starts_with("anon$") => "an anonymous function".to_owned(),
                name => format!("`{name}`"),
            };
            // Writing to a string can't fail.
            let _ = write!(calls, " → {name}, called in {place}");
        }
        f.write_str(&calls)
    }
}

impl std::error::Error for ScriptFault {}

/// The maximum number of faults of one kind that are reported for a script.
pub const MOST_FINDINGS: usize = 100;

/// Returns the fault that is reported when the maximum number of faults is exceeded.
pub fn and_more() -> ScriptFault {
    let text = format!("more than {MOST_FINDINGS} faults: stopped checking the script");
    ScriptFault::new("script::more", text).help("fix these faults, and check the script again")
}
