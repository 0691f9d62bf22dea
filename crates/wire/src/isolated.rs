//! Scripts in separate processes. Each process runs this program, confines itself and communicates
//! over line-JSON.

pub mod confine;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::line_json;
use crate::remote::{GreetingError, Remote};
use crate::{Failure, Protocol, transport};
use risk_engine::script::{RulesSource, Script, ScriptFault, ScriptPlace, Source};
use risk_engine::{Aside, BotFactory, BotSource, BuildError, HostedBot, Setup};
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, Exchange};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Preferences, RuleQueries, Strike};
use risk_text::diag::Finding;

/// The code of the error reported if no process could be started. The script is not at fault.
pub const NO_PROCESS: &str = "bot::no-process";

/// The command that starts a script's process.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The script that runs in the process.
    pub script: Script,
    /// The path of this program.
    pub program: PathBuf,
    /// The arguments that select the ruleset, map, options and script.
    pub arguments: Vec<String>,
}

/// The maximum wait for an answer from a process. Scripts have an operation budget, so this limit
/// only affects stuck processes.
const PATIENCE: Duration = Duration::from_secs(20);

impl BotFactory for Isolation {
    fn build(&self, decl: &Declaration, _: &RulesSource) -> Result<Box<dyn HostedBot>, BuildError> {
        let failed = |code, text: String| BuildError::from(Finding::error(code, text));
        let protocol = Protocol::new(&line_json::PROTOCOL, 0);
        let codec = protocol.codec(decl);
        let codec = codec.map_err(|text| failed("bot::isolated", text.into()))?;
        let words = std::iter::once(self.program.display().to_string());
        let words = words.chain(self.arguments.iter().cloned()).collect();
        let transport = transport::confining_itself(words, PATIENCE);
        let transport = transport.ok_or_else(|| {
            let text = "this system can't wait for several pipes at once";
            failed(NO_PROCESS, text.to_owned())
        })?;
        let mut remote = Remote::speaking(protocol, codec, transport);
        match remote.greet() {
            Ok(()) => Ok(Box::new(IsolatedBot {
                remote,
                isolation: self.clone(),
            })),
            Err(GreetingError::NotThere(text)) => Err(failed(NO_PROCESS, text)),
            Err(GreetingError::Strange(text)) => Err(failed("bot::isolated", text)),
            Err(GreetingError::Refused(all)) => {
                let faults = all.into_iter().map(|it| self.fault(it));
                Err(BuildError::Script(faults.collect()))
            }
        }
    }

    fn script(&self) -> Option<&Script> {
        Some(&self.script)
    }
}

impl Isolation {
    /// Converts a failure reported by the process into the fault of a script in this program.
    fn fault(&self, failure: Failure) -> ScriptFault {
        let mut fault = ScriptFault::new(failure.cause.unwrap_or(failure.code), failure.text);
        fault.help = failure.help;
        fault.place = failure.place.map(|place| ScriptPlace {
            source: if *place.file == *self.script.source.name {
                self.script.source.clone()
            } else {
                Source::new(place.file, "")
            },
            line: place.line,
            column: place.column,
        });
        fault
    }
}

/// Assigns a separate process to every script of a match with `players` players. Each process runs
/// this program, which answers for the script like `risk-cli isolated`. A script that already has a
/// process gets a new process.
pub fn isolate(setup: &mut Setup, program: &Path, players: usize) {
    let mut common = ["isolated", "--ruleset", &setup.rules.ruleset_spec]
        .map(str::to_owned)
        .to_vec();
    common.extend(["--map", &setup.rules.map_spec].map(str::to_owned));
    common.extend(["--players".to_owned(), players.to_string()]);
    common.extend(["--budget".to_owned(), setup.limits.budget.0.to_string()]);
    for (name, value) in &setup.rules.options {
        common.extend(["--option".to_owned(), format!("{name}={value}")]);
    }
    for spec in &mut setup.bots {
        let isolation = spec.source.factory::<Isolation>();
        let script = match (&spec.source, isolation) {
            (BotSource::Script(script), _) => script.clone(),
            (_, Some(isolation)) => isolation.script.clone(),
            _ => continue,
        };
        let mut arguments = common.clone();
        arguments.extend(["--".to_owned(), spec.bot.clone()]);
        spec.source = BotSource::Made(Arc::new(Isolation {
            script,
            program: program.to_path_buf(),
            arguments,
        }));
    }
}

/// A script that runs in its own process. Records and logs show the script itself, so the traffic
/// over the pipe is not reported.
struct IsolatedBot {
    remote: Remote,
    isolation: Isolation,
}

impl HostedBot for IsolatedBot {
    fn inner(&self) -> Option<&dyn HostedBot> {
        Some(&self.remote)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        Some(&mut self.remote)
    }

    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        self.remote.faulted(view, strike);
        None
    }

    fn take_aside(&mut self) -> Option<Aside> {
        None
    }
}

impl Bot for IsolatedBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.remote.start(view, rng);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.remote.answer(view, options).map_err(|fault| {
            let BotFault::Strike { kind, text, source } = fault else {
                return fault;
            };
            let failure = source.and_then(|source| source.downcast::<Failure>().ok());
            match failure.filter(|failure| failure.place.is_some()) {
                None => BotFault::strike(kind, text),
                Some(failure) => BotFault::from_error(kind, text, self.isolation.fault(*failure)),
            }
        })
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.remote.try_next(view, rules)
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.remote.saw(view, event);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.remote.finish(view, scores, outcome);
    }

    fn preferences(&self) -> Preferences<'_> {
        self.remote.preferences()
    }
}
