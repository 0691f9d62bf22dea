//! Borders with kinds and conditions, which rules close and open, against their words.

use std::collections::BTreeSet;
use std::sync::Arc;

use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::borders::{BorderInfo, Holding};
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Group, Player, Territory};
use risk_kernel::rng::{GameKey, Purpose, Stream};
use risk_kernel::state::GameState;
use risk_testing::toy::{LENIENT, declaration, is_digest_of_all};
use risk_testing::watchdog::watch;

const LAND: u16 = 7;
const PLAYERS: usize = 3;

type Way = (Territory, Territory);

/// A random board with a group of its first three territories, and what it says about its borders.
fn board(luck: &mut Stream) -> (Board, Vec<(Territory, Territory, BorderInfo)>) {
    let land = |at: u16| TerritoryInfo {
        id: format!("t{at}"),
        ..TerritoryInfo::default()
    };
    let pairs = (0..LAND).flat_map(|a| (0..LAND).map(move |b| (Territory(a), Territory(b))));
    let ways: Vec<Way> = pairs
        .filter(|(a, b)| a != b)
        .filter(|_| luck.below(2) == 0)
        .collect();
    let mut said = Vec::new();
    for &(from, to) in &ways {
        let open_if = match luck.below(4) {
            0 => Some(Holding::Territory(
                Territory(luck.below(LAND.into()) as u16),
            )),
            1 => Some(Holding::Group(Group(0))),
            _ => None,
        };
        let info = BorderInfo {
            is_bombard: luck.below(4) == 0,
            open_if,
            ..BorderInfo::default()
        };
        said.push((from, to, info));
    }
    let group = GroupInfo {
        id: "g".to_owned(),
        territories: (0..3).map(Territory).collect(),
        needs: Some(2),
        ..GroupInfo::default()
    };
    let land = (0..LAND).map(land).collect();
    let board = Board::new(String::new(), String::new(), land, Vec::new(), &ways);
    let board = board.with_groups(vec![group]).with_borders(said.clone());
    (board, said)
}

/// Reports what the words say of a border.
fn is_open(game: &GameState, info: &BorderInfo, player: Player) -> bool {
    let has = |at: u16| game.owner(Territory(at)) == Some(player);
    match info.open_if {
        None => true,
        Some(Holding::Territory(at)) => has(at.0),
        Some(Holding::Group(_)) => (0..3).filter(|&at| has(at)).count() >= 2,
    }
}

#[test]
fn borders_are_open_as_their_words_say() {
    watch();
    let mut luck = Stream::new(3, 1, Purpose::Setup);
    let mut shut = 0;
    for _ in 0..60 {
        let (board, said) = board(&mut luck);
        let decl = Arc::new(declaration(LENIENT));
        let mut game = GameState::new(Arc::new(board), decl, PLAYERS, GameKey::of_numbers(1, 1));
        let mut closed: BTreeSet<Way> = BTreeSet::new();
        for _ in 0..40 {
            let [a, b] = [(); 2].map(|()| Territory(luck.below(LAND.into()) as u16));
            let owner = luck.below(PLAYERS as u64 + 1) as usize;
            game.set_owner(a, (owner < PLAYERS).then(|| Player::from_index(owner)));
            let open = luck.below(2) == 0;
            let is_border = said
                .iter()
                .any(|&(from, to, _)| (from, to) == (a, b) || (from, to) == (b, a));
            assert_eq!(game.set_open(a, b, open).is_ok(), is_border);
            for way in [(a, b), (b, a)] {
                closed.remove(&way);
                if !open && is_border {
                    closed.insert(way);
                }
            }
            for player in game.seats() {
                for at in game.board().territories() {
                    let ends = |moves: bool| -> Vec<Territory> {
                        let all = said.iter().filter(|(from, to, info)| {
                            *from == at
                                && !closed.contains(&(*from, *to))
                                && is_open(&game, info, player)
                                && !(moves && info.is_bombard)
                        });
                        all.map(|&(_, to, _)| to).collect()
                    };
                    assert_eq!(
                        game.attack_borders(player, at).collect::<Vec<_>>(),
                        ends(false)
                    );
                    assert_eq!(
                        game.move_borders(player, at).collect::<Vec<_>>(),
                        ends(true)
                    );
                    if game.owns(player, at) {
                        let is_own = |to: &&Territory| game.owns(player, **to);
                        assert_eq!(game.own_near(at), ends(true).iter().filter(is_own).count());
                        assert_eq!(game.is_front(at), !ends(false).iter().all(|to| is_own(&to)));
                    }
                }
            }
            shut += closed.len();
        }
        is_digest_of_all(&game);
        let pairs: Vec<Way> = game.closed_borders().collect();
        let all = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        assert_eq!(all.collect::<BTreeSet<_>>(), closed);
        for (from, to) in pairs {
            game.set_open(from, to, true).unwrap();
        }
        is_digest_of_all(&game);
        assert_eq!(game.closed_borders().count(), 0);
    }
    assert!(shut > 1_000);
}
