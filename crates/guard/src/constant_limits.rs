//! Limits the size of the constants in a script. The optimiser inserts a constant's value at every
//! use, so a script of a few hundred bytes could need gigabytes.

use std::collections::BTreeMap;

use rhai::{AST, ASTFlags, ASTNode, Array, Dynamic, Expr, Map, Position, Scope, Stmt};

use super::Source;
use super::fault::ScriptFault;

/// The maximum total size of a script's constants, in bytes.
pub const MOST_CONSTANTS: usize = 256 << 10;
/// The maximum total size of constants, counted at every use, in bytes.
pub const MOST_FOLDED: usize = 4 << 20;

/// Returns the approximate size of a value in bytes.
pub fn size(value: &Dynamic) -> usize {
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

/// Checks the total size of a script's constants, and their total size at all uses. The uses
/// include constants in functions that are built from other constants.
pub fn check_constants(draft: &AST, scope: &Scope<'_>, source: &Source) -> Result<(), ScriptFault> {
    let mut sizes: BTreeMap<String, usize> = scope
        .iter()
        .map(|(name, _, value)| (name.to_owned(), size(&value)))
        .collect();
    let help = "shorten the constants, or build large values in functions";
    let all: usize = sizes.values().sum();
    if all > MOST_CONSTANTS {
        let text = format!("the constants exceed {MOST_CONSTANTS} bytes, found {all}");
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
            let text = format!("all uses of the constants together exceed {MOST_FOLDED} bytes");
            Err(ScriptFault::new("script::constant", text)
                .help(help)
                .at(source, place))
        }
    }
}

/// Returns an upper limit for the size of the value of an expression made of literals and
/// constants.
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
