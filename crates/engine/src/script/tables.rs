//! The tables of a ruleset. A table is a pure function that is computed once over its range and
//! then called from scripts.

use std::collections::BTreeMap;

use rhai::{AST, Dynamic, INT, Scope};

use super::FOR_TABLES;
use super::compile::{self, Constants};
use super::engine::Sandbox;
use super::manifest::Manifest;
use super::{Script, Source, constant_limits, syntax};
use rhai_guard::Natives;
use rhai_guard::{Exceeded, ScriptFault, ScriptLimits};
use risk_kernel::phases::table::{self, NumberTable};
use risk_text::plural::counted;

/// Computes every table over its range, on an engine without functions of the game.
pub(super) fn compute(
    scripts: &[Script],
    manifest: &Manifest,
    constants: &Constants,
) -> Result<BTreeMap<String, NumberTable>, Vec<ScriptFault>> {
    let mut sandbox = Sandbox::new(&ScriptLimits::default(), super::api::name_types);
    sandbox.share(FOR_TABLES);
    let mut scope = Scope::new();
    for (name, value) in constants {
        scope.push_constant_dynamic(name, value.clone());
    }
    let mut asts = Vec::new();
    for script in scripts {
        let draft = compile::parse(&mut sandbox.engine, &script.source)?;
        constant_limits::check_constants(&draft, &scope, &script.source)?;
        let ast = compile::fold(&mut sandbox.engine, &scope, &script.source);
        asts.push(ast.map_err(|error| ScriptFault::of_parsing(&error, &script.source, &[]))?);
    }
    let mut tables = BTreeMap::new();
    let mut faults = Vec::new();
    for (name, info) in &manifest.tables {
        match one(&sandbox, scripts, &asts, name, &info.ranges) {
            Ok(table) => {
                tables.insert(name.clone(), table);
            }
            Err(fault) => faults.push(fault),
        }
    }
    sandbox.engine.set_strict_variables(false);
    ScriptFault::none_of(faults).map(|()| tables)
}

fn one(
    sandbox: &Sandbox,
    scripts: &[Script],
    asts: &[AST],
    name: &str,
    ranges: &[(i32, i32)],
) -> Result<NumberTable, ScriptFault> {
    let defined = |ast: &AST| {
        ast.iter_functions()
            .any(|function| function.name == name && function.params.len() == ranges.len())
    };
    let Some(file) = asts.iter().position(defined) else {
        return Err(no_function(scripts, name, ranges.len()));
    };
    let source = &scripts[file].source;
    let size = table::size(ranges).expect("the manifest reader rejects invalid ranges");
    let mut values = Vec::with_capacity(size);
    let mut point: Vec<i32> = ranges.iter().map(|range| range.0).collect();
    for _ in 0..size {
        values.push(entry(sandbox, source, &asts[file], name, &point)?);
        for (slot, &(low, high)) in point.iter_mut().zip(ranges).rev() {
            if *slot < high {
                *slot += 1;
                break;
            }
            *slot = low;
        }
    }
    Ok(NumberTable::new(name, ranges, &values))
}

fn no_function(scripts: &[Script], name: &str, parameters: usize) -> ScriptFault {
    let text = format!(
        "`tables` declares `{name}`, but no function `{name}` has {}",
        counted(parameters, "parameter")
    );
    let fault = ScriptFault::new("ruleset::table", text)
        .help(format!("write `{} {{ … }}`", signature(name, parameters)));
    syntax::at_key(scripts.iter().map(|script| &script.source), name, fault)
}

fn signature(name: &str, parameters: usize) -> String {
    let list = ["a", "b", "c", "d"][..parameters].join(", ");
    format!("fn {name}({list})")
}

/// Returns the fault of a function that has the name of a table, but another number of parameters.
pub(super) fn never_called(name: &str, found: usize, ranges: &[(i32, i32)]) -> ScriptFault {
    let text = format!(
        "the function of the table `{name}` must have {}, found {found}",
        counted(ranges.len(), "parameter")
    );
    let signature = signature(name, ranges.len());
    ScriptFault::new("ruleset::table", text).help(format!(
        "write `{signature}`; for other parameters, declare their ranges in `tables`"
    ))
}

/// The number of entries after a range that a check computes.
const ENTRIES_AFTER: i32 = 20;

/// Finds the script's own functions that an inherited range cuts: the last entry of these tables
/// also applies to larger numbers, for which the function returns something else.
pub(super) fn cut(
    scripts: &[Script],
    manifest: &Manifest,
    constants: &Constants,
) -> Vec<ScriptFault> {
    let Some(own) = scripts.first().filter(|_| scripts.len() > 1) else {
        return Vec::new();
    };
    let Ok(draft) = syntax::draft(&own.source) else {
        return Vec::new();
    };
    let declared = syntax::key_positions(&draft);
    let mut faults = Vec::new();
    for name in WITH_A_LAST_ENTRY {
        let defines = |function: rhai::ScriptFnMetadata<'_>| {
            function.name == name && function.params.len() == 1
        };
        let range = manifest.tables.get(name).map(|info| &info.ranges[..]);
        let Some(&[(low, high)]) = range else {
            continue;
        };
        if declared.contains_key(name) || !draft.iter_functions().any(defines) {
            continue;
        }
        let mut wider = manifest.clone();
        wider.tables.retain(|table, _| table == name);
        let last = high.saturating_add(ENTRIES_AFTER);
        wider
            .tables
            .values_mut()
            .for_each(|table| table.ranges = vec![(low, last)]);
        // A function that fails for larger numbers needs no more entries.
        let Ok(computed) = compute(scripts, &wider, constants) else {
            continue;
        };
        let value = |n: i32| computed[name].get(&[n]).ok();
        let differs = |n: &i32| value(*n) != value(*n - 1);
        if let Some(needed) = (high + 1..=last).rev().find(differs) {
            let text = format!(
                "`{name}` is computed for {low} to {high} only, the range that it inherits; \
                 larger numbers count as {high}"
            );
            let help = format!("declare its range: `tables: #{{ {name}: [{low}..={needed}] }}`");
            let position = rhai_guard::function_position(&own.source, name);
            let fault = ScriptFault::new("ruleset::table-range", text).help(help);
            faults.push(fault.warning().at(&own.source, position));
        }
    }
    faults
}

/// The tables whose last entry also applies to larger numbers.
const WITH_A_LAST_ENTRY: [&str; 3] = ["attack_dice", "defend_dice", "most_pairs"];

fn entry(
    sandbox: &Sandbox,
    source: &Source,
    ast: &AST,
    name: &str,
    point: &[i32],
) -> Result<i32, ScriptFault> {
    let args: Vec<Dynamic> = point.iter().map(|&value| INT::from(value).into()).collect();
    let numbers: Vec<String> = point.iter().map(i32::to_string).collect();
    let call = format!("{name}({})", numbers.join(", "));
    let value = sandbox.call(ast, name, None, args);
    let value = value.map_err(|error| {
        let mut fault = sandbox.setup_fault(&error, std::slice::from_ref(source), &call);
        if fault.exceeded.is_some_and(Exceeded::is_budget) {
            fault.text =
                format!("the tables exceed their budget of {FOR_TABLES} operations in total");
            return fault.help("declare smaller ranges, or compute less for each entry");
        }
        fault.help("a table's function can only use its arguments, which are integers")
    })?;
    let number = value
        .as_int()
        .ok()
        .and_then(|value| i32::try_from(value).ok());
    number.ok_or_else(|| {
        let kind = value.type_name();
        let text = format!("`{call}` must return an integer, found {value} of type {kind}");
        ScriptFault::new("ruleset::table", text)
            .help("return a 32-bit integer from a table's function")
            .at(source, rhai_guard::function_position(source, name))
    })
}

pub(super) fn register(engine: &mut Natives, tables: &BTreeMap<String, NumberTable>) {
    type LookupResult<T> = Result<T, Box<rhai::EvalAltResult>>;
    fn get(table: &NumberTable, point: &[INT]) -> LookupResult<INT> {
        let mut numbers = [0; 4];
        for (slot, &value) in numbers.iter_mut().zip(point) {
            *slot = value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        }
        table
            .get(&numbers[..point.len()])
            .map(INT::from)
            .map_err(|fault| fault.text().into())
    }
    for (name, table) in tables {
        let table = table.clone();
        match table.ranges().len() {
            1 => engine.register_fn(name, move |a: INT| get(&table, &[a])),
            2 => engine.register_fn(name, move |a: INT, b: INT| get(&table, &[a, b])),
            3 => engine.register_fn(name, move |a: INT, b: INT, c: INT| get(&table, &[a, b, c])),
            _ => engine.register_fn(name, move |a: INT, b: INT, c: INT, d: INT| {
                get(&table, &[a, b, c, d])
            }),
        };
    }
}
