//! Decisions under Hasbro's rules, one position each. The map is a ring of six: a b c in the west,
//! d e f in the east.

use risk_kernel::StopReason;

use risk_testing::facts::refuses;
use risk_testing::games::{play_logged, position};

/// Returns script lines that set owner and armies of each territory.
fn land(armies: &[(usize, i32)]) -> String {
    let set = |(at, (who, armies)): (usize, &(usize, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    armies.iter().enumerate().map(set).collect()
}

/// Returns each decision in the log as "player phase count".
fn asks(log: &str) -> Vec<String> {
    let ask = |line: &str| {
        let rest = line.strip_prefix("player ")?;
        let (who, rest) = rest.split_once(" in ")?;
        let (phase, rest) = rest.split_once(", ")?;
        Some(format!("{who} {phase} {}", rest.split_once(" options")?.0))
    };
    log.lines().filter_map(ask).collect()
}

const EVEN: [(usize, i32); 6] = [(0, 3), (0, 1), (1, 1), (1, 2), (2, 1), (2, 2)];

#[test]
fn a_turn_goes_from_income_to_the_next_player() {
    let (_folder, setup) = position(&(land(&EVEN) + "g.push(BEGIN_PHASE, NOBODY);"), 3, &[]);
    let (log, _) = play_logged(&setup, &[&["place a 3", "done", "move a b 2"], &[], &[]]);
    // No cards, so no trade; 2 territories × 3 armies to place; a and b can attack f and c.
    assert_eq!(
        asks(&log),
        ["1 deploy 6", "1 attack 4", "1 fortify 6", "2 deploy 6"]
    );
    assert!(log.contains("reserve of player 1 +3 is 3"), "{log}");
}

#[test]
fn bonuses_of_whole_continents_all_count() {
    let armies = [(0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)];
    let (_folder, setup) = position(&(land(&armies) + "g.push(INCOME_PHASE, 0);"), 3, &[]);
    let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
    assert!(
        log.contains("reserve of player 1 +6 is 6"),
        "3 for land, 2 and 1 for the continents: {log}"
    );
}

#[test]
fn deploying_too_much_is_refused_as_a_whole() {
    let (_folder, setup) = position(
        &(land(&EVEN) + "g.set(0, RESERVE, 3); g.push(DEPLOY_PHASE, 0);"),
        3,
        &[],
    );
    let (log, finished) = play_logged(
        &setup,
        &[
            &[
                "place a 2 + place b 2",
                "place a 2 + place c 1",
                "place a 2 + place b 1",
            ],
            &[],
            &[],
        ],
    );
    assert_eq!(finished.game.strikes(risk_kernel::id::Player(0)), 2);
    assert!(refuses(&log, "step 2 place b 2 armies 1"), "{log}");
    assert!(refuses(&log, "step 2 place c 1 at a b"), "{log}");
    assert!(
        log.contains("a +2 is 5") && log.contains("b +1 is 2"),
        "{log}"
    );
}

#[test]
fn dice_are_bounded_by_the_army_that_may_leave() {
    let (_folder, setup) = position(&(land(&EVEN) + "g.push(ATTACK_PHASE, 0);"), 3, &[]);
    let (log, _) = play_logged(
        &setup,
        &[&["attack a f 3", "attack a b 1", "attack a d 1"], &[], &[]],
    );
    assert!(refuses(&log, "attack a f 3 dice 1 2"), "{log}");
    assert!(refuses(&log, "attack a b 1 to f"), "{log}");
    assert!(log.contains("player 1 is neutral"), "{log}");
}

#[test]
fn the_attack_goes_on_when_nothing_can_be_attacked_unless_told_otherwise() {
    let armies = [(0, 1), (0, 1), (1, 1), (1, 2), (2, 1), (2, 2)];
    let start = land(&armies) + "g.push(ATTACK_PHASE, 0); g.push(INCOME_PHASE, 0);";
    let (_folder, setup) = position(&start, 3, &[]);
    assert_eq!(
        asks(&play_logged(&setup, &[&[], &[], &[]]).0),
        ["1 attack 1"]
    );
    let (_folder, setup) = position(&start, 3, &[("auto_end", "true")]);
    assert_eq!(asks(&play_logged(&setup, &[&[], &[], &[]]).0), [""; 0]);
}

/// Gives player 1 these cards; the deck keeps the rest.
fn hand(cards: &str) -> String {
    let deal = format!(
        "g.fill(DECK, g.all_cards); for card in {cards} {{ g.move_card(card, TABLE, DECK, 0, HAND); }}\n"
    );
    [land(&EVEN), deal].concat()
}

// On the tiny map the cards a to f are soldier, horse, cannon, soldier, horse, cannon; 6 and 7 are
// wild.

#[test]
fn a_set_can_be_kept_below_five_cards_and_not_from_five_on() {
    let (_folder, setup) = position(&(hand("[3, 4, 5]") + "g.push(TRADE_PHASE, 0);"), 3, &[]);
    let (log, _) = play_logged(&setup, &[&["pass"], &[], &[]]);
    assert_eq!(asks(&log), ["1 trade 2"]);
    assert!(log.contains("trade d e f | pass"), "{log}");

    // Five cards with one set by kinds and several with the wild card.
    let (_folder, setup) = position(
        &(hand("[0, 3, 1, 4, 6]") + "g.push(TRADE_PHASE, 0); g.push(DEPLOY_PHASE, 0);"),
        3,
        &[],
    );
    let (log, finished) = play_logged(&setup, &[&["trade d e wild1"], &[], &[]]);
    assert!(!log.lines().next().unwrap_or_default().contains("pass"));
    assert!(matches!(finished.outcome, Err(StopReason::Halted)));
    // The two cards left are no set, so placing armies comes next.
    assert_eq!(
        asks(&log).last().map(String::as_str),
        Some("1 deploy 8"),
        "{log}"
    );
}

#[test]
fn the_first_own_land_of_a_set_gets_two_armies() {
    let (_folder, setup) = position(&(hand("[0, 1, 2]") + "g.push(TRADE_PHASE, 0);"), 3, &[]);
    let (log, _) = play_logged(&setup, &[&["trade b a c"], &[], &[]]);
    assert!(
        log.contains("trade a b c | trade b a c | pass"),
        "a and b are own land, c is not: {log}"
    );
    assert!(
        log.contains("b +2 is 3") && log.contains("reserve of player 1 +4 is 4"),
        "{log}"
    );
    assert!(
        log.contains("c goes from hand of player 1 onto discard of the table"),
        "{log}"
    );
}

/// The trade follows the offer: first the card of own land that is named first, then the others in
/// deck order.
#[test]
fn the_cards_of_a_set_may_be_named_in_any_order() {
    let traded = |cards: &str| -> String {
        let line =
            |card| format!("    {card} goes from hand of player 1 onto discard of the table\n");
        cards.split(' ').map(line).collect()
    };
    let rows = [
        ("a b c", "a b c", "a +2 is 5"),
        ("a c b", "a b c", "a +2 is 5"),
        ("b a c", "b a c", "b +2 is 3"),
        ("b c a", "b a c", "b +2 is 3"),
        ("c a b", "a b c", "a +2 is 5"),
        ("c b a", "b a c", "b +2 is 3"),
    ];
    for (said, taken, armies) in rows {
        let (_folder, setup) = position(&(hand("[0, 1, 2]") + "g.push(TRADE_PHASE, 0);"), 3, &[]);
        let (log, _) = play_logged(&setup, &[&[&format!("trade {said}")], &[], &[]]);
        assert!(log.contains(&traded(taken)), "{said}: {log}");
        assert!(log.contains(armies), "{said}: {log}");
        assert!(!log.contains("fault"), "{said}: {log}");
    }
    // None of these cards shows the player's land, and cards that are no set stay none.
    let rows = [
        ("wild2 e d", Some("d e wild2")),
        ("d e e", None),
        ("f d wild1", Some("d f wild1")),
    ];
    for (said, taken) in rows {
        let start = hand("[3, 4, 5, 6, 7]") + "g.push(TRADE_PHASE, 0);";
        let (_folder, setup) = position(&start, 3, &[]);
        let (log, _) = play_logged(&setup, &[&[&format!("trade {said}")], &[], &[]]);
        match taken {
            Some(taken) => assert!(log.contains(&traded(taken)), "{said}: {log}"),
            None => assert!(log.contains("fault"), "{said}: {log}"),
        }
    }
}

/// Cards a and d are soldiers, b is a horse, c a cannon. A bot that knows only exact sets always
/// has an answer.
#[test]
fn lax_sets_are_accepted_but_asked_for_only_beside_an_exact_set() {
    let rows = [
        // card_sets, hand, whether the player is asked, a trade, whether it is a set
        ("exact", "[0, 1, 3]", false, "", false),
        ("lax", "[0, 1, 3]", false, "", false),
        ("adjacent", "[0, 1, 3]", true, "trade a b d", true),
        ("adjacent", "[0, 3, 1]", false, "", false),
        ("exact", "[0, 1, 3, 2]", true, "trade a b d", false),
        ("exact", "[0, 1, 3, 2]", true, "trade c b a", true),
        ("lax", "[0, 1, 3, 2]", true, "trade a b d", true),
        ("lax", "[0, 1, 3, 2]", true, "trade d a b", true),
        ("lax", "[0, 1, 3, 6]", true, "trade b d a", true),
    ];
    for (card_sets, cards, asked, trade, is_set) in rows {
        let start = hand(cards) + "g.push(TRADE_PHASE, 0);";
        let (_folder, setup) = position(&start, 3, &[("card_sets", card_sets)]);
        let said: &[&str] = if asked { &[trade] } else { &[] };
        let (log, _) = play_logged(&setup, &[said, &[], &[]]);
        let what = format!("{card_sets}, {cards}, {trade}: {log}");
        assert_eq!(log.contains("player 1 in trade"), asked, "{what}");
        assert_eq!(log.contains("onto discard of the table"), is_set, "{what}");
    }
}

#[test]
fn sets_grow_in_worth_for_everybody() {
    let start = hand("[0, 1, 2, 3, 4, 5]") + "g.set(SETS_TRADED, 4); g.push(TRADE_PHASE, 0);";
    let (_folder, setup) = position(&start, 3, &[]);
    let (log, _) = play_logged(&setup, &[&["trade a b c", "trade d e f"], &[], &[]]);
    assert!(
        log.contains("reserve of player 1 +12 is 12")
            && log.contains("reserve of player 1 +15 is 27"),
        "{log}"
    );
}

/// A game may be as long as its options allow: set values keep growing after the end of the table.
#[test]
fn long_games_have_sets_of_any_worth() {
    for traded in [99, 100, 101, 33_000] {
        let open = format!("g.set(SETS_TRADED, {traded}); g.push(TRADE_PHASE, 0);");
        let start = [hand("[0, 1, 2]"), open].concat();
        let (_folder, setup) = position(&start, 3, &[("max_turns", "100000")]);
        let (log, _) = play_logged(&setup, &[&["trade a b c"], &[], &[]]);
        let armies = 5 * (traded - 2);
        let gains = format!("reserve of player 1 +{armies} is {armies}");
        assert!(log.contains(&gains), "{traded}: {log}");
    }
}

/// Has player 1 attack player 2's last territory until it falls, and move in as few armies as
/// possible.
fn elimination(hands: (&str, &str), options: &[(&str, &str)]) -> String {
    let armies = [(0, 200), (0, 1), (2, 1), (2, 1), (2, 1), (1, 1)];
    let deal = |(cards, who): (&str, usize)| {
        format!("for card in {cards} {{ g.move_card(card, TABLE, DECK, {who}, HAND); }}\n")
    };
    let fill = "g.fill(DECK, g.all_cards);".to_owned();
    let start = [
        land(&armies),
        fill,
        deal((hands.0, 0)),
        deal((hands.1, 1)),
        "g.push(ATTACK_PHASE, 0);".to_owned(),
    ]
    .concat();
    let (_folder, setup) = position(&start, 3, options);
    // The seed decides how many rounds the attack takes; it stops once f is taken.
    for rounds in 1..20 {
        let mut says = vec!["attack a f 3"; rounds];
        says.extend(["move a f 0", "0", "place a 4"]);
        let (log, _) = play_logged(&setup, &[&says, &[], &[]]);
        if let Some((before, _)) = log.split_once("player 2 is eliminated")
            && !before.contains("fault")
        {
            return log;
        }
    }
    panic!("f never falls");
}

#[test]
fn after_an_elimination_armies_follow_then_cards_are_traded_then_placed_then_the_attack_goes_on() {
    let log = elimination(("[0, 1, 2]", "[3, 4]"), &[]);
    let asks: Vec<String> = asks(&log)
        .into_iter()
        .skip_while(|ask| ask.starts_with("1 attack"))
        .collect();
    let phases: Vec<&str> = asks
        .iter()
        .map(|ask| ask.split(' ').nth(1).unwrap())
        .collect();
    // Five cards: one set brings the hand below five.
    assert_eq!(phases[..3], ["occupy", "trade", "deploy"], "{log}");
    assert!(
        log.contains("d goes from hand of player 2 onto hand of player 1"),
        "{log}"
    );
    let (_, after) = log.split_once("in deploy").unwrap();
    assert!(after.contains("in attack"), "{log}");
}

#[test]
fn the_hand_that_must_be_traded_down_is_an_option() {
    let log = elimination(("[0, 1, 2]", "[3, 4]"), &[("forced_trade_at", "6")]);
    assert!(
        !log.contains("in trade"),
        "five cards are fewer than six: {log}"
    );
    let log = elimination(("[0, 1, 2]", "[3, 4, 5]"), &[("forced_trade_at", "6")]);
    assert!(log.contains("in trade"), "{log}");
}

#[test]
fn four_cards_after_an_elimination_are_kept() {
    let log = elimination(("[0, 1]", "[3, 4]"), &[]);
    assert!(!log.contains("in trade"), "{log}");
}

#[test]
fn a_capture_moves_the_dice_that_attacked_and_asks_for_more() {
    let log = elimination(("[]", "[]"), &[]);
    assert!(
        log.contains("takes f of player 2: 1 fall, 3 come from a"),
        "{log}"
    );
    assert!(log.contains("move a f 0 | move a f 1 |"), "{log}");
}

#[test]
fn taking_land_brings_one_card_and_an_empty_deck_is_made_of_the_discards() {
    let start = |cards: &str| {
        land(&EVEN)
            + "g.fill(DECK, g.all_cards);"
            + cards
            + "g.set(0, CONQUERED, 1); g.push(TURN_END_PHASE, 0);"
    };
    let (_folder, setup) = position(&start(""), 3, &[]);
    let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
    assert_eq!(
        log.matches("goes from deck of the table onto hand of player 1")
            .count(),
        1,
        "{log}"
    );
    assert!(log.contains("conquered of player 1 -1 is 0"), "{log}");

    let empty = "g.move_cards(TABLE, DECK, TABLE, DISCARD);";
    let (_folder, setup) = position(&start(empty), 3, &[]);
    let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
    assert!(
        log.contains("deck of the table is shuffled") && log.contains("onto hand of player 1"),
        "{log}"
    );

    let (_folder, setup) = position(&start(empty), 3, &[("recycle", "false")]);
    let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
    assert!(
        !log.contains("onto hand"),
        "without recycling there are no cards any more: {log}"
    );
}

#[test]
fn the_game_ends_at_the_declared_turn() {
    let (_folder, setup) = position(
        &(land(&EVEN) + "g.push(BEGIN_PHASE, NOBODY);"),
        3,
        &[("max_turns", "2")],
    );
    let says: &[&str] = &["place a 3", "done", "done"];
    let (log, finished) = play_logged(&setup, &[says, &["place c 3", "done", "done"], &[]]);
    assert!(log.contains("the end: limit, won by []"), "{log}");
    assert_eq!(finished.outcome.unwrap().reason, "limit");
}

#[test]
fn a_neutral_player_claims_by_chance_and_its_other_armies_lapse() {
    let setup = risk_testing::games::setup("hasbro", None, &["random"; 3], 5, &[]);
    let wrong: &[&str] = &["done", "done", "done"];
    let many: Vec<&str> = vec!["0"; 200];
    let (log, finished) = play_logged(&setup, &[&many, wrong, &many]);
    assert!(log.contains("player 2 is neutral"), "{log}");
    let game = &finished.game;
    let counts: Vec<u32> = game.seats().map(|who| game.territory_count(who)).collect();
    // Claimed one by one, like the land of the others; later attacks do not matter here.
    assert_eq!(counts.iter().sum::<u32>(), 42);
    assert!(
        log.contains("reserve of player 2 -1 is 22"),
        "13 claims: {log}"
    );
    assert!(
        !log.contains("reserve of player 2 -1 is 20"),
        "and nothing placed after them"
    );
    assert!(
        !log.contains("turn 2 in round 1: player 2"),
        "no turn either"
    );
}

#[test]
fn when_all_are_neutral_nobody_wins() {
    let setup = risk_testing::games::setup("hasbro", None, &["random"; 3], 5, &[]);
    let wrong: &[&str] = &["done", "done", "done"];
    let (log, finished) = play_logged(&setup, &[wrong, wrong, wrong]);
    assert!(log.contains("the end: draw, won by []"), "{log}");
    assert!(finished.outcome.unwrap().winners.is_empty());
}

#[test]
fn everybody_starts_with_the_same() {
    // Players; armies each; territories each.
    let rows: &[(usize, i64, &[u32])] = &[
        (3, 35, &[14; 3]),
        (4, 30, &[11, 11, 10, 10]),
        (5, 25, &[9, 9, 8, 8, 8]),
        (6, 20, &[7; 6]),
    ];
    for &(players, armies, territories) in rows {
        let setup = risk_testing::games::setup("hasbro", None, &vec!["random"; players], 9, &[]);
        let says = vec!["0"; 300];
        let claims = 42 + (players * armies as usize - 42);
        let per: Vec<Vec<&str>> = (0..players)
            .map(|seat| says[..(claims + players - 1 - seat) / players].to_vec())
            .collect();
        let per: Vec<&[&str]> = per.iter().map(Vec::as_slice).collect();
        let (log, finished) = play_logged(&setup, &per);
        let game = &finished.game;
        for who in game.seats() {
            assert_eq!(
                game.territory_count(who),
                territories[who.index()],
                "{players} players"
            );
            assert_eq!(
                game.strength(who),
                armies,
                "{players} players: {}",
                log.lines().last().unwrap()
            );
        }
        assert_eq!(game.turn(), 1);
    }
}

#[test]
fn on_larger_maps_armies_grow_with_the_land() {
    let folder = tempfile::tempdir().unwrap();
    let mut yaml = "name: big\nterritories:\n".to_owned();
    for at in 0..100 {
        yaml += &format!("  - {{ id: t{at}, borders: [t{}] }}\n", (at + 1) % 100);
    }
    let map = folder.path().join("big.yaml");
    std::fs::write(&map, yaml).unwrap();
    let setup = risk_testing::games::setup("hasbro", map.to_str(), &["random"; 3], 9, &[]);
    let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
    // 35 × 100 / 42 = 83.3…
    assert!(
        log.contains("reserve of player 1 +84 is 84"),
        "{}",
        &log[..500]
    );
}
