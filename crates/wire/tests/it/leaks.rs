//! Hidden information stays hidden: permute the hidden cards, and nothing that another player sees
//! changes.

use std::sync::Arc;

use risk_engine::Worker;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::{Declaration, SlotKind, Visibility};
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Card, Counter, Pile, Player, Territory, Unit};
use risk_kernel::phases::Asked;
use risk_kernel::rng::{GameKey, Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, in_public};
use risk_kernel::{Moment, Rules, Sink};
use risk_wire::protocol_named;

use risk_testing::by_case::each;
use risk_testing::games as support;

#[derive(Default)]
struct Keeper {
    states: Vec<GameState>,
    events: Vec<Event>,
}

impl Sink for Keeper {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        self.events.push(event.clone());
        if game.turn() > 0
            && game.answers().is_multiple_of(7)
            && matches!(event, Event::Answered { .. })
        {
            self.states.push(game.clone());
        }
    }
}

fn seen(game: &GameState, who: Player, events: &[Event]) -> String {
    let view = View::new(&Facts::new(game.clone()), who);
    let holders = || {
        (0..view.players())
            .map(|seat| Some(Player::from_index(seat)))
            .chain([None])
    };
    let mut text = String::new();
    for at in view.board().territories() {
        text += &format!("{:?} {:?} {:?}\n", at, view.owner(at), view.armies(at));
    }
    for of in holders() {
        for counter in (0..view.decl().counters.len()).map(Counter::from_index) {
            text += &format!("{counter:?} {of:?} {:?}\n", view.counter(counter, of));
        }
        for pile in (0..view.decl().piles.len()).map(Pile::from_index) {
            text += &format!(
                "{pile:?} {of:?} {} {:?}\n",
                view.pile_len(pile, of),
                view.pile(pile, of)
            );
        }
    }
    text += &format!("{:?}\n", view.orders().collect::<Vec<_>>());
    text += &format!(
        "{:?} {} {} {}\n",
        view.frame(),
        view.round(),
        view.turn(),
        view.answers()
    );
    // The data for another process holds no more than that, and gives it the same view.
    let position = view.position();
    let facts = position.clone().facts(game.board(), game.decl()).unwrap();
    let there = View::new(&facts, view.me());
    assert_eq!(there.position(), position);
    assert!(there.orders().eq(view.orders()));
    for at in view.board().territories() {
        let land = |view: &View| {
            (
                view.owner(at),
                view.sees_owner(at),
                view.armies(at),
                view.mine(at),
                view.is_front(at),
            )
        };
        assert_eq!(land(&there), land(&view));
    }
    text += &format!("{position:?}\n");
    text += &on_the_wire(&view, events);
    for event in events {
        // Spectators see no more.
        text += &format!(
            "{:?} {:?}\n",
            view.redact_for(event),
            in_public(game, event)
        );
    }
    text
}

/// Returns the line-JSON for a program: the game, a question, and events.
fn on_the_wire(view: &View, events: &[Event]) -> String {
    let info = protocol_named("json").unwrap();
    let mut codec = (info.codec)(view.decl(), 0).unwrap();
    codec
        .greeted(r#"{"protocol": 1, "wants": ["events", "actions"]}"#)
        .unwrap();
    let names: Vec<String> = (0..view.players()).map(|seat| format!("p{seat}")).collect();
    codec.start(&names, Stream::new(1, 1, Purpose::Player(0)));
    let mut text = format!("{:?}\n", codec.game(view, false));
    for event in events {
        if let Some(seen) = view.redact_for(event) {
            text += &format!("{:?}\n", codec.saw(view, &seen, true));
        }
    }
    text += &format!("{:?}\n", codec.unsaid(view));
    if view.frame().is_some() {
        text += &format!("{:?}\n", codec.question(view, &Options::new()));
    }
    text
}

/// A pair of hidden cards that change places.
struct Swap(Card, Card);

impl Swap {
    fn card(&self, card: Card) -> Card {
        if card == self.0 {
            self.1
        } else if card == self.1 {
            self.0
        } else {
            card
        }
    }

    fn event(&self, event: &Event) -> Event {
        let cards = |cards: &Option<Vec<Card>>| {
            cards
                .as_ref()
                .map(|cards| cards.iter().map(|&card| self.card(card)).collect())
        };
        match event {
            Event::Card {
                card,
                from,
                to,
                under,
            } => Event::Card {
                card: card.map(|card| self.card(card)),
                from: *from,
                to: *to,
                under: *under,
            },
            Event::Filled {
                pile,
                cards: list,
                count,
            } => Event::Filled {
                pile: *pile,
                cards: cards(list),
                count: *count,
            },
            Event::Shuffled { pile, cards: list } => Event::Shuffled {
                pile: *pile,
                cards: cards(list),
            },
            other => other.clone(),
        }
    }
}

/// Returns the game with a card of a player's hand and one of the deck exchanged.
fn permuted(game: &GameState, holder: Player, decl: &Declaration) -> Option<(GameState, Swap)> {
    let hand = decl.pile("hand").unwrap();
    let deck = decl.pile("deck").unwrap();
    // The table's deck, or the player's own.
    let of = if game.pile(deck, None).is_empty() {
        Some(holder)
    } else {
        None
    };
    let held = *game.pile(hand, Some(holder)).last()?;
    let hidden = *game.pile(deck, of).last()?;
    let mut other = game.clone();
    other
        .move_card(held, (hand, Some(holder)), (deck, of), false)
        .unwrap();
    other
        .move_card(hidden, (deck, of), (hand, Some(holder)), false)
        .unwrap();
    Some((other, Swap(held, hidden)))
}

/// Compares the views of all others. Returns the number of comparisons, and the first difference.
fn compare(ruleset: &str, bots: &[&str], planted: bool) -> (u32, Option<String>) {
    let setup = support::setup(ruleset, None, bots, 21, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut keeper = Keeper::default();
    worker.play(0, &mut keeper);
    let decl = Arc::clone(worker.decl());
    let mut compared = 0;
    let mut asked = 0;
    let mut leak = None;
    for game in keeper.states.iter().take(60) {
        for holder in game.seats() {
            let Some((other, swap)) = permuted(game, holder, &decl) else {
                continue;
            };
            // Only cards that were never shown can change places: events that reveal either card
            // are public.
            let private: Vec<&Event> = keeper
                .events
                .iter()
                .filter(|event| !tells_openly(event, &swap, &decl))
                .collect();
            let before: Vec<Event> = private.iter().map(|event| (*event).clone()).collect();
            let after: Vec<Event> = private.iter().map(|event| swap.event(event)).collect();
            // The options of the player to move do not depend on them either.
            if let Some(frame) = game.frame().copied() {
                for who in frame.players.iter().filter(|&who| who != holder) {
                    asked += 1;
                    let mut offers = |game: &GameState| {
                        let facts = Facts::new(game.clone());
                        let mut options = Options::new();
                        worker
                            .rules_mut()
                            .options(Asked::new(&facts, &frame, who), &mut options)
                            .unwrap();
                        (0..options.len().min(5_000))
                            .map(|number| options.nth(number))
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(offers(game), offers(&other));
                }
            }
            let (game, other) = if planted {
                (opened(game), opened(&other))
            } else {
                (game.clone(), other)
            };
            for who in game.seats().filter(|&who| who != holder) {
                let own = |event: &&Event| !is_own(event, who);
                let before: Vec<Event> = before.iter().filter(own).cloned().collect();
                let after: Vec<Event> = after.iter().filter(own).cloned().collect();
                compared += 1;
                if seen(&game, who, &before) != seen(&other, who, &after) {
                    leak.get_or_insert(format!("player {} sees the hand of {}", who.0, holder.0));
                }
            }
        }
    }
    assert!(asked >= 10, "{asked}");
    (compared, leak)
}

/// Reports whether all players saw one of the cards in this event.
fn tells_openly(event: &Event, swap: &Swap, decl: &Declaration) -> bool {
    let open = |pile: Pile| decl.piles[pile.index()].seen == Visibility::All;
    match event {
        Event::Card {
            card: Some(card),
            from,
            to,
            ..
        } => swap.card(*card) != *card && (open(from.0) || open(to.0)),
        Event::Filled { pile, .. } => open(pile.0),
        _ => false,
    }
}

/// Reports whether this player drew or gave away a card.
fn is_own(event: &Event, who: Player) -> bool {
    matches!(event, Event::Card { from, to, .. } if from.1 == Some(who) || to.1 == Some(who))
}

fn opened(game: &GameState) -> GameState {
    let mut decl = Declaration::clone(game.decl());
    let hand = decl.pile("hand").unwrap();
    decl.piles[hand.index()].seen = Visibility::All;
    let mut open = GameState::new(
        Arc::clone(game.board()),
        Arc::new(decl),
        game.players(),
        GameKey::of_numbers(0, 0),
    );
    for who in game.seats() {
        open.fill(hand, Some(who), game.pile(hand, Some(who)))
            .unwrap();
    }
    open
}

const HASBRO: [&str; 4] = ["outnumber", "holder", "odds", "random"];

#[test]
fn hidden_cards_show_in_nothing_that_others_see() {
    each(["hasbro", "starwars"], |ruleset| {
        let bots = match *ruleset {
            "hasbro" => &HASBRO[..],
            _ => &["random-action", "random-action"],
        };
        let (compared, leak) = compare(ruleset, bots, false);
        assert!(compared > 100, "{ruleset}: {compared}");
        assert_eq!(leak, None, "{ruleset}");
    });
}

#[test]
fn a_planted_leak_is_found() {
    let (_, leak) = compare("hasbro", &HASBRO, true);
    assert!(leak.is_some());
}

/// Checks that whole games in fog show a player nothing of territories out of sight.
struct Fog {
    near: bool,
    owners: bool,
    shown: u32,
    hidden: u32,
    state: Option<GameState>,
}

fn lands(event: &Event, decl: &Declaration) -> Vec<Territory> {
    let of = |action: &Action| {
        let slots = decl.verbs[action.verb.index()]
            .slots
            .iter()
            .zip(action.args());
        let lands = slots.filter(|(slot, _)| slot.1 == SlotKind::Territory);
        lands.map(|(_, &at)| Territory(at as u16)).collect()
    };
    match event {
        Event::Units { at, .. } => vec![*at],
        Event::Moved { from, to, .. }
        | Event::Fought(FightRound { from, to, .. })
        | Event::Captured(Capture { from, to, .. }) => {
            vec![*from, *to]
        }
        Event::Answered { action, .. }
        | Event::Executed { action, .. }
        | Event::Stored { action, .. }
        | Event::Unstored { action, .. } => of(action),
        _ => Vec::new(),
    }
}

impl Sink for Fog {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        if let Some(public) = in_public(game, event) {
            assert!(
                lands(&public, game.decl()).is_empty(),
                "whoever watches is shown {public:?}"
            );
            assert!(
                !matches!(public, Event::Rolled { .. } | Event::Tried { .. }),
                "{public:?}"
            );
        }
        for who in game.seats() {
            let view = View::new(&Facts::new(game.clone()), who);
            let sees = |at: Territory| {
                let near = game
                    .board()
                    .neighbours(at)
                    .iter()
                    .any(|&next| game.owns(who, next));
                game.owns(who, at) || (self.near && near)
            };
            let Some(event) = view.redact_for(event) else {
                self.hidden += 1;
                continue;
            };
            self.shown += 1;
            // Players know their own orders, and what they took or lost.
            let own = match &event {
                Event::Answered { player: actor, .. }
                | Event::Executed { player: actor, .. }
                | Event::Unstored { player: actor, .. }
                | Event::Stored { player: actor, .. } => *actor == who,
                Event::Captured(Capture { by, loser, .. }) => *by == who || *loser == Some(who),
                _ => false,
            };
            assert!(
                own || lands(&event, game.decl()).into_iter().all(sees),
                "player {} is shown {event:?}",
                who.0
            );
            assert!(
                !matches!(event, Event::Rolled { .. } | Event::Tried { .. }),
                "{event:?}"
            );
            if let (Event::Owner { at, .. }, true) = (&event, self.owners) {
                assert!(sees(*at));
            }
        }
        if matches!(event, Event::Answered { .. })
            && game.turn() > 0
            && game.answers().is_multiple_of(50)
        {
            self.state = Some(game.clone());
        }
    }
}

#[test]
fn fog_leaks_nothing_over_whole_games() {
    let cases = [
        "warzone light",
        "warzone normal",
        "warzone dense",
        "warlight1 normal",
        "warlight2 normal",
    ];
    each(cases, |case| {
        let (ruleset, fog) = case.split_once(' ').unwrap();
        let near = fog != "dense";
        let owners = fog == "normal";
        let bots = ["outnumber", "random", "odds"];
        let bots = &bots[..if ruleset == "warzone" { 3 } else { 2 }];
        let setup = support::setup(ruleset, None, bots, 4, &[("fog", fog)]);
        let mut worker = Worker::new(&setup).unwrap();
        let mut watch = Fog {
            near,
            owners,
            shown: 0,
            hidden: 0,
            state: None,
        };
        worker.play(0, &mut watch).outcome.unwrap();
        assert!(
            watch.shown > 1_000 && watch.hidden > 1_000,
            "{case}: {} and {}",
            watch.shown,
            watch.hidden
        );
        // More armies on a territory that a player does not see change neither the player's view
        // nor the player's options.
        let game = watch.state.unwrap();
        let mut changed = 0;
        for who in game.seats() {
            let far = |at: &Territory| {
                View::new(&Facts::new(game.clone()), who)
                    .armies(*at)
                    .is_none()
            };
            let mut other = game.clone();
            for at in game.board().territories().filter(far) {
                other.add_units(at, Unit(0), 3).unwrap();
                changed += 1;
            }
            assert_eq!(seen(&game, who, &[]), seen(&other, who, &[]), "{case}");
            let Some(frame) = game.frame().copied() else {
                continue;
            };
            let mut offers = |game: &GameState| {
                let facts = Facts::new(game.clone());
                let mut options = Options::new();
                worker
                    .rules_mut()
                    .options(Asked::new(&facts, &frame, who), &mut options)
                    .unwrap();
                (0..options.len().min(5_000))
                    .map(|number| options.nth(number))
                    .collect::<Vec<_>>()
            };
            assert_eq!(offers(&game), offers(&other), "{case}");
        }
        assert!(changed > 0);
    });
}

/// Keeps every seventh state in which an order is stored.
#[derive(Default)]
struct OrderStates(Vec<GameState>, usize);

impl Sink for OrderStates {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        if matches!(event, Event::Stored { .. }) {
            self.1 += 1;
            if self.1.is_multiple_of(7) {
                self.0.push(game.clone());
            }
        }
    }
}

#[test]
fn orders_of_others_show_in_nothing() {
    each(["warzone", "warlight1", "warlight2"], |ruleset| {
        let setup = support::setup(ruleset, None, &["random"; 2], 3, &[("max_turns", "12")]);
        let mut booked = OrderStates::default();
        let played = Worker::new(&setup).unwrap().play(0, &mut booked);
        played.outcome.unwrap();
        let mut compared = 0;
        for game in &booked.0 {
            for who in game.seats() {
                let mut other = game.clone();
                let gone = other.unstore_all(|order| order.player != who);
                compared += usize::from(!gone.is_empty());
                assert_eq!(seen(game, who, &[]), seen(&other, who, &[]), "{ruleset}");
            }
        }
        assert!(compared > 10, "{ruleset}: {compared}");
    });
}

#[test]
fn fog_hides_what_is_far() {
    use risk_kernel::declare::Sight;
    let setup = support::setup("hasbro", None, &["random", "random", "random"], 1, &[]);
    let worker = Worker::new(&setup).unwrap();
    let board = support::board("world");
    let at = |id: &str| board.find(id).unwrap();
    let rows = [
        (Sight::All, Sight::All, "brazil", true, Some(4)),
        (Sight::All, Sight::Near, "brazil", true, None),
        (Sight::All, Sight::Near, "kamchatka", true, Some(4)),
        (Sight::Near, Sight::Near, "brazil", false, None),
        (Sight::Near, Sight::Near, "kamchatka", true, Some(4)),
        (Sight::All, Sight::Own, "kamchatka", true, None),
    ];
    for (owners_seen, units_seen, land, owner, armies) in rows {
        let decl = Declaration {
            owners_seen,
            units_seen,
            ..Declaration::clone(worker.decl())
        };
        let mut game = GameState::new(
            Arc::clone(&board),
            Arc::new(decl),
            3,
            GameKey::of_numbers(0, 0),
        );
        for (id, who) in [("alaska", 0), ("kamchatka", 1), ("brazil", 1)] {
            game.set_owner(at(id), Some(Player(who)));
            game.add_units(at(id), Unit(0), 4).unwrap();
        }
        let view = View::new(&Facts::new(game), Player(0));
        let row = format!("{owners_seen:?} {units_seen:?} {land}");
        assert_eq!(view.owner(at(land)).is_some(), owner, "{row}");
        assert_eq!(view.armies(at(land)), armies, "{row}");
        assert_eq!(view.armies(at("alaska")), Some(4), "{row}");
        let event = Event::Units {
            at: at(land),
            unit: Unit(0),
            by: 1,
            now: 5,
        };
        assert_eq!(view.redact_for(&event).is_some(), armies.is_some(), "{row}");
    }
}
