//! The code lab's arena: every event must fit the board that the earlier events made.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_testing::games::board;
use risk_testing::watchdog::watch;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::server::Server;
use crate::server::replayed;

fn world() -> &'static Board {
    static WORLD: OnceLock<Arc<Board>> = OnceLock::new();
    WORLD.get_or_init(|| board("world"))
}

/// Returns a territory's id in the code lab's spelling.
fn theirs(id: &str) -> String {
    id.replace('-', "_").replace("yakutsk", "yakursk")
}

/// A client of the arena, and the board as the events describe it.
struct Client {
    socket: WebSocket<TcpStream>,
    id: u64,
    heard: Vec<Value>,
    /// Owner and armies by country.
    lands: BTreeMap<String, (u64, i64)>,
    order: Vec<u64>,
    turn: u64,
    /// 0: reinforcement, 1: attack, 2: fortification.
    step: u32,
    reinforcement: i64,
    /// Origin and target of a conquest, until armies follow.
    conquest: Option<(String, String)>,
    lost: Vec<u64>,
    won: Option<u64>,
    /// Whether the client never attacks.
    is_timid: bool,
}

impl Client {
    fn enter(address: &str) -> Self {
        watch();
        let stream = TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://{address}/ws"), stream).unwrap();
        let mut client = Self {
            socket,
            id: 0,
            heard: Vec::new(),
            lands: BTreeMap::new(),
            order: Vec::new(),
            turn: 0,
            step: 0,
            reinforcement: 0,
            conquest: None,
            lost: Vec::new(),
            won: None,
            is_timid: false,
        };
        let welcome = client.next();
        assert_eq!(welcome["event"], "Welcome");
        client.id = welcome["data"]["playerId"].as_u64().unwrap();
        client.heard.clear();
        client
    }

    fn say(&mut self, event: &str, mut data: Value) {
        data["playerId"] = json!(self.id);
        let text = json!({ "event": event, "data": data }).to_string();
        self.socket.send(Message::text(text)).unwrap();
    }

    fn join(&mut self, name: &str) {
        self.say(
            "JoinGame",
            json!({ "name": name, "avatar": "a.png", "color": "red" }),
        );
    }

    fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value.as_object().unwrap().len(), 2, "{value}");
                self.heard.push(value.clone());
                self.follow(&value);
                return value;
            }
        }
    }

    /// Reads events up to the first with this name, and returns it.
    fn until(&mut self, name: &str) -> Value {
        loop {
            let event = self.next();
            if event["event"] == name {
                return event;
            }
        }
    }

    fn land(&mut self, country: &Value) -> &mut (u64, i64) {
        let country = country.as_str().unwrap();
        self.lands
            .get_mut(country)
            .unwrap_or_else(|| panic!("{country}"))
    }

    /// Applies an event, which must fit the board.
    fn follow(&mut self, event: &Value) {
        let data = &event["data"];
        let player = data["playerId"].as_u64().unwrap_or_default();
        match event["event"].as_str().unwrap() {
            "GameStarted" => {
                let order = data["playersOrder"].as_array().unwrap();
                self.order = order.iter().map(|id| id.as_u64().unwrap()).collect();
            }
            "ArmyPlaced" => {
                let country = data["country"].as_str().unwrap().to_owned();
                let land = self.lands.entry(country).or_insert((player, 0));
                assert_eq!(land.0, player, "{event}");
                land.1 += 1;
                self.reinforcement -= i64::from(self.turn == player);
            }
            "NextPlayer" => {
                assert!(
                    self.conquest.is_none() && !self.lost.contains(&player),
                    "{event}"
                );
                self.turn = player;
                self.step = 0;
                self.reinforcement = data["reinforcement"].as_i64().unwrap();
                assert_eq!(self.reinforcement, self.income(player), "{event}");
            }
            "NextStep" => {
                assert!(
                    self.conquest.is_none() && self.reinforcement == 0,
                    "{event}"
                );
                self.step += 1;
                assert!(self.step <= 2);
            }
            "BattleEnded" => self.battle(data),
            "ArmyMoved" => {
                assert_eq!(player, self.turn);
                let armies = data["armies"].as_i64().unwrap();
                let from = self.land(&data["from"]);
                assert!(from.0 == player && from.1 > armies && armies > 0, "{event}");
                from.1 -= armies;
                let to = self.land(&data["to"]);
                assert_eq!(to.0, player, "{event}");
                to.1 += armies;
                self.conquest = None;
            }
            "PlayerLost" => {
                assert!(self.lands.values().all(|land| land.0 != player), "{event}");
                self.lost.push(player);
            }
            "PlayerWon" => {
                assert!(self.lands.values().all(|land| land.0 == player), "{event}");
                self.won = Some(player);
            }
            _ => {}
        }
    }

    /// Returns the reinforcement for territories and continents, at least 3.
    fn income(&self, player: u64) -> i64 {
        let board = world();
        let ours = |country: &str| country.replace("yakursk", "yakutsk").replace('_', "-");
        let own = self.lands.iter().filter(|(_, land)| land.0 == player);
        let own: Vec<String> = own.map(|(country, _)| ours(country)).collect();
        let mut bonus = 0;
        for (index, info) in board.continents().iter().enumerate() {
            let mut inside = board.territories().filter(|&at| {
                let continent = board.info(at).continent;
                continent.is_some_and(|continent| continent.index() == index)
            });
            if inside.all(|at| own.contains(&board.info(at).id)) {
                bonus += i64::from(info.bonus);
            }
        }
        (own.len() as i64 / 3 + bonus).max(3)
    }

    /// The document's table: dice in pairs, highest first, ties to the defender.
    fn battle(&mut self, data: &Value) {
        let (attacker, defender) = (&data["attacker"], &data["defender"]);
        let dice = |side: &Value| {
            let dice = side["dices"].as_array().unwrap().iter();
            let dice: Vec<u64> = dice.map(|die| die.as_u64().unwrap()).collect();
            assert!(dice.is_sorted_by(|a, b| a >= b), "{data}");
            dice
        };
        let (a, d) = (dice(attacker), dice(defender));
        let pairs = || a.iter().zip(&d);
        let lost = pairs().filter(|(a, d)| a > d).count() as i64;
        let left = pairs().count() as i64 - lost;
        for (side, lost) in [(attacker, left), (defender, lost)] {
            let land = self.land(&side["country"]);
            assert_eq!(side["playerId"], land.0, "{data}");
            land.1 -= lost;
            assert_eq!(side["remainingArmies"], land.1, "{data}");
        }
        assert_eq!(
            d.len() as i64,
            (self.land(&defender["country"]).1 + lost).min(2)
        );
        let conquered = self.land(&defender["country"]).1 == 0;
        assert_eq!(data["conquered"], conquered, "{data}");
        assert_eq!(
            (attacker["playerId"].as_u64(), self.step),
            (Some(self.turn), 1)
        );
        if conquered {
            self.land(&defender["country"]).0 = self.turn;
            let word = |side: &Value| side["country"].as_str().unwrap().to_owned();
            self.conquest = Some((word(attacker), word(defender)));
        }
    }

    /// Picks the attack with the largest lead in armies: from, to and armies.
    fn attack(&self) -> Option<(String, String, i64)> {
        let board = world();
        let mut all = Vec::new();
        for at in board.territories() {
            let from = theirs(&board.info(at).id);
            let (owner, armies) = self.lands[&from];
            for &next in board.neighbours(at) {
                let to = theirs(&board.info(next).id);
                let (other, there) = self.lands[&to];
                let may = owner == self.id && other != self.id && !self.is_timid;
                if may && armies > 2 && armies >= there {
                    all.push((armies - there, from.clone(), to, armies.min(4) - 1));
                }
            }
        }
        all.sort();
        all.pop().map(|(_, from, to, with)| (from, to, with))
    }

    /// Picks where to place armies: where the next attack begins, or else on the strongest front.
    fn place(&self) -> String {
        if let Some((from, ..)) = self.attack() {
            return from;
        }
        let board = world();
        let is_front = |at: Territory| {
            let next = board.neighbours(at).iter();
            let mut owners = next.map(|&next| self.lands[&theirs(&board.info(next).id)].0);
            owners.any(|owner| owner != self.id)
        };
        let own = board.territories().filter(|&at| is_front(at));
        let own = own.map(|at| theirs(&board.info(at).id));
        let own = own.filter(|country| self.lands[country].0 == self.id);
        own.max_by_key(|country| self.lands[country].1).unwrap()
    }

    fn play_turn(&mut self) {
        while self.reinforcement > 0 {
            let country = self.place();
            self.say("PlaceArmy", json!({ "country": country }));
            self.until("ArmyPlaced");
        }
        if self.step == 0 {
            self.until("NextStep");
        }
        for _ in 0..40 {
            let Some((from, to, armies)) = self.attack() else {
                break;
            };
            self.say(
                "Attack",
                json!({ "from": from, "to": to, "armies": armies }),
            );
            self.until("BattleEnded");
            if let Some((from, to)) = self.conquest.clone() {
                let armies = self.lands[&from].1 - 1;
                self.say(
                    "MoveArmy",
                    json!({ "from": from, "to": to, "armies": armies }),
                );
                self.until("ArmyMoved");
            }
            if self.won.is_some() || self.lands.values().all(|land| land.0 == self.id) {
                return;
            }
        }
        self.say("EndAttack", json!({}));
        self.until("NextStep");
        self.say("EndTurn", json!({}));
        self.until("NextPlayer");
    }
}

#[test]
fn a_game_begins_with_the_events_of_the_document() {
    for (players, armies) in [(2, 40), (3, 35), (4, 30), (5, 25), (6, 20)] {
        let folder = tempfile::tempdir().unwrap();
        let arena = Server::arena(folder.path(), "--protocol codelab --seed 4");
        let mut all: Vec<Client> = (0..players)
            .map(|_| Client::enter(&arena.address))
            .collect();
        for (index, client) in all.iter_mut().enumerate() {
            assert_eq!(client.id, index as u64 + 1);
            client.join(&format!("player {index}"));
            // Events of the clients that joined before come first.
            while client.until("PlayerJoined")["data"]["playerId"] != client.id {}
        }
        if players < 6 {
            all[1].say("StartGame", json!({}));
        }
        for client in &mut all {
            client.until("NextPlayer");
            let names: Vec<&str> = client
                .heard
                .iter()
                .map(|event| event["event"].as_str().unwrap())
                .collect();
            let count = |name: &str| names.iter().filter(|other| **other == name).count();
            assert_eq!(count("PlayerJoined"), players);
            let rest = &names[players..];
            assert_eq!(rest[0], "GameStarted");
            assert!(
                rest[1..=players * armies]
                    .iter()
                    .all(|name| *name == "ArmyPlaced")
            );
            assert_eq!(rest[players * armies + 1..], ["SetupEnded", "NextPlayer"]);
            if players == 2 {
                assert_eq!(rest.len(), 83);
            }
            assert_eq!(client.heard[players]["data"]["armies"], armies);
            let mut order = client.order.clone();
            order.sort_unstable();
            assert_eq!(order, (1..=players as u64).collect::<Vec<_>>());
            assert_eq!(client.turn, client.order[0]);
            for id in 1..=players as u64 {
                let own = client.lands.values().filter(|land| land.0 == id);
                assert_eq!(own.map(|land| land.1).sum::<i64>(), armies as i64);
            }
        }
        let late = &mut Client::enter(&arena.address);
        late.until("NextPlayer");
        assert_eq!(late.heard, all[0].heard, "who comes late hears the same");
        late.join("late");
    }
}

/// Two clients and a house bot play to the end; a spectator hears the same events.
#[test]
fn a_whole_game_of_the_code_lab_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol codelab --seed 9 --players 3 --bot random --records records",
    );
    let mut watches = Client::enter(&arena.address);
    let mut players = [Client::enter(&arena.address), Client::enter(&arena.address)];
    assert_eq!(watches.id, 2, "the house has come first");
    for client in &mut players {
        client.join("same name");
    }
    for client in &mut players {
        client.until("NextPlayer");
    }
    players[1].is_timid = true;
    let mut turns = 0;
    while players[0].won.is_none() && turns < 400 {
        turns += 1;
        let (mine, other) = players.split_at_mut(1);
        let (mine, other) = (&mut mine[0], &mut other[0]);
        let whose = mine.turn;
        for (one, rest) in [(0, 1), (1, 0)] {
            let _ = rest;
            let client = if one == 0 { &mut *mine } else { &mut *other };
            if client.id == whose {
                client.play_turn();
            }
        }
        // Both read up to the same event, and through the turns of the house bot (player 1).
        let longest = mine.heard.len().max(other.heard.len());
        for client in [mine, other] {
            while client.heard.len() < longest {
                client.next();
            }
            while client.won.is_none() && client.turn == 1 {
                client.next();
            }
            if client.lands.values().all(|land| land.0 == client.turn) && client.won.is_none() {
                client.until("PlayerWon");
            }
        }
    }
    let winner = players[0].won.expect("somebody wins");
    players[1].won.unwrap_or_else(|| {
        players[1].until("PlayerWon")["data"]["playerId"]
            .as_u64()
            .unwrap()
    });
    watches.until("PlayerWon");
    let mut late = Client::enter(&arena.address);
    late.until("PlayerWon");
    for client in [&players[0], &players[1], &late] {
        assert_eq!(client.heard, watches.heard);
        assert_eq!((client.won, client.lost.len()), (Some(winner), 2));
    }
    arena.waits_for("match 1: ");
    assert_eq!(replayed(folder.path()).len(), 1);
}

/// Invalid messages before the game, and a word in the text of the error.
const BEFORE: [(&str, &str); 9] = [
    ("no JSON", "JSON"),
    ("[]", "`event`"),
    (r#"{"event": "JoinGame"}"#, "`data`"),
    (r#"{"event": "JoinGame", "data": {}}"#, "`playerId`"),
    (
        r#"{"event": "JoinGame", "data": {"playerId": 1}}"#,
        "`name`",
    ),
    (
        r#"{"event": "JoinGame", "data": {"playerId": 2, "name": "", "avatar": "", "color": ""}}"#,
        "player 1",
    ),
    (r#"{"event": "Dance", "data": {"playerId": 1}}"#, "`Dance`"),
    (r#"{"event": "StartGame", "data": {"playerId": 1}}"#, "join"),
    (r#"{"event": "EndTurn", "data": {"playerId": 1}}"#, "turn"),
];

fn wrong(client: &mut Client, text: &str, expected: &str) {
    client.socket.send(Message::text(text)).unwrap();
    let error = client.until("Error");
    client.heard.pop();
    let message = error["data"]["message"].as_str().unwrap();
    assert!(message.contains(expected), "{text}: {message}");
}

/// Invalid messages are dropped silently, or reported in `Error` with `--errors`.
#[test]
fn what_can_not_be_done_is_dropped_or_told() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol codelab --errors --seed 2");
    let mut all = [Client::enter(&arena.address), Client::enter(&arena.address)];
    for (text, expected) in BEFORE {
        wrong(&mut all[0], text, expected);
    }
    all[0].join("ann");
    all[0].until("PlayerJoined");
    wrong(
        &mut all[0],
        r#"{"event": "StartGame", "data": {"playerId": 1}}"#,
        "at least 2 players",
    );
    all[0].say(
        "JoinGame",
        json!({ "name": "again", "avatar": "", "color": "" }),
    );
    assert!(all[0].until("Error").to_string().contains("joined"));
    all[1].join("\u{1b}[31mbob");
    all[0].say("StartGame", json!({}));
    let turn = loop {
        let event = all[0].next();
        if event["event"] == "NextPlayer" {
            break event["data"]["playerId"].as_u64().unwrap() as usize;
        }
    };
    all[1].until("NextPlayer");
    let [one, two] = &mut all;
    let (mover, other) = if turn == 1 { (one, two) } else { (two, one) };
    what_is_not_its_step_is_refused(mover);
    let id = mover.id;
    let own = mover
        .lands
        .iter()
        .find(|(_, land)| land.0 == id)
        .unwrap()
        .0
        .clone();
    let place = json!({ "event": "PlaceArmy", "data": { "playerId": other.id, "country": own } });
    wrong(other, &place.to_string(), "turn");
    // Placements may be sent without waiting for the replies.
    for _ in 0..mover.reinforcement {
        mover.say("PlaceArmy", json!({ "country": own }));
    }
    mover.until("NextStep");
    mover.say("EndTurn", json!({}));
    mover.until("NextPlayer");
    assert_eq!(
        mover.turn, other.id,
        "a turn can be ended in the middle of it"
    );
    a_new_game_begins(&arena, mover);
}

fn what_is_not_its_step_is_refused(mover: &mut Client) {
    let id = mover.id;
    for text in [
        json!({ "event": "PlaceArmy", "data": { "playerId": id, "country": "atlantis" } }),
        json!({ "event": "EndAttack", "data": { "playerId": id } }),
        json!({ "event": "EndTurn", "data": { "playerId": id } }),
        json!({ "event": "Attack", "data": { "playerId": id, "from": "alaska", "to": "kamchatka", "armies": 3 } }),
        json!({ "event": "MoveArmy", "data": { "playerId": id, "from": "alaska", "to": "alberta", "armies": 1 } }),
    ] {
        let event = text["event"].as_str().unwrap();
        wrong(mover, &text.to_string(), event);
    }
}

/// `POST /new` drops the game and its clients; a GET, as for an image, does not.
fn a_new_game_begins(arena: &Server, client: &mut Client) {
    assert_eq!(arena.get("/new").0, 405);
    let (_, head) = arena.get_head("/new");
    assert!(head.contains("allow: POST"), "{head}");
    let foreign = arena.post("/new", &[("Sec-Fetch-Site", "cross-site")], "");
    assert_eq!(foreign.0, 403, "no page of another site drops it");
    client.say("Dance", json!({ "playerId": client.id }));
    assert!(client.until("Error").to_string().contains("`Dance`"));
    assert!(
        arena
            .get("/")
            .1
            .contains(r#"<form method="post" action="/new">"#)
    );
    let (status, _) = arena.post("/new", &[], "");
    assert_eq!(status, 303);
    let closed = std::iter::repeat_with(|| client.socket.read())
        .find(|read| !matches!(read, Ok(Message::Text(_) | Message::Ping(_))));
    match closed {
        Some(Ok(Message::Close(Some(frame)))) => {
            assert_eq!(frame.reason.as_str(), "a new game begins")
        }
        other => panic!("{other:?}"),
    }
    arena.waits_for("match 1: stopped for a new game");
    let mut again = Client::enter(&arena.address);
    assert_eq!(again.id, 1);
    again.join("ann");
    again.until("PlayerJoined");
    assert_eq!(again.heard.len(), 1, "nothing is left of the old game");
}
