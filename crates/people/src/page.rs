//! A person who is asked on a page in a browser.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::attacks;
use super::desk::{PageCommand, PageReply};
use super::interruption::TableCommand;
use super::offered::Offered;
use super::pages::Pages;
use super::prompt::{AutoScope, Choice, PersonQuestion};
use super::reading::{ParsedAnswer, TO_THE_END};
use super::shared_table::SharedTable;
use risk_kernel::id::Pile;
use risk_kernel::words::Words;
use risk_report::decision;
use risk_wire::line_json;

pub(super) struct PersonPage {
    pub(super) table: Rc<RefCell<SharedTable>>,
    pub(super) pages: Rc<Pages>,
}

impl PersonPage {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>, pages: Rc<Pages>) -> Self {
        Self {
            table: Rc::clone(table),
            pages,
        }
    }

    /// Returns parts of the sheet, the question, and whether the answer is secret.
    pub(super) fn shown(&self, question: &PersonQuestion<'_>) -> (Map<String, Value>, Value, bool) {
        let &PersonQuestion { view, options, .. } = question;
        let words = Words::new(view.board(), view.decl());
        let frame = view.frame();
        let phase = frame.map(|frame| &view.decl().phases[frame.phase.index()]);
        let secret = phase.is_some_and(|phase| phase.secret);
        let mut parts = Map::new();
        let suffered = self.pages.suffered(view);
        let notes: Vec<&String> = question.note.iter().chain(&suffered).collect();
        parts.insert("notes".to_owned(), json!(notes));
        let mut states = decision::counters(view, Some(view.me()));
        states.extend(decision::counters(view, None));
        for of in [Some(view.me()), None] {
            let piles = (0..view.decl().piles.len()).map(Pile::from_index);
            states.extend(piles.filter_map(|pile| words.pile_state(pile, view.pile(pile, of)?)));
        }
        parts.insert("states".to_owned(), json!(states));
        let mut table = self.table.borrow_mut();
        let attacks = attacks::attacks(view, options, &mut table.chances);
        let attacks = attacks.iter().map(|it| {
            let id = |at| view.board().info(at).id.as_str();
            json!({
                "from": id(it.from), "to": id(it.to), "armies": it.armies,
                "defenders": it.defenders, "chance": it.chance,
            })
        });
        let question = json!({
            "phase": phase.map(|phase| phase.name.as_str()),
            "help": frame.and_then(|frame| view.decl().sentences.help_of_phase(frame.phase)),
            "secret": secret,
            "options": line_json::options_value(view, options),
            "attacks": attacks.collect::<Vec<_>>(),
            "suggested": question.adviser.known().map(|action| words.action(action)),
            "searches": question.adviser.searches(),
        });
        (parts, question, secret)
    }

    /// Fulfils a person's request.
    pub(super) fn taken(
        &self,
        question: &mut PersonQuestion<'_>,
        wish: &PageCommand,
    ) -> Result<RequestOutcome, String> {
        let &mut PersonQuestion { view, options, .. } = question;
        match wish {
            PageCommand::Do(words, to_the_end) => {
                let action = line_json::read_action(view, words)?;
                let words = Words::new(view.board(), view.decl());
                options
                    .admit(action)
                    .map_err(|why| words.refusal(options, action, why))?;
                let times = if *to_the_end { TO_THE_END } else { 1 };
                let said = ParsedAnswer { action, times };
                Ok(RequestOutcome::Choice(Choice::Say(said)))
            }
            PageCommand::Say(text) => {
                let names = &self.pages.played.names;
                let offered = Offered {
                    view,
                    options,
                    names,
                };
                let said = offered.read(text.trim())?;
                Ok(RequestOutcome::Choice(Choice::Say(said)))
            }
            PageCommand::Auto => {
                let suggested = question.adviser.suggested(view, options);
                let action = suggested.ok_or("no suggestion for this decision")?;
                let choice = Choice::Auto(action, AutoScope::Phase);
                Ok(RequestOutcome::Choice(choice))
            }
            PageCommand::Resign => Ok(RequestOutcome::Resign),
            PageCommand::Hint => Ok(RequestOutcome::Reply(self.hint(question))),
            &PageCommand::Odds(attackers, defenders) => {
                self.odds(attackers, defenders).map(RequestOutcome::Reply)
            }
            PageCommand::Undo => self.table.borrow_mut().undo(view).map(RequestOutcome::Wish),
            &PageCommand::Retract(order) => {
                let mut table = self.table.borrow_mut();
                table.retract(view, order).map(RequestOutcome::Wish)
            }
        }
    }

    /// Returns the adviser's hint, with the territories that it is about.
    fn hint(&self, question: &mut PersonQuestion<'_>) -> PageReply {
        let view = question.view;
        let hint = question.adviser.hint(Offered {
            view,
            options: question.options,
            names: &self.pages.played.names,
        });
        let words = Words::new(view.board(), view.decl());
        let suggested = question.adviser.known();
        let marks = question.adviser.marked().iter();
        let marks = marks.map(|&at| view.board().info(at).id.clone());
        PageReply::Hint {
            text: hint.action,
            aim: hint.aim,
            suggested: suggested.map(|action| words.action(action)),
            marks: marks.collect(),
        }
    }

    /// Returns the odds of a fight with these numbers of armies.
    fn odds(&self, attackers: i32, defenders: i32) -> Result<PageReply, String> {
        let mut table = self.table.borrow_mut();
        let fight = table.chances.by_numbers();
        let fight = fight.ok_or("this ruleset can't compute odds from army counts")?;
        let odds = fight.odds(attackers, defenders);
        let odds = odds.map_err(|fault| fault.to_string())?;
        Ok(PageReply::Odds {
            capture: odds.capture,
            attackers_left: odds.attackers_left,
            defenders_left: odds.defenders_left,
        })
    }
}

pub(super) enum RequestOutcome {
    Choice(Choice),
    Wish(TableCommand),
    Resign,
    Reply(PageReply),
}
