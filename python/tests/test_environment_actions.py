"""The forms of actions that environments read, and those that they refuse."""

from collections import deque

import numpy as np
import pytest
import risk_cli
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC, RiskParallel
from risk_cli.vector import RiskVectorEnv

FLAT = {"actions": "flat", "buckets": [4]}


class Tensor:
    """An array of another library, which NumPy can read."""

    def __init__(self, values):
        self._values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)


def env_of(kind, **settings):
    """A game of one seat, or of all seats, and its space and step."""
    if kind == "gym":
        env = RiskEnv("codelab", "duel", opponents="holder", **settings)
        env.reset(seed=4)
        return env, env.action_space
    settings.pop("illegal", None)
    env = RiskAEC("codelab", "duel", **settings)
    env.reset(seed=4)
    return env, env.action_space(env.agent_selection)


kinds = pytest.mark.parametrize("kind", ["gym", "aec"])


@kinds
def test_all_forms_of_factors_are_one_action(kind):
    env, space = env_of(kind)
    space.seed(6)
    chosen = space.sample()
    said = env.encoding.decode(env.game, chosen)
    forms = [
        chosen.tolist(),
        tuple(chosen.tolist()),
        deque(chosen.tolist()),
        list(chosen),
        *(chosen.astype(kind) for kind in ("i1", "u1", "i2", "i8", "u8", ">i4")),
        Tensor(chosen),
        [Tensor(value) for value in chosen],
        said,
        str(said),
        [said.verb, *said.args],
        (said.verb, *(np.int64(arg) if isinstance(arg, int) else arg for arg in said.args)),
    ]
    env.step(chosen)
    wanted = env.game.digest
    for form in forms:
        env, _ = env_of(kind)
        assert env.game.digest != wanted
        env.step(form)
        assert env.game.digest == wanted, form


@kinds
def test_a_list_of_factors_is_no_list_of_the_games_own_numbers(kind):
    env, space = env_of(kind)
    # The only verb of the set-up is not verb 0, and its amount is not its bucket.
    said = env.encoding.decode(env.game, space.sample())
    assert len(said.numbers) != len(env.encoding.factors)
    before = env.game.digest
    with pytest.raises(ValueError, match="expected an action of 5 integers"):
        env.step(list(said.numbers))
    assert env.game.digest == before


@kinds
def test_all_forms_of_flat_actions_are_one_action(kind):
    env, space = env_of(kind, **FLAT)
    space.seed(6)
    number = int(space.sample())
    env.step(number)
    wanted = env.game.digest
    forms = [np.int16, np.uint64, np.array, Tensor, lambda it: [it], lambda it: np.array([it])]
    for form in forms:
        env, _ = env_of(kind, **FLAT)
        env.step(form(number))
        assert env.game.digest == wanted, form


WRONG = [
    (np.zeros(5), TypeError, "float64 values"),
    ([0.0] * 5, TypeError, "0.0"),
    ([0, 0, 0, 0, 1.5], TypeError, "1.5"),
    (np.zeros(5, dtype=bool), TypeError, "bool values"),
    ([False] * 5, TypeError, "False"),
    ([0, 0, 0, 0, True], TypeError, "True"),
    (np.zeros(5, dtype=object), TypeError, "object values"),
    (Tensor(np.zeros(5)), TypeError, "float64 values"),
    (np.array(["attack", "alaska", "kamchatka", "3"]), TypeError, "<U9 values"),
    (None, TypeError, "None"),
    ([None] * 5, TypeError, "None"),
    ({}, TypeError, "{}"),
    ({0, 1}, TypeError, "{0, 1}"),
    (1.0, TypeError, "1.0"),
    (True, TypeError, "True"),
    (b"attack", TypeError, "b'attack'"),
    (["attack", "alaska", "kamchatka", 3.0], TypeError, "3.0"),
    (["attack", "alaska", "kamchatka", True], TypeError, "True"),
    ([0, "attack"], TypeError, "'attack'"),
    ([], ValueError, r"shape \(0,\)"),
    ([0] * 4, ValueError, r"shape \(4,\)"),
    (np.zeros(6, dtype=int), ValueError, r"shape \(6,\)"),
    ([[0] * 5], ValueError, r"shape \(1, 5\)"),
    ([[0], [0, 0]], ValueError, "rows of different lengths"),
]


@kinds
@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
@pytest.mark.parametrize("illegal", ["end", "raise"])
def test_values_that_are_no_actions_change_nothing(kind, settings, illegal):
    env, space = env_of(kind, illegal=illegal, **settings)
    before = env.game.digest
    for action, error, found in WRONG:
        with pytest.raises(error, match=f"expected an action of .*, found {found}"):
            env.step(action)
    with pytest.raises(ValueError, match="expected an action of"):
        env.step([0] * 5 if settings else 0)
    assert env.game.digest == before
    env.step(space.sample())
    assert env.game.digest != before


@pytest.mark.parametrize(
    ("settings", "action", "text"),
    [
        ({}, [2**40, 0, 0, 0, 0], "1099511627776 is illegal for the factor `verb`"),
        ({}, [1, 0, 0, 0, -(2**70)], "-1180591620717411303424 is illegal .* `amount_part_2`"),
        ({}, np.array([0, 2**63, 0, 0, 0], dtype="u8"), "9223372036854775808 .*`from`"),
        ({}, [99, 0, 0, 0, 0], "99 is illegal for the factor `verb`"),
        (FLAT, -1, "no entry -1 in the flat table"),
        (FLAT, 2**70, "no entry 1180591620717411303424 in the flat table"),
        (FLAT, np.int64(10**9), "no entry 1000000000 in the flat table"),
        ({}, "attack alaska", "expected 3 parameters for `attack`, found 1"),
    ],
)
def test_integers_of_all_sizes_are_illegal_actions(settings, action, text):
    raises, _ = env_of("gym", illegal="raise", **settings)
    alone, _ = env_of("aec", **settings)
    for env in (raises, alone):
        before = env.game.digest
        with pytest.raises(risk_cli.IllegalAction, match=text):
            env.step(action)
        assert env.game.digest == before
    ends, _ = env_of("gym", illegal="end", **settings)
    _, reward, over, _, info = ends.step(action)
    assert (reward, over) == (-1.0, True)
    with pytest.raises(risk_cli.IllegalAction, match=text):
        raise risk_cli.IllegalAction(info["illegal"])


@pytest.mark.parametrize("kind", ["gym", "aec", "parallel"])
def test_masks_read_factors_alike(kind):
    if kind == "parallel":
        env = RiskParallel("warzone")
        env.reset(seed=1)

        def mask(given):
            return env.mask("player_0", given)
    else:
        env, _ = env_of(kind)
        mask = env.mask
    verb = int(np.flatnonzero(mask([]))[0])
    wanted = mask([verb]).tolist()
    for given in ((verb,), np.array([verb], dtype="u1"), Tensor([verb])):
        assert mask(given).tolist() == wanted
    most = len(env.encoding.factors) - 1
    for given, error, found in [
        ([0.0], TypeError, "0.0"),
        ([True], TypeError, "True"),
        (None, TypeError, "None"),
        (verb, ValueError, r"shape \(\)"),
        ([[verb]], ValueError, r"shape \(1, 1\)"),
        ([0] * (most + 1), ValueError, rf"shape \({most + 1},\)"),
    ]:
        with pytest.raises(error, match=f"expected at most {most} integers, found {found}"):
            mask(given)
    with pytest.raises(risk_cli.IllegalAction, match="1099511627776 is illegal"):
        mask([2**40])


def many(**settings):
    env = RiskVectorEnv(3, "codelab", "duel", threads=1, **settings)
    env.reset(seed=4)
    env.games.seed_sampler(4)
    return env


@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
def test_vector_reads_all_forms_of_integers(settings):
    env = many(**settings)
    chosen = env.sample()
    assert chosen.shape == ((3,) if settings else (3, 5))
    env.step(chosen)
    wanted = env.games.digests()
    for form in (
        chosen.tolist(),
        tuple(map(tuple, chosen.tolist())) if not settings else tuple(chosen.tolist()),
        list(chosen),
        chosen.astype("i8"),
        chosen.astype("u2"),
        np.asfortranarray(chosen),
        Tensor(chosen),
        [Tensor(row) for row in chosen],
    ):
        env = many(**settings)
        assert env.games.digests() != wanted
        env.step(form)
        assert env.games.digests() == wanted


@pytest.mark.parametrize("illegal", ["end", "raise"])
@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
def test_vector_refuses_other_values(settings, illegal):
    env = many(illegal=illegal, **settings)
    good = env.sample()
    before = env.games.digests()
    for action, error, found in [
        (good.astype(float), TypeError, "float64 values"),
        (good.astype(bool), TypeError, "bool values"),
        (good.astype(object), TypeError, "object values"),
        ((good + 0.5).tolist(), TypeError, r"\d+.5"),
        (good.astype(bool).tolist(), TypeError, "True|False"),
        (None, TypeError, "None"),
        ({}, TypeError, "{}"),
        (["attack"] * 3, TypeError, "'attack'"),
        (good[:2], ValueError, r"shape \(2"),
        (good.reshape(-1, 1), ValueError, r"shape \((3|15), 1\)"),
        (good[np.newaxis], ValueError, r"shape \(1, 3"),
        ([[0], [0, 0], [0]], ValueError, "rows of different lengths"),
    ]:
        shape = r"\(3,\)" if settings else r"\(3, 5\)"
        with pytest.raises(error, match=f"expected integers of shape {shape}, found ({found})"):
            env.step(action)
    if not settings:
        with pytest.raises(ValueError, match=r"found shape \(15,\)"):
            env.step(good.ravel())
    assert env.games.digests() == before
    env.step(good)
    assert env.games.digests() != before


@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
def test_vector_wraps_no_integer(settings):
    env = many(**settings)
    good = env.sample()
    before = env.games.digests()
    wide = good.astype("i8")
    wide[1] += 2**32
    value = int(wide[1].flat[0])
    with pytest.raises(risk_cli.IllegalAction, match=f"game 1: .*{value}"):
        env.step(wide)
    assert env.games.digests() == before
    ends = many(illegal="end", **settings)
    _, rewards, over, _, _ = ends.step(wide)
    assert over.tolist() == [False, True, False] and rewards.tolist() == [0.0, -1.0, 0.0]
    # The step that sets up the next game ignores the action.
    _, rewards, over, _, _ = ends.step(np.where(over.reshape(-1, *[1] * (wide.ndim - 1)), wide, 0))
    assert not over[1] and rewards[1] == 0.0


def test_vector_ignores_actions_of_finished_games():
    env = many(max_steps=1)
    env.step(env.sample())
    env.step(np.full((3, 5), 2**40))
    with pytest.raises(risk_cli.IllegalAction, match="game 0: 1099511627776 "):
        env.step(np.full((3, 5), 2**40))


def test_vector_masks_read_factors_alike():
    env = many()
    verbs = env.mask(np.zeros((3, 0), dtype=int)).argmax(axis=1)[:, np.newaxis]
    wanted = env.mask(verbs).tolist()
    for given in (verbs.tolist(), verbs.astype("u1"), Tensor(verbs)):
        assert env.mask(given).tolist() == wanted
    assert env.mask([[], [], []]).shape == (3, env.encoding.factors[0][1])
    for given, error, found in [
        (verbs.astype(float), TypeError, "float64 values"),
        (verbs.astype(bool), TypeError, "bool values"),
        (verbs[:2], ValueError, r"shape \(2, 1\)"),
        (verbs.ravel(), ValueError, r"shape \(3,\)"),
        (np.zeros((3, 5), dtype=int), ValueError, r"shape \(3, 5\)"),
    ]:
        with pytest.raises(error, match=f"expected 3 rows of at most 4 integers, found {found}"):
            env.mask(given)
    with pytest.raises(risk_cli.IllegalAction, match="game 0: 4294967296 "):
        env.mask(np.full((3, 1), 2**32))


def together():
    """A step of a game in which both players decide, and one where only one does."""
    env = RiskParallel("warzone", "duel")
    env.reset(seed=2)
    for seat, agent in enumerate(env.agents):
        env.action_space(agent).seed(seat)
    return env


def waiting():
    env = together()
    while len(env.game.deciders) == 2:
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})
    idle = next(agent for seat, agent in enumerate(env.agents) if seat not in env.game.deciders)
    return env, idle


def test_waiting_is_any_sequence():
    env, idle = waiting()
    actions = {agent: env.action_space(agent).sample() for agent in env.agents}
    assert actions[idle][0] == env.wait
    env.step(actions)
    wanted = env.game.digest
    for form in (list, tuple, Tensor, lambda it: it.astype("i8"), lambda it: it.tolist()):
        env, _ = waiting()
        env.step({agent: form(action) for agent, action in actions.items()})
        assert env.game.digest == wanted
    env, _ = waiting()
    before = env.game.digest
    busy = next(agent for agent in env.agents if agent != idle)
    for agent, action, error, text in [
        (idle, actions[busy].tolist(), risk_cli.IllegalAction, f"{idle} has no decision now"),
        (busy, actions[idle].tolist(), risk_cli.IllegalAction, f"{busy} has a decision and can't"),
        (idle, [float(env.wait)] + [0] * 9, TypeError, "expected an action of"),
        (idle, [env.wait], ValueError, "expected an action of"),
        (idle, None, TypeError, "expected an action of .* found None"),
        (busy, None, TypeError, "expected an action of .* found None"),
    ]:
        with pytest.raises(error, match=text):
            env.step(actions | {agent: action})
    assert env.game.digest == before


def test_parallel_names_agents_that_are_too_many_or_missing():
    env = together()
    actions = {agent: env.action_space(agent).sample() for agent in env.agents}
    before = env.game.digest
    with pytest.raises(ValueError, match="found one of 'player_2', 7"):
        env.step(actions | {"player_2": actions["player_0"], 7: actions["player_0"]})
    with pytest.raises(ValueError, match="expected an action of every agent, .* player_1"):
        env.step({"player_0": actions["player_0"]})
    with pytest.raises(TypeError, match="expected a dictionary of actions by agent"):
        env.step(list(actions.values()))
    assert env.game.digest == before
    idle_env, idle = waiting()
    with pytest.raises(ValueError, match=f"found none of {idle}"):
        idle_env.step(
            {
                agent: idle_env.action_space(agent).sample()
                for agent in idle_env.agents
                if agent != idle
            }
        )


def test_parallel_applies_no_step_with_an_illegal_action():
    env = RiskParallel("warlight1")
    env.reset(seed=2)
    actions = {agent: env.action_space(agent).sample() for agent in env.agents}
    before = env.game.digest
    wild = actions["player_1"].copy()
    legal = env.game.legal(1)
    # The factors form an action, which is illegal as a whole.
    for wild[1] in range(env.encoding.factors[1][1]):
        said = env.encoding.decode(env.game, wild, 1)
        if said not in legal:
            break
    with pytest.raises(risk_cli.IllegalAction, match=f"player_1: {said} is illegal"):
        env.step(actions | {"player_1": wild})
    assert env.game.digest == before
    with pytest.raises(risk_cli.IllegalAction, match=f"player_1: {said} is illegal"):
        env.step(actions | {"player_1": str(said)})
    assert env.game.digest == before
    env.step(actions)
    assert env.game.digest != before
