//! Groups that overlap and contain each other, compared with a definition by their words; and what
//! they give when a turn begins.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::{Strategy, prop, prop_assert_eq};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::declare::Declaration;
use risk_kernel::groups::{BonusStep, GroupInfo};
use risk_kernel::id::{Group, Player, Territory, Unit};
use risk_kernel::phases;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_testing::watchdog::watch;

use risk_testing::toy::{LENIENT, declaration};

const LAND: usize = 6;
const PLAYERS: usize = 3;

/// Members and numbers, of which some don't fit; the group's place in the list makes them fit.
type Draft = (
    Vec<usize>,
    Vec<usize>,
    u32,
    i32,
    Vec<(u32, i32)>,
    Vec<usize>,
);

fn board(groups: &[Draft]) -> Arc<Board> {
    let land = |at: usize| TerritoryInfo {
        id: format!("t{at}"),
        continent: (at < 3).then_some(Group(0)),
        ..TerritoryInfo::default()
    };
    let ways = (1..LAND).map(|at| (Territory::from_index(at - 1), Territory::from_index(at)));
    let continent = GroupInfo {
        id: "c".to_owned(),
        bonus: 5,
        ..GroupInfo::default()
    };
    let group = |(index, (land, groups, needs, bonus, steps, over)): (usize, &Draft)| {
        let territories: BTreeSet<_> = land.iter().map(|&at| Territory::from_index(at)).collect();
        let below: BTreeSet<_> = groups
            .iter()
            .map(|at| Group::from_index(at % (index + 1)))
            .collect();
        GroupInfo {
            id: format!("g{index}"),
            bonus: *bonus,
            needs: (*needs > 0).then_some(*needs),
            steps: steps
                .iter()
                .map(|&(needs, bonus)| BonusStep { needs, bonus })
                .collect(),
            territories: territories.into_iter().collect(),
            groups: below.into_iter().collect(),
            overrides: over.iter().map(|&at| Group::from_index(at)).collect(),
            ..GroupInfo::default()
        }
    };
    let all = groups.iter().enumerate().map(group).collect();
    let territories = (0..LAND).map(land).collect();
    let board = Board::new(
        String::new(),
        String::new(),
        territories,
        vec![continent],
        &ways.collect::<Vec<_>>(),
    );
    Arc::new(board.with_groups(all))
}

fn game(board: Arc<Board>) -> GameState {
    let decl = Declaration {
        turn: Vec::new(),
        ..declaration(LENIENT)
    };
    GameState::new(board, Arc::new(decl), PLAYERS, GameKey::of_numbers(1, 1))
}

/// Returns the number of members of each group that a player holds, from the smallest groups up.
fn members_by_words(game: &GameState, player: Player) -> Vec<u32> {
    let groups = game.board().groups();
    let mut held: Vec<u32> = Vec::new();
    for info in groups {
        let land = info
            .territories
            .iter()
            .filter(|&&at| game.owner(at) == Some(player))
            .count();
        // Each group of these boards contains only earlier ones.
        let parts = info.groups.iter().filter(|part| {
            let info = &groups[part.index()];
            held[part.index()] > 0 && held[part.index()] >= needs(info)
        });
        held.push(land as u32 + parts.count() as u32);
    }
    held
}

fn needs(info: &GroupInfo) -> u32 {
    let all = info.territories.len() + info.groups.len();
    info.needs.unwrap_or(all as u32)
}

fn bonus_by_words(game: &GameState, player: Player) -> i64 {
    let groups = game.board().groups();
    let held = members_by_words(game, player);
    let holds = |at: usize| held[at] > 0 && held[at] >= needs(&groups[at]);
    let mut sum = 0;
    for (index, info) in groups.iter().enumerate() {
        let is_over = |by: usize| groups[by].overrides.contains(&Group::from_index(index));
        if (0..groups.len()).any(|by| is_over(by) && holds(by)) {
            continue;
        }
        if holds(index) {
            sum += i64::from(info.bonus);
        }
        for step in &info.steps {
            if held[index] >= step.needs {
                sum += i64::from(step.bonus);
            }
        }
    }
    sum
}

#[test]
fn groups_are_held_and_paid_as_their_words_say() {
    watch();
    let numbers = || prop::collection::vec(0..LAND, 0..5);
    let steps = prop::collection::vec((1_u32..5, -3_i32..4), 0..3);
    let over = prop::collection::vec(0_usize..4, 0..2);
    let group = (numbers(), numbers(), 0_u32..4, -2_i32..9, steps, over);
    let groups = prop::collection::vec(group, 4..5);
    let changes = prop::collection::vec((0..LAND, 0..=PLAYERS), 1..30);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::with_cases(300), rng);
    let outcome = runner.run(&(groups, changes).prop_map(|it| it), |(groups, changes)| {
        let mut game = game(board(&groups));
        for (at, owner) in changes {
            let owner = (owner < PLAYERS).then(|| Player::from_index(owner));
            game.set_owner(Territory::from_index(at), owner);
            for player in game.seats() {
                let held = members_by_words(&game, player);
                let board = game.board();
                let by_view = board.owned_in(|at| game.owner(at) == Some(player));
                for (index, info) in board.groups().iter().enumerate() {
                    let group = Group::from_index(index);
                    let holds = held[index] > 0 && held[index] >= needs(info);
                    prop_assert_eq!(game.holds(player, group), holds);
                    prop_assert_eq!(board.is_held(group, &by_view), holds);
                }
                prop_assert_eq!(phases::bonus(&game, player), bonus_by_words(&game, player));
            }
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Territories 0 to 5: armies, and what the map says about each turn.
#[test]
fn armies_come_and_go_by_the_map() {
    let each_turn = [2, -1, -5, 3, 0, 0];
    let deploys = [None, None, None, Some(Territory(0)), None, None];
    let land = (0..LAND).map(|at| TerritoryInfo {
        id: format!("t{at}"),
        each_turn: each_turn[at],
        deploys: deploys[at],
        ..TerritoryInfo::default()
    });
    let group = |id: &str, land: &[u16]| GroupInfo {
        id: id.to_owned(),
        territories: land.iter().copied().map(Territory).collect(),
        ..GroupInfo::default()
    };
    let fort = GroupInfo {
        bonus: 4,
        deploys: Some(Territory(4)),
        ..group("fort", &[0, 1])
    };
    let plague = GroupInfo {
        each_turn: -2,
        ..group("plague", &[4, 5])
    };
    let board = Board::new(
        String::new(),
        String::new(),
        land.collect(),
        Vec::new(),
        &[],
    );
    let board = Arc::new(board.with_groups(vec![fort, plague]));
    let [me, foe] = [Player(0), Player(1)];
    // The owners of territories, the armies on each before and after the turns of both, and what
    // is left to the first player's income.
    let cases = [
        ([0, 0, 0, 0, 0, 0], [5; 6], [10, 4, 1, 5, 7, 3], 0),
        ([0, 0, 0, 0, 1, 0], [5; 6], [10, 4, 1, 5, 5, 5], 4),
        ([1, 0, 0, 0, 0, 0], [5; 6], [7, 4, 1, 8, 3, 3], 0),
        ([0, 1, 1, 1, 1, 1], [1; 6], [3, 1, 1, 4, 1, 1], 0),
        ([0, 0, 2, 0, 2, 2], [5; 6], [10, 4, 5, 5, 5, 5], 4),
        (
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [5, 0, 0, 0, 4, 0],
            0,
        ),
    ];
    for (owners, before, after, left) in cases {
        let mut game = game(Arc::clone(&board));
        for at in board.territories() {
            let owner = [Some(me), Some(foe), None][owners[at.index()]];
            game.set_owner(at, owner);
            game.add_units(at, Unit::FIRST, before[at.index()]).unwrap();
        }
        game.turn_of(me).unwrap();
        game.turn_of(foe).unwrap();
        let now: Vec<i32> = board.territories().map(|at| game.armies(at)).collect();
        assert_eq!(now, after, "{owners:?}");
        assert_eq!(phases::bonus(&game, me), left, "{owners:?}");
    }
}
