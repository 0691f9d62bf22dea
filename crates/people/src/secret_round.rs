//! A secret phase in which several people, each on a page of their own, answer at the same time.
//!
//! Each person plans all answers of the phase. The game receives them when everyone is ready, so
//! nobody learns how many answers another person has given, or when.

use serde_json::json;

use super::desk::{PageCommand, PageReply};
use super::interruption::{Interruption, TableCommand};
use super::page::{PersonPage, RequestOutcome};
use super::phase_plan::{PhasePlan, is_secret};
use super::planner::Planner;
use risk_kernel::id::Player;
use risk_kernel::view::View;
use risk_wire::line_json;

/// A person in the phase.
struct Place {
    player: Player,
    planner: Planner,
    /// The number of the open question; `None` if the person is ready.
    question: Option<u64>,
}

/// The people who answer at the same time.
pub(super) struct SecretRound<'a> {
    page: &'a PersonPage,
    places: Vec<Place>,
}

impl<'a> SecretRound<'a> {
    /// Begins the phase for all its people at a decision of one of them. Returns `None` if the
    /// decision is not secret, if nobody else is asked, or if the player's answer is known already.
    pub(super) fn begin(page: &'a PersonPage, view: &View) -> Option<Self> {
        let table = page.table.borrow();
        let frame = view.frame()?;
        if !is_secret(view.decl(), Some(frame.phase)) || table.has_queued(view.me()) {
            return None;
        }
        let people = frame.players.iter();
        let plays = |it: &Player| table.people[it.index()] && !table.resigned.contains(it);
        let people: Vec<Player> = people.filter(plays).collect();
        let facts = page.pages.facts.borrow();
        let facts = facts.as_ref().filter(|_| people.len() > 1)?;
        let place = |player: Player| {
            let view = View::new(facts, player);
            let plan = PhasePlan::begin(&view, &table.rules)?;
            Some(Place {
                player,
                planner: Planner::new(plan, &view, table.make_adviser()),
                question: None,
            })
        };
        let places: Vec<Place> = people.into_iter().filter_map(place).collect();
        let is_asked = places.iter().any(|place| place.player == view.me());
        is_asked.then_some(Self { page, places })
    }

    /// Asks everyone until all are ready, and queues their answers. If the game stops, the answers
    /// so far are queued, except after a takeback that is marked in the record.
    pub(super) fn play(mut self) -> Result<(), Interruption> {
        self.page.pages.is_live.set(true);
        for at in 0..self.places.len() {
            let player = self.places[at].player;
            let queued = self.page.table.borrow_mut().take_queued(player);
            let place = &mut self.places[at];
            // After a takeback, the person goes on from the same answers.
            let gone = queued.into_iter().filter(|&it| !place.planner.repeat(it));
            let gone: Vec<_> = gone.collect();
            place.planner.note = self
                .page
                .table
                .borrow()
                .no_longer(&place.planner.start, &gone);
            self.ask(at);
        }
        while self.places.iter().any(|place| place.question.is_some()) {
            if let Err(stopped) = self.next() {
                for place in &self.places {
                    self.page.pages.desk.answered(place.player.index());
                }
                // After a takeback that others may have learned from, everyone answers anew.
                if !matches!(stopped, Interruption::Wish(TableCommand::TakeBack(_))) {
                    self.queue();
                }
                return Err(stopped);
            }
        }
        self.queue();
        Ok(())
    }

    /// Asks the person at a place, who is ready if nothing is left to decide.
    fn ask(&mut self, at: usize) {
        let page = self.page;
        let place = &mut self.places[at];
        let seat = place.player.index();
        let is_asked = place.planner.advance(|_, _| {});
        let number = place.planner.question(|question| {
            is_asked.then(|| {
                let (mut parts, shown, secret) = page.shown(question);
                let orders = line_json::orders_value(question.view);
                parts.insert("orders".to_owned(), json!(orders));
                page.pages.desk.ask(seat, secret, parts, shown)
            })
        });
        place.question = number.flatten();
        if place.question.is_none() {
            page.pages.desk.answered(seat);
        }
    }

    /// Handles the next request of any person.
    fn next(&mut self) -> Result<(), Interruption> {
        let Some(request) = self.page.pages.desk.next_request() else {
            return Err(Interruption::Wish(TableCommand::Quit));
        };
        let open = |place: &Place| {
            place.player.index() == request.seat && place.question == Some(request.question)
        };
        let Some(at) = self.places.iter().position(open) else {
            (request.reply)(PageReply::Stale);
            return Ok(());
        };
        match self.outcome(at, &request.command) {
            Ok(Some(reply)) => (request.reply)(reply),
            Ok(None) => {
                self.ask(at);
                (request.reply)(PageReply::Done);
            }
            Err(Ok(stopped)) => {
                (request.reply)(PageReply::Done);
                return Err(stopped);
            }
            Err(Err(why)) => (request.reply)(PageReply::Refused(why)),
        }
        Ok(())
    }

    /// Fulfils a request. Returns the reply, or `None` if the person's plan has changed.
    fn outcome(
        &mut self,
        at: usize,
        command: &PageCommand,
    ) -> Result<Option<PageReply>, Result<Interruption, String>> {
        let page = self.page;
        let place = &mut self.places[at];
        let adviser = || page.table.borrow().make_adviser();
        let is_back = match *command {
            PageCommand::Undo => place.planner.back(adviser()),
            PageCommand::Retract(order) => place.planner.retract(order, adviser()),
            _ => false,
        };
        if is_back {
            return Ok(None);
        }
        let outcome = place
            .planner
            .question(|question| page.taken(question, command));
        match outcome.expect("the question is open").map_err(Err)? {
            RequestOutcome::Choice(choice) => place.planner.choose(&choice),
            RequestOutcome::Wish(wish) => return Err(Ok(Interruption::Wish(wish))),
            RequestOutcome::Reply(reply) => return Ok(Some(reply)),
            RequestOutcome::Resign => {
                place.planner.give_up();
                page.table.borrow_mut().resigned.insert(place.player);
            }
        }
        Ok(None)
    }

    fn queue(&self) {
        let mut table = self.page.table.borrow_mut();
        for place in &self.places {
            table.queue(&place.planner.start, place.planner.actions());
        }
    }
}
