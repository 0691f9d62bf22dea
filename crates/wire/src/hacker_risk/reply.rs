//! A bot's answers to an arena in the terms of the protocol. An answer always uses an action that
//! the arena offers, because the arena's rules may differ from ours.

use serde_json::{Map, Value, json};

use super::board_graph::country;
use super::offered::OfferedActions;
use super::vocabulary::{DecisionKind, Vocabulary};
use super::wire_action::WireAction;
use crate::error::ProtocolError;
use risk_kernel::action::Action;
use risk_kernel::board::Board;
use risk_kernel::id::{Card, Player, Territory};
use risk_kernel::state::GameState;

/// Returns the answer for an action at any decision except the placement of armies. For an attack,
/// `moving` is the number of armies that move in after a conquest.
///
/// # Errors
/// Returns an error if the protocol can't express the action at this decision.
pub fn reply(
    vocabulary: &Vocabulary,
    game: &GameState,
    decision: DecisionKind,
    action: Action,
    moving: i32,
) -> Result<Value, ProtocolError> {
    let wire = vocabulary
        .wire_action(decision, action.verb)
        .ok_or(ProtocolError::NoWord)?;
    let args = action.args();
    let territory = |index: usize| Territory::from_index(args[index] as usize);
    let country = |index: usize| country(game.board(), territory(index));
    let data = match wire {
        WireAction::ChooseCountry => json!(country(0)),
        WireAction::SpendCards => args
            .iter()
            .map(|&number| card_name(game, Card::from_index(number as usize)))
            .collect(),
        WireAction::Attack => attack(&country(0), &country(1), args[2], moving),
        WireAction::Reinforce => reinforce(&country(0), &country(1), args[2]),
        _ => return Ok(json!({ "action": wire.as_str() })),
    };
    Ok(json!({ "action": wire.as_str(), "data": data }))
}

/// A bot's placements of armies, which the protocol expects in a single answer.
#[derive(Debug, Default)]
pub struct Deployment {
    placed: Map<String, Value>,
    last: Option<String>,
}

impl Deployment {
    /// Adds armies to a territory.
    pub fn add(&mut self, board: &Board, at: Territory, armies: i64) {
        let name = country(board, at).into_owned();
        self.add_named(&name, armies);
        self.last = Some(name);
    }

    fn add_named(&mut self, name: &str, armies: i64) {
        let so_far = self.placed.get(name).and_then(Value::as_i64);
        let sum = so_far.unwrap_or_default() + armies;
        self.placed.insert(name.to_owned(), sum.into());
    }

    /// Returns the answer, or `None` if no armies were placed. Adds the remaining `left` armies to
    /// the last placement.
    #[must_use]
    pub fn reply(mut self, left: i64) -> Option<Value> {
        let last = self.last.take()?;
        self.add_named(&last, left);
        Some(json!({ "action": WireAction::DeployTroops.as_str(), "data": self.placed }))
    }
}

fn attack(from: &str, to: &str, dice: i32, moving: i32) -> Value {
    json!({
        "attacking_country": from,
        "defending_country": to,
        "attacking_troops": dice,
        "moving_troops": moving,
    })
}

fn reinforce(from: &str, to: &str, moving: i32) -> Value {
    json!({ "origin_country": from, "destination_country": to, "moving_troops": moving })
}

fn card_name(game: &GameState, card: Card) -> String {
    let info = &game.decl().cards[card.index()];
    info.at.map_or_else(
        || info.name.clone(),
        |at| country(game.board(), at).into_owned(),
    )
}

/// Returns an answer for a decision without a legal action in our rules. Prefers an offered action
/// that ends the phase. Otherwise, returns the most plausible offered action.
#[must_use]
pub fn fallback(
    vocabulary: &Vocabulary,
    game: &GameState,
    me: Player,
    offered: &OfferedActions,
) -> Value {
    if let Some(over) = offered.first_of(&[
        WireAction::Pass,
        WireAction::EndAttackPhase,
        WireAction::EndTurn,
    ]) {
        return json!({ "action": over.as_str() });
    }
    let known = [
        WireAction::ChooseCountry,
        WireAction::DeployTroops,
        WireAction::SpendCards,
        WireAction::Attack,
        WireAction::Reinforce,
    ];
    let known = offered.first_of(&known);
    let data = match known {
        Some(WireAction::ChooseCountry) => some_country(game),
        Some(WireAction::DeployTroops) => some_deployment(game, vocabulary, me),
        Some(WireAction::SpendCards) => some_cards(game, vocabulary, me),
        Some(WireAction::Attack) => some_pair(game, me, false)
            .map(|(from, to, armies)| attack(&from, &to, (armies - 1).clamp(1, 3), 0)),
        Some(WireAction::Reinforce) => {
            some_pair(game, me, true).map(|(from, to, _)| reinforce(&from, &to, 1))
        }
        _ => None,
    };
    let action = known.map_or_else(|| offered.first(), |known| known.as_str());
    match data {
        Some(data) => json!({ "action": action, "data": data }),
        None => json!({ "action": action }),
    }
}

/// Returns a free country, or the first country if none is free.
fn some_country(game: &GameState) -> Option<Value> {
    let free = game
        .board()
        .territories()
        .find(|&at| game.owner(at).is_none());
    let at = free.or_else(|| game.board().territories().next())?;
    Some(json!(country(game.board(), at)))
}

/// Deploys all armies to the player's first country, or no armies if the player has no country.
fn some_deployment(game: &GameState, vocabulary: &Vocabulary, me: Player) -> Option<Value> {
    let armies = game.counter(vocabulary.reserve, Some(me));
    let at = game.owned(me).next().filter(|_| armies > 0);
    let placed: Map<String, Value> = at
        .into_iter()
        .map(|at| (country(game.board(), at).into_owned(), armies.into()))
        .collect();
    Some(placed.into())
}

/// Returns three cards whose second card differs in kind from the first and the third. The old
/// arena accepts these cards as a set. Without such cards, returns the first three cards of the
/// hand.
fn some_cards(game: &GameState, vocabulary: &Vocabulary, me: Player) -> Option<Value> {
    let hand = game.pile(vocabulary.hand, Some(me));
    let kind = |index: usize| game.decl().cards[hand[index].index()].kind;
    let mut pick: Vec<usize> = (0..hand.len().min(3)).collect();
    'found: for b in 1..hand.len() {
        for a in 0..b {
            if let Some(c) = (b + 1..hand.len()).find(|&c| kind(a) != kind(b) && kind(b) != kind(c))
            {
                pick = vec![a, b, c];
                break 'found;
            }
        }
    }
    Some(
        pick.into_iter()
            .map(|index| card_name(game, hand[index]))
            .collect(),
    )
}

/// Returns the player's strongest country with a suitable neighbour, the neighbour, and the number
/// of armies in the country. A neighbour is suitable if the player owns it and `own` is true, or
/// vice versa.
fn some_pair(game: &GameState, me: Player, own: bool) -> Option<(String, String, i32)> {
    let board = game.board();
    let pairs = game.owned(me).filter_map(|from| {
        let to = game
            .attack_borders(me, from)
            .find(|&to| game.owns(me, to) == own)?;
        Some((game.armies(from), from, to))
    });
    let (armies, from, to) = pairs.max_by_key(|(armies, _, _)| *armies)?;
    Some((
        country(board, from).into_owned(),
        country(board, to).into_owned(),
        armies,
    ))
}
