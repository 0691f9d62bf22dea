//! Limits on the text of a script, before its first call.
//!
//! To read a name, Rhai goes through all names that are known in a function, so a long text takes
//! long to read. Every limit here is far beyond the needs of a game.

use std::cell::Cell;

use rhai::{Engine, LexError, OptimizationLevel, Token};

use super::sizes::{LONGEST_STRING, MOST_DEPTH};

/// The most words and signs of one file.
pub(crate) const MOST_TOKENS: usize = 50_000;
/// The most words and signs in one function, or outside functions.
pub(crate) const MOST_IN_FUNCTION: usize = 5_000;
/// The longest name, in bytes.
pub(crate) const LONGEST_NAME: usize = 100;
/// The most functions of one file, anonymous ones included.
pub(crate) const MOST_FUNCTIONS: usize = 500;
/// The most files that one script imports.
pub(crate) const MOST_IMPORTS: usize = 20;
/// The most words and signs of a script and the files that it imports.
pub(crate) const MOST_TOKENS_IN_ALL: usize = 100_000;
thread_local! {
    /// Words and signs so far: of the file, and of the function.
    static READ: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Starts the count for the next text. Returns the number of words and signs of the one before.
pub(crate) fn begin() -> usize {
    READ.take().0
}

pub(crate) fn watch(engine: &mut Engine) {
    #[expect(
        deprecated,
        reason = "marked as an interface that may change: the version of rhai is fixed"
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
            // The parser can't handle another error where a text continues after `${…}`. The next
            // word or sign reports the excess.
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

/// Makes an engine read the next script as it is written, without resolving its names.
pub(crate) fn as_written(engine: &mut Engine) {
    engine.set_strict_variables(false);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine.set_optimization_level(OptimizationLevel::None);
    begin();
}
