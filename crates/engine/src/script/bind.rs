//! Turns scripts into rules: reads a ruleset's declarations, and binds the ruleset to a map,
//! options and players.

use std::borrow::Cow;
use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::api::Offers;
use super::binder::Binder;
use super::caller::{HookCaller, uncounted};
use super::compile::Constants;
use super::constants::{base_constants, name_constants, option_constants};
use super::manifest::{CONQUEST, Manifest, OptionValue};
use super::rules::{PhaseImpl, ScriptRules};
use super::rules_source::RulesSource;
use super::tracer::Tracer;
use super::{Script, Source, declare, lint, syntax, tables};
use crate::error::EngineError;
use rhai_guard::{ScriptFault, ScriptLimits};
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, FightMethod, PhaseInfo};
use risk_kernel::odds::Fight;
use risk_kernel::phases::table::{self, FIGHT_TABLES, NumberTable};
use risk_kernel::unit_rules::UnitRules;
use risk_text::suggest;

/// A ruleset as its files declare it, independent of a map. It can be sent to other threads; each
/// thread binds its own rules.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The script, followed by the scripts that it extends.
    pub(super) scripts: Vec<Script>,
    /// The declarations that don't depend on a map: names, options, players.
    pub manifest: Manifest,
}

/// A ruleset bound to a map: the declarations and the rules.
#[derive(Debug)]
pub struct BoundRuleset {
    /// The declarations for the game loop.
    pub decl: Arc<Declaration>,
    /// The rules for this thread.
    pub rules: ScriptRules,
    used: BTreeSet<String>,
    /// All constants of the ruleset's own scripts.
    of_rules: Constants,
    /// The names and values of the constants in bots' scripts.
    pub constants: Vec<(String, i64)>,
}

impl Ruleset {
    /// Returns the name of the ruleset that a script extends, if any.
    ///
    /// # Errors
    /// Returns an error if the script's declarations can't be read.
    pub fn extends(script: &Script) -> Result<Option<String>, ScriptFault> {
        let (map, source, ast) = declare::declarations(script, None)?;
        let Some(name) = map.get("extends") else {
            return Ok(None);
        };
        name.clone().into_string().map(Some).map_err(|_| {
            let position = syntax::key_position(&ast, "extends").unwrap_or(rhai::Position::NONE);
            ScriptFault::new(
                "ruleset::value",
                "`extends` must be a string: the name of a ruleset",
            )
            .at(&source, position)
        })
    }

    /// Reads a ruleset's declarations from its script and the scripts that it extends.
    ///
    /// # Errors
    /// Returns all faults in the declarations.
    pub fn read(scripts: Vec<Script>) -> Result<Self, Vec<ScriptFault>> {
        let manifest = declare::read_manifest(&scripts, None)?;
        let mut ruleset = Self { scripts, manifest };
        // The number of players may depend on an option.
        let defaults = ruleset.options(&[]).unwrap_or_default();
        ruleset.manifest.players = ruleset.players_with(&defaults)?;
        Ok(ruleset)
    }

    /// Returns the script and the scripts that it extends, each with the files that it may import.
    #[must_use]
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// Returns the source of the script, followed by the sources of the scripts that it extends.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.scripts.iter().map(|script| &script.source)
    }

    /// Returns the values of all options. A preset overrides the defaults, and the given values
    /// override the preset, in any order. The option `preset` contains the name of the chosen
    /// preset.
    ///
    /// # Errors
    /// Returns an error that names the invalid name or value and lists the valid ones.
    pub fn options(
        &self,
        given: &[(String, String)],
    ) -> Result<BTreeMap<String, OptionValue>, EngineError> {
        self.read_options(given).map_err(EngineError::Option)
    }

    fn read_options(
        &self,
        given: &[(String, String)],
    ) -> Result<BTreeMap<String, OptionValue>, String> {
        let infos = &self.manifest.options;
        let mut values: BTreeMap<String, OptionValue> = infos
            .iter()
            .map(|(name, info)| (name.clone(), info.default.clone()))
            .collect();
        if let Some((_, preset)) = given.iter().find(|(name, _)| name == "preset") {
            let presets = &self.manifest.presets;
            let found = presets.get(preset).ok_or_else(|| {
                let help = suggest::help(preset, presets.keys().map(String::as_str));
                format!(
                    "{} has no preset named `{preset}`; {help}",
                    self.manifest.decl.name
                )
            })?;
            values.extend(found.clone());
            values.insert("preset".to_owned(), OptionValue::Word(preset.clone()));
        }
        let mut seen = BTreeSet::new();
        for (name, value) in given {
            if !seen.insert(name) {
                return Err(format!("duplicate option `{name}`"));
            }
            if name == "preset" {
                continue;
            }
            let info = infos.get(name).ok_or_else(|| {
                let help = suggest::help(name, infos.keys().map(String::as_str));
                format!(
                    "{} has no option named `{name}`; {help}",
                    self.manifest.decl.name
                )
            })?;
            let value = info.read(value).map_err(|domain| {
                format!("invalid value `{value}` for the option `{name}`; expected {domain}")
            })?;
            values.insert(name.clone(), value);
        }
        Ok(values)
    }

    /// Returns a fault in the declaration under a key, with its position.
    #[must_use]
    pub fn fault(
        &self,
        key: &str,
        code: impl Into<Cow<'static, str>>,
        text: String,
        help: String,
    ) -> ScriptFault {
        syntax::at_key(self.sources(), key, ScriptFault::new(code, text).help(help))
    }

    /// Returns the minimum and the maximum number of players with these options.
    ///
    /// # Errors
    /// Returns all faults in the declarations with these options.
    pub fn players(
        &self,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<(usize, usize), Vec<ScriptFault>> {
        match self.options(&[]) {
            Ok(defaults) if defaults == *options => Ok(self.manifest.players),
            _ => self.players_with(options),
        }
    }

    fn players_with(
        &self,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<(usize, usize), Vec<ScriptFault>> {
        let mut constants = declare::placeholders(&self.scripts)?;
        constants.extend(option_constants(options));
        Ok(declare::read_manifest(&self.scripts, Some(&constants))?.players)
    }

    /// Binds the ruleset to a map, options and a number of players.
    ///
    /// # Errors
    /// Returns all faults of the ruleset with this map and these options.
    pub fn bind(
        &self,
        board: &Arc<Board>,
        options: &BTreeMap<String, OptionValue>,
        players: usize,
        limits: &ScriptLimits,
    ) -> Result<BoundRuleset, Vec<ScriptFault>> {
        limits.check_memory()?;
        let base = base_constants(board, options, players);
        let manifest = declare::read_manifest(&self.scripts, Some(&base))?;
        if let Some(fault) = manifest.players_fault(players) {
            return Err(fault.into());
        }
        if !manifest.map_fits(board) {
            return Err(manifest.map_fault(board).into());
        }
        let mut constants = base;
        let numbers = name_constants(&self.scripts, &manifest, &mut constants)?;
        let tables = tables::compute(&self.scripts, &manifest, &constants)?;
        let mut binder = Binder::new(&self.scripts, &constants, &tables, limits)?;
        let (phases, hooks) = binder.hooks(&manifest);
        ScriptFault::none_of(std::mem::take(&mut binder.faults))?;
        let mut decl = declaration(&manifest, options);
        bar_units(board, &mut decl);
        decl.cards = binder.cards(board, &decl)?;
        binder.forget_cards();
        let plays = Binder::plays(&manifest, &phases);
        let (phases, adaptations) = binder.phases(&manifest, &decl, &tables, phases);
        ScriptFault::none_of(std::mem::take(&mut binder.faults))?;
        declare_phases(&mut decl, &phases);
        self.forget_unopened(&mut decl, &manifest, &binder.used);
        decl.own_chances = hooks.chance.is_some();
        self.check_fights(&decl, &tables)?;
        self.check_classes(board, &decl, &tables)?;
        let decl = Arc::new(decl);
        let caller = HookCaller {
            sandbox: binder.sandbox.finish_setup(),
            files: binder.files,
            hooks,
            plays,
            adaptations,
            handle: ScriptRules::spare(&decl, board),
            offers: Offers::default(),
            spare: RefCell::default(),
            chances: ScriptRules::spare_chances(&tables),
        };
        Ok(BoundRuleset {
            rules: ScriptRules {
                phases,
                caller,
                fight: Fight::of(&decl, &tables).map(uncounted),
                tables,
                groups: None,
            },
            decl,
            used: binder.used,
            of_rules: constants,
            constants: numbers,
        })
    }

    /// Removes the kind of fight from phases that are never opened, such as inherited standard
    /// phases.
    fn forget_unopened(
        &self,
        decl: &mut Declaration,
        manifest: &Manifest,
        bound: &BTreeSet<String>,
    ) {
        // If no phase of the script can fight, all phases keep their kind of fight.
        let may_fight = |phase: &PhaseInfo| phase.scripted && phase.asks;
        if !decl.phases.iter().any(may_fight) {
            return;
        }
        let fighting = decl.phases.iter_mut().filter(|it| it.fights.is_some());
        for phase in fighting {
            if !lint::is_opened(&self.scripts, manifest, bound, &phase.name) {
                phase.fights = None;
            }
        }
    }

    /// Checks that the tables exist by which the script's own phases fight.
    fn check_fights(
        &self,
        decl: &Declaration,
        tables: &BTreeMap<String, NumberTable>,
    ) -> Result<(), Vec<ScriptFault>> {
        let phases = decl.phases.iter().filter(|phase| phase.scripted);
        let ways = phases.filter_map(|phase| Some((phase, phase.fights?)));
        let without = ways.filter(|(_, way)| Fight::by(*way, tables).is_none());
        let faults = without.map(|(phase, way)| {
            let needs = match way {
                FightMethod::Dice => "attack_dice, defend_dice and pair_won",
                FightMethod::Percent => "kill_percent, kill_luck and kill_weighted",
            };
            let text = format!(
                "the phase `{}` fights by {}, but lacks a table for such fights",
                phase.name,
                way.as_str()
            );
            let help = format!("declare the tables {needs}, or remove `fights`");
            self.fault(&phase.name, "ruleset::fights", text, help)
        });
        ScriptFault::none_of(faults.collect())
    }

    /// Checks that the tables cover every class that a fight on the map can have.
    fn check_classes(
        &self,
        board: &Board,
        decl: &Declaration,
        tables: &BTreeMap<String, NumberTable>,
    ) -> Result<(), Vec<ScriptFault>> {
        let most = LazyCell::new(|| decl.most_class(board.most_strength()));
        let by_class = |&&(name, parameters): &&(&'static str, usize)| {
            table::find(tables, name, parameters + 1).is_some()
        };
        let short = FIGHT_TABLES.iter().filter(by_class).find(|(name, _)| {
            let last = tables[*name].ranges().last();
            last.is_some_and(|range| u32::try_from(range.1).is_ok_and(|last| last < *most))
        });
        let Some((name, _)) = short else {
            return Ok(());
        };
        let text = format!(
            "fights on the map {} have classes up to {}, more than the table `{name}` covers",
            board.name(),
            *most
        );
        let help = "a class is the sum of what `strength` says of the territory, its groups, the \
                    border and the kinds of units: declare a larger range of the class, at most \
                    `0..=15`, or lower a strength";
        Err(self
            .fault(name, "ruleset::table", text, help.to_owned())
            .into())
    }

    /// Returns the rules for the imagined games of one thread's bots with this number of players.
    /// The rules are bound when a bot first needs them.
    #[must_use]
    pub fn rules_source(
        &self,
        board: &Arc<Board>,
        options: &BTreeMap<String, OptionValue>,
        players: usize,
        limits: &ScriptLimits,
    ) -> RulesSource {
        let ruleset = self.clone();
        let played_on = Arc::clone(board);
        let options = options.clone();
        // The tracer ignores imagined calls because they are not part of the game.
        let untraced = ScriptLimits {
            tracer: Tracer::default(),
            ..limits.clone()
        };
        RulesSource::new(board, players, limits, move || {
            let bound = ruleset.bind(&played_on, &options, players, &untraced)?;
            Ok(Box::new(bound.rules))
        })
    }
}

impl BoundRuleset {
    /// Returns all errors and unused parts in the ruleset's own script that can be found without
    /// playing a game.
    #[must_use]
    pub fn lints(&self, ruleset: &Ruleset) -> Vec<ScriptFault> {
        let mut used = self.used.clone();
        // The odds command, bots and the hook `chance` all use these tables.
        if self.decl.has_chances() {
            used.extend(FIGHT_TABLES.map(|(name, _)| name.to_owned()));
        }
        let mut faults = lint::unused_declarations(&ruleset.scripts, &ruleset.manifest, &used);
        faults.extend(self.unsold(ruleset));
        let manifest = &ruleset.manifest;
        faults.extend(tables::cut(&ruleset.scripts, manifest, &self.of_rules));
        let own = ruleset.scripts.first();
        faults.extend(
            own.into_iter().flat_map(|own| {
                lint::rules(self.rules.engine(), own, &self.decl, &ruleset.manifest)
            }),
        );
        faults
    }
}

/// Finds the territories that are closed to kinds of units.
fn bar_units(board: &Board, decl: &mut Declaration) {
    let limited = |rules: &&mut UnitRules| !rules.only.is_empty();
    for rules in decl.unit_rules.iter_mut().filter(limited) {
        rules.barred = vec![true; board.len()];
        let open = rules.only.iter().filter_map(|id| board.places_of(id));
        open.flatten()
            .for_each(|at| rules.barred[at.index()] = false);
    }
}

impl BoundRuleset {
    /// Finds a price for which no phase sells the kind of unit.
    fn unsold(&self, ruleset: &Ruleset) -> Option<ScriptFault> {
        let mut others = self.decl.unit_rules.iter().enumerate().skip(1);
        let (kind, _) = others.find(|(_, rules)| rules.price != 1 && !self.used.contains("buy"))?;
        let name = &self.decl.units[kind];
        let text = format!("the price of `{name}` has no effect, because no phase sells units");
        let help = "declare `buy: #{ at: \"territory\", unit: \"unit\", units: \"count\" }` in \
                    `verbs`, and use `standard(\"deploy\")`";
        let fault = ruleset.fault("price", "ruleset::unused", text, help.to_owned());
        Some(fault.warning())
    }
}

fn declare_phases(decl: &mut Declaration, phases: &[PhaseImpl]) {
    for (info, phase) in decl.phases.iter_mut().zip(phases) {
        match phase {
            PhaseImpl::Standard(phase) => {
                info.asks = phase.asks();
                info.fights = phase.fights();
            }
            PhaseImpl::Script(hooks) => info.asks = hooks.options.is_some(),
        }
    }
}

/// Returns the declarations for these values of the options. Cards are still missing.
fn declaration(manifest: &Manifest, options: &BTreeMap<String, OptionValue>) -> Declaration {
    let option = |(name, value): (&String, &OptionValue)| (name.clone(), value.into());
    let mut decl = Declaration {
        options: options.iter().map(option).collect(),
        ..manifest.decl.clone()
    };
    let ending = decl.sentences.endings.entry(CONQUEST.to_owned());
    ending.or_insert_with(|| "nobody else is left".to_owned());
    decl
}
