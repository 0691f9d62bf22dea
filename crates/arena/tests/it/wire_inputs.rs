//! Arbitrary input from the wire, read as by an arena, by a served bot, and as a bot's answer: no
//! panic, no hang, and every answer and message is bounded. Tests read the seeds; fuzz targets go
//! on from there.
//!
//! The first byte of an input, a digit, selects the recipient; the rest is the text on the wire.

use risk_testing::games::library;
use std::cell::RefCell;
use std::slice;
use std::sync::Arc;

use risk_arena::bot::{Answerer, SERVED, ServedBot, ServedProtocol};
use risk_arena::{ARENAS, ArenaProtocol, read_frames};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{BoundRuleset, ScriptLimits};
use risk_engine::{RuleSetup, empty_game, names};
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::id::{Player, Unit};
use risk_kernel::phases::Asked;
use risk_kernel::view::{Facts, View};
use risk_kernel::words::Words as KernelWords;
use risk_kernel::{Answer, Rules};
use risk_wire::transport::frames::{FrameLink, LONGEST_FRAME, Outbox};
use risk_wire::transport::http;
use risk_wire::{JoinRequest, ProtocolError, callback, codelab, hacker_risk};
use serde_json::{Value, json};

/// The longest message about an input, in characters.
const LONGEST: usize = 1_000;

/// Splits an input into its recipient and its text.
fn split(data: &[u8]) -> Option<(usize, &str)> {
    let (first, rest) = data.split_first()?;
    Some((
        usize::from(first.wrapping_sub(b'0')),
        std::str::from_utf8(rest).ok()?,
    ))
}

fn is_bounded(text: &str) {
    let length = text.chars().count();
    assert!(
        length <= LONGEST,
        "{length} characters: {}",
        text.chars().take(200).collect::<String>()
    );
}

pub(crate) fn arena(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let kinds = ["", "application/x-www-form-urlencoded", "application/json"];
    let arena = ARENAS
        [usize::from(first / 6 % 2) * 2 + usize::from(first % 2) * usize::from(first / 6 % 2 == 0)];
    match (arena.read_join)(kinds[usize::from(*first) / 2 % 3], rest) {
        Ok(JoinRequest { name, url, .. }) => {
            match names::check(&name) {
                Ok(()) => {
                    assert!(
                        names::on_wire(slice::from_ref(&name)) == [name.as_str()]
                            && name.chars().count() <= 30
                    )
                }
                Err(text) => is_bounded(&text.to_string().replace(&name, "")),
            }
            // The address gets no request; the check only has to end.
            let _ = http::is_url(&url);
        }
        Err(text) => is_bounded(&text.to_string()),
    }
}

/// Reads the messages of a bot that connects to the server, after its handshake.
pub(crate) fn frames(data: &[u8]) {
    let link = FrameLink::default();
    let Ok(number) = link.connect(Box::new(DeafOutbox)) else {
        panic!("a link that nobody has closed")
    };
    let why = read_frames(data, |text| {
        assert!(text.len() <= LONGEST_FRAME);
        if let Err(why) = codelab::PlayerEvent::read(&text) {
            is_bounded(&why.to_string());
        }
        link.receive(number, text)
    });
    is_bounded(&why);
    assert!(!why.is_empty());
}

/// A receiver that accepts every frame and never sends one.
struct DeafOutbox;

impl Outbox for DeafOutbox {
    fn say(&mut self, _: &str) -> bool {
        true
    }

    fn close(&mut self, _: &str) {}
}

/// Serves the rules and the board of a protocol, with a small map.
fn served(ruleset: &str) -> ServedBot {
    let (map, bot) = match ruleset {
        "hasbro" => ("random:8:1", "outnumber"),
        _ => ("grid:3x2", "odds"),
    };
    let mut spec = BotSpec::parse(library(), bot).expect("a built-in bot");
    spec.name = "me".to_owned();
    ServedBot {
        spec,
        rules: RuleSetup::load(library(), ruleset, Some(map), &[]).expect("a built-in ruleset"),
        limits: ScriptLimits::default(),
    }
}

/// A served bot, and its memory of earlier requests.
struct BotService {
    served: ServedBot,
    protocol: &'static ServedProtocol,
    answerer: Box<dyn Answerer>,
}

fn bot(protocol: &'static ServedProtocol) -> BotService {
    let served = served(protocol.protocol.ruleset);
    BotService {
        answerer: (protocol.answerer)(&served),
        protocol,
        served,
    }
}

thread_local! {
    static BOTS: RefCell<[BotService; 2]> = RefCell::new(SERVED.map(bot));
}

const MOST_REQUESTS: usize = 8;

/// Answers the requests of arenas, one a line. Each answer must be among the offered actions.
pub(crate) fn requests(data: &[u8]) {
    BOTS.with_borrow_mut(|bots| {
        // Other inputs must not matter, or no finding could be reproduced.
        for bot in &mut *bots {
            bot.answerer = (bot.protocol.answerer)(&bot.served);
        }
        for line in data.split(|&byte| byte == b'\n').take(MOST_REQUESTS) {
            request(bots, line);
        }
    });
}

fn request([risk, json]: &mut [BotService; 2], line: &[u8]) {
    let Some((bot, body)) = split(line) else {
        return;
    };
    if bot.is_multiple_of(2) {
        match risk.answerer.answer(&risk.served, "turn", body) {
            Ok(said) => is_offered(body, &said),
            Err(text) => is_bounded(&text.to_string()),
        }
        return;
    }
    // Line-JSON has no paths: a message has a type.
    match json.answerer.answer(&json.served, "", body) {
        Ok(said) if said.is_empty() => {}
        Ok(said) => drop(serde_json::from_str::<Value>(&said).expect("an answer is JSON")),
        Err(text) => is_bounded(&text.to_string()),
    }
}

fn is_offered(body: &str, said: &str) {
    let said: Value = serde_json::from_str(said).expect("an answer is JSON");
    let Ok(state) = serde_json::from_str::<Value>(body) else {
        return;
    };
    let state = state
        .get("risk")
        .filter(|inner| inner.is_object())
        .unwrap_or(&state);
    let offered = state.pointer("/you/available_actions");
    if let Some(Value::Array(offered)) = offered {
        assert!(
            offered.contains(&said["action"]),
            "{said} is not among {offered:?}"
        );
    }
}

/// The rules in force at a table of three.
struct RulesInForce {
    board: Arc<Board>,
    bound: BoundRuleset,
}

fn table(arena: &'static ArenaProtocol) -> RulesInForce {
    let ServedBot { rules, limits, .. } = served(arena.protocol.ruleset);
    let Ok(bound) = rules.bind(3, &limits) else {
        panic!("a ruleset in force")
    };
    RulesInForce {
        board: rules.board,
        bound,
    }
}

thread_local! {
    static TABLES: RefCell<[RulesInForce; 2]> =
        RefCell::new([table(ARENAS[0]), table(ARENAS[1])]);
}

/// States in which a bot has a decision: the owner and armies of eight countries, the turn, and the
/// actions offered.
const ASKED: [(&str, i64, &[&str]); 5] = [
    (
        "none 0 me 1 x 1 y 1 none 0 x 1 me 1 y 1",
        0,
        &["choose_country"],
    ),
    ("x 2 me 1 x 1 y 1 y 3 x 1 me 4 y 1", 5, &["deploy_troops"]),
    (
        "x 2 me 1 x 1 y 1 y 3 x 1 me 4 y 1",
        5,
        &["spend_cards", "pass"],
    ),
    (
        "x 2 me 3 x 1 y 1 y 3 x 1 me 4 me 1",
        5,
        &["attack", "end_attack_phase"],
    ),
    (
        "x 2 me 3 x 1 y 1 me 3 me 1 me 4 me 1",
        5,
        &["reinforce", "end_turn"],
    ),
];

fn state(board: &Board, (lands, turn, offered): (&str, i64, &[&str])) -> Value {
    let parts: Vec<&str> = lands.split(' ').collect();
    let name = |at: usize| {
        board
            .info(board.territories().nth(at).expect("eight territories"))
            .id
            .replace('-', " ")
    };
    let land = |(at, pair): (usize, &[&str])| {
        let troops: i64 = pair[1].parse().expect("a number");
        (name(at), json!({ "owner": pair[0], "troops": troops }))
    };
    let countries: serde_json::Map<String, Value> = parts.chunks(2).enumerate().map(land).collect();
    let player =
        |cards: usize| json!({ "cards": cards, "is_eliminated": false, "is_neutral": false });
    let cards: Vec<Value> = ["wild1", "wild2"]
        .iter()
        .map(|name| name.to_string())
        .chain([name(0), name(1)])
        .map(|name| card(&name))
        .collect();
    json!({
        "game": { "countries": countries, "players": { "me": player(4), "x": player(1), "y": player(0) },
                  "cards_left": 3, "turn": turn, "uid": "u", "last_action": "", "broadcast_count": 0 },
        "you": { "name": "me", "is_eliminated": false, "earned_cards_this_turn": false, "cards": cards,
                 "countries": [], "troops_to_deploy": 5, "available_actions": offered },
    })
}

fn card(name: &str) -> Value {
    json!({ "country_name": name, "value": "wild" })
}

/// Reads an answer of a bot: a readable answer belongs to the protocol, and uses only offered
/// verbs.
pub(crate) fn answers(data: &[u8]) {
    let Some((place, text)) = split(data) else {
        return;
    };
    TABLES.with_borrow_mut(|[risk, call]| {
        if place % 8 < ASKED.len() {
            answer_of_risk(risk, ASKED[place % 8], text);
        } else {
            answer_of_call(call, place % 8 - ASKED.len(), text);
        }
    });
}

fn answer_of_risk(table: &mut RulesInForce, asked: (&str, i64, &[&str]), text: &str) {
    let words = hacker_risk::Vocabulary::new(&table.bound.decl).expect("hasbro has all words");
    let state = state(&table.board, asked);
    let read = hacker_risk::ArenaPosition::read(&state, &words, &table.board, &table.bound.decl);
    let position = read.expect("a good state");
    let me = position.me;
    let frame = *position.game.frame().expect("something is asked");
    let facts = Facts::new(position.game);
    let mut options = Options::new();
    table
        .bound
        .rules
        .options(Asked::new(&facts, &frame, me), &mut options)
        .expect("the rules are fine");
    let view = View::new(&facts, me);
    assert!(!options.is_empty(), "{asked:?}");
    let available = words
        .available(&view, &options)
        .expect("the protocol asks here");
    check(
        hacker_risk::answer(&words, &view, &options, text, &available),
        &view,
        &options,
    );
}

fn answer_of_call(table: &mut RulesInForce, place: usize, text: &str) {
    let words =
        callback::CallbackVocabulary::new(&table.bound.decl).expect("simplified has all words");
    let me = Player(0);
    let mut game = empty_game(&table.board, &table.bound.decl, 2);
    for at in table.board.territories() {
        let owner = if place == 0 {
            at.index() % 3
        } else {
            at.index() % 2
        };
        if owner < 2 {
            game.set_owner(at, Some(Player::from_index(owner)));
            game.add_units(at, Unit::FIRST, 3).expect("few units");
        }
    }
    let reserve = table.bound.decl.counter("reserve").expect("a counter");
    game.set_counter(reserve, Some(me), 3).expect("few armies");
    let phase = ["placement", "assault", "press_on"][place];
    let phase = table.bound.decl.phase(phase).expect("a phase");
    game.resume(1, me, phase, [0, 1, 0]);
    let frame = *game.frame().expect("something is asked");
    let facts = Facts::new(game);
    let mut options = Options::new();
    table
        .bound
        .rules
        .options(Asked::new(&facts, &frame, me), &mut options)
        .expect("the rules are fine");
    assert!(!options.is_empty(), "{place}");
    let view = View::new(&facts, me);
    check(
        callback::answer(&words, &view, &options, text),
        &view,
        &options,
    );
}

/// Checks that an answer has an offered verb and is accepted or refused with a bounded reason, and
/// that an unreadable answer has a bounded reason.
fn check(read: Result<Answer, ProtocolError>, view: &View, options: &Options) {
    let words = KernelWords::new(view.board(), view.decl());
    let admitted = |action: Action| match options.admit(action) {
        // The cards of a set may be named in any order.
        Ok(legal) => {
            let sorted = |action: Action| {
                let mut args = action.args().to_vec();
                args.sort_unstable();
                (action.verb, args)
            };
            assert_eq!(sorted(legal.action()), sorted(action));
        }
        Err(why) => is_bounded(&words.refusal(options, action, why)),
    };
    match read {
        Ok(Answer::One(action)) => {
            assert!(options.has(action.verb));
            admitted(action);
        }
        Ok(Answer::Steps(steps)) => {
            assert!(
                steps.len() <= 1_000 && steps.iter().all(|step| !step.args().is_empty()),
                "{} steps",
                steps.len()
            );
            steps.into_iter().take(1).for_each(admitted);
        }
        Err(text) => is_bounded(&text.to_string()),
    }
}

/// Reads every seed: whole, cut short at some places, and with one byte changed.
#[cfg(test)]
fn around(target: &str, read: fn(&[u8])) {
    let all = risk_testing::by_case::files(&format!("fuzz/seeds/{target}"));
    assert!(all.len() >= 8, "{target} has {} seeds", all.len());
    risk_testing::by_case::each(all, |name| {
        let data = std::fs::read(risk_testing::by_case::root().join(name)).expect("a seed");
        assert!(!data.is_empty(), "{name} is empty");
        read(&data);
        for step in 0..20 {
            let at = data.len() * step / 20;
            read(&data[..at]);
            let mut changed = data.clone();
            if let Some(byte) = changed.get_mut(at) {
                *byte ^= 1 << (step % 8);
            }
            read(&changed);
        }
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn arenas_read_anything() {
        super::around("arena", super::arena);
    }

    #[test]
    fn sockets_read_anything() {
        super::around("frames", super::frames);
    }

    #[test]
    fn served_bots_read_anything() {
        super::around("requests", super::requests);
    }

    #[test]
    fn answers_can_be_anything() {
        super::around("answers", super::answers);
    }
}
