//! A script bot in a process of its own: what it sees goes there as plain numbers, what it
//! says comes back.

pub mod host;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::isolated_lines::{HostReply, HostRequest};
use crate::transport::WireError;
use crate::transport::process::{LineProcess, Silence};
use risk_engine::matches::Setup;
use risk_engine::players::{BotFactory, BotSource};
use risk_engine::script::event_value;
use risk_engine::script::{RulesSource, Script, ScriptFault};
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::{Phase, Verb};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// The code of the finding that no process could be started, for which no script is to blame.
pub const NO_PROCESS: &str = "bot::no-process";

/// How a process is started that answers for a script.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The script that it answers for.
    pub script: Script,
    /// The program: this one.
    pub program: PathBuf,
    /// Its arguments: the ruleset, the map, the options, the script.
    pub arguments: Vec<String>,
}

impl BotFactory for Isolation {
    fn build(&self, _: &Declaration, _: &RulesSource) -> Result<Box<dyn Bot>, Vec<ScriptFault>> {
        Ok(Box::new(Isolated::start(self)?))
    }

    fn script(&self) -> Option<&Script> {
        Some(&self.script)
    }
}

/// Gives every script of a match a process of its own, for games of so many players: of this
/// program, which answers for it as `risk-cli isolated` does. One that has a process already gets
/// another, for these games.
pub fn isolate(setup: &mut Setup, program: &Path, players: usize) {
    let mut common = ["isolated", "--ruleset", &setup.ruleset_spec]
        .map(str::to_owned)
        .to_vec();
    common.extend(["--map", &setup.map_spec].map(str::to_owned));
    common.extend(["--players".to_owned(), players.to_string()]);
    common.extend(["--budget".to_owned(), setup.limits.budget.0.to_string()]);
    for (name, value) in &setup.options {
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

/// The longest line that a process may say, in bytes.
const LONGEST: usize = 4 << 20;
/// How long a process may be silent. Scripts are limited in operations; this is for a process
/// that is stuck.
const PATIENCE: Duration = Duration::from_secs(20);

/// A bot that answers from a process of its own.
pub(super) struct Isolated {
    isolation: Isolation,
    process: LineProcess,
    plans: bool,
    wants: Vec<u8>,
    listens: bool,
    watches: bool,
    /// Why nothing more is to be had from it.
    gone: Option<String>,
}

impl Isolated {
    pub(super) fn start(isolation: &Isolation) -> Result<Self, Vec<ScriptFault>> {
        let failed = |text: String| vec![ScriptFault::new("bot::isolated", text)];
        let no_process = |error| {
            vec![ScriptFault::new(
                NO_PROCESS,
                format!("can't start a process: {error}"),
            )]
        };
        let mut command = Command::new(&isolation.program);
        command.args(&isolation.arguments).env_clear();
        let mut process = LineProcess::start(&mut command, LONGEST).map_err(no_process)?;
        match receive(&mut process) {
            Ok(HostReply::Ready(plans, wants, listens, watches)) => Ok(Self {
                isolation: isolation.clone(),
                process,
                plans,
                wants,
                listens,
                watches,
                gone: None,
            }),
            Ok(HostReply::Broken(texts)) => Err(texts.into_iter().flat_map(failed).collect()),
            Ok(_) => Err(failed("the process speaks out of turn".to_owned())),
            Err(error) => Err(failed(error.text)),
        }
    }

    fn call(&mut self, request: &HostRequest) -> Result<HostReply, BotFault> {
        if let Some(text) = &self.gone {
            return Err(BotFault::strike(FaultKind::Connection, text.clone()));
        }
        let mut line = serde_json::to_string(request).expect("numbers and words are plain data");
        line.push('\n');
        let sent = self.process.send(&line, PATIENCE).map_err(no_line);
        sent.and_then(|()| receive(&mut self.process))
            .map_err(|error| {
                // What it says later would be the answer to something else.
                self.gone = Some(error.text.clone());
                self.process.kill();
                BotFault::strike(error.kind, error.text)
            })
    }
}

fn receive(process: &mut LineProcess) -> Result<HostReply, WireError> {
    let line = process.receive(PATIENCE).map_err(no_line)?;
    serde_json::from_str(&line)
        .map_err(|_| WireError::connection("the process of the bot says what is not understood"))
}

fn no_line(silence: Silence) -> WireError {
    match silence {
        Silence::Timeout => WireError::timeout(format!(
            "the process of the bot was silent for {} seconds",
            PATIENCE.as_secs()
        )),
        Silence::Ended => {
            WireError::connection("the process of the bot has ended: it took more than it may")
        }
        Silence::TooLong => WireError::connection("the process of the bot says too much"),
    }
}

impl Bot for Isolated {
    fn start(&mut self, view: &View, rng: Stream) {
        // Each game begins with a process that lives.
        if self.gone.is_some()
            && let Ok(fresh) = Self::start(&self.isolation)
        {
            *self = fresh;
        }
        // A fault here shows itself with the first answer.
        let _ = self.call(&HostRequest::Start(view.numbers(), rng.generator().clone()));
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        match self.call(&HostRequest::Ask(view.numbers(), options.numbers()))? {
            HostReply::Steps(steps, list) => {
                let actions: Option<Vec<Action>> =
                    steps.iter().map(|step| action(view, step)).collect();
                match actions.as_deref() {
                    Some([one]) if !list => Ok(Answer::One(*one)),
                    Some(all) if list => Ok(Answer::Steps(all.to_vec())),
                    _ => Err(BotFault::strike(
                        FaultKind::Illegal,
                        "the process of the bot says no action",
                    )),
                }
            }
            HostReply::Fault(kind, text) => {
                let kind = FaultKind::from_name(&kind).unwrap_or(FaultKind::Script);
                Err(BotFault::strike(kind, text))
            }
            _ => Err(BotFault::strike(
                FaultKind::Connection,
                "the process of the bot speaks out of turn",
            )),
        }
    }

    fn plans(&self) -> bool {
        self.plans
    }

    fn wants(&self, phase: Phase) -> bool {
        self.wants.contains(&phase.0)
    }

    fn listens(&self) -> bool {
        self.listens
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let seen = self.watches.then(|| view.numbers());
        let event = event_value::values(view, event)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect();
        let _ = self.call(&HostRequest::Saw(event, seen));
    }

    fn finish(&mut self, view: &View, _: &[i64], _: Option<&Outcome>) {
        let _ = self.call(&HostRequest::Finish(view.numbers()));
    }
}

/// An action from its numbers, with the verb first.
fn action(view: &View, numbers: &[i32]) -> Option<Action> {
    let (&verb, args) = numbers.split_first()?;
    let verb = u8::try_from(verb)
        .ok()
        .filter(|&verb| usize::from(verb) < view.decl().verbs.len())?;
    (args.len() <= risk_kernel::action::MAX_SLOTS).then(|| Action::new(Verb(verb), args))
}
