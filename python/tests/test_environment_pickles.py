"""Copies and pickles of environments go on like the original, and without it."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC, RiskParallel
from risk_cli.vector import RiskVectorEnv

SHORT = {"max_turns": 12}
FLAT = {"actions": "flat", "buckets": [4]}
WAYS = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
    "pickle of a copy": lambda env: pickle.loads(pickle.dumps(copy.deepcopy(env))),
}
MAKERS = {
    "gym": lambda: RiskEnv(
        "codelab", "duel", seat=1, opponents=["holder", "outnumber"], options=SHORT
    ),
    "gym, flat": lambda: RiskEnv("codelab", "duel", opponents="random", options=SHORT, **FLAT),
    "gym, wrapped": lambda: gymnasium.make(
        "risk/hasbro-v0", opponents="holder", options={"max_turns": 6}
    ),
    "aec": lambda: RiskAEC("codelab", "duel", players=3, options=SHORT),
    "aec, flat": lambda: RiskAEC("codelab", "duel", options=SHORT, **FLAT),
    "aec, secret": lambda: RiskAEC("warzone", "duel", max_steps=60),
    "parallel": lambda: RiskParallel("warzone", "duel", max_steps=30),
}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
everywhere = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def step(env):
    """Take a step with the environment's own sample, or begin the next game. Return all that it
    tells."""
    if isinstance(env, RiskParallel):
        if not env.agents:
            return [*env.reset(), env.game.digest]
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        return [actions, *env.step(actions), env.game.digest]
    if isinstance(env, RiskAEC):
        if not env.agents:
            env.reset()
            return [env.last(), env.game.digest]
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        action = None if over else env.action_space(env.agent_selection).sample()
        env.step(action)
        last = env.last() if env.agents else None
        return [action, last, env.agents[:], env.rewards.copy(), env.game.digest]
    own = env.unwrapped
    if own._over:
        return [*env.reset(), own.game.digest]
    action = env.action_space.sample()
    return [action, *env.step(action), own.game.digest]


def same(one, other):
    """Whether what two environments tell is equal, in types too."""
    return data_equivalence(one, other, exact=True)


def state(env):
    """The games of an environment, as digests."""
    return env.unwrapped.game.digest


@everywhere
@ways
def test_a_copy_goes_on_like_the_original(make, way):
    env = make()
    env.reset(seed=3)
    for _ in range(7):
        step(env)
    other = way(env)
    assert type(other) is type(env)
    assert state(other) == state(env)
    told = [step(env) for _ in range(150)]
    # The original has gone on alone, to its next games.
    assert state(other) != state(env)
    for line in told:
        assert same(step(other), line)


@everywhere
def test_a_copy_before_the_first_reset_goes_on_like_the_original(make):
    env = make()
    other = pickle.loads(pickle.dumps(env))
    # Neither has a seed.
    for each in (env, other):
        each.reset()
    assert state(other) == state(env)
    for _ in range(5):
        assert same(step(other), step(env))


@everywhere
def test_a_copy_takes_the_same_seeds(make):
    env = make()
    env.reset(seed=3)
    other = copy.deepcopy(env)
    told = []
    for each in (env, other):
        each.reset(seed=8)
        if hasattr(each, "action_spaces"):
            for seat, agent in enumerate(each.possible_agents):
                each.action_space(agent).seed(seat)
        else:
            each.action_space.seed(5)
        told.append([step(each) for _ in range(20)])
    assert same(*told)


@pytest.mark.parametrize("kind", [RiskEnv, RiskAEC])
@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
@ways
def test_spaces_draw_from_the_game_of_their_own_environment(kind, settings, way):
    env = kind("codelab", "duel", **settings)
    env.reset(seed=3)
    other = way(env)
    for _ in range(40):
        step(env)
    agent = None if kind is RiskEnv else other.agent_selection
    space = other.action_space if agent is None else other.action_space(agent)
    before = other.game.digest
    for _ in range(30):
        action = space.sample()
        if settings:
            action = other.encoding.flat_to_factors(action)
        assert other.encoding.decode(other.game, action) in other.game.legal()
    assert other.game.digest == before


@pytest.mark.parametrize("settings", [{}, FLAT], ids=["factored", "flat"])
@ways
def test_spaces_alone_have_no_game(settings, way):
    env = RiskEnv("codelab", "duel", **settings)
    env.reset(seed=3)
    env.action_space.seed(3)
    space = way(env.action_space)
    assert space.shape == env.action_space.shape and space.dtype == env.action_space.dtype
    assert isinstance(space, spaces.Discrete if settings else spaces.MultiDiscrete)
    verbs = {int(np.ravel(space.sample())[0]) for _ in range(200)}
    # Any action, and not only those that are legal now.
    assert len(verbs) > env._mask().sum()
    assert b"codelab" not in pickle.dumps(env.action_space)


def test_many_games_have_no_copies():
    env = RiskVectorEnv(3, "codelab", "duel")
    for way in WAYS.values():
        with pytest.raises(TypeError, match="cannot pickle"):
            way(env)


def test_own_attributes_and_subclasses_are_kept():
    env = Mine("codelab", "duel")
    env.notes = {"wins": [1, 2]}
    env.reset(seed=1)
    for way in WAYS.values():
        other = way(env)
        assert type(other) is Mine
        assert other.notes == env.notes and other.notes is not env.notes
        assert other.action_space == spaces.Discrete(3)


class Mine(RiskEnv):
    """An environment with a space of actions of its own."""

    def __init__(self, *args, **settings):
        super().__init__(*args, **settings)
        self.action_space = spaces.Discrete(3)
