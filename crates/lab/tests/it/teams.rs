//! Players in teams: permitted attacks, winners, and the ranks of partners.

use risk_lab::tournament::Design;

#[test]
fn two_bots_meet_as_teams() {
    // The team of each seat, and the seatings: 0 and 1 are the two bots, higher numbers further
    // copies.
    for (teams, sides, seatings) in [
        (
            vec![0, 1, 0, 1],
            vec![0, 1, 0, 1],
            vec![[0, 1, 2, 3].to_vec(), vec![1, 0, 3, 2]],
        ),
        (
            vec![0, 1, 2, 0, 1, 2],
            vec![0, 1, 0, 1, 1, 1],
            vec![
                vec![0, 1, 3, 2, 4, 5],
                vec![1, 0, 3, 4, 2, 5],
                vec![1, 3, 0, 4, 5, 2],
            ],
        ),
        (
            vec![0, 0, 2],
            vec![0, 1, 0, 1],
            vec![vec![0, 2, 1], vec![1, 3, 0]],
        ),
    ] {
        let design = Design::teams(teams.clone());
        assert_eq!(
            design.block(7, |_| panic!("nothing is drawn")),
            seatings,
            "{teams:?}"
        );
        assert_eq!(design.games_per_block(), seatings.len());
        let bots = 0..design.bots_of().iter().sum::<usize>();
        let found: Vec<_> = bots.filter_map(|bot| design.side(bot)).collect();
        assert_eq!(found, sides, "{teams:?}");
    }
}
