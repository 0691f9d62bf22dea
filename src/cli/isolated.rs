//! The other end of `--isolate`: a process that answers for one script and may do nothing else.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use clap::Args;

use super::match_args::RulesArgs;
use super::{Done, Error, Exit};
use crate::kernel::action::Options;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::kernel::fault::BotFault;
use crate::kernel::id::Phase;
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};
use crate::load::diag::{Failure, Finding};
use crate::load::{self, Kind};
use crate::odds::Fight;
use crate::players::isolated::{Call, Said};
use crate::script::bot::ScriptBot;
use crate::script::{Budget, ScriptLimits};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// Memory that the process may have, in bytes.
const MEMORY: u64 = 1 << 30;
/// Seconds of computing that it may take, for a whole match.
const SECONDS: u64 = 3_600;

#[derive(Args, Debug)]
pub(super) struct IsolatedArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// How many players
    #[arg(long)]
    players: usize,
    /// Operations for each call
    #[arg(long)]
    budget: u64,
    /// The script
    script: String,
}

/// Before the script is read: no more memory than this, no children, no files to write.
fn limit() -> io::Result<()> {
    #[cfg(unix)]
    {
        use rlimit::{Resource, setrlimit};
        setrlimit(Resource::AS, MEMORY, MEMORY)?;
        setrlimit(Resource::CPU, SECONDS, SECONDS)?;
        setrlimit(Resource::FSIZE, 0, 0)?;
        setrlimit(Resource::CORE, 0, 0)?;
        setrlimit(Resource::NPROC, 0, 0)?;
    }
    Ok(())
}

/// After everything is read: no file can be opened any more.
fn seal() -> io::Result<()> {
    #[cfg(unix)]
    rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)?;
    Ok(())
}

/// Is there a system that sets limits for a process? Where there is none, nothing runs as if it had
/// them.
pub(super) fn can_isolate() -> Result<(), Error> {
    if cfg!(unix) {
        return Ok(());
    }
    let text = "--isolate needs limits that Unix systems set for a process, and this system has none of them";
    let help =
        "leave out --isolate: inside the program scripts are limited in operations and memory too";
    Err(Error::input("cli::isolate", text, help))
}

struct Host {
    bot: ScriptBot,
    board: Arc<Board>,
    decl: Arc<Declaration>,
}

fn build(args: &IsolatedArgs) -> Result<Host, Failure> {
    let rules = args.rules.load().map_err(|error| match error {
        Error::Input(failure) | Error::Script(failure) => failure,
        Error::Broken(finding) => Failure::one(finding),
        Error::Write(what, error) => {
            Failure::one(Finding::error("cli::write", format!("{what}: {error}")))
        }
    })?;
    let script = load::script(Kind::Bot, &args.script)?;
    let limits = ScriptLimits {
        budget: Budget(args.budget),
        ..ScriptLimits::default()
    };
    let bound = rules.bind(args.players, &limits)?;
    let fight = Fight::of(bound.rules.tables());
    let bot = ScriptBot::new(
        &script,
        &bound.decl,
        rules.board.len(),
        args.players,
        fight,
        &limits,
    )?;
    Ok(Host {
        bot,
        board: rules.board,
        decl: bound.decl,
    })
}

pub(super) fn run(args: &IsolatedArgs) -> Done {
    can_isolate()?;
    limit()?;
    let mut host = match build(args) {
        Ok(host) => host,
        Err(failure) => {
            tell(&Said::Broken(
                failure
                    .findings
                    .into_iter()
                    .map(|finding| finding.text)
                    .collect(),
            ))?;
            return Ok(Exit::No);
        }
    };
    seal()?;
    let phases = (0..host.decl.phases.len()).map(Phase::from_index);
    let wants = phases
        .filter(|&phase| host.bot.wants(phase))
        .map(|phase| phase.0)
        .collect();
    tell(&Said::Ready(host.bot.plans(), wants, host.bot.listens()))?;
    let mut input = io::stdin().lock();
    loop {
        let mut line = String::new();
        if input.by_ref().take(LONGEST).read_line(&mut line)? == 0 {
            return Ok(Exit::Fine);
        }
        let said = match serde_json::from_str::<Call>(&line) {
            Ok(call) => host
                .answer(call)
                .unwrap_or_else(|text| Said::Fault("connection".to_owned(), text)),
            Err(error) => Said::Fault(
                "connection".to_owned(),
                format!("the call is not understood: {error}"),
            ),
        };
        tell(&said)?;
    }
}

fn tell(said: &Said) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let line = serde_json::to_string(said).expect("what is said is plain data");
    writeln!(out, "{line}")?;
    out.flush()
}

impl Host {
    fn answer(&mut self, call: Call) -> Result<Said, String> {
        let view = |numbers: &[i64]| View::from_numbers(&self.board, &self.decl, numbers);
        match call {
            Call::Start(numbers, luck) => {
                let view = view(&numbers)?;
                self.bot.start(&view, Stream::of(luck));
                Ok(Said::Done)
            }
            Call::Saw(event) => {
                self.bot.hear(
                    event
                        .into_iter()
                        .map(|(key, value)| (key, value.into()))
                        .collect(),
                );
                Ok(Said::Done)
            }
            Call::Finish(numbers) => {
                let view = view(&numbers)?;
                self.bot.finish(&view);
                Ok(Said::Done)
            }
            Call::Ask(numbers, options) => {
                let view = view(&numbers)?;
                let ask = Options::from_numbers(&options)?;
                let step = |action: &crate::kernel::action::Action| {
                    [&[i32::from(action.verb.0)], action.args()].concat()
                };
                Ok(match self.bot.answer(&view, &ask) {
                    Ok(Answer::One(action)) => Said::Steps(vec![step(&action)], false),
                    Ok(Answer::Steps(steps)) => Said::Steps(steps.iter().map(step).collect(), true),
                    Err(BotFault::Strike { kind, text }) => {
                        Said::Fault(kind.word().to_owned(), text)
                    }
                    Err(BotFault::Halt) => {
                        Said::Fault("script".to_owned(), "the bot halts".to_owned())
                    }
                })
            }
        }
    }
}
