//! A bot of ours for programs that speak line-JSON, over lines or over HTTP.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::served::{Answerer, NO_SUCH, Served, listed};
use super::served_protocol::ServedProtocol;
use risk_engine::load::diag::Level;
use risk_engine::load::diag::{LoadError, TextFile};
use risk_engine::load::lint::{LINTS, Levels};
use risk_engine::load::{self, Kind};
use risk_engine::players::{BotSource, script_bot};
use risk_engine::script::bot::ScriptBot;
use risk_engine::script::{Bound, OptionValue, RulesSource, Ruleset};
use risk_kernel::action::Options;
use risk_kernel::board::Board;
use risk_kernel::fault::BotFault;
use risk_kernel::odds::Fight;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Answer, Bot, Rules};
use risk_wire::brief;
use risk_wire::json::parse_unique_keys;
use risk_wire::line_json::{AskMessage, GameMessage, PROTOCOL, VERSION};

/// How programs of line-JSON ask a bot of ours.
pub(super) static SERVED: ServedProtocol = ServedProtocol {
    protocol: &PROTOCOL,
    about: "Programs that speak line-JSON, with any ruleset",
    over_lines: true,
    at_root: true,
    greeting: ("/status", "ready"),
    notices: &[],
    answerer: |_| Box::new(LineJsonBot::default()),
};

/// One side of a conversation in line-JSON: what a bot of ours says to what it is told.
#[derive(Default)]
pub struct LineJsonBot {
    rules: Option<KnownRules>,
    game: Option<OngoingGame>,
    /// Why the last game that was told could not begin.
    why_not: Option<String>,
}

/// The rules of the last game: the next one is often the same.
struct KnownRules {
    key: (String, Vec<(String, String)>, String, usize),
    bound: Bound,
    board: Arc<Board>,
    /// The same for a bot that imagines games.
    source: RulesSource,
}

struct OngoingGame {
    message: GameMessage,
    bot: Ours,
    /// What was seen last.
    view: View,
}

/// What decides in this game: a script of ours or another bot.
enum Ours {
    Script(Box<ScriptBot>),
    Other(Box<dyn Bot>),
}

impl Ours {
    fn bot(&mut self) -> &mut dyn Bot {
        match self {
            Self::Script(script) => script.as_mut(),
            Self::Other(bot) => bot.as_mut(),
        }
    }
}

impl Answerer for LineJsonBot {
    fn answer(&mut self, served: &Served, path: &str, body: &str) -> Result<String, String> {
        if !path.is_empty() {
            return Err(NO_SUCH.to_owned());
        }
        let reply = self.hear(served, body)?;
        Ok(reply.map(|reply| reply.to_string()).unwrap_or_default())
    }
}

impl LineJsonBot {
    /// What the bot says to a message, if anything is to be said. A question that can't be answered
    /// is answered with what is wrong, which is a fault there.
    ///
    /// # Errors
    /// What is wrong with a message to which nothing is to be said.
    pub fn hear(&mut self, served: &Served, message: &str) -> Result<Option<Value>, String> {
        let Value::Object(message) = parse_unique_keys(message, "message")? else {
            return Err("the message is not an object".to_owned());
        };
        match message.get("type").and_then(Value::as_str) {
            Some("hello") => {
                let name = &served.spec.name;
                Ok(Some(json!({
                    "type": "hello", "protocol": VERSION, "name": name, "wants": ["events"],
                })))
            }
            Some("game") => {
                let begun = self.begin(served, message);
                self.why_not = begun.as_ref().err().cloned();
                begun.map(|()| None)
            }
            Some("events") => self.events(&message).map(|()| None),
            Some("ask") => {
                let id = AskMessage::id(&message)?;
                let answer = self.ask(&message);
                Ok(Some(answer.unwrap_or_else(
                    |error| json!({ "id": id, "error": error }),
                )))
            }
            Some("over") => {
                if let Some(mut game) = self.game.take() {
                    game.bot.bot().finish(&game.view, &[], None);
                }
                Ok(None)
            }
            // What a later version may say is not for us.
            _ => Ok(None),
        }
    }

    fn begin(&mut self, served: &Served, message: Map<String, Value>) -> Result<(), String> {
        self.game = None;
        let message = GameMessage::read(message)?;
        let rules = match self.rules.take() {
            Some(known) if known.key == key(&message) => known,
            _ => bind(served, &message)?,
        };
        let known = self.rules.insert(rules);
        let view = message.view(&known.board, &known.bound.decl);
        message.fits(&view)?;
        let mut bot = made(served, known)?;
        bot.bot().meet(&message.players);
        let stream = Stream::new(message.seed, 0, Purpose::Player(message.you.0));
        bot.bot().start(&view, stream);
        self.game = Some(OngoingGame { message, bot, view });
        Ok(())
    }

    fn events(&mut self, message: &Map<String, Value>) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no game has begun")?;
        if let Ours::Script(script) = &mut game.bot
            && script.listens()
        {
            for event in GameMessage::events(&game.view, message)? {
                script.hear(event, None);
            }
        }
        Ok(())
    }

    fn ask(&mut self, message: &Map<String, Value>) -> Result<Value, String> {
        let why_not = || self.why_not.clone();
        let game = self
            .game
            .as_mut()
            .ok_or_else(|| why_not().unwrap_or_else(|| "no game has begun".to_owned()))?;
        let known = self.rules.as_mut().ok_or("no game has begun")?;
        let Bound { decl, rules, .. } = &mut known.bound;
        let me = game.message.you;
        let players = game.message.players.len();
        let mut ask = AskMessage::read(&known.board, decl, me, players, message)?;
        game.view = View::new(&ask.facts, game.message.you);
        let bot = game.bot.bot();
        let frame = *ask.facts.frame().ok_or("nothing is asked")?;
        if decl.phases[frame.phase.index()].optional && !bot.wants(frame.phase) {
            return Ok(ask.answer(&Answer::One(ask.options.nth(0))));
        }
        if bot.plans() {
            add_plans(rules, &ask.facts, game, &mut ask.options)?;
        }
        let answer = game.bot.bot().answer(&game.view, &ask.options);
        match answer {
            Ok(answer) => Ok(ask.answer(&answer)),
            Err(BotFault::Strike { text, .. }) => Err(text),
            Err(BotFault::Halt) => Err("the bot has stopped".to_owned()),
        }
    }
}

/// Plans are not told: the rules make them here, from what the player sees.
fn add_plans(
    rules: &mut dyn Rules,
    facts: &Facts,
    game: &OngoingGame,
    options: &mut Options,
) -> Result<(), String> {
    let frame = *facts.frame().ok_or("nothing is asked")?;
    let plans = rules.plans(facts, &frame, game.message.you, options);
    plans.map_err(|fault| fault.to_string())
}

fn key(message: &GameMessage) -> (String, Vec<(String, String)>, String, usize) {
    let options = message.options.clone();
    let players = message.players.len();
    (
        message.ruleset.clone(),
        options,
        message.map.clone(),
        players,
    )
}

/// The rules of the game that is told, in force on its map.
fn bind(served: &Served, message: &GameMessage) -> Result<KnownRules, String> {
    let ruleset = ruleset(served, &message.ruleset)?;
    let options: std::collections::BTreeMap<String, OptionValue> =
        ruleset.options(&message.options)?;
    let soft = LINTS.iter().filter(|lint| !lint.hard);
    let levels = Levels::new(soft.map(|lint| (lint.code, Level::Allow)), false)?;
    let file = TextFile::new("the map of the game", &message.map);
    let checked = load::map::check(&file, &levels.into());
    let board = checked.board.ok_or_else(|| {
        let wrong = checked
            .findings
            .first()
            .map_or("it is not one", |found| &found.text);
        format!("the map can't be read: {wrong}")
    })?;
    let board = Arc::new(board);
    let players = message.players.len();
    let bound = ruleset.bind(&board, &options, players, &served.limits);
    let source = ruleset.rules_source(&board, &options, players, &served.limits);
    Ok(KnownRules {
        key: key(message),
        bound: bound.map_err(|faults| listed(&faults))?,
        board,
        source,
    })
}

/// The ruleset with this name: the one that is served, or one of this program.
fn ruleset(served: &Served, name: &str) -> Result<Ruleset, String> {
    if served.rules.ruleset.manifest.name == name {
        return Ok(served.rules.ruleset.clone());
    }
    if served.rules.library.text(Kind::Ruleset, name).is_none() {
        return Err(format!(
            "there is no ruleset `{}` here: name its script with --ruleset",
            brief(name)
        ));
    }
    load::ruleset(&served.rules.library, name).map_err(|failure: LoadError| failure.to_string())
}

/// The bot, for games under these rules.
fn made(served: &Served, known: &KnownRules) -> Result<Ours, String> {
    let decl = &known.bound.decl;
    let fight = Fight::of(&known.bound.decl, known.bound.rules.tables());
    let made = match &served.spec.source {
        BotSource::Script(script) => {
            let bot = script_bot(script, decl, fight, &known.source);
            // What happened comes without how things stand.
            if bot.as_ref().is_ok_and(ScriptBot::watches) {
                let text = "a bot with saw(event, view) can't be served: write saw(event)";
                return Err(text.to_owned());
            }
            bot.map(|bot| Ours::Script(Box::new(bot)))
        }
        other => other.build(decl, fight, &known.source).map(Ours::Other),
    };
    made.map_err(|faults| listed(&faults))
}
