//! Asks a person on a page.

use super::desk::PageReply;
use super::interruption::{Interruption, TableCommand};
use super::page::{PersonPage, RequestOutcome};
use super::prompt::{Choice, PersonQuestion, Prompt};
use super::secret_round::SecretRound;
use risk_kernel::view::View;

pub(super) struct PagePrompt(pub(super) PersonPage);

impl Prompt for PagePrompt {
    fn begin(&mut self, view: &View) -> Result<(), Interruption> {
        let has_given_up = || {
            let mut table = self.0.table.borrow_mut();
            table.resigned.remove(&view.me())
        };
        if has_given_up() {
            return Err(Interruption::Resign);
        }
        if let Some(round) = SecretRound::begin(&self.0, view) {
            round.play()?;
        }
        match has_given_up() {
            true => Err(Interruption::Resign),
            false => Ok(()),
        }
    }

    /// Handles requests until one of them is an answer.
    fn ask(&mut self, question: &mut PersonQuestion<'_>) -> Result<Choice, Interruption> {
        let seat = question.view.me().index();
        let pages = &self.0.pages;
        pages.is_live.set(true);
        let (parts, shown, secret) = self.0.shown(question);
        let number = pages.desk.ask(seat, secret, parts, shown);
        loop {
            let Some(request) = pages.desk.next_request() else {
                return Err(Interruption::Wish(TableCommand::Quit));
            };
            if request.seat != seat || request.question != number {
                (request.reply)(PageReply::Stale);
                continue;
            }
            let result = match self.0.taken(question, &request.command) {
                Ok(RequestOutcome::Choice(choice)) => Ok(choice),
                Ok(RequestOutcome::Wish(wish)) => Err(Interruption::Wish(wish)),
                Ok(RequestOutcome::Resign) => Err(Interruption::Resign),
                Ok(RequestOutcome::Reply(reply)) => {
                    (request.reply)(reply);
                    continue;
                }
                Err(why) => {
                    (request.reply)(PageReply::Refused(why));
                    continue;
                }
            };
            pages.desk.answered(seat);
            (request.reply)(PageReply::Done);
            return result;
        }
    }

    fn recall(&mut self, view: &View) {
        // The person has read what happened before this answer.
        let _ = self.0.pages.suffered(view);
    }
}
