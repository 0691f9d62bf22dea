//! A bot of ours for programs that speak line-JSON, over lines or over HTTP.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::served::{Answerer, NO_SUCH, Served, listed};
use super::served_protocol::ServedProtocol;
use crate::kernel::action::Options;
use crate::kernel::board::Board;
use crate::kernel::fault::BotFault;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::{Facts, View};
use crate::kernel::{Answer, Bot, Rules};
use crate::load::diag::{Failure, TextFile};
use crate::load::lint::{LINTS, Levels};
use crate::load::{self, diag::Level};
use crate::odds::Fight;
use crate::players::BotSource;
use crate::protocol::brief;
use crate::protocol::json::parse_unique_keys;
use crate::protocol::line_json::{AskTold, GameTold, PROTOCOL, VERSION};
use crate::script::bot::ScriptBot;
use crate::script::{Bound, OptionValue, Ruleset};

/// How programs of line-JSON ask a bot of ours.
pub(super) static SERVED: ServedProtocol = ServedProtocol {
    protocol: &PROTOCOL,
    about: "Programs that speak line-JSON, with any ruleset",
    over_lines: true,
    greeting: ("/status", "ready"),
    notices: &[],
    answerer: |_| Box::new(LineJsonBot::default()),
};

/// One side of a conversation in line-JSON: what a bot of ours says to what it is told.
#[derive(Default)]
pub struct LineJsonBot {
    rules: Option<KnownRules>,
    game: Option<OngoingGame>,
}

/// The rules of the last game: the next one is often the same.
struct KnownRules {
    told: (String, Vec<(String, String)>, String, usize),
    bound: Bound,
    board: Arc<Board>,
}

struct OngoingGame {
    told: GameTold,
    bot: Ours,
    /// What was seen last.
    view: View,
}

/// Who decides.
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
        let said = self.hear(served, body)?;
        Ok(said.map(|said| said.to_string()).unwrap_or_default())
    }
}

impl LineJsonBot {
    /// What the bot says to a message, if anything is to be said. A question that can't be answered
    /// is answered with what is wrong, which is a fault there.
    ///
    /// # Errors
    /// What is wrong with a message to which nothing is to be said.
    pub fn hear(&mut self, served: &Served, message: &str) -> Result<Option<Value>, String> {
        let Value::Object(said) = parse_unique_keys(message, "message")? else {
            return Err("the message is no object".to_owned());
        };
        match said.get("type").and_then(Value::as_str) {
            Some("hello") => {
                let name = &served.spec.name;
                Ok(Some(json!({
                    "type": "hello", "protocol": VERSION, "name": name, "wants": ["events"],
                })))
            }
            Some("game") => self.begin(served, said).map(|()| None),
            Some("events") => self.events(&said).map(|()| None),
            Some("ask") => {
                let id = AskTold::id(&said)?;
                let answer = self.ask(&said);
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

    fn begin(&mut self, served: &Served, said: Map<String, Value>) -> Result<(), String> {
        self.game = None;
        let told = GameTold::read(said)?;
        let rules = match self.rules.take() {
            Some(known) if known.told == key(&told) => known,
            _ => bind(served, &told)?,
        };
        let known = self.rules.insert(rules);
        let view = told.view(&known.board, &known.bound.decl);
        told.fits(&view)?;
        let mut bot = made(served, known, told.players.len())?;
        bot.bot().meet(&told.players);
        let stream = Stream::new(told.seed, 0, Purpose::Player(told.you.0));
        bot.bot().start(&view, stream);
        self.game = Some(OngoingGame { told, bot, view });
        Ok(())
    }

    fn events(&mut self, said: &Map<String, Value>) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("no game has begun")?;
        if let Ours::Script(script) = &mut game.bot
            && script.listens()
        {
            for event in GameTold::events(&game.view, said)? {
                script.hear(event);
            }
        }
        Ok(())
    }

    fn ask(&mut self, said: &Map<String, Value>) -> Result<Value, String> {
        let game = self.game.as_mut().ok_or("no game has begun")?;
        let known = self.rules.as_mut().ok_or("no game has begun")?;
        let Bound { decl, rules, .. } = &mut known.bound;
        let seat = (game.told.you, game.told.players.len());
        let mut ask = AskTold::read(&known.board, decl, seat, said)?;
        game.view = View::new(&ask.facts, game.told.you);
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
    let plans = rules.plans(facts, &frame, game.told.you, options);
    plans.map_err(|fault| fault.to_string())
}

fn key(told: &GameTold) -> (String, Vec<(String, String)>, String, usize) {
    let options = told.options.clone();
    let players = told.players.len();
    (told.ruleset.clone(), options, told.map.clone(), players)
}

/// The rules of the game that is told, in force on its map.
fn bind(served: &Served, told: &GameTold) -> Result<KnownRules, String> {
    let ruleset = ruleset(served, &told.ruleset)?;
    let options: std::collections::BTreeMap<String, OptionValue> =
        ruleset.options(&told.options)?;
    let soft = LINTS.iter().filter(|lint| !lint.hard);
    let levels = Levels::new(soft.map(|lint| (lint.code, Level::Allow)), false)?;
    let file = TextFile::new("the map of the game", &told.map);
    let checked = load::map::check(&file, &levels);
    let board = checked.board.ok_or_else(|| {
        let wrong = checked
            .findings
            .first()
            .map_or("it is none", |found| &found.text);
        format!("the map can't be read: {wrong}")
    })?;
    let board = Arc::new(board);
    let players = told.players.len();
    let bound = ruleset.bind(&board, &options, players, &served.limits);
    Ok(KnownRules {
        told: key(told),
        bound: bound.map_err(|faults| listed(&faults))?,
        board,
    })
}

/// The ruleset with this name: the one that is served, or one of this program.
fn ruleset(served: &Served, name: &str) -> Result<Ruleset, String> {
    if served.rules.ruleset.manifest.name == name {
        return Ok(served.rules.ruleset.clone());
    }
    if !load::Kind::Ruleset.names().contains(&name) {
        return Err(format!(
            "there is no ruleset `{}` here: say with --ruleset where its script is",
            brief(name)
        ));
    }
    load::ruleset(name).map_err(|failure: Failure| failure.to_string())
}

/// The bot, for games under these rules.
fn made(served: &Served, known: &KnownRules, players: usize) -> Result<Ours, String> {
    let decl = &known.bound.decl;
    let board = &known.board;
    let fight = Fight::from_tables(known.bound.rules.tables());
    let limits = &served.limits;
    let made = match &served.spec.source {
        BotSource::Script(script) => {
            let bot = ScriptBot::new(script, decl, board.len(), players, fight, limits);
            bot.map(|bot| Ours::Script(Box::new(bot)))
        }
        other => other
            .build(decl, board, players, fight, limits)
            .map(Ours::Other),
    };
    made.map_err(|faults| listed(&faults))
}
