//! A script bot in a process of its own: what it sees goes there as plain numbers, what it says
//! comes back.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::action::{Action, Options};
use crate::kernel::event::Event;
use crate::kernel::fault::{BotFault, FaultKind};
use crate::kernel::id::{Phase, Verb};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};
use crate::script::event_value::{Told, told};
use crate::script::{Script, ScriptFault};

/// How a process is started that answers for a script.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The script.
    pub script: Script,
    /// The program: this one.
    pub program: PathBuf,
    /// What it is told: the ruleset, the map, the options, the script.
    pub arguments: Vec<String>,
}

/// What the process is told, a line each.
#[derive(Debug, Serialize, Deserialize)]
pub enum Call {
    /// A game begins: the view, and the player's own stream.
    Start(Vec<i64>, rand_xoshiro::Xoshiro256PlusPlus),
    /// The player is asked: the view, and the options.
    Ask(Vec<i64>, Vec<i64>),
    /// Something happened.
    Saw(Vec<(String, Value)>),
    /// The game is over.
    Finish(Vec<i64>),
}

/// A value of an event, as [`Told`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Words.
    Words(String),
    /// Numbers.
    Numbers(Vec<i64>),
}

/// What the process says, a line each.
#[derive(Debug, Serialize, Deserialize)]
pub enum Said {
    /// The script is loaded: does it look at plans, which optional phases does it want, does it
    /// listen?
    Ready(bool, Vec<u8>, bool),
    /// It is not: why.
    Broken(Vec<String>),
    /// Actions: verb, then parameters. Whether it was a list of steps.
    Steps(Vec<Vec<i32>>, bool),
    /// A fault: its kind, and what happened.
    Fault(String, String),
    /// Heard.
    Done,
}

/// How long a process may be silent. Scripts are limited in operations; this is for a process that
/// is stuck.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest line that is read from it, in bytes.
const LONGEST: u64 = 4 << 20;

/// A bot that answers from a process of its own.
pub(super) struct Isolated {
    how: Isolation,
    process: Child,
    input: ChildStdin,
    output: Receiver<String>,
    plans: bool,
    wants: Vec<u8>,
    listens: bool,
    /// Why nothing more is to be had from it.
    gone: Option<String>,
}

impl Isolated {
    pub(super) fn start(how: &Isolation) -> Result<Self, Vec<ScriptFault>> {
        let failed = |text: String| vec![ScriptFault::new("bot::isolated", text)];
        let mut command = Command::new(&how.program);
        command
            .args(&how.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command
            .spawn()
            .map_err(|error| failed(format!("can't start a process: {error}")))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed("a process has no pipes".to_owned()));
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        let reader = std::thread::Builder::new().spawn(move || {
            let mut lines = BufReader::new(output);
            loop {
                let mut line = String::new();
                // With nobody to tell, or nothing more to read, the thread ends.
                match lines.by_ref().take(LONGEST).read_line(&mut line) {
                    Ok(read) if read > 0 && sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        if let Err(error) = reader {
            let _ = process.kill();
            let _ = process.wait();
            return Err(failed(format!("can't start a thread: {error}")));
        }
        let mut bot = Self {
            how: how.clone(),
            process,
            input,
            output: receiver,
            plans: false,
            wants: Vec::new(),
            listens: false,
            gone: None,
        };
        match bot.hear() {
            Ok(Said::Ready(plans, wants, listens)) => {
                (bot.plans, bot.wants, bot.listens) = (plans, wants, listens);
                Ok(bot)
            }
            Ok(Said::Broken(texts)) => Err(texts.into_iter().flat_map(failed).collect()),
            Ok(_) => Err(failed("the process speaks out of turn".to_owned())),
            Err((_, text)) => Err(failed(text)),
        }
    }

    fn hear(&mut self) -> Result<Said, (FaultKind, String)> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| {
                (
                    FaultKind::Connection,
                    "the process of the bot says what is not understood".to_owned(),
                )
            }),
            Err(RecvTimeoutError::Timeout) => {
                let text = format!(
                    "the process of the bot was silent for {} seconds",
                    PATIENCE.as_secs()
                );
                Err((FaultKind::Timeout, text))
            }
            Err(RecvTimeoutError::Disconnected) => Err((
                FaultKind::Connection,
                "the process of the bot has ended: it took more than it may".to_owned(),
            )),
        }
    }

    fn call(&mut self, call: &Call) -> Result<Said, BotFault> {
        if let Some(text) = &self.gone {
            return Err(BotFault::strike(FaultKind::Connection, text.clone()));
        }
        let mut line = serde_json::to_string(call).expect("numbers and words are plain data");
        line.push('\n');
        // A process that has ended is noticed when it is heard.
        let _ = self
            .input
            .write_all(line.as_bytes())
            .and_then(|()| self.input.flush());
        self.hear().map_err(|(kind, text)| {
            // What it says later would be the answer to something else.
            self.gone = Some(text.clone());
            let _ = self.process.kill();
            BotFault::strike(kind, text)
        })
    }
}

impl Drop for Isolated {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Bot for Isolated {
    fn start(&mut self, view: &View, luck: Stream) {
        // Each game begins with a process that lives.
        if self.gone.is_some()
            && let Ok(fresh) = Self::start(&self.how)
        {
            *self = fresh;
        }
        // A fault here shows itself with the first answer.
        let _ = self.call(&Call::Start(view.numbers(), luck.source().clone()));
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        match self.call(&Call::Ask(view.numbers(), ask.numbers()))? {
            Said::Steps(steps, list) => {
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
            Said::Fault(kind, text) => {
                let kind = FaultKind::ALL
                    .into_iter()
                    .find(|known| known.word() == kind)
                    .unwrap_or(FaultKind::Script);
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
        let value = |value| match value {
            Told::Number(number) => Value::Number(number),
            Told::Words(words) => Value::Words(words),
            Told::Numbers(numbers) => Value::Numbers(numbers),
        };
        let event = told(view, event)
            .into_iter()
            .map(|(key, told)| (key.to_owned(), value(told)))
            .collect();
        let _ = self.call(&Call::Saw(event));
    }

    fn finish(&mut self, view: &View) {
        let _ = self.call(&Call::Finish(view.numbers()));
    }
}

/// An action from its numbers, with the verb first.
fn action(view: &View, numbers: &[i32]) -> Option<Action> {
    let (&verb, args) = numbers.split_first()?;
    let verb = u8::try_from(verb)
        .ok()
        .filter(|&verb| usize::from(verb) < view.decl().verbs.len())?;
    (args.len() <= crate::kernel::action::MAX_SLOTS).then(|| Action::new(Verb(verb), args))
}

impl From<Value> for Told {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Words(words) => Self::Words(words),
            Value::Numbers(numbers) => Self::Numbers(numbers),
        }
    }
}
