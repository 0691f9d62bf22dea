"""Faults of opponents: no environment pays for them in silence, and none goes on unless it is asked to."""

import pickle
import warnings

import numpy as np
import pytest
import risk_cli
from gymnasium.error import ResetNeeded
from risk_cli.gym import RiskEnv
from risk_cli.vector import RiskVectorEnv

#: Commits a fault at each decision. After three of them, it forfeits.
FAULTY = {"opponents": "faulty", "options": {"max_turns": 12}}
KINDS = pytest.mark.parametrize(
    "make",
    [
        lambda **settings: RiskEnv("codelab", **FAULTY | settings),
        lambda **settings: RiskVectorEnv(3, "codelab", threads=2, **FAULTY | settings),
    ],
    ids=["gym", "vector"],
)


def sample(env):
    return env.sample() if isinstance(env, RiskVectorEnv) else env.action_space.sample()


def until_over(env):
    """Plays until a game is over; returns its reward, its two flags and its faults in the last step."""
    env.reset(seed=1)
    env.action_space.seed(1)
    while True:
        _, reward, over, cut, info = env.step(sample(env))
        ended = np.atleast_1d(np.logical_or(over, cut))
        if ended.any():
            row = ended.argmax()
            faults = info.get("faults")
            if isinstance(faults, np.ndarray):
                faults = faults[row]
            return *(np.atleast_1d(value)[row].item() for value in (reward, over, cut)), faults


@KINDS
def test_a_fault_raises_with_its_text(make):
    env = make()
    for _ in range(2):
        with pytest.raises(risk_cli.OpponentFault, match="player 1, faulty.*: a deliberate fault"):
            until_over(env)
        with pytest.raises((ResetNeeded, risk_cli.RiskError), match=r"reset\(\)"):
            env.step(env.action_space.sample())


@KINDS
def test_a_fault_in_the_set_up_raises_at_the_reset(make):
    env = make(seat=1)
    with pytest.raises(risk_cli.OpponentFault, match="player 0"):
        env.reset(seed=1)
    with pytest.raises((ResetNeeded, risk_cli.RiskError), match=r"reset\(\)"):
        env.step(env.action_space.sample())


@KINDS
@pytest.mark.parametrize("seat", [0, 1])
def test_a_fault_truncates(make, seat):
    *result, faults = until_over(make(on_opponent_fault="truncate", seat=seat))
    assert result == [0.0, False, True]
    assert faults[0] == {
        "player": 1 - seat,
        "bot": "faulty",
        "kind": "script",
        "text": "a deliberate fault",
    }


@KINDS
def test_a_fault_forfeits(make):
    env = make(on_opponent_fault="forfeit")
    # The faulty bot is neutral, but its territories must be conquered before the limit of turns.
    *result, faults = until_over(env)
    assert result == [0.0, False, True]
    assert len(faults) == 3
    # A vector of environments has no pickle: make it anew.
    again = env if isinstance(env, RiskVectorEnv) else pickle.loads(pickle.dumps(env))
    assert until_over(again)[-1] == faults


@KINDS
@pytest.mark.parametrize("mode", ["truncate", "forfeit"])
def test_games_without_faults_are_the_same(make, mode):
    *result, faults = until_over(make(opponents="holder", on_opponent_fault=mode))
    assert faults == []
    assert [*result, None] == [*until_over(make(opponents="holder"))]


def test_one_game_of_many_is_truncated(tmp_path):
    script = tmp_path / "late.rhai"
    script.write_text(
        "fn answer(view, ask) { if view.round == 2 && view.armies(0) % 2 == 0 { throw \"even\"; } ask.random() }"
    )
    env = RiskVectorEnv(
        8, "codelab", opponents=str(script), on_opponent_fault="truncate", options=FAULTY["options"]
    )
    env.reset(seed=1)
    mixed = False
    for _ in range(60):
        _, _, over, cut, info = env.step(env.sample())
        faulty = np.array([bool(faults) for faults in info["faults"]])
        assert (cut == faulty).all()
        mixed |= cut.any() and not cut.all()
        assert all("even" in fault["text"] for faults in info["faults"] for fault in faults)
    assert mixed


@pytest.mark.parametrize("make", [RiskEnv, lambda *args, **settings: RiskVectorEnv(2, *args, **settings)])
@pytest.mark.parametrize(("bot", "ruleset"), [("general", "starwars"), ("marshal", "codelab")])
def test_a_bot_for_other_rulesets_warns(make, bot, ruleset):
    with pytest.warns(UserWarning, match=f"{bot} is not made for {ruleset}"):
        make(ruleset, opponents=bot)


@pytest.mark.parametrize(("bot", "ruleset"), [("general", "hasbro"), ("admiral", "starwars"), ("greedy", "codelab")])
def test_a_bot_for_this_ruleset_does_not_warn(bot, ruleset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RiskEnv(ruleset, opponents=bot)


def test_a_game_lists_the_faults_of_its_bots():
    game = risk_cli.Game("codelab", bots=[None, "faulty"], seed=1)
    rng = risk_cli.Random(1)
    while not game.is_over:
        game.apply(game.sample(rng))
    assert [fault["player"] for fault in game.faults] == [1, 1, 1]
    assert pickle.loads(pickle.dumps(game)).faults == game.faults
    assert game.clone().faults == []
    game.restart(2)
    assert len(game.faults) < 3
