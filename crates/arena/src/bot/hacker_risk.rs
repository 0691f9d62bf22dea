//! A bot served to Hacker Risk arenas.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::Value;

use super::decision_point::DecisionPoint;
use super::served::{Answerer, ServedBot, begin, listed};
use super::served_protocol::ServedProtocol;
use risk_engine::HostedBot;
use risk_engine::script::{BoundRuleset, ScriptRules};
use risk_kernel::action::Action;
use risk_kernel::answer_queue::AnswerQueue;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::{Bot, Rules};
use risk_wire::ProtocolError;
use risk_wire::hacker_risk::{
    self as protocol, ArenaPosition, DecisionKind, Deployment, PROTOCOL, Vocabulary, WireAction,
    fallback, reply,
};

pub(super) static SERVED: ServedProtocol = ServedProtocol {
    protocol: &PROTOCOL,
    about: "Hacker Risk, with the ruleset hasbro",
    over_lines: false,
    at_root: false,
    greeting: ("/status", "ready"),
    notices: &["/not_turn"],
    answerer: |_| Box::new(HackerRiskBot::default()),
};

/// The maximum number of concurrent games. A new game replaces the least recently used one.
const MOST_GAMES: usize = 16;
/// The maximum number of placements in one answer. The remaining armies go to the last placement.
const MOST_PLACED: usize = 500;

/// The games of the bot, by game id and player name.
#[derive(Default)]
pub(crate) struct HackerRiskBot {
    rules: RulesByCount,
    games: BTreeMap<(String, String), OngoingGame>,
    requests: u64,
}

/// The bound rules and their vocabularies, by number of players.
#[derive(Default)]
struct RulesByCount(BTreeMap<usize, (BoundRuleset, Vocabulary)>);

impl RulesByCount {
    fn bind(
        &mut self,
        served: &ServedBot,
        count: usize,
    ) -> Result<&mut (BoundRuleset, Vocabulary), String> {
        match self.0.entry(count) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let (rules, limits) = (&served.rules, &served.limits);
                let (board, options) = (&rules.board, &rules.options);
                let bound = rules.ruleset.bind(board, options, count, limits);
                let bound = bound.map_err(|faults| listed(&faults))?;
                let vocabulary = Vocabulary::new(&bound.decl)?;
                Ok(place.insert((bound, vocabulary)))
            }
        }
    }
}

struct OngoingGame {
    bot: Box<dyn HostedBot>,
    queue: AnswerQueue,
    /// The number of the last request for this game.
    used: u64,
}

impl Answerer for HackerRiskBot {
    fn answer(
        &mut self,
        served: &ServedBot,
        path: &str,
        body: &str,
    ) -> Result<String, ProtocolError> {
        if path != "turn" {
            return Err(ProtocolError::NoSuchRequest);
        }
        self.requests += 1;
        let state = protocol::request(body)?;
        let (names, _) = protocol::players(&state)?;
        let (bound, vocabulary) = self.rules.bind(served, names.len())?;
        let position = ArenaPosition::read(&state, vocabulary, &served.rules.board, &bound.decl)?;
        let name = &position.names[position.me.index()];
        let key = (position.uid.clone(), name.clone());
        if !self.games.contains_key(&key) {
            if self.games.len() >= MOST_GAMES {
                let oldest = self.games.iter().min_by_key(|(_, game)| game.used);
                if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                    self.games.remove(&oldest);
                }
            }
            let it = &position;
            let bot = begin(served, bound, &it.names, &it.game, it.me, &it.uid)?;
            let game = OngoingGame {
                bot,
                queue: AnswerQueue::default(),
                used: 0,
            };
            self.games.insert(key.clone(), game);
        }
        let game = self
            .games
            .get_mut(&key)
            .ok_or("the game is no longer in memory")?;
        game.used = self.requests;
        let mut turn = TurnContext {
            bot: game.bot.as_mut(),
            queue: &mut game.queue,
            rules: &mut bound.rules,
            vocabulary,
            me: position.me,
        };
        Ok(turn.answer(position)?.to_string())
    }
}

struct TurnContext<'a> {
    bot: &'a mut dyn Bot,
    queue: &'a mut AnswerQueue,
    rules: &'a mut ScriptRules,
    vocabulary: &'a Vocabulary,
    me: Player,
}

impl TurnContext<'_> {
    fn answer(&mut self, position: ArenaPosition) -> Result<Value, String> {
        let ArenaPosition {
            game,
            decision,
            offered,
            ..
        } = position;
        let Some(about) = decision else {
            return Ok(fallback(self.vocabulary, &game, self.me, &offered));
        };
        if about == DecisionKind::Place {
            let (answer, game) = self.deploy(game)?;
            return Ok(
                answer.unwrap_or_else(|| fallback(self.vocabulary, &game, self.me, &offered))
            );
        }
        let mut decision = DecisionPoint::new(game, self.me, self.rules)?;
        decision.options.keep(|verb| {
            let action = self.vocabulary.wire_action(about, verb);
            action.is_some_and(|action| offered.has(action))
        });
        if decision.options.is_empty() {
            let game = decision.facts.into_game();
            return Ok(fallback(self.vocabulary, &game, self.me, &offered));
        }
        let action = decision.ask(self.bot, self.queue)?.action();
        let game = decision.facts.into_game();
        let is_attack = self.vocabulary.wire_action(about, action.verb) == Some(WireAction::Attack);
        let moving = if is_attack {
            self.move_in(game.clone(), action)?
        } else {
            0
        };
        Ok(reply(self.vocabulary, &game, about, action, moving)?)
    }

    /// Collects the bot's placements into one answer. Returns the answer and the resulting
    /// position.
    fn deploy(&mut self, mut game: GameState) -> Result<(Option<Value>, GameState), String> {
        let mut deployment = Deployment::default();
        for _ in 0..MOST_PLACED {
            let left = game.counter(self.vocabulary.reserve, Some(self.me));
            let Some(frame) = game.frame().copied().filter(|_| left > 0) else {
                break;
            };
            let mut decision = DecisionPoint::new(game, self.me, self.rules)?;
            let place = self.vocabulary.place;
            decision.options.keep(|verb| verb == place);
            if decision.options.is_empty() {
                game = decision.facts.into_game();
                break;
            }
            let legal = decision.ask(self.bot, self.queue)?;
            game = decision.facts.into_game();
            if let [at, armies, ..] = *legal.action().args() {
                let at = Territory::from_index(at as usize);
                deployment.add(game.board(), at, i64::from(armies));
            }
            self.rules
                .apply(&mut game, &frame, self.me, legal)
                .map_err(|fault| fault.to_string())?;
        }
        let left = game.counter(self.vocabulary.reserve, Some(self.me));
        Ok((deployment.reply(left), game))
    }

    /// Returns the number of additional armies that move in if the attack takes the territory. The
    /// protocol requires this number with the attack, so the bot is asked as if the attack had
    /// succeeded.
    fn move_in(&mut self, mut game: GameState, attack: Action) -> Result<i32, String> {
        let [from, to, dice, ..] = *attack.args() else {
            return Ok(0);
        };
        let source = Territory::from_index(from as usize);
        let target = Territory::from_index(to as usize);
        let defenders = game.armies(target);
        game.add_units(target, Unit::FIRST, -defenders)
            .and_then(|()| game.capture(source, target, Unit::FIRST, dice))
            .map_err(|fault| fault.to_string())?;
        let occupy = game
            .decl()
            .phase("occupy")
            .ok_or("the ruleset has no phase `occupy`")?;
        game.resume(game.turn(), self.me, occupy, [from, to, 0]);
        let decision = DecisionPoint::new(game, self.me, self.rules)?;
        if decision.options.is_empty() {
            return Ok(0);
        }
        let action = decision.next(self.bot, self.queue)?;
        let fits =
            action.verb == self.vocabulary.movement && decision.options.admit(action).is_ok();
        let armies = action.args().get(2).copied().filter(|_| fits);
        Ok(armies.unwrap_or_default())
    }
}
