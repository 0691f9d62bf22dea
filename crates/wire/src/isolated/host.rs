//! The process's end: it answers for one script, and may do nothing else.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use crate::isolated_lines::{HostReply, HostRequest};
use risk_engine::script::bot::ScriptBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::fault::BotFault;
use risk_kernel::id::Phase;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// Memory that the process may have, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 1 << 30;
/// Seconds of computing that it may take, for a whole match.
#[cfg(unix)]
const SECONDS: u64 = 3_600;

/// The same of a process that checks a script.
#[cfg(unix)]
const CHECK_MEMORY: u64 = 2 << 30;
#[cfg(unix)]
const CHECK_SECONDS: u64 = 60;

/// Takes away from this process what a script needs not, before it is read: no more memory than
/// this, no children, no files to write, and so many seconds of computing, an hour when nobody
/// says.
///
/// # Errors
/// When the system refuses.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "there are no limits to set")
)]
pub fn confine(seconds: Option<u64>) -> io::Result<()> {
    #[cfg(unix)]
    {
        limit(MEMORY, seconds.unwrap_or(SECONDS))?;
        rlimit::setrlimit(rlimit::Resource::NPROC, 0, 0)?;
    }
    Ok(())
}

/// Takes away from this process what a script needs not that is only checked, as [`confine`] does:
/// the check itself has threads.
///
/// # Errors
/// When the system refuses.
pub fn confine_check() -> io::Result<()> {
    #[cfg(unix)]
    limit(CHECK_MEMORY, CHECK_SECONDS)?;
    Ok(())
}

#[cfg(unix)]
fn limit(memory: u64, seconds: u64) -> io::Result<()> {
    use rlimit::{Resource, setrlimit};
    setrlimit(Resource::AS, memory, memory)?;
    setrlimit(Resource::CPU, seconds, seconds)?;
    setrlimit(Resource::FSIZE, 0, 0)?;
    setrlimit(Resource::CORE, 0, 0)
}

/// Takes away what only reading the script needed: from here on, no file can be opened any more,
/// and where the system has walls, no socket and no other process reached.
///
/// # Errors
/// When the system refuses.
pub fn seal() -> io::Result<()> {
    #[cfg(unix)]
    {
        #[cfg(target_os = "linux")]
        if crate::transport::walls::are_possible() {
            crate::transport::walls::seal()?;
        }
        rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)?;
    }
    Ok(())
}

/// What answers for a script.
pub struct Host {
    bot: ScriptBot,
    board: Arc<Board>,
    decl: Arc<Declaration>,
}

impl Host {
    /// A host for games of a ruleset on a board.
    #[must_use]
    pub const fn new(bot: ScriptBot, board: Arc<Board>, decl: Arc<Declaration>) -> Self {
        Self { bot, board, decl }
    }

    /// Answers line by line until there are no more.
    ///
    /// # Errors
    /// When nothing can be read or written any more.
    pub fn answer_all(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        write(out, &self.ready())?;
        loop {
            let mut line = String::new();
            if input.by_ref().take(LONGEST).read_line(&mut line)? == 0 {
                return Ok(());
            }
            let reply = serde_json::from_str(&line)
                .map_err(|error| format!("the call is not understood: {error}"))
                .and_then(|request| self.answer(request));
            let failed = |text| HostReply::Fault("connection".to_owned(), text);
            write(out, &reply.unwrap_or_else(failed))?;
        }
    }

    fn ready(&self) -> HostReply {
        let phases = (0..self.decl.phases.len()).map(Phase::from_index);
        let wants = phases.filter(|&phase| self.bot.wants(phase));
        let wants = wants.map(|phase| phase.0).collect();
        let bot = &self.bot;
        HostReply::Ready(bot.plans(), wants, bot.listens(), bot.watches())
    }

    fn answer(&mut self, request: HostRequest) -> Result<HostReply, String> {
        let view = |numbers: &[i64]| View::from_numbers(&self.board, &self.decl, numbers);
        match request {
            HostRequest::Start(numbers, rng) => {
                let view = view(&numbers)?;
                self.bot.start(&view, Stream::from_generator(rng));
            }
            HostRequest::Saw(event, numbers) => {
                let view = numbers.map(|numbers| view(&numbers)).transpose()?;
                let values = event.into_iter().map(|(key, value)| (key, value.into()));
                self.bot.hear(values.collect(), view.as_ref());
            }
            HostRequest::Finish(numbers) => {
                let view = view(&numbers)?;
                self.bot.finish(&view, &[], None);
            }
            HostRequest::Ask(numbers, options) => {
                let view = view(&numbers)?;
                let ask = Options::from_numbers(&options)?;
                return Ok(reply_of(self.bot.answer(&view, &ask)));
            }
        }
        Ok(HostReply::Done)
    }
}

fn reply_of(answer: Result<Answer, BotFault>) -> HostReply {
    let step = |action: &Action| [&[i32::from(action.verb.0)], action.args()].concat();
    match answer {
        Ok(Answer::One(action)) => HostReply::Steps(vec![step(&action)], false),
        Ok(Answer::Steps(steps)) => HostReply::Steps(steps.iter().map(step).collect(), true),
        Err(BotFault::Strike { kind, text, .. }) => {
            HostReply::Fault(kind.as_str().to_owned(), text)
        }
        Err(BotFault::Halt) => HostReply::Fault("script".to_owned(), "the bot halts".to_owned()),
    }
}

/// Says that the script can't be loaded.
///
/// # Errors
/// When nothing can be written.
pub fn refuse(out: &mut impl Write, faults: Vec<String>) -> io::Result<()> {
    write(out, &HostReply::Broken(faults))
}

fn write(out: &mut impl Write, reply: &HostReply) -> io::Result<()> {
    let line = serde_json::to_string(reply).expect("a reply is plain data");
    writeln!(out, "{line}")?;
    out.flush()
}
