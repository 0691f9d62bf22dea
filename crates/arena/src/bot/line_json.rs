//! A bot served to programs that speak line-JSON, over stdin and stdout or over HTTP.

use risk_maps::files::FileKind;
use std::error::Error as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::served::{Answerer, ServedBot, listed};
use super::served_protocol::ServedProtocol;
use risk_engine::script::bot::ScriptBot;
use risk_engine::script::manifest::OptionValue;
use risk_engine::script::{BoundRuleset, RulesSource, Ruleset, ScriptFault};
use risk_engine::{BotSource, BuildError, HostedBot, RuleSetup, load_ruleset, script_bot};
use risk_kernel::action::Options;
use risk_kernel::board::Board;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::{Phase, Player};
use risk_kernel::phases::Asked;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Answer, Bot, Plans, Preferences, Rules};
use risk_maps::lint::{LINTS, Levels};
use risk_text::diag::Level;
use risk_text::diag::{LoadError, TextFile};
use risk_wire::json::parse_unique_keys;
use risk_wire::line_json::{AskMessage, GameMessage, PROTOCOL, VERSION, message_type};
use risk_wire::{Failure, FailurePlace, ProtocolError, brief};

pub(super) static SERVED: ServedProtocol = ServedProtocol {
    protocol: &PROTOCOL,
    about: "Line-JSON, with any ruleset",
    over_lines: true,
    at_root: true,
    greeting: ("/status", "ready"),
    notices: &[],
    answerer: |_| Box::new(LineJsonBot::default()),
};

/// The bot's side of a line-JSON conversation.
#[derive(Default)]
pub struct LineJsonBot {
    /// The rules of the last game and a bot for them. The next game with the same rules reuses
    /// both.
    known: Option<BoundBot>,
    game: Option<CurrentGame>,
    /// The reason why the game of the last `game` message could not begin.
    why_not: Option<String>,
}

/// The ruleset's name, options, map and number of players. A bot is created for these values.
type BindingKey = (String, Vec<(String, String)>, String, usize);

struct BoundBot {
    /// The values for which the bot was created, or `None` before the first game.
    key: Option<BindingKey>,
    bound: BoundRuleset,
    board: Arc<Board>,
    bot: LocalBot,
}

struct CurrentGame {
    message: GameMessage,
    view: View,
}

enum LocalBot {
    Script(Box<ScriptBot>),
    Other(Box<dyn HostedBot>),
}

impl LocalBot {
    fn bot(&mut self) -> &mut dyn HostedBot {
        match self {
            Self::Script(script) => script.as_mut(),
            Self::Other(bot) => bot.as_mut(),
        }
    }
}

impl Answerer for LineJsonBot {
    fn answer(
        &mut self,
        served: &ServedBot,
        path: &str,
        body: &str,
    ) -> Result<String, ProtocolError> {
        if !path.is_empty() {
            return Err(ProtocolError::NoSuchRequest);
        }
        let reply = self.hear(served, body)?;
        Ok(reply.map(|reply| reply.to_string()).unwrap_or_default())
    }
}

impl LineJsonBot {
    /// Handles a message and returns the bot's reply, if any. If a question can't be answered, the
    /// reply is an error, which the other program counts as a fault.
    ///
    /// # Errors
    /// Returns an error for an invalid message that gets no reply.
    pub fn hear(
        &mut self,
        served: &ServedBot,
        message: &str,
    ) -> Result<Option<Value>, ProtocolError> {
        // Most messages are questions. This program writes their type first.
        let is_question = message.starts_with("{\"type\":\"ask\"");
        let kind = if is_question {
            "ask".into()
        } else {
            message_type(message)?
        };
        match &*kind {
            "hello" => Ok(Some(self.hello(served))),
            "game" => {
                let begun = self.begin(served, object(message)?);
                self.why_not = begun.as_ref().err().cloned();
                begun?;
                Ok(None)
            }
            "events" => {
                self.events(&object(message)?)?;
                Ok(None)
            }
            "ask" => Ok(Some(match self.ask(message) {
                Ok((ask, Ok(answer))) => ask.answer(&answer),
                Ok((ask, Err(fault))) => AskMessage::failure(ask.id, &failure(&fault)),
                Err(text) => {
                    let id = AskMessage::id(message)?;
                    AskMessage::failure(id, &plain(FaultKind::Connection, &text))
                }
            })),
            "over" => {
                if let (Some(game), Some(known)) = (self.game.take(), &mut self.known) {
                    let seen = game.message.state(&game.view, &object(message)?)?;
                    let view = seen.unwrap_or(game.view);
                    known.bot.bot().finish(&view, &[], None);
                }
                Ok(None)
            }
            // Later versions of the protocol may add messages.
            _ => Ok(None),
        }
    }

    /// Returns the `hello` message. If the rules are known, it requests exactly what the bot needs.
    /// The bot then plays as it would inside the other program.
    fn hello(&self, served: &ServedBot) -> Value {
        let name = &served.spec.name;
        let mut hello = json!({
            "type": "hello", "protocol": VERSION, "name": name,
            "wants": ["events", "course", "indices"],
        });
        if let Some(known) = &self.known
            && let LocalBot::Script(script) = &known.bot
        {
            let preferred = script.preferences();
            let optional = preferred.optional;
            let wants = [
                ("events", preferred.listens),
                ("states", script.watches()),
                ("plans", preferred.plans != Plans::Ignored),
                ("course", true),
                ("indices", true),
            ];
            let wants = wants.into_iter().filter(|(_, wanted)| *wanted);
            let phases = known.bound.decl.phases.iter().enumerate();
            let phases = phases
                .filter(|&(index, info)| info.optional && optional.has(Phase::from_index(index)));
            hello["wants"] = wants.map(|(want, _)| want).collect();
            hello["phases"] = phases.map(|(_, info)| info.name.as_str()).collect();
        }
        hello
    }

    /// Creates a bot for the served rules, before the first `game` message.
    ///
    /// # Errors
    /// Returns every fault found in the rules or the bot's script.
    pub fn ready(served: &ServedBot, players: usize) -> Result<Self, BuildError> {
        let RuleSetup { board, options, .. } = &served.rules;
        let board = Arc::clone(board);
        let ruleset = &served.rules.ruleset;
        let bound = ruleset.bind(&board, options, players, &served.limits)?;
        let source = served.rules.rules_source(players, &served.limits);
        let known = BoundBot {
            key: None,
            bot: made(served, &bound, &source)?,
            bound,
            board,
        };
        Ok(Self {
            known: Some(known),
            ..Self::default()
        })
    }

    fn begin(&mut self, served: &ServedBot, message: Map<String, Value>) -> Result<(), String> {
        self.game = None;
        let message = GameMessage::read(message)?;
        let is_known = |known: &BoundBot| known.key.as_ref().is_none_or(|it| *it == key(&message));
        let mut known = match self.known.take() {
            Some(known) if is_known(&known) => known,
            _ => bind(served, &message)?,
        };
        let view = message.view(&known.board, &known.bound.decl)?;
        message.fits(&view)?;
        known.key = Some(key(&message));
        let BoundBot { bot, .. } = self.known.insert(known);
        bot.bot().meet(&message.players);
        let stream = message.stream.clone();
        let own = || Stream::new(message.seed, 0, Purpose::Player(message.you.0));
        bot.bot().start(&view, stream.unwrap_or_else(own));
        self.game = Some(CurrentGame { message, view });
        Ok(())
    }

    fn events(&mut self, message: &Map<String, Value>) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no game has begun")?;
        let known = self.known.as_mut().ok_or("no game has begun")?;
        if let LocalBot::Script(script) = &mut known.bot
            && script.preferences().listens
        {
            let seen = game.message.state(&game.view, message)?;
            for event in GameMessage::events(&game.view, message)? {
                script.hear(event, seen.as_ref());
            }
        }
        Ok(())
    }

    /// Asks the bot a question and returns its answer or its fault.
    fn ask(&mut self, message: &str) -> Result<(AskMessage, Result<Answer, BotFault>), String> {
        let why_not = || self.why_not.clone();
        let (Some(game), Some(known)) = (&mut self.game, &mut self.known) else {
            return Err(why_not().unwrap_or_else(|| "no game has begun".to_owned()));
        };
        let BoundBot {
            bound, board, bot, ..
        } = known;
        let me = game.message.you;
        let players = game.message.players.len();
        let mut ask = AskMessage::read(board, &bound.decl, me, players, message)?;
        game.view = View::new(&ask.facts, me);
        let bot = bot.bot();
        let Preferences {
            plans, optional, ..
        } = bot.preferences();
        let frame = *ask
            .facts
            .frame()
            .ok_or("the player has nothing to decide")?;
        if bound.decl.phases[frame.phase.index()].optional && !optional.has(frame.phase) {
            let first = Answer::One(ask.options.nth(0));
            return Ok((ask, Ok(first)));
        }
        if plans != Plans::Ignored && !ask.tells_plans {
            add_plans(&mut bound.rules, &ask.facts, me, &mut ask.options)?;
        }
        let answer = match bot.answer(&game.view, &ask.options) {
            // This program may not report faults of the ruleset, which cost no strike.
            Err(BotFault::Strike {
                kind: FaultKind::Rules,
                ..
            }) => Ok(Answer::One(ask.options.nth(0))),
            other => other,
        };
        Ok((ask, answer))
    }
}

fn object(message: &str) -> Result<Map<String, Value>, String> {
    match parse_unique_keys(message, "message")? {
        Value::Object(message) => Ok(message),
        _ => Err("the message must be a JSON object".to_owned()),
    }
}

/// Converts the bot's fault, with its location in the script if available.
fn failure(fault: &BotFault) -> Failure {
    let BotFault::Strike { kind, text, .. } = fault else {
        return plain(FaultKind::Script, "the bot has stopped");
    };
    let script = fault
        .source()
        .and_then(|it| it.downcast_ref::<ScriptFault>());
    match script {
        Some(script) => Failure {
            code: kind.as_str().to_owned(),
            cause: Some(script.code.to_string()),
            ..in_script(script)
        },
        None => plain(*kind, text),
    }
}

fn plain(kind: FaultKind, text: &str) -> Failure {
    Failure {
        code: kind.as_str().to_owned(),
        text: text.to_owned(),
        ..Failure::default()
    }
}

/// Converts a fault of a script to the failure that a bot reports.
#[must_use]
pub fn in_script(fault: &ScriptFault) -> Failure {
    Failure {
        code: fault.code.to_string(),
        cause: None,
        text: fault.to_string(),
        help: fault.help.clone(),
        place: fault.place.as_ref().map(|place| FailurePlace {
            file: place.source.name.to_string(),
            line: place.line,
            column: place.column,
        }),
    }
}

/// Adds the plans that the message lacks. The rules compute them from what the player sees.
fn add_plans(
    rules: &mut dyn Rules,
    facts: &Facts,
    me: Player,
    options: &mut Options,
) -> Result<(), String> {
    let frame = *facts.frame().ok_or("the player has nothing to decide")?;
    let plans = rules.plans(Asked::new(facts, &frame, me), options);
    plans.map_err(|fault| fault.to_string())
}

fn key(message: &GameMessage) -> BindingKey {
    let options = message.options.clone();
    let players = message.players.len();
    (
        message.ruleset.clone(),
        options,
        message.map.clone(),
        players,
    )
}

/// Binds the rules in a `game` message to its map, and creates the bot.
fn bind(served: &ServedBot, message: &GameMessage) -> Result<BoundBot, String> {
    let ruleset = ruleset(served, &message.ruleset)?;
    let options: std::collections::BTreeMap<String, OptionValue> =
        ruleset.options(&message.options)?;
    let soft = LINTS.iter().filter(|lint| !lint.hard);
    let levels = Levels::new(soft.map(|lint| (lint.code, Level::Allow)), false)
        .map_err(|error| error.to_string())?;
    let file = TextFile::new("the game's map", &message.map);
    let checked = risk_maps::map::check(&file, &levels.into());
    let board = checked.board.ok_or_else(|| {
        let wrong = checked
            .findings
            .first()
            .map_or("can't build a board from it", |found| &found.text);
        format!("invalid map: {wrong}")
    })?;
    let board = Arc::new(board);
    let players = message.players.len();
    let bound = ruleset.bind(&board, &options, players, &served.limits);
    let bound = bound.map_err(|faults| listed(&faults))?;
    let source = ruleset.rules_source(&board, &options, players, &served.limits);
    let bot = made(served, &bound, &source).map_err(|error| error.to_string())?;
    if let LocalBot::Script(script) = &bot
        && script.watches()
    {
        // `events` messages contain no state unless the bot requests `states`.
        return Err("can't serve a bot with saw(event, view): use saw(event)".to_owned());
    }
    Ok(BoundBot {
        key: None,
        bound,
        board,
        bot,
    })
}

/// Finds a ruleset by name: the served ruleset, or a ruleset in the library.
fn ruleset(served: &ServedBot, name: &str) -> Result<Ruleset, String> {
    if served.rules.ruleset.manifest.decl.name == name {
        return Ok(served.rules.ruleset.clone());
    }
    if served.rules.library.text(FileKind::Ruleset, name).is_none() {
        return Err(format!(
            "unknown ruleset `{}`: name its script with --ruleset",
            brief(name)
        ));
    }
    load_ruleset(&served.rules.library, name).map_err(|failure: LoadError| failure.to_string())
}

fn made(
    served: &ServedBot,
    bound: &BoundRuleset,
    rules: &RulesSource,
) -> Result<LocalBot, BuildError> {
    let decl = &bound.decl;
    let fight = bound.rules.fight();
    match &served.spec.source {
        BotSource::Script(script) => {
            let bot = script_bot(script, decl, fight, rules)?;
            Ok(LocalBot::Script(Box::new(bot)))
        }
        other => other.build(decl, fight, rules).map(LocalBot::Other),
    }
}
