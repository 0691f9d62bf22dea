//! A scripted conversation with a bot elsewhere that speaks line-JSON: whatever the protocol allows
//! this program to say is said once, and each case ends with a verdict.
//!
//! The messages are those of real games, from the same codec as in matches; some are changed in
//! ways that the protocol allows, too. A bot that hangs, dies or floods ends a case, and soon the
//! conversation, and never holds it up.

mod cases;
mod rulesets;
mod talk;

use std::time::{Duration, Instant};

use risk_engine::Seed;
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::{Finding, LoadError};
use risk_engine::matches::{RuleSetup, Setup};
use risk_engine::players::BuiltIn;
use risk_text::plural::counted;
use risk_wire::Endpoint;

use super::trial::{SEED, built_in};
use cases::CASES;
use talk::Talk;

/// How the codes of findings begin that come of a conversation.
pub const CONFORMANCE: &str = "conformance::";

/// How long a case may take.
const CASE: Duration = Duration::from_secs(60);
/// How long all cases together may take.
const ALL: Duration = Duration::from_secs(300);
/// The longest that an answer may take here, whatever a bot's specification says.
const ANSWER: Duration = Duration::from_secs(30);
/// How long a bot may take to end by itself. In matches it has a moment only.
const FAREWELL: Duration = Duration::from_secs(2);
/// After so many cases in which no answer came, nothing more is tried.
const MOST_SILENT: u32 = 3;

/// What came of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bot does what it should.
    Fine,
    /// What it did wrong, as a fragment without a full stop, and what to do, in the same way.
    Wrong {
        /// What the bot did.
        text: String,
        /// What it should do.
        help: &'static str,
    },
    /// Why it was not tried.
    Untried(&'static str),
}

/// One case of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseReport {
    /// What it is about, in two or three words.
    pub name: &'static str,
    /// How much depends on it: 1 is what everything depends on.
    pub rank: u8,
    /// What came of it.
    pub verdict: Verdict,
}

impl CaseReport {
    /// What the bot did wrong, as something that is to be mended.
    pub(super) fn finding(&self) -> Option<Finding> {
        let Verdict::Wrong { text, help } = &self.verdict else {
            return None;
        };
        let code = format!("{CONFORMANCE}{}", self.name.replace(' ', "-"));
        Some(Finding::error(&code, format!("{}: {text}", self.name)).help(*help))
    }

    /// Is it of no use to play, as long as this is wrong?
    pub(super) fn stops_games(&self) -> bool {
        self.rank <= 2 && matches!(self.verdict, Verdict::Wrong { .. })
    }
}

/// What a bot did wrong.
#[derive(Debug)]
struct Wrong {
    text: String,
    kind: WrongKind,
}

/// What that says of other cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrongKind {
    /// It answered, wrongly: the other cases can still be tried.
    Said,
    /// It said nothing, or is gone: it will cost time again.
    Silent,
    /// Its answer had another id: what else it would have said is not known.
    Id,
}

impl Wrong {
    fn new(kind: WrongKind, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, kind }
    }

    fn in_answer(text: impl Into<String>) -> Self {
        Self::new(WrongKind::Said, text)
    }

    fn silent(text: impl Into<String>) -> Self {
        Self::new(WrongKind::Silent, text)
    }
}

/// What is to be found out of a bot, and the time that is left for it.
struct Exam<'a> {
    tried: &'a BotSpec,
    endpoint: Endpoint,
    until: Instant,
}

impl Exam<'_> {
    /// A match of a ruleset for the conversation: nobody in it but bots of ours, one of whom has
    /// the name of the bot that is tried.
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

/// Talks with a bot: in one ruleset about everything, and in each of the others whether it can
/// play it, where `every` ruleset that is built in is asked for.
///
/// # Errors
/// When the ruleset can't be played.
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
    let mut talk = Talk::new(&exam.endpoint, &setup)?;
    let mut course = Course::default();
    for case in &CASES {
        if case.of_lines && !talk.is_in_lines() {
            continue;
        }
        let verdict = match course.obstacle(&exam, case.needs) {
            Some(why) => Verdict::Untried(why),
            None => {
                talk.until = exam.deadline();
                course.verdict((case.run)(&mut talk), case.help)
            }
        };
        course.add(case.name, case.rank, verdict);
    }
    let mut surplus = std::mem::take(&mut talk.surplus);
    // Where ids are wrong, nobody can say of the others what they were meant for.
    surplus.retain(|line| !course.wrong_id || line.id.is_none());
    drop(talk);
    // What has shown itself already is not told once more.
    let needs: &[&str] = if every {
        &["hello"]
    } else {
        &["hello", "answers"]
    };
    let verdict = match course.obstacle(&exam, needs) {
        Some(why) => Verdict::Untried(why),
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

/// How far a conversation has come.
#[derive(Default)]
struct Course {
    reports: Vec<CaseReport>,
    /// In how many cases no answer came.
    silent: u32,
    /// Did an answer have a wrong id?
    wrong_id: bool,
}

impl Course {
    fn add(&mut self, name: &'static str, rank: u8, verdict: Verdict) {
        self.reports.push(CaseReport {
            name,
            rank,
            verdict,
        });
    }

    fn is_wrong(&self, name: &str) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|case| case.name == name && matches!(case.verdict, Verdict::Wrong { .. }))
    }

    /// Why a case that needs these others is not tried.
    fn obstacle(&self, exam: &Exam<'_>, needs: &[&str]) -> Option<&'static str> {
        if needs.iter().any(|name| self.is_wrong(name)) {
            return Some("fix the others first");
        }
        if self.silent >= MOST_SILENT {
            return Some("too many answers did not come");
        }
        (!exam.has_time()).then_some("the time was up")
    }

    fn verdict(&mut self, tried: Result<(), Wrong>, help: &'static str) -> Verdict {
        let Err(Wrong { text, kind }) = tried else {
            return Verdict::Fine;
        };
        match kind {
            WrongKind::Id if self.wrong_id => return Verdict::Untried("fix the others first"),
            WrongKind::Id => self.wrong_id = true,
            WrongKind::Silent => self.silent += 1,
            WrongKind::Said => {}
        }
        Verdict::Wrong { text, help }
    }
}

/// Lines that answered nothing, whichever case they came in.
fn of_surplus(surplus: &[talk::Surplus]) -> Verdict {
    let Some(first) = surplus.first() else {
        return Verdict::Fine;
    };
    Verdict::Wrong {
        text: format!(
            "it said {} that answered nothing; the first was {}",
            counted(surplus.len(), "line"),
            first.quoted()
        ),
        help: "print answers alone, one for each question, and all else to standard error",
    }
}
