//! The protocol of the Hacker Risk arena: what a bot over HTTP is told, and what it answers.
//!
//! Source: the rules of Hacker Risk, section 4, and its table of disagreements (H1 to H26). A
//! territory's name on the wire is its id with blanks for `-`.

mod position;
mod seat;

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

pub use position::{Position, players};
pub use seat::Seat;

use super::decl_lookup::DeclLookup;
use super::wire::brief;
use super::wire_json;
use crate::kernel::Answer;
use crate::kernel::action::{Action, Options};
use crate::kernel::board::{Board, Datum};
use crate::kernel::declare::Declaration;
use crate::kernel::event::Status;
use crate::kernel::id::{Card, Continent, Counter, Phase, Pile, Player, Territory, Verb};
use crate::kernel::view::View;

/// How the state is put into the body of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A form with one field `risk` that holds JSON.
    #[default]
    Form,
    /// The JSON alone.
    Raw,
    /// The JSON inside an object with the one key `risk`.
    Wrapped,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Form, Self::Raw, Self::Wrapped];

    /// The name on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Raw => "raw",
            Self::Wrapped => "wrapped",
        }
    }

    /// The encoding with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.word() == word)
    }

    /// The body of a request, and its content type.
    #[must_use]
    pub fn body(self, state: String) -> (String, &'static str) {
        match self {
            Self::Form => {
                let mut form = form_urlencoded::Serializer::new(String::new());
                (
                    form.append_pair("risk", &state).finish(),
                    "application/x-www-form-urlencoded",
                )
            }
            Self::Raw => (state, "application/json"),
            Self::Wrapped => (format!("{{\"risk\":{state}}}"), "application/json"),
        }
    }
}

/// What a decision is about, in the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Claim,
    Place,
    Trade,
    Attack,
    Fortify,
}

/// The parts of a ruleset that the protocol speaks of.
#[derive(Clone, Debug)]
pub struct Words {
    phases: Vec<(Phase, Option<Asked>)>,
    claim: Verb,
    place: Verb,
    trade: Verb,
    attack: Verb,
    movement: Verb,
    pass: Verb,
    done: Verb,
    reserve: Counter,
    conquered: Counter,
    deck: Pile,
    hand: Pile,
    muster: Phase,
}

impl Words {
    /// Looks the parts up.
    ///
    /// # Errors
    /// Which part the ruleset does not have.
    pub fn of(decl: &Declaration) -> Result<Self, String> {
        let parts = DeclLookup(decl);
        let asked = [
            ("claim", Some(Asked::Claim)),
            ("muster", Some(Asked::Place)),
            ("deploy", Some(Asked::Place)),
            ("trade", Some(Asked::Trade)),
            ("attack", Some(Asked::Attack)),
            ("fortify", Some(Asked::Fortify)),
            ("occupy", None),
        ];
        Ok(Self {
            phases: asked
                .into_iter()
                .map(|(name, asked)| Ok((parts.phase(name)?, asked)))
                .collect::<Result<_, String>>()?,
            claim: parts.verb("claim")?,
            place: parts.verb("place")?,
            trade: parts.verb("trade")?,
            attack: parts.verb("attack")?,
            movement: parts.verb("move")?,
            pass: parts.verb("pass")?,
            done: parts.verb("done")?,
            reserve: parts.counter("reserve")?,
            conquered: parts.counter("conquered")?,
            deck: parts.pile("deck")?,
            hand: parts.pile("hand")?,
            muster: parts.phase("muster")?,
        })
    }

    fn asked(&self, phase: Phase) -> Option<Asked> {
        self.phases
            .iter()
            .find(|(known, _)| *known == phase)
            .and_then(|(_, asked)| *asked)
    }

    /// The actions that a player may choose from, in the protocol's words; nothing if it is not
    /// asked at all.
    #[must_use]
    pub fn available(&self, view: &View, ask: &Options) -> Option<Vec<&'static str>> {
        Some(match self.asked(view.frame()?.phase)? {
            Asked::Claim => vec!["choose_country"],
            Asked::Place => vec!["deploy_troops"],
            Asked::Trade if ask.has(self.pass) => vec!["spend_cards", "pass"],
            Asked::Trade => vec!["spend_cards"],
            // H14: also when no attack is possible any more. Bots look for the name `attack`.
            Asked::Attack => vec!["attack", "end_attack_phase"],
            Asked::Fortify => vec!["reinforce", "end_turn"],
        })
    }

    /// Is this the phase in which a player attacks?
    #[must_use]
    pub fn is_attack(&self, phase: Phase) -> bool {
        self.asked(phase) == Some(Asked::Attack)
    }

    /// What is done in an attack phase in which no attack is possible, if it is one.
    #[must_use]
    pub fn no_attack(&self, phase: Phase, ask: &Options) -> Option<Action> {
        let done = Action::new(self.done, &[]);
        (self.is_attack(phase) && !ask.has(self.attack) && ask.admit(done).is_ok()).then_some(done)
    }

    /// What is done where the protocol asks nothing: no more armies move in than were sent.
    #[must_use]
    pub fn unasked(&self, ask: &Options) -> Option<Action> {
        let first = ask.has(self.movement).then(|| ask.nth(0))?;
        let none = Action::new(
            self.movement,
            &[*first.args().first()?, *first.args().get(1)?, 0],
        );
        ask.admit(none).ok().map(|_| none)
    }
}

/// A map as the arena's file `board_graph.json` says it: by continent the bonus, and of each
/// country its card and the countries that it borders. Where a map has no continents, all are in
/// one of the map's name, without a bonus.
#[must_use]
pub fn board_graph(board: &Board) -> Value {
    let of = |members: &[Territory]| {
        let countries = members.iter().map(|&at| {
            let mut entry = serde_json::Map::new();
            if let Some(Datum::Text(card)) = board.info(at).data.get("card") {
                entry.insert("card".to_owned(), card.as_str().into());
            }
            let borders = board
                .neighbours(at)
                .iter()
                .map(|&to| Value::from(country(board, to)));
            entry.insert("border countries".to_owned(), borders.collect());
            (country(board, at).into_owned(), Value::Object(entry))
        });
        Value::Object(countries.collect())
    };
    let continents = board
        .continents()
        .iter()
        .enumerate()
        .map(|(index, continent)| {
            let countries = of(board.members(Continent::from_index(index)));
            (
                continent.id.replace('-', " "),
                json!({ "bonus": continent.bonus, "countries": countries }),
            )
        });
    let mut graph: serde_json::Map<String, Value> = continents.collect();
    let loose: Vec<Territory> = board
        .territories()
        .filter(|&at| board.info(at).continent.is_none())
        .collect();
    if !loose.is_empty() {
        graph.insert(
            board.name().to_owned(),
            json!({ "bonus": 0, "countries": of(&loose) }),
        );
    }
    Value::Object(graph)
}

/// A territory's name on the wire.
fn country(board: &Board, at: Territory) -> Cow<'_, str> {
    let id = &board.info(at).id;
    if id.contains('-') {
        Cow::Owned(id.replace('-', " "))
    } else {
        Cow::Borrowed(id)
    }
}

/// What is told beside the state.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// A word for the game.
    pub uid: String,
    /// What happened last.
    pub last_action: String,
    /// How often something was told.
    pub broadcasts: u64,
}

#[derive(Serialize)]
struct State<'a> {
    game: GameState<'a>,
    you: You<'a>,
}

#[derive(Serialize)]
struct GameState<'a> {
    countries: Keyed<Cow<'a, str>, Land<'a>>,
    players: Keyed<&'a str, Other>,
    cards_left: usize,
    turn: u32,
    uid: &'a str,
    last_action: &'a str,
    broadcast_count: u64,
}

#[derive(Serialize)]
struct Land<'a> {
    owner: &'a str,
    troops: i32,
}

#[derive(Serialize)]
struct Other {
    cards: usize,
    is_eliminated: bool,
    is_neutral: bool,
}

#[derive(Serialize)]
struct You<'a> {
    name: &'a str,
    is_eliminated: bool,
    earned_cards_this_turn: bool,
    cards: Vec<HandCard<'a>>,
    countries: Vec<Cow<'a, str>>,
    troops_to_deploy: i64,
    available_actions: &'a [&'a str],
}

#[derive(Serialize)]
struct HandCard<'a> {
    country_name: Cow<'a, str>,
    value: Option<&'a str>,
}

/// An object whose keys are data.
struct Keyed<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Keyed<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

fn hand_card<'a>(view: &'a View, card: Card) -> HandCard<'a> {
    let info = &view.decl().cards[card.index()];
    let country_name = info.at.map_or(Cow::Borrowed(info.name.as_str()), |at| {
        country(view.board(), at)
    });
    let kind = usize::try_from(info.kind)
        .ok()
        .and_then(|kind| view.decl().card_kinds.get(kind));
    HandCard {
        country_name,
        value: kind.map(String::as_str),
    }
}

/// The state as a player sees it, with the actions it may choose from, as JSON.
///
/// # Panics
/// Never: all of it is plain data.
#[must_use]
pub fn state(words: &Words, view: &View, told: &Told, available: &[&str]) -> String {
    let board = view.board();
    let name = |who: Option<Player>| who.map_or("none", |who| told.names[who.index()].as_str());
    let land = |at: Territory| Land {
        owner: name(view.owner(at)),
        troops: view.armies(at).unwrap_or_default(),
    };
    let other = |who: Player| {
        let status = view.status(who);
        let value = Other {
            cards: view.pile_len(words.hand, Some(who)),
            is_eliminated: status == Status::Eliminated,
            is_neutral: status == Status::Neutral || status == Status::Forfeited,
        };
        (told.names[who.index()].as_str(), value)
    };
    let me = view.me();
    let reserve = view.counter(words.reserve, Some(me)).unwrap_or_default();
    let placing = view
        .frame()
        .is_some_and(|frame| frame.phase == words.muster);
    let state = State {
        game: GameState {
            countries: Keyed(
                board
                    .territories()
                    .map(|at| (country(board, at), land(at)))
                    .collect(),
            ),
            players: Keyed(
                (0..view.players())
                    .map(Player::from_index)
                    .map(other)
                    .collect(),
            ),
            cards_left: view.pile_len(words.deck, None),
            turn: view.turn(),
            uid: &told.uid,
            last_action: &told.last_action,
            broadcast_count: told.broadcasts,
        },
        you: You {
            name: &told.names[me.index()],
            is_eliminated: view.status(me) == Status::Eliminated,
            earned_cards_this_turn: view.counter(words.conquered, Some(me)).unwrap_or_default() > 0,
            cards: view
                .pile(words.hand, Some(me))
                .unwrap_or_default()
                .iter()
                .map(|&of| hand_card(view, of))
                .collect(),
            countries: view.owned().map(|at| country(board, at)).collect(),
            // One at a time while the board is set up.
            troops_to_deploy: if placing { reserve.min(1) } else { reserve },
            available_actions: available,
        },
    };
    serde_json::to_string(&state).expect("a state is plain data")
}

/// An answer in the words of the protocol, as steps of the game.
///
/// # Errors
/// What is wrong with it.
pub fn answer(
    words: &Words,
    view: &View,
    ask: &Options,
    text: &str,
    available: &[&str],
) -> Result<Answer, String> {
    let said = wire_json::parse_unique_keys(text, "answer")?;
    let Value::Object(said) = said else {
        return Err("the answer is not a JSON object".to_owned());
    };
    let Some(Value::String(action)) = said.get("action") else {
        return Err("the answer has no `action`, which is a text".to_owned());
    };
    if !available.contains(&action.as_str()) {
        let hint = match action.as_str() {
            "use_cards" => "; it is spelled spend_cards",
            "end_attacking_phase" => "; it is spelled end_attack_phase",
            _ => "",
        };
        return Err(format!(
            "the action `{}` is not among {}{hint}",
            brief(action),
            available.join(", ")
        ));
    }
    let none = Value::Null;
    let data = Reader {
        view,
        data: said.get("data").unwrap_or(&none),
    };
    Ok(match action.as_str() {
        "choose_country" => Answer::One(Action::new(words.claim, &[data.country_itself()?])),
        "deploy_troops" => {
            let troops = data.troops()?;
            let sum: i64 = troops.iter().map(|(_, count)| i64::from(*count)).sum();
            let reserve = view
                .counter(words.reserve, Some(view.me()))
                .unwrap_or_default();
            let due = if view
                .frame()
                .is_some_and(|frame| frame.phase == words.muster)
            {
                reserve.min(1)
            } else {
                reserve
            };
            if sum != due {
                return Err(format!("{sum} troops are deployed, and {due} are due"));
            }
            Answer::Steps(
                troops
                    .into_iter()
                    .map(|(at, count)| Action::new(words.place, &[at, count]))
                    .collect(),
            )
        }
        "spend_cards" => Answer::One(data.trade(words, ask)?),
        "attack" => {
            let (from, to) = (
                data.country("attacking_country")?,
                data.country("defending_country")?,
            );
            let (dice, more) = (
                data.count("attacking_troops", 1)?,
                data.count("moving_troops", 0)?,
            );
            let armies = view
                .armies(Territory::from_index(from as usize))
                .unwrap_or_default();
            if dice > 3 {
                return Err(format!("attacking_troops is {dice}, and 3 are the most"));
            }
            if i64::from(armies) - i64::from(dice) - i64::from(more) < 1 {
                return Err(format!(
                    "{dice} attack and {more} move, and one of {armies} must stay behind"
                ));
            }
            Answer::Steps(vec![
                Action::new(words.attack, &[from, to, dice]),
                Action::new(words.movement, &[from, to, more]),
            ])
        }
        "reinforce" => {
            let (from, to) = (
                data.country("origin_country")?,
                data.country("destination_country")?,
            );
            Answer::One(Action::new(
                words.movement,
                &[from, to, data.count("moving_troops", 1)?],
            ))
        }
        "pass" => Answer::One(Action::new(words.pass, &[])),
        _ => Answer::One(Action::new(words.done, &[])),
    })
}

/// Reads what belongs to an action.
struct Reader<'a> {
    view: &'a View,
    data: &'a Value,
}

impl Reader<'_> {
    fn named(&self, name: &str) -> Result<i32, String> {
        let board = self.view.board();
        let found = board.territories().find(|&at| country(board, at) == name);
        found
            .map(|at| i32::from(at.0))
            .ok_or_else(|| format!("there is no country `{}`", brief(name)))
    }

    fn country_itself(&self) -> Result<i32, String> {
        match self.data {
            Value::String(name) => self.named(name),
            _ => Err("`data` is not the name of a country".to_owned()),
        }
    }

    fn country(&self, key: &str) -> Result<i32, String> {
        match self.data.get(key) {
            Some(Value::String(name)) => self.named(name),
            _ => Err(format!("`data` has no `{key}` with the name of a country")),
        }
    }

    fn whole(value: Option<&Value>, what: &str, least: i32) -> Result<i32, String> {
        let number = value
            .and_then(wire_json::whole)
            .and_then(|number| i32::try_from(number).ok());
        number
            .filter(|number| *number >= least)
            .ok_or_else(|| format!("`{}` is not a whole number from {least} on", brief(what)))
    }

    fn count(&self, key: &str, least: i32) -> Result<i32, String> {
        Self::whole(self.data.get(key), key, least)
    }

    fn troops(&self) -> Result<Vec<(i32, i32)>, String> {
        let Value::Object(troops) = self.data else {
            return Err("`data` is not an object of countries".to_owned());
        };
        troops
            .iter()
            .map(|(name, count)| Ok((self.named(name)?, Self::whole(Some(count), name, 1)?)))
            .collect()
    }

    /// The trade of three cards. The first that names a country of the player's own gets the two
    /// armies; of the offers, which have each set once for each effect, that is the one that begins
    /// with it.
    fn trade(&self, words: &Words, ask: &Options) -> Result<Action, String> {
        let Value::Array(names) = self.data else {
            return Err("`data` is not a list of three cards".to_owned());
        };
        let hand = self
            .view
            .pile(words.hand, Some(self.view.me()))
            .unwrap_or_default();
        let cards = &self.view.decl().cards;
        let mut chosen: Vec<Card> = Vec::new();
        for name in names {
            let Value::String(name) = name else {
                return Err("a card is named by a text".to_owned());
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
                .ok_or_else(|| format!("the card `{}` is not in the hand any more", brief(name)))?;
            chosen.push(*card);
        }
        let own = chosen
            .iter()
            .find(|of| cards[of.index()].at.is_some_and(|at| self.view.mine(at)));
        let first = own.or_else(|| chosen.iter().min()).copied();
        let mut rest: Vec<i32> = chosen
            .iter()
            .filter(|of| Some(**of) != first)
            .map(|of| i32::from(of.0))
            .collect();
        rest.sort_unstable();
        let all: Vec<i32> = first.iter().map(|of| i32::from(of.0)).chain(rest).collect();
        if all.len() != 3 {
            return Err(format!(
                "{} cards are named, and a set has three",
                all.len()
            ));
        }
        let trade = Action::new(words.trade, &all);
        let kinds: Vec<i32> = chosen.iter().map(|of| cards[of.index()].kind).collect();
        ask.admit(trade).map(|_| trade).map_err(|_| no_set(&kinds))
    }
}

/// Why cards of these kinds, in the order in which they were named, are no set.
fn no_set(kinds: &[i32]) -> String {
    match kinds {
        [a, b, c] if a == c && a != b => "these cards are no set: the first and the last are alike, and the second \
                                          is not. The Hacker Risk arena took them: --option card_sets=lax does so too"
            .to_owned(),
        _ => "these cards are no set: a set is three alike, one of each, or any two and a wild card".to_owned(),
    }
}
