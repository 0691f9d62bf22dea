//! The engine's side of the protocol: a question for each decision, and the bot's moves.

use std::collections::VecDeque;

use serde_json::Value;

use super::TERRITORIES;
use super::moves::Move;
use super::records::Records;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::error::ProtocolError;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::Territory;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Preferences};

pub(super) struct Syncs {
    records: Records,
    /// The records before a match.
    fresh: Records,
    /// The steps of the last answer that are left.
    steps: VecDeque<Action>,
    /// The field that the answer must echo.
    echo: Option<(&'static str, Value)>,
}

/// Returns the name of the phase of the open decision.
fn phase(view: &View) -> Result<&str, ProtocolError> {
    let phase = view.frame().ok_or("no decision is open")?.phase;
    Ok(&view.decl().phases[phase.index()].name)
}

/// Returns an action of the ruleset.
fn action(view: &View, verb: &str, args: &[i32]) -> Result<Action, AnswerError> {
    let verb = view.decl().verb(verb).ok_or("the ruleset lacks a verb")?;
    Ok(Action::new(verb, args))
}

/// Reports whether a player may move armies from one territory to another.
fn leads(view: &View, [from, to]: [i32; 2]) -> bool {
    let all = 0..view.board().len() as i32;
    let at = |number: i32| Territory::from_index(number as usize);
    all.contains(&from)
        && all.contains(&to)
        && view.mine(at(from))
        && view.mine(at(to))
        && view.move_borders(at(from)).any(|near| near == at(to))
}

impl Syncs {
    pub(super) fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let fresh = Records::new(decl)?;
        Ok(Self {
            records: fresh.clone(),
            fresh,
            steps: VecDeque::new(),
            echo: None,
        })
    }

    /// Returns the steps of a move.
    fn steps(&self, view: &View, text: &str) -> Result<Vec<Action>, AnswerError> {
        let phase = phase(view)?;
        let kinds: &[&str] = match phase {
            "claim" => &["move_claim_territory"],
            "muster" => &["move_place_initial_troop"],
            "trade" => &["move_redeem_cards"],
            "bonus" | "deploy" => &["move_distribute_troops"],
            "attack" => &["move_attack", "move_attack_pass"],
            "defend" => &["move_defend"],
            "occupy" => &["move_troops_after_attack"],
            _ => &["move_fortify", "move_fortify_pass"],
        };
        let found = Move::read(view, text, kinds)?;
        if let Some((key, value)) = &self.echo {
            found.echoes(key, value)?;
        }
        let number = |key: &str| found.small(key);
        let one = |verb: &str, args: &[i32]| Ok(vec![action(view, verb, args)?]);
        match phase {
            "claim" => one("claim", &[number("territory")?]),
            "muster" => one("place", &[number("territory")?, 1]),
            "trade" => {
                let sets = found.trades(view, self.records.hand)?;
                let sets = sets.iter().map(|set| action(view, "trade", set));
                sets.chain([action(view, "pass", &[])]).collect()
            }
            "bonus" | "deploy" => {
                let marked = (phase == "bonus").then_some(self.records.marked);
                let places = found.places(view, self.records.reserve, marked)?;
                places
                    .iter()
                    .map(|place| action(view, "place", place))
                    .collect()
            }
            "attack" if found.is("move_attack", "attacking_territory") => {
                let way = [
                    number("attacking_territory")?,
                    number("defending_territory")?,
                ];
                one("attack", &[way[0], way[1], number("attacking_troops")?])
            }
            "defend" => one("defend", &[number("defending_troops")?]),
            "occupy" => {
                let [from, to, ..] = view.frame().ok_or("no decision is open")?.args;
                let more = number("troop_count")?.saturating_sub(self.records.moved());
                one("move", &[from, to, more])
            }
            "fortify" if found.is("move_fortify", "source_territory") => {
                let way = [number("source_territory")?, number("target_territory")?];
                match number("troop_count")? {
                    // The contest took a move of no armies between two neighbouring territories.
                    0 if leads(view, way) => one("done", &[]),
                    armies => one("move", &[way[0], way[1], armies]),
                }
            }
            _ => one("done", &[]),
        }
    }
}

impl Codec for Syncs {
    fn start(&mut self, _: &[String], _: Stream) {
        self.records.clone_from(&self.fresh);
        self.steps.clear();
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, ProtocolError> {
        if view.board().len() != TERRITORIES {
            return Err("the bots know only the board of the map syncs2024".into());
        }
        self.records.begin(view);
        let phase = phase(view)?;
        let next = self.steps.pop_front();
        if let Some(step) = next.filter(|step| options.admit(*step).is_ok()) {
            return Ok(Question::Known(step));
        }
        self.steps.clear();
        let kind = match phase {
            "attack" if self.records.are_full() => {
                let done = view.decl().verb("done").ok_or(ProtocolError::NoWord)?;
                return Ok(Question::Known(Action::new(done, &[])));
            }
            "claim" => "claim_territory",
            "muster" => "place_initial_troop",
            "trade" => "redeem_cards",
            "bonus" | "deploy" => "distribute_troops",
            "occupy" => "troops_after_attack",
            "attack" | "defend" | "fortify" => phase,
            _ => return Err(ProtocolError::NoQuestion),
        };
        if phase != "occupy" {
            self.records.settle();
        }
        self.echo = self.records.echo(phase);
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
        self.steps = self.steps(view, text)?.into();
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
