"""What environments refuse, by name, and that a refusal changes nothing."""

import numpy as np
import pytest
import risk_cli
from gymnasium.error import ResetNeeded
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC, RiskParallel
from risk_cli.vector import RiskVectorEnv

FLAT = {"map": "duel", "actions": "flat", "buckets": [4]}
ALL = {
    "gym": lambda **settings: RiskEnv("warzone", "duel", **settings),
    "vector": lambda **settings: RiskVectorEnv(2, "warzone", "duel", **settings),
    "aec": lambda **settings: RiskAEC("warzone", "duel", **settings),
    "parallel": lambda **settings: RiskParallel("warzone", "duel", **settings),
}
SEATED = {
    "gym": lambda **settings: RiskEnv("codelab", **{"opponents": "holder"} | settings),
    "vector": lambda **settings: RiskVectorEnv(
        2, "codelab", **{"opponents": "holder"} | settings
    ),
}
everywhere = pytest.mark.parametrize("make", ALL.values(), ids=ALL)
with_seats = pytest.mark.parametrize("make", SEATED.values(), ids=SEATED)


@with_seats
@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"seat": -1}, ValueError, "expected seat to be from 0 to 1, found -1"),
        ({"seat": 2}, ValueError, "expected seat to be from 0 to 1, found 2"),
        ({"seat": 3, "players": 3}, ValueError, "expected seat to be from 0 to 2, found 3"),
        ({"seat": True}, TypeError, "expected seat to be an integer, found True"),
        ({"seat": 1.0}, TypeError, "expected seat to be an integer, found 1.0"),
        ({"seat": "0"}, ValueError, "expected seat to be 'rotate' or 'random', found '0'"),
        ({"players": 0}, ValueError, "expected players to be from 1 to 32, found 0"),
        ({"players": True}, TypeError, "expected players to be an integer, found True"),
        ({"players": 2.0}, TypeError, "expected players to be an integer, found 2.0"),
        (
            {"players": 4, "opponents": {1: "holder", 2: "holder"}},
            ValueError,
            r"expected opponents for all 4 seats but seat 0, found \[1, 2\]",
        ),
        ({"opponents": {1: "holder"}, "seat": "rotate"}, TypeError, "expected seat to be an integer"),
        ({"opponents": []}, ValueError, "expected opponents to be at least one bot"),
        ({"opponents": [None]}, TypeError, "expected opponents to be bots or callables, found None"),
        ({"opponents": 7}, TypeError, "expected opponents to be bots or callables, found 7"),
        (
            {"on_opponent_fault": "ignore"},
            ValueError,
            "expected on_opponent_fault to be 'raise' or 'truncate' or 'forfeit', found 'ignore'",
        ),
    ],
)
def test_seats_are_checked(make, settings, error, text):
    with pytest.raises(error, match=text):
        make(**settings)


@with_seats
def test_seats_of_all_integers(make):
    for seat in (1, np.int64(1)):
        env = make(seat=seat, players=np.int32(3))
        env.reset(seed=1)
    assert make(seat=2, opponents={0: "holder", 1: ["random"]}).reset(seed=1)


@pytest.mark.parametrize("seat", [0, 1, -1])
def test_a_seat_needs_opponents(seat):
    with pytest.raises(ValueError, match=f"expected opponents with a seat, found seat {seat}"):
        RiskVectorEnv(2, "codelab", seat=seat)


def test_the_reward_is_that_of_the_seat():
    settings = {"opponents": "random", "options": {"max_turns": 60}}
    for seat in (0, 1):
        many = RiskVectorEnv(1, "codelab", "duel", seat=seat, **settings)
        alone = RiskEnv("codelab", "duel", seat=seat, **settings)
        many.reset(seed=3)
        alone.reset(seed=3)
        over, rewards = [False], None
        while not over[0]:
            actions = many.sample()
            _, rewards, over, _, info = many.step(actions)
            alone.step(actions[0])
            assert info["player"].tolist() == [seat]
        assert many.games.digests() == [alone.game.digest]
        assert rewards.tolist() == [alone.game.rewards[seat]]
        assert abs(rewards[0]) == 1


@everywhere
@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"max_steps": 0}, ValueError, "expected max_steps to be .*1.*, found 0"),
        ({"max_steps": -3}, ValueError, "expected max_steps to be .*1.*, found -3"),
        ({"max_steps": 2.5}, TypeError, "expected max_steps to be an integer, found 2.5"),
        ({"max_steps": True}, TypeError, "expected max_steps to be an integer, found True"),
        ({"players": -2}, ValueError, "expected players to be from 1 to 32, found -2"),
        ({"players": True}, TypeError, "expected players to be an integer, found True"),
        ({"cards": -1}, ValueError, "expected cards to be at least 0, found -1"),
        ({"orders": True}, TypeError, "expected orders to be an integer, found True"),
        ({"render_mode": "hologram"}, ValueError, "render_mode .*found 'hologram'"),
    ],
)
def test_settings_are_checked(make, settings, error, text):
    with pytest.raises(error, match=text):
        make(**settings)


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"num_envs": 0}, ValueError, "expected num_envs to be from 1 to 1048576, found 0"),
        ({"num_envs": -1}, ValueError, "expected num_envs to be from 1 to 1048576, found -1"),
        ({"num_envs": True}, TypeError, "expected num_envs to be an integer, found True"),
        ({"num_envs": 2.0}, TypeError, "expected num_envs to be an integer, found 2.0"),
        ({"threads": 0}, ValueError, "expected threads to be from 1 to 1024, found 0"),
        ({"threads": 1025}, ValueError, "expected threads to be from 1 to 1024, found 1025"),
        ({"threads": True}, TypeError, "expected threads to be an integer, found True"),
        ({"max_steps": 2**32}, ValueError, "from 1 to 4294967295, found 4294967296"),
        ({"copy": "no"}, TypeError, "expected copy to be True or False, found 'no'"),
        ({"illegal": "lose"}, ValueError, "expected illegal to be 'raise' or 'end', found 'lose'"),
        ({"actions": "words"}, ValueError, "expected actions to be 'factored' or 'flat'"),
    ],
)
def test_settings_of_many_games_are_checked(settings, error, text):
    with pytest.raises(error, match=text):
        RiskVectorEnv(**{"ruleset": "codelab"} | settings)


@everywhere
@pytest.mark.parametrize(
    ("seed", "error", "text"),
    [
        (-1, ValueError, "expected seed to be from 0 to 18446744073709551615, found -1"),
        (2**64, ValueError, "expected seed to be from 0 to .*, found 18446744073709551616"),
        (True, TypeError, "expected seed to be an integer, found True"),
        ([1, 2], TypeError, r"expected seed to be an integer, found \[1, 2\]"),
    ],
)
def test_seeds_are_checked(make, seed, error, text):
    env = make()
    with pytest.raises(error, match=text):
        env.reset(seed=seed)
    env.reset(seed=2**64 - 1)
    env.reset(seed=np.int64(5))


@pytest.mark.parametrize("name", ["gym", "vector"])
def test_unknown_options_are_refused(name):
    env = ALL[name]()
    env.reset(options={})
    env.reset(options=None)
    with pytest.raises(ValueError, match="found 'difficulty', 'map'"):
        env.reset(options={"difficulty": 3, "map": "europe"})


@everywhere
def test_options_are_a_dictionary(make):
    with pytest.raises(TypeError, match=r"expected options to be a dictionary, found \['map'\]"):
        make().reset(options=["map"])


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("gym", {"step": [[0]], "mask": [], "render": []}),
        ("vector", {"step": [[[0]]], "mask": [[[]]], "sample": []}),
        (
            "aec",
            {
                "step": [[0]],
                "mask": [],
                "render": [],
                "observe": ["player_0"],
                "last": [],
                "agent_iter": [],
            },
        ),
        ("parallel", {"step": [{}], "mask": ["player_0"], "render": []}),
    ],
)
def test_reset_comes_first(name, calls):
    env = ALL[name]()
    for call, arguments in calls.items():
        with pytest.raises(ResetNeeded, match=rf"^call reset\(\) before {call}\(\)$"):
            getattr(env, call)(*arguments)


def test_reset_comes_before_masks_of_actions():
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before action_masks\(\)"):
        RiskEnv("codelab", **FLAT).action_masks()


def test_reset_comes_after_the_end():
    over = r"the game is over: call reset\(\) before step\(\)"
    for settings in ({"max_steps": 1}, {"illegal": "end"}):
        env = RiskEnv("codelab", **settings)
        env.reset(seed=1)
        if "illegal" in settings:
            _, _, ended, _, _ = env.step("attack alaska alaska 1")
        else:
            _, _, _, ended, _ = env.step(env.action_space.sample())
        assert ended
        before = env.game.digest
        with pytest.raises(ResetNeeded, match=over):
            env.step(np.zeros(len(env.encoding.factors), dtype=int))
        assert env.game.digest == before
        env.reset()
        env.step(env.action_space.sample())
    parallel = RiskParallel("warzone", max_steps=1)
    parallel.reset(seed=1)
    parallel.step({agent: parallel.action_space(agent).sample() for agent in parallel.agents})
    with pytest.raises(ResetNeeded, match=over):
        parallel.step({})
    aec = RiskAEC("codelab", max_steps=1)
    aec.reset(seed=1)
    aec.step(aec.action_space(aec.agent_selection).sample())
    # PettingZoo's own rule for agents that are done.
    with pytest.raises(ValueError, match="only valid action is None"):
        aec.step(aec.action_space(aec.agent_selection).sample())
    for _ in aec.possible_agents:
        aec.step(None)
    with pytest.raises(ResetNeeded, match=over):
        aec.step(None)


def test_masks_of_actions_are_those_of_flat_actions():
    env = RiskEnv("codelab")
    _, info = env.reset(seed=1)
    assert info["action_mask"].shape == (env.encoding.factors[0][1],)
    with pytest.raises(risk_cli.RiskError, match='actions="flat"'):
        env.action_masks()
    flat = RiskEnv("codelab", **FLAT)
    _, info = flat.reset(seed=1)
    masks = flat.action_masks()
    assert masks.dtype == bool and masks.shape == (flat.action_space.n,)
    assert np.array_equal(masks, info["action_mask"])
    for number in np.flatnonzero(masks):
        flat.reset(seed=1)
        _, _, _, _, info = flat.step(number)
        assert "illegal" not in info
    flat.step(int(np.flatnonzero(~flat.action_masks())[0]))
    assert not flat.action_masks().any()


def test_reset_masks_are_checked():
    env = RiskVectorEnv(3, "codelab", "duel")
    some = np.array([True, False, True])
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before reset\(\) with a reset_mask"):
        env.reset(options={"reset_mask": some})
    env.reset(seed=1)
    before = env.games.digests()
    for mask, error, found in [
        ([True, False, True], TypeError, r"\[True, False, True\]"),
        (some.astype(int), TypeError, "int64 values"),
        (some[:2], ValueError, r"shape \(2,\)"),
        (some[:, np.newaxis], ValueError, r"shape \(3, 1\)"),
        (~(some | True), ValueError, "no True"),
        (None, TypeError, "None"),
    ]:
        with pytest.raises(error, match=f"expected reset_mask .*found {found}"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="expected options .*'reset_mask', found 'mask'"):
        env.reset(options={"reset_mask": some, "mask": some})
    assert env.games.digests() == before
