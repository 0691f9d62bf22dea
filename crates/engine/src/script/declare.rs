//! Reads a ruleset's declarations by running `ruleset()` on an engine without functions of the
//! game.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, INT, Map, Scope};

use super::TO_DECLARE;
use super::compile::{self, Constants};
use super::engine::Sandbox;
use super::manifest::{self, DeclarationReader, MOST_NAMES, Manifest, PhaseKind, PhaseMark};
use super::{Script, Source, constant_limits, meter};
use rhai_guard::Natives;
use rhai_guard::sizes::LONGEST_DECLARED;
use rhai_guard::{ScriptFault, ScriptLimits, fail, guard};
use risk_kernel::declare::FightMethod;
use risk_kernel::phases::Param;
use risk_text::suggest;

pub(super) fn register(engine: &mut Natives) {
    engine.register_fn("standard", |name: &str| standard_mark(name, &Map::new()));
    type Mark = Result<PhaseMark, Box<EvalAltResult>>;
    engine.register_fn("standard", |name: &str, params: Map| -> Mark {
        // Values that are neither numbers nor flags are converted to strings.
        let params = Dynamic::from_map(params);
        meter::afford(4 * guard::weigh(&params)?)?;
        Ok(standard_mark(name, &params.cast::<Map>()))
    });
    engine.register_fn("script", || PhaseMark::new(PhaseKind::Script));
    engine.register_fn("secret", |mark: PhaseMark| PhaseMark {
        secret: true,
        ..mark
    });
    engine.register_fn("tell", |mark: PhaseMark, text: &str| PhaseMark {
        tell: text.to_owned(),
        ..mark
    });
    engine.register_fn("about", |mark: PhaseMark, text: &str| PhaseMark {
        about: Some(text.to_owned()),
        ..mark
    });
    engine.register_fn("fights", fights_by);
    engine.register_fn("optional", |mark: PhaseMark| PhaseMark {
        optional: true,
        ..mark
    });
}

/// Implements `script().fights("dice")`, which declares that the script fights by the ruleset's
/// tables. The declaration makes chances available.
fn fights_by(mark: PhaseMark, way: &str) -> Result<PhaseMark, Box<EvalAltResult>> {
    let Some(way) = FightMethod::from_name(way) else {
        return fail("`fights` expects \"dice\" or \"percent\"");
    };
    match mark.kind {
        PhaseKind::Script => Ok(PhaseMark {
            fights: Some(way),
            ..mark
        }),
        PhaseKind::Standard(..) => fail("only a phase that is `script()` can have `fights`"),
    }
}

/// Runs the `ruleset()` of one script. Without constants, every name in capitals has the value 1.
pub(super) fn declarations(
    script: &Script,
    constants: Option<&Constants>,
) -> Result<(Map, Source, AST), ScriptFault> {
    let source = script.source.clone();
    let mut sandbox = Sandbox::new(&ScriptLimits::default(), super::api::name_types);
    sandbox.share(TO_DECLARE);
    sandbox.engine.set_max_string_size(LONGEST_DECLARED);
    register(&mut sandbox.engine);
    let draft = compile::parse(&mut sandbox.engine, &source)?;
    if !draft
        .iter_functions()
        .any(|function| function.name == "ruleset" && function.params.is_empty())
    {
        let names: Vec<String> = draft
            .iter_functions()
            .map(|function| function.name.to_owned())
            .collect();
        let near = suggest::nearest("ruleset", names.iter().map(String::as_str));
        let help = near.map_or_else(
            || "write `fn ruleset() { #{ name: …, … } }`".to_owned(),
            |near| format!("rename `{near}` to `ruleset`"),
        );
        return Err(ScriptFault::new(
            "ruleset::none",
            format!("{} has no function `ruleset()`", source.name),
        )
        .help(help));
    }
    let mut scope = Scope::new();
    match constants {
        Some(constants) => constants.iter().for_each(|(name, value)| {
            scope.push_constant_dynamic(name, value.clone());
        }),
        None => capitals(&draft).into_iter().for_each(|name| {
            scope.push_constant(name, 1 as INT);
        }),
    }
    constant_limits::check_constants(&draft, &scope, &source)?;
    let ast = compile::fold(&mut sandbox.engine, &scope, &source)
        .map_err(|error| ScriptFault::of_parsing(&error, &source, &[]))?;
    let map = sandbox
        .call(&ast, "ruleset", None, ())
        .map_err(|error| sandbox.setup_fault(&error, std::slice::from_ref(&source), "ruleset"))?;
    let map = map.try_cast::<Map>().ok_or_else(|| {
        ScriptFault::new(
            "ruleset::value",
            format!(
                "`ruleset()` in {} must return a map: #{{ name: …, … }}",
                source.name
            ),
        )
    })?;
    Ok((map, source, draft))
}

/// Returns every name in capitals in the scripts, with the value 1. With these placeholders the
/// scripts can be read before a game is chosen.
pub(super) fn placeholders(scripts: &[Script]) -> Result<Constants, ScriptFault> {
    let mut all = Constants::new();
    for script in scripts {
        let draft = compile::parse(&mut Engine::new_raw(), &script.source)?;
        all.extend(
            capitals(&draft)
                .into_iter()
                .map(|name| (name, (1 as INT).into())),
        );
    }
    Ok(all)
}

/// Returns all names in capitals that a script uses as variables.
pub(super) fn capitals(ast: &AST) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last() {
            let name = variable.1.as_str();
            if name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            {
                names.insert(name.to_owned());
            }
        }
        true
    });
    names
}

fn standard_mark(name: &str, params: &Map) -> PhaseMark {
    let params = params
        .iter()
        .map(|(key, value)| (key.to_string(), param(value, MOST_NESTED)))
        .collect();
    PhaseMark::new(PhaseKind::Standard(name.to_owned(), params))
}

/// The maximum nesting depth of lists and maps in a parameter of a standard phase.
const MOST_NESTED: usize = 3;

/// Converts a parameter of a standard phase. A list or map that is too long or nested too deeply
/// becomes an empty word, which every phase rejects.
fn param(value: &Dynamic, nested: usize) -> Param {
    if let Ok(number) = value.as_int() {
        return Param::Number(i32::try_from(number).unwrap_or(i32::MAX));
    }
    if let Ok(flag) = value.as_bool() {
        return Param::Flag(flag);
    }
    let fits = |len: usize| nested > 0 && len <= MOST_NAMES;
    if let Some(list) = value.read_lock::<Array>() {
        if !fits(list.len()) {
            return Param::Word(String::new());
        }
        return Param::List(list.iter().map(|value| param(value, nested - 1)).collect());
    }
    if let Some(map) = value.read_lock::<Map>() {
        if !fits(map.len()) {
            return Param::Word(String::new());
        }
        let all = map.iter();
        return Param::Map(
            all.map(|(key, value)| (key.to_string(), param(value, nested - 1)))
                .collect(),
        );
    }
    Param::Word(value.to_string())
}

pub(super) fn read_manifest(
    scripts: &[Script],
    constants: Option<&Constants>,
) -> Result<Manifest, Vec<ScriptFault>> {
    let mut drafts = Vec::new();
    let mut joined: Option<Map> = None;
    // The names of the rulesets up to the one whose rules are in force.
    let mut names = Vec::new();
    for script in scripts {
        let (map, source, ast) = declarations(script, constants)?;
        let own = [(source, ast)];
        let mut reader = DeclarationReader {
            drafts: &own,
            faults: Vec::new(),
        };
        // Each ruleset declares its own API version, so the versions are checked separately.
        reader.api(&map);
        ScriptFault::none_of(reader.faults)?;
        drafts.extend(own);
        if !joined
            .as_ref()
            .is_some_and(|over| over.contains_key("rules"))
        {
            names.push(
                map.get("name")
                    .map_or_else(String::new, ToString::to_string),
            );
        }
        joined = Some(joined.map_or_else(|| map.clone(), |over| manifest::join(&map, &over)));
    }
    let mut reader = DeclarationReader {
        drafts: &drafts,
        faults: Vec::new(),
    };
    let mut manifest = reader.manifest(&joined.unwrap_or_default());
    if let [_, .., base] = names.as_slice()
        && !manifest.decl.sentences.rules.is_empty()
    {
        let rules = &manifest.decl.sentences.rules;
        manifest.decl.sentences.rules =
            format!("These are the rules of `{base}`, which this ruleset changes.\n\n{rules}");
    }
    ScriptFault::none_of(reader.faults).map(|()| manifest)
}
