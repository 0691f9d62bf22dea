//! Limits on the text of a script, checked before its first call.
//!
//! For each name, Rhai searches all names that are known in a function, so long texts are slow to
//! parse. Every limit here far exceeds the needs of a game.

use std::cell::Cell;

use rhai::{Engine, LexError, OptimizationLevel, Token};

use super::sizes::{LONGEST_STRING, MOST_DEPTH};

/// The maximum number of tokens in one file.
pub(crate) const MOST_TOKENS: usize = 50_000;
/// The maximum number of tokens in one function, or outside functions.
pub(crate) const MOST_IN_FUNCTION: usize = 5_000;
/// The maximum length of a name, in bytes.
pub(crate) const LONGEST_NAME: usize = 100;
/// The maximum number of functions in one file, including anonymous functions.
pub(crate) const MOST_FUNCTIONS: usize = 500;
/// The maximum number of files that one script imports.
pub(crate) const MOST_IMPORTS: usize = 20;
/// The maximum number of tokens in a script and its imports.
pub(crate) const MOST_TOKENS_IN_ALL: usize = 100_000;
thread_local! {
    /// The number of tokens read so far in the file and in the function.
    static READ: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Starts counting for the next text. Returns the number of tokens in the previous text.
pub(crate) fn begin() -> usize {
    READ.take().0
}

pub(crate) fn watch(engine: &mut Engine) {
    #[expect(
        deprecated,
        reason = "the interface may change, but the version of Rhai is fixed"
    )]
    engine.on_parse_token(|token, _, _| {
        let (all, in_function) = READ.get();
        let in_function = if token == Token::Fn { 0 } else { in_function };
        READ.set((all + 1, in_function + 1));
        let too_much = match &token {
            Token::Identifier(name) if name.len() > LONGEST_NAME => {
                format!(
                    "the name `{}…` is longer than {LONGEST_NAME} bytes",
                    name.chars().take(20).collect::<String>()
                )
            }
            // The parser can't handle another kind of error where a string continues after `${…}`.
            // The next token reports that the limit is exceeded.
            Token::StringConstant(text) | Token::InterpolatedString(text)
                if text.len() > LONGEST_STRING =>
            {
                return Token::LexError(Box::new(LexError::StringTooLong(LONGEST_STRING)));
            }
            Token::StringConstant(_) | Token::InterpolatedString(_) => return token,
            _ if in_function >= MOST_IN_FUNCTION => {
                format!("a function can have at most {MOST_IN_FUNCTION} tokens: split it")
            }
            _ if all >= MOST_TOKENS => {
                format!("a script can have at most {MOST_TOKENS} tokens")
            }
            _ => return token,
        };
        Token::LexError(Box::new(LexError::Runtime(too_much)))
    });
    engine.set_max_functions(MOST_FUNCTIONS);
}

/// Configures an engine to parse the next script without optimising it or resolving names.
pub(crate) fn as_written(engine: &mut Engine) {
    engine.set_strict_variables(false);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine.set_optimization_level(OptimizationLevel::None);
    begin();
}
