//! A person who is asked on a page in a browser.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::attacks;
use super::desk::{self, Reply, Taken};
use super::pages::Pages;
use super::reading::{Reading, Said};
use super::seat::{Asker, Choice, Question};
use super::shared_table::SharedTable;
use super::stopped::{Stopped, Wish};
use risk_kernel::event::Event;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_wire::line_json;

pub(super) struct AtPage {
    table: Rc<RefCell<SharedTable>>,
    pages: Rc<Pages>,
}

impl AtPage {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>, pages: Rc<Pages>) -> Self {
        Self {
            table: Rc::clone(table),
            pages,
        }
    }

    /// Returns the state, the question, and whether the answer is secret.
    fn shown(&self, question: &Question<'_>) -> (Map<String, Value>, Value, bool) {
        let &Question { view, options, .. } = question;
        let words = Words::new(view.board(), view.decl());
        let phase = view
            .frame()
            .map(|frame| &view.decl().phases[frame.phase.index()]);
        let secret = phase.is_some_and(|phase| phase.secret);
        let mut parts = self.pages.parts(view, true);
        let names = &self.pages.played.names;
        let suffered = self.pages.heard.borrow_mut()[view.me().index()].suffered(view, names);
        let notes: Vec<&String> = question.note.iter().chain(&suffered).collect();
        parts.insert("notes".to_owned(), json!(notes));
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
            "secret": secret,
            "options": line_json::options_value(view, options),
            "attacks": attacks.collect::<Vec<_>>(),
            "suggested": question.adviser.suggested().map(|action| words.action(action)),
        });
        (parts, question, secret)
    }

    /// Fulfils a person's request.
    ///
    /// # Errors
    /// Returns the reason why the request is not possible.
    fn taken(&self, question: &Question<'_>, wish: &desk::Wish) -> Result<Done, String> {
        let &Question { view, options, .. } = question;
        match wish {
            desk::Wish::Do(words, to_the_end) => {
                let action = line_json::read_action(view, words)?;
                let words = Words::new(view.board(), view.decl());
                options
                    .admit(action)
                    .map_err(|why| words.refusal(options, action, why))?;
                let to_the_end = *to_the_end;
                Ok(Done::Choice(Choice::Say(Said { action, to_the_end })))
            }
            desk::Wish::Say(text) => {
                let names = self.pages.played.names.as_slice();
                let reading = Reading {
                    view,
                    options,
                    names,
                };
                let said = reading.read(text.trim())?;
                Ok(Done::Choice(Choice::Say(said)))
            }
            desk::Wish::Auto => {
                let suggested = question.adviser.suggested();
                let action = suggested.ok_or("no suggestion for this decision")?;
                Ok(Done::Choice(Choice::Auto(action)))
            }
            desk::Wish::Hint => Ok(Done::Reply(Reply::Told(question.adviser.hint(view)))),
            &desk::Wish::Odds(attackers, defenders) => {
                let mut table = self.table.borrow_mut();
                let fight = table.chances.by_numbers();
                let fight = fight.ok_or("this ruleset can't compute odds from army counts")?;
                let odds = fight.odds(attackers, defenders);
                let odds = odds.map_err(|fault| fault.to_string())?;
                Ok(Done::Reply(Reply::Odds {
                    capture: odds.capture,
                    attackers_left: odds.attackers_left,
                    defenders_left: odds.defenders_left,
                }))
            }
            desk::Wish::Undo => self.table.borrow_mut().undo(view).map(Done::Wish),
            &desk::Wish::Retract(order) => {
                let mut table = self.table.borrow_mut();
                table.retract(view, order).map(Done::Wish)
            }
        }
    }
}

enum Done {
    Choice(Choice),
    Wish(Wish),
    Reply(Reply),
}

impl Asker for AtPage {
    /// Handles requests until one of them is an answer.
    fn ask(&mut self, question: &Question<'_>) -> Result<Choice, Stopped> {
        let seat = question.view.me().index();
        let pages = &self.pages;
        pages.is_live.set(true);
        pages.show_all(Some(seat), true);
        let (parts, shown, secret) = self.shown(question);
        let number = pages.desk.ask(seat, secret, parts, shown);
        loop {
            let request = match pages.requests.recv() {
                Ok(Taken::Request(request)) => request,
                Ok(Taken::Closed) | Err(_) => return Err(Stopped::Wish(Wish::Quit)),
            };
            if request.seat != seat || request.question != number {
                request.reply(Reply::Stale);
                continue;
            }
            let result = match self.taken(question, &request.wish) {
                Ok(Done::Choice(choice)) => Ok(choice),
                Ok(Done::Wish(wish)) => Err(Stopped::Wish(wish)),
                Ok(Done::Reply(reply)) => {
                    request.reply(reply);
                    continue;
                }
                Err(why) => {
                    request.reply(Reply::Refused(why));
                    continue;
                }
            };
            pages.desk.answered();
            request.reply(Reply::Done);
            return result;
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.pages.heard.borrow_mut()[view.me().index()].take(view, event);
    }
}
