//! A test of whether a bot can play every ruleset.

use risk_maps::files::FileKind;
use std::collections::BTreeMap;

use super::talk::Conversation;
use super::{CaseError, CaseVerdict, Exam};
use risk_engine::{Library, RuleSetup};
use risk_text::diag::LoadError;

/// The maximum number of questions in one game.
const MOST_ASKS: usize = 100;
/// An option that shortens games in rulesets that support it.
const SHORT: (&str, &str) = ("max_turns", "12");

/// Returns the verdict after `games` games of each ruleset. Tests all built-in rulesets if `every`
/// is set, or only `rules`.
pub(super) fn verdict(
    exam: &Exam<'_>,
    rules: &RuleSetup,
    every: bool,
    games: usize,
) -> CaseVerdict {
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut silent = 0;
    let all = if every {
        every_ruleset(&rules.library)
    } else {
        vec![rules.clone()]
    };
    for rules in all {
        if !exam.has_time() {
            let text = "not tried: the time limit was reached".to_owned();
            wrong.entry(text).or_default().push(rules.ruleset_spec);
            continue;
        }
        if silent >= super::MOST_SILENT {
            let text = "not tried: too many timeouts".to_owned();
            wrong.entry(text).or_default().push(rules.ruleset_spec);
            continue;
        }
        if let Err(CaseError { text, kind }) = plays(exam, &rules, games) {
            silent += u32::from(kind.is_silent());
            wrong.entry(text).or_default().push(rules.ruleset_spec);
        }
    }
    if wrong.is_empty() {
        return CaseVerdict::Fine;
    }
    let told = wrong
        .into_iter()
        .map(|(text, names)| format!("in {}: {text}", names.join(", ")));
    CaseVerdict::Wrong {
        text: told.collect::<Vec<_>>().join("; "),
        help: "read verbs and parameters from `options`; they differ between rulesets",
    }
}

fn every_ruleset(library: &Library) -> Vec<RuleSetup> {
    let names = library.names(FileKind::Ruleset);
    let all = names
        .iter()
        .map(|name| RuleSetup::load(library, name, None, &[]));
    all.flatten().collect()
}

/// Plays short games of one ruleset.
fn plays(exam: &Exam<'_>, rules: &RuleSetup, games: usize) -> Result<(), CaseError> {
    let failed = |failure: LoadError| CaseError::in_answer(failure.to_string());
    let setup = exam.setup(&short(rules)).map_err(failed)?;
    let mut talk = Conversation::new(&exam.endpoint, &setup).map_err(failed)?;
    talk.until = exam.deadline();
    talk.open(Clone::clone)?;
    for _ in 0..games {
        talk.new_game()?;
        for _ in 0..MOST_ASKS {
            if talk.decision_in_game()?.is_none() {
                break;
            }
            talk.ask()?;
        }
        talk.end_game();
    }
    talk.bye();
    Ok(())
}

/// Returns the ruleset with [`SHORT`] set if the ruleset has this option and all options have
/// default values.
fn short(rules: &RuleSetup) -> RuleSetup {
    let said = [(SHORT.0.to_owned(), SHORT.1.to_owned())];
    match rules.ruleset.options(&said) {
        Ok(options)
            if rules
                .ruleset
                .options(&[])
                .is_ok_and(|usual| usual == rules.options) =>
        {
            RuleSetup {
                options,
                ..rules.clone()
            }
        }
        _ => rules.clone(),
    }
}
