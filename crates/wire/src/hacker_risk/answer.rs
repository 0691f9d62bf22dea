//! Parsing of a bot's answers.

use std::borrow::Cow;

use serde_json::Value;

use super::board_graph::country;
use super::vocabulary::Vocabulary;
use super::wire_action::WireAction;
use crate::error::ProtocolError;
use crate::json;
use crate::quote::brief;
use risk_kernel::Answer;
use risk_kernel::action::{Action, Options};
use risk_kernel::id::{Card, Territory};
use risk_kernel::view::View;
use risk_text::plural::counted;

/// The maximum number of dice in an attack.
const MOST_DICE: i32 = 3;

/// Parses an answer to a question with these available actions.
///
/// # Errors
/// Returns an error if the answer is invalid.
pub fn answer(
    vocabulary: &Vocabulary,
    view: &View,
    ask: &Options,
    text: &str,
    available: &[WireAction],
) -> Result<Answer, ProtocolError> {
    let answer = match json::parse_unique_keys(text, "answer")? {
        Value::Object(answer) => answer,
        other => return Err(json::no_object(&other).into()),
    };
    let action = match answer.get("action") {
        Some(Value::String(action)) => action,
        other => return Err(json::unfit("action", "a string", other).into()),
    };
    let mut known = available.iter().copied();
    let Some(action) = known.find(|known| known.as_str() == action) else {
        return Err(unknown_action(action, available).into());
    };
    let data = AnswerData {
        vocabulary,
        view,
        value: answer.get("data").unwrap_or(&Value::Null),
    };
    Ok(match action {
        WireAction::ChooseCountry => data.claim()?,
        WireAction::DeployTroops => data.deploy()?,
        WireAction::SpendCards => data.trade(ask)?,
        WireAction::Attack => data.attack()?,
        WireAction::Reinforce => data.reinforce()?,
        WireAction::Pass => Answer::One(Action::new(vocabulary.pass, &[])),
        WireAction::EndAttackPhase | WireAction::EndTurn => {
            Answer::One(Action::new(vocabulary.done, &[]))
        }
    })
}

fn unknown_action(action: &str, available: &[WireAction]) -> String {
    let hint = match action {
        "use_cards" => "; did you mean `spend_cards`?",
        "end_attacking_phase" => "; did you mean `end_attack_phase`?",
        _ => "",
    };
    let action = brief(action);
    let available: Vec<&str> = available.iter().map(|known| known.as_str()).collect();
    let available = available.join(" or ");
    format!("expected the action {available}, found `{action}`{hint}")
}

struct AnswerData<'a> {
    vocabulary: &'a Vocabulary,
    view: &'a View,
    value: &'a Value,
}

impl AnswerData<'_> {
    fn claim(&self) -> Result<Answer, String> {
        let Value::String(name) = self.value else {
            return Err(self.unfit("the name of a country"));
        };
        let at = self.territory(name)?;
        Ok(Answer::One(Action::new(self.vocabulary.claim, &[at])))
    }

    fn deploy(&self) -> Result<Answer, String> {
        let Value::Object(troops) = self.value else {
            return Err(self.unfit("an object that maps countries to troops"));
        };
        let mut sum = 0;
        let mut steps = Vec::new();
        for (name, count) in troops {
            let at = self.territory(name)?;
            let count = whole_number(Some(count), name, 1)?;
            sum += i64::from(count);
            steps.push(Action::new(self.vocabulary.place, &[at, count]));
        }
        let due = self.vocabulary.due(self.view);
        if sum != due {
            let due = counted(due, "troop");
            return Err(format!("expected to deploy {due}, found {sum}"));
        }
        Ok(Answer::Steps(steps))
    }

    /// Parses an attack and the number of armies that move in after a conquest.
    fn attack(&self) -> Result<Answer, String> {
        let from = self.country("attacking_country")?;
        let to = self.country("defending_country")?;
        let dice = self.count("attacking_troops", 1)?;
        let more = self.count("moving_troops", 0)?;
        let armies = self.view.armies(Territory::from_index(from as usize));
        let armies = armies.unwrap_or_default();
        if dice > MOST_DICE {
            return Err(format!(
                "`attacking_troops` must be at most {MOST_DICE}, found {dice}"
            ));
        }
        if i64::from(armies) - i64::from(dice) - i64::from(more) < 1 {
            return Err(format!(
                "`attacking_troops` {dice} plus `moving_troops` {more} must be less than the \
                 country's armies, {armies}"
            ));
        }
        Ok(Answer::Steps(vec![
            Action::new(self.vocabulary.attack, &[from, to, dice]),
            Action::new(self.vocabulary.movement, &[from, to, more]),
        ]))
    }

    fn reinforce(&self) -> Result<Answer, String> {
        let from = self.country("origin_country")?;
        let to = self.country("destination_country")?;
        let armies = self.count("moving_troops", 1)?;
        let action = Action::new(self.vocabulary.movement, &[from, to, armies]);
        Ok(Answer::One(action))
    }

    /// Parses a trade of three cards, in any order. The two bonus armies go to the first named card
    /// whose country the player owns.
    fn trade(&self, ask: &Options) -> Result<Answer, String> {
        let chosen = self.cards()?;
        let all: Vec<i32> = chosen.iter().map(|of| i32::from(of.0)).collect();
        if all.len() != 3 {
            let count = all.len();
            return Err(format!("expected 3 cards, found {count}"));
        }
        let trade = Action::new(self.vocabulary.trade, &all);
        let cards = &self.view.decl().cards;
        let kinds: Vec<i32> = chosen.iter().map(|of| cards[of.index()].kind).collect();
        match ask.admit(trade) {
            Ok(_) => Ok(Answer::One(trade)),
            Err(_) => Err(no_set(&kinds)),
        }
    }

    /// Returns the named cards from the hand, each of them once.
    fn cards(&self) -> Result<Vec<Card>, String> {
        let Value::Array(names) = self.value else {
            return Err(self.unfit("a list of three cards"));
        };
        let me = self.view.me();
        let hand = self.view.pile(self.vocabulary.hand, Some(me));
        let hand = hand.unwrap_or_default();
        let cards = &self.view.decl().cards;
        let mut chosen: Vec<Card> = Vec::new();
        for name in names {
            let Value::String(name) = name else {
                return Err(self.unfit("a list of card names"));
            };
            let is_it = |of: &&Card| {
                let info = &cards[of.index()];
                let wild = info.at.is_none() && name == "wild";
                let own = info.at.map_or(Cow::Borrowed(info.name.as_str()), |at| {
                    country(self.view.board(), at)
                });
                !chosen.contains(of) && (wild || own == *name)
            };
            let card = hand
                .iter()
                .find(is_it)
                .ok_or_else(|| format!("no card `{}` left in the hand", brief(name)))?;
            chosen.push(*card);
        }
        Ok(chosen)
    }

    /// Returns the number of the country with this name.
    fn territory(&self, name: &str) -> Result<i32, String> {
        let board = self.view.board();
        let mut territories = board.territories();
        let found = territories.find(|&at| country(board, at) == name);
        found
            .map(|at| i32::from(at.0))
            .ok_or_else(|| format!("unknown country `{}`", brief(name)))
    }

    fn country(&self, key: &str) -> Result<i32, String> {
        match self.value.get(key) {
            Some(Value::String(name)) => self.territory(name),
            other => Err(json::unfit(key, "the name of a country", other)),
        }
    }

    /// Describes data of an unexpected kind.
    fn unfit(&self, expected: &str) -> String {
        json::unfit("data", expected, Some(self.value))
    }

    fn count(&self, key: &str, least: i32) -> Result<i32, String> {
        whole_number(self.value.get(key), key, least)
    }
}

fn whole_number(value: Option<&Value>, key: &str, least: i32) -> Result<i32, String> {
    let read = |it| i32::try_from(json::whole_number(it)?).ok();
    let read = |it| read(it).filter(|number| *number >= least);
    let expected = format!("an integer of at least {least}");
    json::fitting(&brief(key), &expected, value, read)
}

/// Explains why cards of these kinds are not a set. The kinds are in the order of the answer.
fn no_set(kinds: &[i32]) -> String {
    match kinds {
        [a, b, c] if a == c && a != b => "the cards are not a set: the second differs from the \
                                          other two; play with --option card_sets=lax to allow \
                                          such sets, as the Hacker Risk arena did"
            .to_owned(),
        _ => "the cards are not a set: expected three of a kind, one of each kind, or any two \
              and a wild card"
            .to_owned(),
    }
}
