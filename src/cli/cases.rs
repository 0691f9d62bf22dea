//! `bot test` and `ruleset test`: positions with a bot's expected answers, or with the expected
//! effects of the rules.

mod rules;

use crate::cli::library;
use risk_engine::Seed;
use risk_maps::files;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use serde_yaml::Spanned;

use super::findings::{FindingsFormat, say_all};
use super::named_programs::ProgramsArg;
use super::{CommandResult, Error, Exit, hang, position, say, say_json};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{MatchSpec, Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::view::Facts;
use risk_kernel::words::Words;
use risk_kernel::{EventFilter, Moment, Sink, StopReason};
use risk_lab::test_files::{self, BotTest, OneOrMore};
use risk_text::diag::{Finding, TextFile};
use risk_text::escape_control;
use risk_text::paint::pad;
use risk_text::plural::counted;

/// The maximum size of a file, in bytes.
const LARGEST: u64 = 1 << 20;

const MOST_ANSWERS: usize = 1_000;

#[derive(Args, Debug)]
pub(super) struct TestArgs {
    /// YAML files with tests
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Run only the tests whose name contains WORDS
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FindingsFormat::Text)]
    format: FindingsFormat,
    #[command(flatten)]
    programs: ProgramsArg,
}

pub(super) struct TestOutcome {
    pub(super) name: String,
    /// The result as text.
    pub(super) came: String,
    /// What was expected, if the test failed.
    pub(super) wrong: Option<Finding>,
}

pub(super) fn bots(args: &TestArgs) -> CommandResult {
    all(args, |path, file| {
        let cases = test_files::of_bot(file)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let bot = BotSpec::from_yaml(library(), folder, &cases.bot)?;
        args.programs.check(std::slice::from_ref(&bot))?;
        let chosen = cases.tests.iter().filter(|case| args.has(&case.name.value));
        chosen
            .map(|case| run_bot_test(case, file, folder, &bot))
            .collect()
    })
}

pub(super) fn rulesets(args: &TestArgs) -> CommandResult {
    all(args, |path, file| rules::run(args, path, file))
}

impl TestArgs {
    /// Reports whether the test with this name is selected.
    fn has(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only))
    }
}

/// Runs the tests of all files and reports the results.
fn all(
    args: &TestArgs,
    mut run: impl FnMut(&Path, &TextFile) -> Result<Vec<TestOutcome>, Error>,
) -> CommandResult {
    let mut ran = Vec::new();
    for path in &args.files {
        let file = files::file(path, LARGEST)?;
        let outcomes = run(path, &file)?;
        ran.push((file.name.to_string(), outcomes));
    }
    let count: usize = ran.iter().map(|(_, outcomes)| outcomes.len()).sum();
    if count == 0 {
        let help = "change or remove `--only`";
        return Error::refuse("test::count", "no test matches `--only`", help);
    }
    let outcomes = || ran.iter().flat_map(|(_, outcomes)| outcomes);
    let failed = outcomes().filter(|it| it.wrong.is_some()).count();
    match args.format {
        FindingsFormat::Text => table(&ran, count, failed)?,
        FindingsFormat::Json => {
            let each = ran.iter().flat_map(|(file, outcomes)| {
                outcomes.iter().map(move |it| {
                    let wrong = it.wrong.as_ref().map(|wrong| &wrong.text);
                    json!({ "file": file, "name": it.name, "came": it.came, "wrong": wrong })
                })
            });
            let tests: Vec<_> = each.collect();
            say_json(&json!({ "tests": tests, "failed": failed }))?;
        }
        format => {
            let found = ran.iter().map(|(file, outcomes)| {
                let wrong = outcomes.iter().filter_map(|it| it.wrong.clone());
                (file.as_str(), wrong.collect::<Vec<_>>())
            });
            let found: Vec<_> = found.collect();
            say_all(format, found.iter().map(|(file, it)| (*file, &it[..])))?;
        }
    }
    Ok(Exit::of(failed == 0))
}

fn table(ran: &[(String, Vec<TestOutcome>)], count: usize, failed: usize) -> Result<(), Error> {
    for (file, outcomes) in ran {
        say(&escape_control(file))?;
        let names = outcomes.iter().map(|it| it.name.chars().count());
        let width = names.max().unwrap_or(0).min(40);
        for it in outcomes {
            let mark = if it.wrong.is_none() { "✓" } else { "✗" };
            let name = pad(&escape_control(&it.name), width);
            let head = format!("  {mark} {name}  ");
            hang(&head, &escape_control(&it.came))?;
            if let Some(wrong) = &it.wrong {
                hang("      ", &escape_control(&wrong.text))?;
            }
        }
    }
    let all = counted(count, "test");
    say(&match failed {
        0 => format!("{all}, all passed"),
        _ => format!("{all}, {failed} failed"),
    })
}

/// Returns a finding placed at the name of a test.
pub(super) fn wrong(file: &TextFile, name: &Spanned<String>, text: String) -> Finding {
    test_files::at(file, name, "test::failed", text)
}

/// Loads games from a position, with the same bot in all seats.
pub(super) fn setup(
    folder: &Path,
    from: &str,
    seed: Option<&Seed>,
    bot: Option<&BotSpec>,
) -> Result<Setup, Error> {
    let found = position::named(&files::from_folder(folder, from))?;
    let mut spec = MatchSpec::from_position(found);
    spec.seed = seed.unwrap_or(&spec.seed).clone();
    spec.usual = bot
        .map_or(&[][..], |bot| bot.source.usual_options())
        .to_vec();
    let mut setup = spec.load(library())?;
    if let Some(bot) = bot {
        setup.bots.fill(bot.clone());
    }
    Ok(setup)
}

pub(super) fn number(setup: &Setup) -> u64 {
    setup.position.as_ref().map_or(0, |it| it.game)
}

/// Splits each text at semicolons into consecutive answers.
fn alternatives(texts: Option<&OneOrMore>) -> Vec<Vec<&str>> {
    let texts = texts.map_or(&[][..], OneOrMore::all).iter();
    let answers = |text| String::as_str(text).split(';').map(str::trim).collect();
    texts.map(answers).collect()
}

fn run_bot_test(
    test: &BotTest,
    file: &TextFile,
    folder: &Path,
    bot: &BotSpec,
) -> Result<TestOutcome, Error> {
    let says = alternatives(test.says.as_ref());
    let nots = alternatives(test.not.as_ref());
    let most = says.iter().chain(&nots).map(Vec::len).max().unwrap_or(0);
    if most > MOST_ANSWERS {
        let text = format!("the test has {most} consecutive answers");
        let help = format!("write at most {MOST_ANSWERS} answers");
        return Err(wrong(file, &test.name, text).help(help).into());
    }
    let setup = setup(folder, &test.from, test.seed.as_ref(), Some(bot))?;
    let mut worker = Worker::new(&setup)?;
    check_words(test, file, &worker, says.iter().chain(&nots).flatten())?;
    let mut heard = AnswerRecorder {
        most,
        ..AnswerRecorder::default()
    };
    let number = number(&setup);
    let finished = worker.play(number, &mut heard);
    if let Err(StopReason::Rules(fault)) = &finished.outcome {
        let game = Some(&finished.game);
        return Err(super::faults::rules_failed(
            fault, game, number, None, &setup,
        ));
    }
    let came: Vec<&str> = heard.said.iter().map(String::as_str).collect();
    let begins = |wanted: &Vec<&str>| came.starts_with(wanted);
    let fault = heard
        .fault
        .clone()
        .map(|text| format!("the bot made a fault: {text}"));
    let text = fault.or_else(|| {
        if !says.is_empty() && !says.iter().any(begins) {
            let all = test.says.as_ref().map_or(&[][..], OneOrMore::all);
            return Some(format!("expected {}", all.join(" or ")));
        }
        nots.iter()
            .any(begins)
            .then(|| "found an answer that `not` excludes".to_owned())
    });
    Ok(TestOutcome {
        name: test.name.value.clone(),
        came: came.join("; "),
        wrong: text.map(|text| wrong(file, &test.name, text)),
    })
}

/// Checks that the ruleset knows these answers: a misspelt answer could never match.
fn check_words<'w>(
    test: &BotTest,
    file: &TextFile,
    worker: &Worker<'_>,
    all: impl Iterator<Item = &'w &'w str>,
) -> Result<(), Error> {
    let words = Words::new(&worker.setup().rules.board, worker.decl());
    for said in all {
        words.parse(said).map_err(|text| {
            let help = "write each answer as in a record, for example `attack alaska kamchatka 3`";
            wrong(file, &test.name, text.to_string()).help(help)
        })?;
    }
    Ok(())
}

/// A sink that records the first answers of the player who decides first.
#[derive(Default)]
struct AnswerRecorder {
    who: Option<Player>,
    said: Vec<String>,
    most: usize,
    fault: Option<String>,
}

impl Sink for AnswerRecorder {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        match event {
            Event::Answered { player, action, .. }
                if *self.who.get_or_insert(*player) == *player =>
            {
                let words = Words::new(game.board(), game.decl());
                if self.said.len() < self.most {
                    self.said.push(words.action(*action));
                }
            }
            Event::Faulted { player, text, .. }
                if *self.who.get_or_insert(*player) == *player && self.said.len() < self.most =>
            {
                self.fault.get_or_insert(text.clone());
            }
            _ => {}
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn halts(&mut self, _: &Facts) -> bool {
        self.said.len() >= self.most || self.fault.is_some()
    }
}
