"""What policies need: actions over borders, rows of floats, actions drawn from logits, and buffers."""

import itertools

import numpy as np
import pytest
import risk_cli
from common import MAPS
from gymnasium.utils.env_checker import check_env
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC
from risk_cli.vector import RiskVectorEnv

BORDER = {"actions": "border", "buckets": [4]}
FLOATS = {"observation": "flat"}


def masks_by_hand(encoding, game):
    """The numbers of all legal factors, found factor by factor, and how many have none."""
    sizes = [size for _, size in encoding.factors]
    found, missing, given = set(), 0, [[]]
    for _ in sizes:
        given = [
            [*prefix, int(value)]
            for prefix in given
            for value in np.flatnonzero(encoding.mask(game, prefix))
        ]
    for factors in given:
        try:
            found.add(encoding.factors_to_flat(factors))
        except risk_cli.IllegalAction:
            missing += 1
    return found, missing


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_a_mask_over_borders_is_that_of_all_factors(ruleset, map):
    game = risk_cli.Game(ruleset, map, seed=1)
    rng = risk_cli.Random(1)
    border = risk_cli.Encoding(game, buckets=[4], border=True)
    seen = 0
    for step in range(400):
        if game.is_over:
            break
        if step % 8 == 0 and game.legal().count < 2_000:
            seen += 1
            expected, _ = masks_by_hand(border, game)
            found = set(np.flatnonzero(border.flat_mask(game)))
            trades = {number for number in found if border.flat_decode(game, number).verb == "trade"}
            assert found - trades == expected
            assert len(trades) == min(4, sum(o["count"] for o in game.legal().offers() if o["verb"] == "trade"))
            for number in found:
                assert border.flat_decode(game, number) in game.legal()
        game.apply(game.sample(rng))
    assert seen >= 5


def test_flat_masks_from_the_offers_are_those_of_all_factors():
    for ruleset in ("codelab", "hasbro", "warzone", "simplified"):
        game = risk_cli.Game(ruleset, "grid:3x3", seed=1)
        rng = risk_cli.Random(1)
        for buckets in ([4], [2, 3], [32]):
            flat = risk_cli.Encoding(game, buckets=buckets, flat=True)
            for _ in range(12):
                if game.is_over or game.legal().count > 2_000:
                    break
                expected, missing = masks_by_hand(flat, game)
                assert missing == 0 and set(np.flatnonzero(flat.flat_mask(game))) == expected
                game.apply(game.sample(rng))


def test_offers_that_share_an_amount_are_merged(tmp_path):
    """Two offers of one verb with amounts of 1 to 3 and of 5 are one amount of four values."""
    ruleset = tmp_path / "shared.rhai"
    ruleset.write_text(
        """
fn ruleset() { #{
    name: "shared", players: [2, 4], map: "duel", units: ["army"],
    verbs: #{
        take: #{ n: "count" },
        march: #{ from: "territory", target: "territory", n: "count" },
        done: #{},
    },
    phases: #{ p: script() }, turn: ["p"],
} }
fn setup(g) { g.deal(); g.push(P_PHASE, 0); }
fn p_options(g, me, out) {
    out.offer(TAKE, 1..=3); out.offer(TAKE, 5);
    out.offer(MARCH, [0, 1], [2, 3], 2..=9); out.offer(MARCH, 1, 3, 20..=21);
    out.offer(MARCH, 4, [2, 5], [1, 2, 4, 8]);
    out.offer(DONE);
}
fn p_apply(g, me, said) { g.end("draw", []); }
""",
        encoding="utf-8",
    )
    game = risk_cli.Game(str(ruleset))
    for settings in ({"flat": True}, {"border": True}):
        for buckets in ([4], [16], [3, 3]):
            encoding = risk_cli.Encoding(game, buckets=buckets, **settings)
            expected, _ = masks_by_hand(encoding, game)
            assert set(np.flatnonzero(encoding.flat_mask(game))) == expected


def test_numbers_over_borders_are_few_and_go_back():
    game = risk_cli.Game("codelab")
    border = risk_cli.Encoding(game, buckets=[4], border=True)
    flat = risk_cli.Encoding(game, buckets=[4], flat=True)
    assert border.flat_len < 1_600 < 14_000 < flat.flat_len
    seen = set()
    for number in range(border.flat_len):
        factors = border.flat_to_factors(number)
        assert border.factors_to_flat(factors) == number
        seen.add(tuple(factors))
    assert len(seen) == border.flat_len
    edges = {tuple(edge) for edge in border.edges.tolist()}
    attacks = {factors[1:3] for factors in seen if border.factors[0][0] == "verb" and factors[2]}
    assert attacks <= edges
    for both in ({"flat": True, "border": True},):
        with pytest.raises(risk_cli.RiskError, match="found both"):
            risk_cli.Encoding(game, **both)


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_games_are_played_over_borders(ruleset, map):
    """Also those that offer moves between territories that are not neighbours."""
    env = RiskVectorEnv(3, ruleset, map, max_steps=200, **BORDER)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for step in range(300):
        if step % 2:
            actions = env.sample()
        else:
            mask = env._arrays[6]
            actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        env.step(actions)


def test_single_environments_over_borders():
    check_env(RiskEnv("codelab", "duel", **BORDER, **FLOATS), skip_render_check=True)
    env = RiskAEC("hasbro", players=3, max_steps=300, **BORDER)
    env.reset(seed=1)
    for agent in env.agent_iter(400):
        observation, _, over, cut, _ = env.last()
        action = None if over or cut else env.action_space(agent).sample()
        assert action is None or observation["action_mask"][action]
        env.step(action)


def unscaled(value):
    return round(2 ** (10 * value) - 1)


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_features_are_the_observation(ruleset, map):
    game = risk_cli.Game(ruleset, map, seed=2)
    rng = risk_cli.Random(2)
    encoding = risk_cli.Encoding(game)
    fields = {name: slice(start, start + size) for name, start, size in encoding.features_fields}
    whole = {name: slice(start, start + size) for name, start, size in encoding.fields}
    rows, columns = encoding.territories_shape
    for _ in range(150):
        if game.is_over:
            break
        for player in range(game.players):
            land, rest = encoding.observe(game, player)
            row = encoding.features(game, player)
            assert row.dtype == np.float32 and row.min() >= 0 and row.max() <= 1
            cells = row[fields["territories"]].reshape(rows, encoding.features_columns)
            hides = encoding.features_columns - (1 + game.players) - (columns - 1)
            owners = cells[:, : 1 + game.players + (hides > 1 or (land[:, 0] < 0).any())]
            assert (owners.sum(axis=1) == 1).all()
            shown = land[:, 0] >= 0
            assert (owners[shown].argmax(axis=1) == land[shown, 0]).all()
            assert (owners[~shown].argmax(axis=1) == owners.shape[1] - 1).all()
            units = cells[:, owners.shape[1] :][:, : columns - 1]
            for unit, cell in zip(land[:, 1:].flat, units.flat):
                assert unscaled(cell) == max(0, unit) or unit > 1_000
            assert row[fields["seat"]].argmax() == rest[whole["seat"]][0]
            assert row[fields["phase"]].argmax() == rest[whole["phase"]][0]
            assert unscaled(row[fields["round"]][0]) == rest[whole["round"]][0]
            assert (row[fields["asked"]] == rest[whole["asked"]]).all()
        game.apply(game.sample(rng))


def test_a_hidden_owner_and_hidden_units_have_features():
    game = risk_cli.Game("warzone", options={"fog": "normal"}, seed=1)
    encoding = risk_cli.Encoding(game)
    land, _ = encoding.observe(game, 0)
    cells = encoding.features(game, 0)[: len(land) * encoding.features_columns]
    cells = cells.reshape(len(land), -1)
    hidden = land[:, 1] < 0
    assert hidden.any() and not hidden.all()
    assert (cells[:, -1] == hidden).all()


def test_vector_environments_write_the_features():
    env = RiskVectorEnv(4, "codelab", "duel", threads=2, **BORDER, **FLOATS)
    seen, _ = env.reset(seed=5)
    assert env.observation_space.contains(seen)
    games = [risk_cli.Game("codelab", "duel", seed=5, game=row) for row in range(4)]
    for _ in range(40):
        for row, game in enumerate(games):
            assert (seen[row] == env.encoding.features(game, game.player)).all()
        actions = env.sample()
        seen, *_ = env.step(actions)
        for game, action in zip(games, actions):
            game.apply(env.encoding.flat_decode(game, int(action)))


def test_actions_are_drawn_by_their_logits():
    env = RiskVectorEnv(2_000, "codelab", "duel", threads=2, **BORDER)
    _, info = env.reset(seed=1)
    # All games begin alike but for the owners; the mask of the first has some legal actions.
    mask = info["action_mask"]
    logits = np.random.default_rng(1).normal(size=mask.shape).astype(np.float32)
    actions, log_probs = env.sample_from(logits)
    rows = np.arange(len(mask))
    assert mask[rows, actions].all()
    masked = np.where(mask, logits, -np.inf)
    exact = masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))
    assert np.allclose(log_probs, exact[rows, actions], atol=1e-5)
    # The sum of the chances is what is drawn: the most likely action in a share of the rows.
    likely = exact.argmax(axis=1)
    share, expected = (actions == likely).mean(), np.exp(exact[rows, likely]).mean()
    assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / len(mask))
    with_one = np.full_like(logits, -np.inf)
    with_one[rows, actions] = 3
    again, log_probs = env.sample_from(with_one)
    assert (again == actions).all() and (log_probs == 0).all()
    env.step(again)


def test_an_illegal_number_is_refused():
    game = risk_cli.Game("codelab", "duel", seed=1)
    encoding = risk_cli.Encoding(game, buckets=[4], border=True)
    closed = np.flatnonzero(~encoding.flat_mask(game))
    for number in (*closed[:: len(closed) // 20], encoding.flat_len):
        with pytest.raises(risk_cli.IllegalAction):
            encoding.flat_decode(game, int(number))
    envs = RiskVectorEnv(2, "codelab", "duel", **BORDER)
    envs.reset(seed=1)
    with pytest.raises(risk_cli.IllegalAction, match="no entry -1 in the flat table"):
        envs.step([-1, -1])


def test_draws_do_not_depend_on_the_threads():
    def drawn(threads):
        env = RiskVectorEnv(7, "hasbro", threads=threads, **BORDER)
        _, info = env.reset(seed=3)
        found = []
        for _ in range(20):
            logits = np.sin(np.arange(info["action_mask"].size)).reshape(info["action_mask"].shape)
            actions, log_probs = env.sample_from(logits)
            _, _, _, _, info = env.step(actions)
            found.append((actions.tolist(), log_probs.tolist()))
        return found

    assert drawn(1) == drawn(3)


def test_bad_logits():
    env = RiskVectorEnv(2, "codelab", "duel", **BORDER)
    shape = env.reset(seed=1)[1]["action_mask"].shape
    for logits, error, text in [
        (np.full(shape, np.nan), risk_cli.RiskError, "game 0: expected a legal action"),
        (np.full(shape, -np.inf), risk_cli.RiskError, "game 0"),
        (np.full(shape, np.inf), risk_cli.RiskError, "game 0"),
        (np.zeros((2, 3)), ValueError, "expected logits of shape"),
        ("nothing", ValueError, "could not convert"),
    ]:
        with pytest.raises(error, match=text):
            env.sample_from(logits)
    factored = RiskVectorEnv(2, "codelab", "duel")
    factored.reset(seed=1)
    with pytest.raises(risk_cli.RiskError, match="border"):
        factored.sample_from(np.zeros((2, 4)))


def test_steps_write_the_buffers():
    kinds = {"copy": False, **BORDER, **FLOATS}
    plain = RiskVectorEnv(3, "codelab", "duel", **BORDER, **FLOATS)
    size = plain.single_observation_space.shape[0]
    memory = np.zeros((3, size), dtype=np.float32)
    buffers = {"observation": memory, "terminated": np.ones(3, dtype=bool)}
    env = RiskVectorEnv(3, "codelab", "duel", buffers=buffers, **kinds)
    seen, _ = env.reset(seed=4)
    assert seen is memory and not buffers["terminated"].any()
    first, _ = plain.reset(seed=4)
    assert (first == memory).all()
    for _ in range(50):
        action = plain.sample()
        expected, _, over, *_ = plain.step(action)
        env.step(action)
        assert (expected == memory).all() and (over == buffers["terminated"]).all()


@pytest.mark.parametrize(
    ("buffers", "text"),
    [
        ({"nothing": np.zeros(3)}, "expected buffers of territories"),
        ({"player": np.zeros(3)}, r"array of int32 of shape \(3,\), found float64"),
        ({"player": np.zeros(4, np.int32)}, r"found int32 of shape \(4,\)"),
        ({"player": np.zeros(6, np.int32)[::2]}, "contiguous and writable"),
        ({"player": [0, 0, 0]}, "found <class 'list'>"),
        ({"observation": np.zeros((3, 7), np.float32)}, r"shape \(3, 0\)"),
    ],
)
def test_bad_buffers(buffers, text):
    with pytest.raises(ValueError, match=text):
        RiskVectorEnv(3, "codelab", "duel", buffers=buffers)
