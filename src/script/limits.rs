//! What a script may cost before its first call: limits on its text, and on constants that are
//! put into it.
//!
//! Rhai reads names by going through all that are known in a function, and its optimiser writes
//! constants into the text again and again, so that a script of some hundred bytes could ask for
//! gigabytes. Every limit here is far beyond what a game needs.

use std::cell::Cell;
use std::collections::BTreeMap;

use rhai::{
    AST, ASTFlags, ASTNode, Array, Dynamic, Engine, Expr, LexError, Map, Position, Scope, Stmt,
    Token,
};

use super::Source;
use super::engine::LONGEST_STRING;
use super::fault::ScriptFault;

/// The most words and signs of one file.
pub(super) const MOST_TOKENS: usize = 50_000;
/// The most of them in one function, or outside functions.
pub(super) const MOST_IN_FUNCTION: usize = 5_000;
/// The longest name, in bytes.
pub(super) const LONGEST_NAME: usize = 100;
/// The most functions of one file, anonymous ones included.
pub(super) const MOST_FUNCTIONS: usize = 500;
/// The most files that one script imports.
pub(super) const MOST_IMPORTS: usize = 20;
/// The most words and signs of a script and the files that it imports.
pub(super) const MOST_TOKENS_IN_ALL: usize = 100_000;
/// The most bytes of all constants that a script may use.
pub(super) const MOST_CONSTANTS: usize = 256 << 10;
/// The most bytes that constants may come to where they are used.
pub(super) const MOST_FOLDED: usize = 4 << 20;

thread_local! {
    /// Words and signs so far: of the file, and of the function.
    static READ: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Begins to count for the next text that is read; how many words and signs the one before had.
pub(super) fn begin() -> usize {
    READ.take().0
}

/// Makes an engine refuse texts beyond the limits while it reads them.
pub(super) fn watch(engine: &mut Engine) {
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
            // The parser can't do with another error where a text goes on behind `${…}`. What is
            // too much is told at the next word or sign.
            Token::StringConstant(text) | Token::InterpolatedString(text)
                if text.len() > LONGEST_STRING =>
            {
                return Token::LexError(Box::new(LexError::StringTooLong(LONGEST_STRING)));
            }
            Token::StringConstant(_) | Token::InterpolatedString(_) => return token,
            _ if in_function >= MOST_IN_FUNCTION => {
                format!(
                    "a function has more than {MOST_IN_FUNCTION} words and signs: write several"
                )
            }
            _ if all >= MOST_TOKENS => {
                format!("a script has more than {MOST_TOKENS} words and signs")
            }
            _ => return token,
        };
        Token::LexError(Box::new(LexError::Runtime(too_much)))
    });
    engine.set_max_functions(MOST_FUNCTIONS);
}

/// About how many bytes a value takes.
pub(super) fn size(value: &Dynamic) -> usize {
    const CELL: usize = size_of::<Dynamic>();
    if let Some(array) = value.read_lock::<Array>() {
        return CELL + array.iter().map(size).sum::<usize>();
    }
    if let Some(map) = value.read_lock::<Map>() {
        return CELL
            + map
                .iter()
                .map(|(key, value)| 2 * CELL + key.len() + size(value))
                .sum::<usize>();
    }
    CELL + value
        .read_lock::<rhai::ImmutableString>()
        .map_or(0, |text| text.len())
}

/// Holds a script's constants to their limits: their own size, and what they come to wherever they
/// are used, with those inside functions that are made of others.
pub(super) fn check_constants(
    draft: &AST,
    scope: &Scope<'_>,
    source: &Source,
) -> Result<(), ScriptFault> {
    let mut sizes: BTreeMap<String, usize> = scope
        .iter()
        .map(|(name, _, value)| (name.to_owned(), size(&value)))
        .collect();
    let help = "shorten them, or build large values while the script runs";
    let all: usize = sizes.values().sum();
    if all > MOST_CONSTANTS {
        let text = format!("the constants take {all} bytes, and {MOST_CONSTANTS} are the most");
        return Err(ScriptFault::new("script::constant", text)
            .help(help)
            .at(source, Position::new(1, 1)));
    }
    let mut sum = 0_usize;
    let mut place = None;
    draft.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Variable(variable, _, position))) => {
                sum = sum.saturating_add(sizes.get(variable.1.as_str()).copied().unwrap_or(0));
                place = Some(*position);
            }
            Some(ASTNode::Stmt(Stmt::Var(variable, flags, _)))
                if flags.intersects(ASTFlags::CONSTANT) =>
            {
                let size = leaves(&variable.1, &sizes);
                let known = sizes.entry(variable.0.name.to_string()).or_default();
                *known = size.max(*known);
            }
            _ => {}
        }
        sum <= MOST_FOLDED
    });
    match place.filter(|_| sum > MOST_FOLDED) {
        None => Ok(()),
        Some(place) => {
            let text =
                format!("where they are used, the constants come to more than {MOST_FOLDED} bytes");
            Err(ScriptFault::new("script::constant", text)
                .help(help)
                .at(source, place))
        }
    }
}

/// A bound on the size of an expression's value when it is put together from
/// literals and constants.
fn leaves(expr: &Expr, sizes: &BTreeMap<String, usize>) -> usize {
    const CELL: usize = 2 * size_of::<Dynamic>();
    let mut sum = 0_usize;
    expr.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        let leaf = match path.last() {
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                sizes.get(variable.1.as_str()).copied().unwrap_or(0)
            }
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => text.len(),
            Some(ASTNode::Expr(Expr::Map(map, _))) => {
                map.0.iter().map(|(key, _)| key.name.len() + CELL).sum()
            }
            _ => 0,
        };
        sum = sum.saturating_add(leaf).saturating_add(CELL);
        true
    });
    sum
}
