"""Observations lose nothing, and masks reach every action."""

import pickle

import numpy as np
import pytest
import risk_cli
from common import MAPS, steps


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_a_view_can_be_rebuilt(ruleset, map):
    game = risk_cli.Game(ruleset, map, seed=5)
    encoding = risk_cli.Encoding(game)
    for number, _ in enumerate(steps(game, risk_cli.Random(5), 300)):
        if number % 7:
            continue
        for player in range(game.players):
            territories, rest = encoding.observe(game, player)
            assert encoding.rebuild(territories, rest) == game.view(player)


def test_marks_of_territories_are_rebuilt(tmp_path):
    rules = tmp_path / "plague.rhai"
    rules.write_text("""
        fn ruleset() { #{
            extends: "codelab", name: "plague", sight: #{ units: "near" },
            marks: #{ poison: #{ seen: "sight", range: -3..=3 }, snare: "owner" },
            phases: #{ sickness: script() },
            turn: ["sickness", "income", "deploy", "attack", "fortify", "turn_end"],
        } }
        fn sickness_enter(g, me) {
            g.set_mark(g.random(TERRITORIES), POISON, g.turn % 7 - 3);
            g.set_mark(g.owned(me)[0], SNARE, 1);
        }
    """)
    game = risk_cli.Game(str(rules), seed=5)
    encoding = risk_cli.Encoding(game)
    [poison] = [(at, length) for name, at, length in encoding.fields if name == "mark_poison"]
    found = set()
    for _ in steps(game, risk_cli.Random(5), 200):
        for player in range(game.players):
            territories, rest = encoding.observe(game, player)
            view = game.view(player)
            assert encoding.rebuild(territories, rest) == view
            values = rest[poison[0] : poison[0] + poison[1]].tolist()
            assert [None if it == -4 else it for it in values] == view["marks"]["poison"]
            found.update(values)
    assert found >= {-4, 0, 1}


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_every_legal_action_is_reached_through_the_masks(ruleset, map):
    game = risk_cli.Game(ruleset, map, seed=6)
    encoding = risk_cli.Encoding(game)
    rng = risk_cli.Random(6)
    for number, player in enumerate(steps(game, rng, 300)):
        if number % 5:
            continue
        legal = game.legal(player)
        few = legal.to_list() if legal.count <= 60 else [legal.sample(rng) for _ in range(20)]
        for action in few:
            factors = encoding.encode(game, action, player)
            for column in range(len(factors)):
                assert encoding.mask(game, factors[:column].tolist(), player)[factors[column]]
            assert encoding.decode(game, factors.tolist(), player) == action


@pytest.mark.parametrize("ruleset", ["codelab", "hasbro", "warzone", "starwars"])
def test_masks_lead_to_legal_actions_alone(ruleset):
    game = risk_cli.Game(ruleset, seed=7)
    for buckets in ([32, 32], [3], [4, 2], [1024, 1024, 1024]):
        encoding = risk_cli.Encoding(game, buckets=buckets)
        draw = np.random.default_rng(7)
        copy = game.clone()
        for player in steps(copy, risk_cli.Random(7), 60):
            given: list[int] = []
            for _, size in encoding.factors:
                mask = encoding.mask(copy, given, player)
                assert mask.shape == (size,) and mask.any()
                given.append(int(draw.choice(np.flatnonzero(mask))))
            assert encoding.decode(copy, given, player) in copy.legal(player)


def test_exact_buckets_reach_every_amount():
    game = risk_cli.Game("codelab", seed=1)
    exact = risk_cli.Encoding(game, buckets=[1024, 1024, 1024])
    action = game.legal()[-1]
    assert exact.decode(game, exact.encode(game, action).tolist()) == action


def test_few_buckets_have_the_least_and_the_most():
    game = risk_cli.Game("codelab", seed=1)
    few = risk_cli.Encoding(game, buckets=[2])
    legal = game.legal()
    least, most = legal[0], legal[legal.offers()[0]["parameters"]["armies"][-1] - 1]
    assert few.encode(game, least)[-1] == 0
    assert few.encode(game, most)[-1] == 1
    with pytest.raises(risk_cli.RiskError, match="place"):
        few.encode(game, legal[3])


def test_a_flat_table_goes_both_ways():
    game = risk_cli.Game("codelab", "duel", seed=2)
    encoding = risk_cli.Encoding(game, buckets=[4], flat=True)
    for player in steps(game, risk_cli.Random(3), 40):
        mask = encoding.flat_mask(game)
        assert mask.shape == (encoding.flat_len,) and mask.any()
        for number in np.flatnonzero(mask)[:50]:
            factors = encoding.flat_to_factors(int(number)).tolist()
            assert encoding.factors_to_flat(factors) == number
            assert encoding.decode(game, factors, player) in game.legal(player)
    with pytest.raises(risk_cli.IllegalAction, match=f"{encoding.flat_len}"):
        encoding.flat_to_factors(encoding.flat_len)
    with pytest.raises(risk_cli.RiskError, match="buckets="):
        risk_cli.Encoding(risk_cli.Game("codelab", seed=1), flat=True)


def test_forged_observations_are_refused():
    game = risk_cli.Game("hasbro", seed=1)
    encoding = risk_cli.Encoding(game)
    territories, rest = encoding.observe(game, 0)
    random = np.random.default_rng(1)
    for _ in range(2000):
        forged = rest.copy()
        forged[random.integers(len(forged))] = random.integers(-(2**31), 2**31)
        try:
            encoding.rebuild(territories, forged)
        except risk_cli.RiskError:
            pass
    with pytest.raises(risk_cli.RiskError, match="size"):
        encoding.rebuild(territories, rest[:-1].copy())


def test_no_room_is_an_error_that_says_what_to_do():
    game = risk_cli.Game("warzone", seed=1)
    encoding = risk_cli.Encoding(game, orders=1)
    with pytest.raises(risk_cli.RiskError, match="orders="):
        for player in steps(game, risk_cli.Random(1), 10):
            encoding.observe(game, player)


def test_own_seat_comes_first():
    game = risk_cli.Game("codelab", players=3, seed=4)
    encoding = risk_cli.Encoding(game)
    for player in range(3):
        territories, rest = encoding.observe(game, player)
        owners = game.view(player)["owners"]
        assert [(player + code - 1) % 3 for code in territories[:, 0]] == owners
        assert rest[0] == player


def test_the_map_is_there_once():
    game = risk_cli.Game("codelab", seed=1)
    encoding = risk_cli.Encoding(game)
    assert encoding.edges.shape[1] == 2
    assert len(encoding.continents) == 42
    assert len(encoding.bonuses) == encoding.continents.max() + 1
    assert [encoding.continents[at] for _, at in encoding.members] == encoding.members[:, 0].tolist()
    assert len(encoding.members) == 42


@pytest.mark.parametrize("ruleset", ["codelab", "hasbro", "warzone", "starwars"])
def test_an_encoding_takes_a_turn_as_it_takes_a_game(ruleset):
    game = risk_cli.Game(ruleset)
    encoding = risk_cli.Encoding(game)
    flat = risk_cli.Encoding(game, buckets=(4,), flat=True) if ruleset == "codelab" else None
    other = risk_cli.Encoding(risk_cli.Game("simplified"))
    turns = []

    def trained(turn):
        if len(turns) >= 200:
            return turn.sample()
        territories, rest = encoding.observe(turn, turn.player)
        assert encoding.rebuild(territories, rest) == turn.view
        factors = encoding.sample(turn, turn.rng)
        for column in range(len(factors)):
            assert encoding.mask(turn, factors[:column].tolist())[factors[column]]
        action = encoding.decode(turn, factors.tolist())
        assert action in turn.legal
        assert (encoding.encode(turn, action, turn.player) == factors).all()
        if flat:
            number = int(np.flatnonzero(flat.flat_mask(turn))[-1])
            assert flat.decode(turn, flat.flat_to_factors(number)) in turn.legal
        own = risk_cli.Encoding(turn)
        assert own.factors == encoding.factors
        with pytest.raises(risk_cli.RiskError, match="only the encoding of a Game can be pickled"):
            pickle.dumps(own)
        stranger = (turn.player + 1) % game.players
        for call in (
            lambda: encoding.observe(turn, stranger),
            lambda: encoding.mask(turn, [], stranger),
        ):
            with pytest.raises(risk_cli.RiskError, match=f"to player {turn.player} alone"):
                call()
        turns.append(turn)
        return action

    bots = [trained] + ["random"] * (game.players - 1)
    found = risk_cli.play_match(bots, ruleset, games=1, seed=3)
    assert len(turns) == 200
    assert found["bots"][0]["faults"] == 0
    # A turn is what its bot saw then, also after the match.
    assert encoding.mask(turns[0]).any()
    with pytest.raises(risk_cli.RiskError, match="another kind of game"):
        other.mask(turns[0])


def test_only_games_and_turns_are_encoded():
    encoding = risk_cli.Encoding(risk_cli.Game("codelab"))
    for wrong in (None, 3, "codelab", encoding):
        with pytest.raises(TypeError):
            encoding.mask(wrong)
        with pytest.raises(TypeError):
            risk_cli.Encoding(wrong)


def test_an_encoding_shows_its_shapes():
    text = repr(risk_cli.Encoding(risk_cli.Game("codelab"), buckets=(4,)))
    assert text.startswith("<Encoding: territories 42 x 2, globals ")
    assert text.endswith("factors: verb 4, from 42, to 42, amount 4>"), text


def test_numbers_of_players_out_of_range_are_refused():
    game = risk_cli.Game("codelab")
    encoding = risk_cli.Encoding(game)
    for player in (-1, game.players, 2**40):
        for call in (
            lambda: game.view(player),
            lambda: game.legal(player),
            lambda: game.score(player),
            lambda: encoding.observe(game, player),
            lambda: encoding.mask(game, [], player),
        ):
            with pytest.raises(risk_cli.RiskError, match=f"`player` must be from 0 to 1, found {player:,}"):
                call()
    for players in (-1, 0, 33):
        with pytest.raises(risk_cli.RiskError, match=f"from 1 to 32, found {players}"):
            risk_cli.Game("codelab", players=players)
