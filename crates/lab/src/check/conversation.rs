//! A scripted conversation with a process or remote bot that uses line-JSON. It covers every
//! message that the protocol allows this program to send. Each case ends with a verdict.
//!
//! The messages come from real games and use the same codec as matches. Some of them are changed in
//! ways that the protocol also allows. A bot that hangs, crashes or floods the output fails the
//! case. Repeated failures end the conversation, but never block it.

mod cases;
mod rulesets;
mod talk;

use std::time::{Duration, Instant};

use risk_engine::bot_spec::BotSpec;
use risk_engine::{BuiltIn, RuleSetup, Seed, Setup};
use risk_text::diag::{Finding, LoadError};
use risk_text::plural::counted;
use risk_wire::Endpoint;

use super::trial::{SEED, built_in};
use cases::CASES;
use talk::Conversation;

/// The prefix of the finding codes from a conversation.
pub const CONFORMANCE: &str = "conformance::";

/// The time limit for a case.
const CASE: Duration = Duration::from_secs(60);
/// The time limit for all cases together.
const ALL: Duration = Duration::from_secs(300);
/// The maximum time limit for an answer in a conversation, even if the bot's specification allows
/// more.
const ANSWER: Duration = Duration::from_secs(30);
/// The time that a bot has to exit on its own. In matches, a bot has only a moment.
const FAREWELL: Duration = Duration::from_secs(2);
/// The fix of an answer with another id.
const COPY_ID: &str = "copy `id` from the question; it can be any integer";
/// The number of unanswered cases after which the remaining cases are skipped.
const MOST_SILENT: u32 = 3;

/// The verdict on one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseVerdict {
    /// The bot behaves correctly.
    Fine,
    /// The bot's error and its fix, each as a fragment without a full stop.
    Wrong {
        /// A description of the error.
        text: String,
        /// The fix.
        help: &'static str,
    },
    /// The reason that the case was skipped.
    Untried(&'static str),
}

/// One case of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseReport {
    /// The topic in two or three words.
    pub name: &'static str,
    /// The importance of the case. Rank 1 is the highest, and all other cases depend on it.
    pub rank: u8,
    /// The verdict.
    pub verdict: CaseVerdict,
}

impl CaseReport {
    pub(super) fn finding(&self) -> Option<Finding> {
        let CaseVerdict::Wrong { text, help } = &self.verdict else {
            return None;
        };
        let code = format!("{CONFORMANCE}{}", self.name.replace(' ', "-"));
        Some(Finding::error(&code, format!("{}: {text}", self.name)).help(*help))
    }

    /// Reports whether games are pointless until this case is fixed.
    pub(super) fn stops_games(&self) -> bool {
        self.rank <= 2 && matches!(self.verdict, CaseVerdict::Wrong { .. })
    }
}

#[derive(Debug)]
struct CaseError {
    text: String,
    kind: CaseErrorKind,
}

/// The consequence of an error for other cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseErrorKind {
    /// The answer is wrong, but other cases can still be tested.
    Said,
    /// There is no answer or no connection, so every further case would waste time.
    Silent,
    /// The answer has a different id, so it is unknown which question it answers.
    Id,
    /// No answer arrived in time, but one with a different id.
    OldId,
}

impl CaseErrorKind {
    /// Reports whether the case took all the time that the bot has for an answer.
    const fn is_silent(self) -> bool {
        matches!(self, Self::Silent | Self::OldId)
    }
}

impl CaseError {
    fn new(kind: CaseErrorKind, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, kind }
    }

    fn in_answer(text: impl Into<String>) -> Self {
        Self::new(CaseErrorKind::Said, text)
    }

    fn silent(text: impl Into<String>) -> Self {
        Self::new(CaseErrorKind::Silent, text)
    }
}

/// The bot under test and the deadline.
struct Exam<'a> {
    tried: &'a BotSpec,
    endpoint: Endpoint,
    until: Instant,
}

impl Exam<'_> {
    /// Returns a setup that contains only built-in bots. One of them has the name of the tested
    /// bot.
    fn setup(&self, rules: &RuleSetup) -> Result<Setup, LoadError> {
        let (least, most) = rules.players()?;
        let mut bots = vec![built_in(BuiltIn::Random); 3.clamp(least, most)];
        bots[0].name.clone_from(&self.tried.name);
        Ok(Setup {
            seed: Seed::from(SEED),
            ..Setup::new(rules.clone(), bots)
        })
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.until
    }

    fn deadline(&self) -> Instant {
        self.until.min(Instant::now() + CASE)
    }
}

/// Holds the conversation with one ruleset. Then tests whether the bot can play every built-in
/// ruleset if `every` is set, or only this ruleset.
pub(super) fn hold(
    tried: &BotSpec,
    endpoint: &Endpoint,
    rules: &RuleSetup,
    every: bool,
) -> Result<Vec<CaseReport>, LoadError> {
    let mut endpoint = endpoint.clone();
    endpoint.address.timeout = endpoint.address.timeout.min(ANSWER);
    endpoint.address.farewell = Some(FAREWELL);
    let exam = Exam {
        tried,
        endpoint,
        until: Instant::now() + ALL,
    };
    let setup = exam.setup(rules)?;
    let mut talk = Conversation::new(&exam.endpoint, &setup)?;
    let mut course = ConversationLog::default();
    for case in &CASES {
        if case.of_lines && !talk.is_in_lines() {
            continue;
        }
        let verdict = match course.obstacle(&exam, case.needs) {
            Some(why) => CaseVerdict::Untried(why),
            None => {
                talk.until = exam.deadline();
                course.verdict((case.run)(&mut talk), case.help)
            }
        };
        course.add(case.name, case.rank, verdict);
    }
    let mut surplus = std::mem::take(&mut talk.surplus);
    // If ids are wrong, a surplus line with an id may answer a different message.
    surplus.retain(|line| !course.wrong_id || line.id.is_none());
    drop(talk);
    // Failures that were already reported are not tested again.
    let needs: &[&str] = if every {
        &["hello"]
    } else {
        &["hello", "answers"]
    };
    let verdict = match course.obstacle(&exam, needs) {
        Some(why) => CaseVerdict::Untried(why),
        None => {
            let games = if course.is_wrong("next games") { 1 } else { 2 };
            rulesets::verdict(&exam, rules, every, games)
        }
    };
    course.add("rulesets", 3, verdict);
    if exam.endpoint.transport().is_own() {
        course.add("nothing else", 4, of_surplus(&surplus));
    }
    Ok(course.reports)
}

#[derive(Default)]
struct ConversationLog {
    reports: Vec<CaseReport>,
    /// The number of cases without an answer.
    silent: u32,
    wrong_id: bool,
}

impl ConversationLog {
    fn add(&mut self, name: &'static str, rank: u8, verdict: CaseVerdict) {
        self.reports.push(CaseReport {
            name,
            rank,
            verdict,
        });
    }

    fn is_wrong(&self, name: &str) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|case| case.name == name && matches!(case.verdict, CaseVerdict::Wrong { .. }))
    }

    /// Returns the reason for skipping a case that depends on the cases `needs`.
    fn obstacle(&self, exam: &Exam<'_>, needs: &[&str]) -> Option<&'static str> {
        if needs.iter().any(|name| self.is_wrong(name)) {
            return Some("fix the other errors first");
        }
        if self.silent >= MOST_SILENT {
            return Some("too many timeouts");
        }
        (!exam.has_time()).then_some("reached the time limit")
    }

    fn verdict(&mut self, tried: Result<(), CaseError>, help: &'static str) -> CaseVerdict {
        let Err(CaseError { text, kind }) = tried else {
            return CaseVerdict::Fine;
        };
        self.silent += u32::from(kind.is_silent());
        if !matches!(kind, CaseErrorKind::Id | CaseErrorKind::OldId) {
            return CaseVerdict::Wrong { text, help };
        }
        if self.wrong_id {
            return CaseVerdict::Untried("fix the other errors first");
        }
        self.wrong_id = true;
        CaseVerdict::Wrong {
            text,
            help: COPY_ID,
        }
    }
}

/// Returns the verdict on the lines of all cases that did not answer any question.
fn of_surplus(surplus: &[talk::Surplus]) -> CaseVerdict {
    let Some(first) = surplus.first() else {
        return CaseVerdict::Fine;
    };
    CaseVerdict::Wrong {
        text: format!(
            "{} without a question; the first is {}",
            counted(surplus.len(), "line"),
            first.quoted()
        ),
        help: "print one line for each question, and everything else to standard error",
    }
}
