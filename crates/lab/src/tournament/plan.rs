//! The plan of a tournament, which is a loaded [`TournamentSpec`]. It contains everything that
//! determines the games, and a hash of this content.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::design::{Design, DesignFault};
use super::finals::Finals;
use super::plan_parts::{Parts, PlanFile, hash_of};
use super::spec::{DesignName, DesignSpec, MOST_BLOCKS, TournamentSpec, at, wrong};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{FORMAT as RECORD_FORMAT, bot_hash, map_hash, ruleset_hash};
use risk_engine::script::{Budget, ScriptLimits};
use risk_engine::{Library, MatchSpec, RuleSetup, Seats, Setup, TimeControl, names, strikes};
use risk_kernel::declare::OnFault;
use risk_kernel::rng::Purpose;
use risk_maps::files::from_folder;
use risk_text::diag::{Finding, LoadError, TextFile};
use risk_text::plural::{counted, range};
use risk_wire::isolated::{Isolation, isolate};

/// The version of the log and plan formats.
const FORMAT: u32 = 2;
/// The maximum number of bots.
pub const MOST_BOTS: usize = 1_000;

/// A game of a block, with the number that determines its dice and the bots by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockGame {
    /// The number of the game, which is the number of its block if the games share their dice.
    pub number: u64,
    /// The indices of the tournament's bots by seat.
    pub bots: Vec<usize>,
}

/// The bots, rules, design and settings of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// The ruleset, the map, and all bots.
    pub setup: Setup,
    /// The number of seats at a table.
    pub seats: usize,
    /// The number of blocks.
    pub blocks: u64,
    /// The tables and seatings.
    pub design: Design,
    /// The bot to which the other bots are compared.
    pub anchor: Option<usize>,
    /// The finals of the best bots, if there are any.
    pub finals: Option<Finals>,
    /// The hash of the first stage's plan, if this is the plan of finals.
    pub first_stage: Option<String>,
    /// Whether the luck of the dice is counted. Set by [`TournamentPlan::count_luck`].
    pub luck: bool,
    /// Whether every game is recorded.
    pub records: bool,
    /// Whether every script runs in its own process. Set by [`TournamentPlan::isolate`].
    pub isolated: bool,
    /// The bots as written in the file. Empty if there is no file.
    pub bot_specs: Vec<String>,
    /// The ruleset and the map as written in the file.
    pub rules_specs: Option<(String, Option<String>)>,
    /// The hashed parts by name. Error messages show the parts that differ.
    pub parts: Parts,
}

impl TournamentPlan {
    /// Returns the plan for the finals of this completed tournament. `ranking` contains the indices
    /// of the bots, starting with the best.
    #[must_use]
    pub fn finals(&self, finals: &Finals, ranking: &[usize]) -> Self {
        let chosen = &ranking[..finals.best.min(ranking.len())];
        let bot = |&bot: &usize| self.setup.bots[bot].clone();
        let mut setup = self.setup.with_bots(chosen.iter().map(bot));
        setup.seed = finals.seed.clone();
        let mut plan = Self::new(setup, finals.seats, finals.blocks, finals.design().clone());
        let specs = chosen
            .iter()
            .filter_map(|&bot| self.bot_specs.get(bot).cloned());
        plan.bot_specs = specs.collect();
        plan.rules_specs = self.rules_specs.clone();
        plan.luck = self.luck;
        plan.records = self.records;
        plan.isolated = self.isolated;
        plan.anchor = self
            .anchor
            .and_then(|anchor| chosen.iter().position(|&bot| bot == anchor));
        plan.of_first_stage(self.hash());
        plan
    }

    /// Reads a tournament's file and loads the files that it refers to. Paths are relative to its
    /// folder.
    ///
    /// # Errors
    /// Returns an error if the file or anything that it refers to is invalid.
    pub fn load(library: &Library, path: &Path) -> Result<Self, LoadError> {
        Self::parse(library, path, &TournamentSpec::file(path)?)
    }

    /// Like [`Self::load`], but takes the content of the file, which may not exist yet.
    ///
    /// # Errors
    /// Returns the same errors.
    pub fn parse(library: &Library, path: &Path, file: &TextFile) -> Result<Self, LoadError> {
        let spec = TournamentSpec::parse(file)?;
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        SpecReader {
            spec: &spec,
            file,
            folder: &folder,
            library,
        }
        .plan()
    }

    /// Creates a plan from loaded parts.
    #[must_use]
    pub fn new(setup: Setup, seats: usize, blocks: u64, design: Design) -> Self {
        let mut plan = Self {
            setup,
            seats,
            blocks,
            design,
            anchor: None,
            finals: None,
            first_stage: None,
            luck: false,
            records: false,
            isolated: false,
            bot_specs: Vec::new(),
            rules_specs: None,
            parts: Parts::new(),
        };
        plan.parts = plan.describe();
        plan
    }

    /// Creates a plan of one block in which these bots sit at one table.
    #[must_use]
    pub fn one_table(setup: Setup, seats: usize) -> Self {
        let design = Design::all(seats, seats, 1).expect("one table forms a complete cycle");
        Self::new(setup, seats, 1, design)
    }

    /// Reports whether the games of a block share their dice. Games with a bot outside this program
    /// do not share them, because the bot could exploit its knowledge of the previous game.
    #[must_use]
    pub fn shares_dice(&self) -> bool {
        !self.setup.bots.iter().any(|bot| bot.source.is_elsewhere())
    }

    /// Describes which games share their dice.
    #[must_use]
    pub fn dice(&self) -> &'static str {
        let shared = "the games of a block share their dice";
        let own = "each game has its own dice";
        if self.shares_dice() { shared } else { own }
    }

    /// Returns the games of a block.
    #[must_use]
    pub fn block(&self, block: u64) -> Vec<BlockGame> {
        let mut stream = self.setup.key(block).stream(Purpose::Seats);
        let games = self.design.block(block, |circle| stream.shuffle(circle));
        let count = games.len() as u64;
        let seating = |(index, bots): (u64, Vec<usize>)| BlockGame {
            number: if self.shares_dice() {
                block
            } else {
                block * count + index
            },
            bots,
        };
        (0..).zip(games).map(seating).collect()
    }

    /// Returns the command that replays a game of a block. `game` is its number in the block,
    /// counted from 0.
    #[must_use]
    pub fn command(&self, block: u64, game: usize) -> Option<String> {
        let seating = self.block(block).into_iter().nth(game)?;
        let bot = |&bot: &usize| self.setup.bots[bot].clone();
        let setup = self.setup.with_bots(seating.bots.iter().map(bot));
        Some(setup.command(seating.number))
    }

    /// Enables counting the luck of each player's dice.
    pub fn count_luck(&mut self) {
        self.luck = true;
        self.parts = self.describe();
    }

    /// Returns the command like [`TournamentPlan::command`], but for the folder of the tournament's
    /// file as the working directory. The command does not depend on the path of the folder.
    #[must_use]
    pub fn command_at_home(&self, block: u64, game: usize) -> Option<String> {
        let mut plan = self.clone();
        if let Some((ruleset, map)) = &self.rules_specs {
            plan.setup.rules.ruleset_spec.clone_from(ruleset);
            plan.setup.rules.map_spec = map.clone().unwrap_or(plan.setup.rules.map_spec);
        }
        for (bot, spec) in plan.setup.bots.iter_mut().zip(&self.bot_specs) {
            bot.bot.clone_from(spec);
        }
        plan.command(block, game)
    }

    pub(super) fn of_first_stage(&mut self, hash: String) {
        self.first_stage = Some(hash);
        self.parts = self.describe();
    }

    /// Assigns a separate process of this program to every script.
    pub fn isolate(&mut self, program: &Path) {
        isolate(&mut self.setup, program, self.seats);
        self.parts = self.describe();
    }

    /// Returns the number of games in the tournament.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.blocks * self.design.games_per_block() as u64
    }

    /// Returns the hash of all data that determines the games.
    #[must_use]
    pub fn hash(&self) -> String {
        hash_of(&self.parts)
    }

    /// Returns the process and remote bots that name no files. The content of these bots is
    /// unknown.
    #[must_use]
    pub fn unverified(&self) -> Vec<&str> {
        let bots = self.setup.bots.iter();
        let unknown = bots.filter(|spec| bot_hash(&spec.source).is_none());
        unknown.map(|spec| spec.name.as_str()).collect()
    }

    /// Returns the content of `plan.json`.
    #[must_use]
    pub fn file(&self) -> PlanFile<'_> {
        PlanFile {
            format: FORMAT,
            plan: self.hash(),
            parts: &self.parts,
        }
    }

    fn describe(&self) -> Parts {
        let setup = &self.setup;
        let mut parts = Parts::from([
            ("format".to_owned(), FORMAT.to_string()),
            ("engine".to_owned(), risk_engine::VERSION.to_owned()),
            ("record format".to_owned(), RECORD_FORMAT.to_string()),
            ("ruleset".to_owned(), ruleset_hash(&setup.rules.ruleset)),
            ("map".to_owned(), map_hash(&setup.rules.board)),
            ("seed".to_owned(), setup.seed.to_string()),
            ("seats".to_owned(), self.seats.to_string()),
            ("blocks".to_owned(), self.blocks.to_string()),
            ("design".to_owned(), self.design.to_string()),
            ("budget".to_owned(), setup.limits.budget.0.to_string()),
        ]);
        let strikes = setup.strikes.map_or_else(
            || "as the ruleset says".to_owned(),
            |strikes| format!("{} {}", strikes.limit, strikes.then.as_str()),
        );
        parts.insert("strikes".to_owned(), strikes);
        if let Some(clock) = setup.clock {
            parts.insert("clock".to_owned(), clock.to_string());
        }
        if self.luck {
            parts.insert("luck".to_owned(), "counted".to_owned());
        }
        if let Some(first) = &self.first_stage {
            parts.insert("finals of".to_owned(), first.clone());
        }
        for (name, value) in &setup.rules.options {
            parts.insert(format!("option {name}"), value.to_string());
        }
        for (index, spec) in setup.bots.iter().enumerate() {
            let hash = bot_hash(&spec.source);
            let hash = hash.unwrap_or_else(|| format!("unverified {}", spec.bot));
            let isolated = spec.source.factory::<Isolation>().is_some();
            let isolated = if isolated { ", isolated" } else { "" };
            let clock = spec
                .clock
                .map_or_else(String::new, |clock| format!(", clock {clock}"));
            let part = format!("{} {hash}{isolated}{clock}", spec.name);
            parts.insert(format!("bot {:04}", index + 1), part);
        }
        parts
    }
}

struct SpecReader<'a> {
    spec: &'a TournamentSpec,
    file: &'a TextFile,
    folder: &'a Path,
    library: &'a Library,
}

impl SpecReader<'_> {
    fn plan(&self) -> Result<TournamentPlan, LoadError> {
        let spec = self.spec;
        let bots = self.bots()?;
        let rules = self.rules(&bots)?;
        let range = rules.players()?;
        let seats = self.seats(&rules, bots.len())?;
        let blocks = self.within("blocks", &spec.blocks, 1, MOST_BLOCKS)?;
        let design = self.design(&bots, seats, blocks)?;
        let strikes = self.strikes(&rules)?;
        let budget = match &spec.budget {
            None => Budget::default(),
            Some(budget) => Budget(self.within("budget", budget, 1_000, 10_000_000)?),
        };
        let anchor = self.anchor(&bots)?;
        let setup = Setup {
            seed: spec.seed.clone(),
            seats: Seats::Fixed,
            strikes,
            limits: ScriptLimits {
                budget,
                ..ScriptLimits::default()
            },
            clock: self.clock()?,
            ..Setup::new(rules, bots)
        };
        let mut plan = TournamentPlan::new(setup, seats, blocks, design);
        if spec.luck {
            plan.count_luck();
        }
        let finals = self.finals(&plan, range)?;
        Ok(TournamentPlan {
            anchor,
            finals,
            records: spec.records,
            isolated: spec.isolate,
            bot_specs: spec.bots.iter().map(|bot| bot.value.words()).collect(),
            rules_specs: Some((
                spec.ruleset.value.clone(),
                spec.map.as_ref().map(|map| map.value.clone()),
            )),
            ..plan
        })
    }

    fn finals(
        &self,
        plan: &TournamentPlan,
        range: (usize, usize),
    ) -> Result<Option<Finals>, LoadError> {
        let Some(finals) = &self.spec.finals else {
            return Ok(None);
        };
        match Finals::new(&finals.value, &plan.setup, plan.seats, range.0..=range.1) {
            Ok(found) => Ok(Some(found)),
            Err(finding) => self.fail(finding, finals),
        }
    }

    fn fail<T, V>(&self, finding: Finding, value: &serde_yaml::Spanned<V>) -> Result<T, LoadError> {
        Err(LoadError::one(at(finding, self.file, value)))
    }

    fn rules(&self, bots: &[BotSpec]) -> Result<RuleSetup, LoadError> {
        let options: Vec<(String, String)> = self
            .spec
            .options
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect();
        let from = |spec: &str| from_folder(self.folder, spec);
        let map = self.spec.map.as_ref().map(|map| from(&map.value));
        let spec = MatchSpec {
            map,
            options,
            ..MatchSpec::new(&from(&self.spec.ruleset.value))
        };
        spec.rules(self.library, bots)
    }

    fn bots(&self) -> Result<Vec<BotSpec>, LoadError> {
        let given = &self.spec.bots;
        if given.len() > MOST_BOTS || given.len() < 2 {
            let text = format!(
                "a tournament needs 2 to {MOST_BOTS} bots, found {}",
                given.len()
            );
            let help = "list the bots under `bots`, each after a hyphen";
            return Err(LoadError::one(wrong("bots", text, help)));
        }
        let mut bots: Vec<BotSpec> = Vec::new();
        for spec in given {
            let bot = match BotSpec::from_yaml(self.library, self.folder, &spec.value) {
                Ok(bot) => bot,
                Err(failure) => {
                    let placed = |finding: Finding| match finding.place {
                        None => at(finding, self.file, spec),
                        Some(_) => finding,
                    };
                    let findings = failure.findings.into_iter().map(placed).collect();
                    return Err(LoadError { findings });
                }
            };
            if bots
                .iter()
                .any(|other| names::are_alike(&other.name, &bot.name))
            {
                let text = format!("duplicate bot name `{}`", bot.name);
                let help = format!(
                    "give one bot another name, for example `name=twin,bot={}`",
                    bot.bot
                );
                return self.fail(wrong("name", text, help), spec);
            }
            bots.push(bot);
        }
        Ok(bots)
    }

    fn seats(&self, rules: &RuleSetup, bots: usize) -> Result<usize, LoadError> {
        let (least, most) = rules.players()?;
        let name = &rules.ruleset.manifest.decl.name;
        let seats = match &self.spec.seats {
            Some(seats) => seats.value,
            None => bots.min(most),
        };
        let finding = if !(least..=most).contains(&seats) {
            let text = format!("{name} needs {} players, found {seats}", range(least, most));
            wrong(
                "seats",
                text,
                "change `bots` or `seats`, or an option of the ruleset",
            )
        } else if bots < seats {
            let bots = counted(bots, "bot");
            let text = format!("{seats} seats at a table, but only {bots}");
            wrong("few-bots", text, "add bots, or lower `seats`")
        } else if seats < 2 {
            wrong(
                "seats",
                "a table needs at least 2 seats, found 1",
                "write `seats: 2` or more",
            )
        } else {
            return Ok(seats);
        };
        match &self.spec.seats {
            Some(seats) => self.fail(finding, seats),
            None => Err(LoadError::one(finding)),
        }
    }

    fn within(
        &self,
        name: &str,
        value: &serde_yaml::Spanned<u64>,
        least: u64,
        most: u64,
    ) -> Result<u64, LoadError> {
        if (least..=most).contains(&value.value) {
            return Ok(value.value);
        }
        let text = format!(
            "`{name}` must be from {least} to {most}, found {}",
            value.value
        );
        self.fail(wrong(name, text, "correct the number"), value)
    }

    fn design(&self, bots: &[BotSpec], seats: usize, blocks: u64) -> Result<Design, LoadError> {
        if let Some(design) = &self.spec.design
            && matches!(&design.value, DesignSpec::Gauntlet(it) if it.gauntlet.is_empty())
        {
            let help = "write `design: { gauntlet: [NAME] }`, or leave out `design`";
            return self.fail(wrong("design", "the gauntlet names no bots", help), design);
        }
        let made = match self.spec.design.as_ref() {
            None => Design::usual(bots.len(), seats, blocks),
            Some(design) => match &design.value {
                DesignSpec::Named(DesignName::All) => Design::all(bots.len(), seats, blocks),
                DesignSpec::Named(DesignName::Balanced) => {
                    Design::balanced(bots.len(), seats, blocks)
                }
                DesignSpec::Gauntlet(gauntlet) => {
                    let named = self.named(&gauntlet.gauntlet, bots, design)?;
                    Design::gauntlet(&named, bots.len(), seats, blocks)
                }
            },
        };
        made.map_err(|fault| {
            let text = fault.to_string();
            let finding = match (&fault, &self.spec.design) {
                (DesignFault::RaggedCycle { cycle, least }, _) => {
                    let help = format!("write `blocks: {least}`, or another multiple of {cycle}");
                    at(
                        wrong("ragged-cycle", text, help),
                        self.file,
                        &self.spec.blocks,
                    )
                }
                (DesignFault::NoSeatLeft, design) => {
                    let help = "name fewer bots in `gauntlet`, add bots, or raise `seats`";
                    let finding = wrong("design", text, help);
                    match design {
                        Some(design) => at(finding, self.file, design),
                        None => finding,
                    }
                }
            };
            LoadError::one(finding)
        })
    }

    fn named<T>(
        &self,
        names: &[String],
        bots: &[BotSpec],
        place: &serde_yaml::Spanned<T>,
    ) -> Result<Vec<usize>, LoadError> {
        let mut found = BTreeSet::new();
        for name in names {
            found.insert(self.bot_named(name, bots, place)?);
        }
        Ok(found.into_iter().collect())
    }

    fn bot_named<T>(
        &self,
        name: &str,
        bots: &[BotSpec],
        place: &serde_yaml::Spanned<T>,
    ) -> Result<usize, LoadError> {
        let known = bots.iter().map(|bot| bot.name.as_str());
        if let Some(index) = known.clone().position(|known| known == name) {
            return Ok(index);
        }
        let help = risk_text::suggest::help(name, known.collect::<Vec<_>>());
        let text = format!("no bot of the tournament is named `{name}`");
        self.fail(wrong("name", text, help), place)
    }

    fn anchor(&self, bots: &[BotSpec]) -> Result<Option<usize>, LoadError> {
        let anchor = self.spec.anchor.as_ref();
        anchor
            .map(|anchor| self.bot_named(&anchor.value, bots, anchor))
            .transpose()
    }

    fn clock(&self) -> Result<Option<TimeControl>, LoadError> {
        let Some(clock) = &self.spec.clock else {
            return Ok(None);
        };
        match clock.value.parse() {
            Ok(control) => Ok(Some(control)),
            Err(text) => self.fail(
                wrong("clock", text, "write for example `clock: move=1s,bank=10s`"),
                clock,
            ),
        }
    }

    fn strikes(
        &self,
        rules: &RuleSetup,
    ) -> Result<Option<risk_kernel::declare::Strikes>, LoadError> {
        let limit = match &self.spec.strikes {
            Some(limit) if limit.value > 1_000 => {
                let text = format!("`strikes` must be from 0 to 1000, found {}", limit.value);
                return self.fail(wrong("strikes", text, "correct the number"), limit);
            }
            limit => limit.as_ref().map(|limit| limit.value),
        };
        let then = match &self.spec.on_fault {
            None => None,
            Some(word) => match OnFault::from_name(&word.value) {
                Some(then) => Some(then),
                None => {
                    let text = format!("unknown fault policy `{}`", word.value);
                    let known = OnFault::ALL.map(OnFault::as_str);
                    let help = risk_text::suggest::help(&word.value, known);
                    return self.fail(wrong("on-fault", text, help), word);
                }
            },
        };
        Ok(strikes(&rules.ruleset, limit, then))
    }
}
