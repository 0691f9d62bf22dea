//! The engine's side of the protocol: a question for each decision, and the bot's moves.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::TERRITORIES;
use super::moves::Move;
use super::records::{Names, Records};
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::error::ProtocolError;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::Phase;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Preferences};

pub(super) struct Syncs {
    records: Records,
    /// The steps of the last answer that are left.
    steps: VecDeque<Action>,
    /// The field that the answer must echo.
    echo: Option<(&'static str, Value)>,
}

impl Syncs {
    pub(super) fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        Ok(Self {
            records: Records::new(Names::new(decl)?),
            steps: VecDeque::new(),
            echo: None,
        })
    }

    /// Returns the kind of a question, and the field of its phase that the answer must echo.
    fn ask(&mut self, phase: Phase) -> Option<&'static str> {
        let names = &self.records.names;
        let asks = [
            (names.claim, "claim_territory"),
            (names.muster, "place_initial_troop"),
            (names.trade, "redeem_cards"),
            (names.bonus, "distribute_troops"),
            (names.deploy, "distribute_troops"),
            (names.attack, "attack"),
            (names.defend, "defend"),
            (names.occupy, "troops_after_attack"),
            (names.fortify, "fortify"),
        ];
        let is_cause = [names.trade, names.bonus, names.deploy].contains(&phase);
        self.echo = match self.records.reference(phase) {
            Some((key, index)) => Some((key, json!(index))),
            None => is_cause.then(|| ("cause", json!(self.records.cause()))),
        };
        let asked = asks.into_iter().find(|(asked, _)| *asked == phase);
        asked.map(|(_, kind)| kind)
    }

    /// Returns the steps of a move.
    fn steps(&self, view: &View, phase: Phase, text: &str) -> Result<Vec<Action>, AnswerError> {
        let names = &self.records.names;
        let read = |kinds: &[&str]| {
            let found = Move::read(view, text, kinds)?;
            if let Some((key, value)) = &self.echo {
                found.echoes(key, value)?;
            }
            Ok::<_, AnswerError>(found)
        };
        let one = |verb, args: &[i32]| Ok(vec![Action::new(verb, args)]);
        if phase == names.claim || phase == names.muster {
            let (kind, verb) = match phase == names.claim {
                true => ("move_claim_territory", names.claiming),
                false => ("move_place_initial_troop", names.placing),
            };
            let at = read(&[kind])?.small("territory")?;
            let args = [at, 1];
            return one(verb, &args[..if verb == names.claiming { 1 } else { 2 }]);
        }
        if phase == names.trade {
            return read(&["move_redeem_cards"])?.trades(view, names);
        }
        if phase == names.bonus || phase == names.deploy {
            return read(&["move_distribute_troops"])?.places(view, names, phase);
        }
        if phase == names.attack {
            let found = read(&["move_attack", "move_attack_pass"])?;
            if !found.is("move_attack", "attacking_territory") {
                return one(names.done, &[]);
            }
            let from = found.small("attacking_territory")?;
            let to = found.small("defending_territory")?;
            return one(
                names.attacking,
                &[from, to, found.small("attacking_troops")?],
            );
        }
        if phase == names.defend {
            let dice = read(&["move_defend"])?.small("defending_troops")?;
            return one(names.defending, &[dice]);
        }
        if phase == names.occupy {
            let all = read(&["move_troops_after_attack"])?.small("troop_count")?;
            let (way, moved) = self.records.conquest(view).ok_or("no conquest is open")?;
            return one(names.moving, &[way[0], way[1], all.saturating_sub(moved)]);
        }
        let found = read(&["move_fortify", "move_fortify_pass"])?;
        if !found.is("move_fortify", "source_territory") {
            return one(names.done, &[]);
        }
        let from = found.small("source_territory")?;
        let to = found.small("target_territory")?;
        match found.small("troop_count")? {
            // The contest took a move of no armies between two neighbouring territories.
            0 if Records::is_own_way(view, from, to) => one(names.done, &[]),
            armies => one(names.moving, &[from, to, armies]),
        }
    }
}

impl Codec for Syncs {
    fn start(&mut self, _: &[String], _: Stream) {
        self.records = Records::new(self.records.names);
        self.steps.clear();
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, ProtocolError> {
        if view.board().len() != TERRITORIES {
            return Err("the bots know only the board of the map syncs2024".into());
        }
        self.records.begin(view);
        let phase = view.frame().ok_or("no decision is open")?.phase;
        if let Some(step) = self.steps.pop_front()
            && options.admit(step).is_ok()
        {
            return Ok(Question::Known(step));
        }
        self.steps.clear();
        if phase == self.records.names.attack && self.records.are_full() {
            return Ok(Question::Known(Action::new(self.records.names.done, &[])));
        }
        let kind = self.ask(phase).ok_or(ProtocolError::NoQuestion)?;
        let update = self.records.update();
        let mut body = format!("{{\"query_type\":\"{kind}\",\"update\":{update}");
        if let Some((key, value)) = &self.echo {
            body += &format!(",\"{key}\":{value}");
        }
        body += "}";
        Ok(Question::Ask(Message {
            path: "",
            body,
            content_type: "application/json",
        }))
    }

    fn answer(&mut self, view: &View, _: &Options, text: &str) -> Result<Answer, AnswerError> {
        let phase = view.frame().ok_or("no decision is open")?.phase;
        self.steps = self.steps(view, phase, text)?.into();
        let first = self.steps.pop_front().ok_or("the move is empty")?;
        Ok(Answer::One(first))
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            listens: true,
            ..Preferences::default()
        }
    }

    fn saw(&mut self, view: &View, event: &Event, _: bool) -> Option<Message> {
        self.records.see(view, event);
        None
    }

    /// Sends no message: the contest's engine ended the bots.
    fn finish(&mut self, _: &View, _: GameOver<'_>, _: bool) -> Option<Message> {
        None
    }
}
