"""What readers of the guide look for: defaults in signatures, tasks by name, the games of rows, and whose exception it was."""

import inspect
import pydoc
import re

import numpy as np
import pytest
import risk_cli

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from pettingzoo.utils.wrappers import TerminateIllegalWrapper  # noqa: E402
from risk_cli.gym import RiskEnv  # noqa: E402
from risk_cli.pettingzoo import RiskAEC  # noqa: E402
from risk_cli.vector import RiskVectorEnv  # noqa: E402

SHORT = {"options": {"max_turns": 10}}


def public():
    """Every public function and method of the package's classes, with its name."""
    for name in risk_cli.__all__:
        value = getattr(risk_cli, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            yield name, value
            for member, method in vars(value).items():
                if not member.startswith("_") and callable(getattr(value, member)):
                    yield f"{name}.{member}", method
        elif inspect.isroutine(value):
            yield name, value


@pytest.mark.parametrize(("name", "value"), [pytest.param(*it, id=it[0]) for it in public()])
def test_help_shows_defaults(name, value):
    assert "=Ellipsis" not in pydoc.plaintext.document(value).split("\n\n")[0]


def test_compare_says_its_defaults_and_keys():
    shown = inspect.signature(risk_cli.compare).parameters
    result = risk_cli.compare(["outnumber", "random"], "codelab", "duel", **SHORT, max_blocks=12, seed=1)
    for name in ("d0", "d1", "alpha", "beta"):
        assert result["test"][name] == shown[name].default
    assert shown["max_blocks"].default == 2_000
    told = inspect.getdoc(risk_cli.compare)
    for key in ("verdict", "text", "bots", "shares", "difference", "interval", "blocks", "games", "faults", "test"):
        assert key in result and f"`{key}`" in told


@pytest.mark.parametrize("name", ["risk/duel-v1", "risk/world-6p-v1"])
def test_compare_takes_tasks(name):
    task = risk_cli.TASKS[name]
    settings = {"max_blocks": 12, "seed": 1}
    if task.players == 2:
        found = risk_cli.compare(["outnumber", "random"], name, **settings)
        same = {"options": dict(task.options)}
        assert found == risk_cli.compare(["outnumber", "random"], task, **settings)
        assert found == risk_cli.compare(["outnumber", "random"], task.ruleset, task.map, **same, **settings)
        with pytest.raises(risk_cli.RiskError, match="remove `map` and `options`"):
            risk_cli.compare(["outnumber", "random"], name, "world")
    with pytest.raises(risk_cli.RiskError, match="at least two bots"):
        risk_cli.compare(["outnumber"], name)
    for call in (risk_cli.Game, RiskEnv, lambda ruleset: risk_cli.play_match(["random"], ruleset)):
        with pytest.raises(risk_cli.RiskError, match=rf"gymnasium\.make, or risk_cli\.TASKS\[\"{name}"):
            call(name)


@pytest.mark.slow
def test_compare_fills_the_seats_of_a_task():
    found = risk_cli.compare(["general", "random"], "risk/world-6p-v1", max_blocks=12, seed=1)
    assert found["verdict"] == "better"


def test_a_verdict_explains_its_interval():
    """A test with one side can be won while the interval with two sides still includes 0."""
    for seed in range(40):
        found = risk_cli.compare(["outnumber", "odds"], "codelab", "duel", **SHORT, d1=0.3, max_blocks=300, seed=seed)
        low, high = found["interval"]
        bound = {"better": 0.0, "not better": 0.3}.get(found["verdict"])
        if bound is not None and low <= bound <= high:
            said = " ".join(found["text"].split())
            assert f"outnumber is {found['verdict']}" in said
            assert "because it is two-sided; the verdict comes from a one-sided test" in said
            return
    pytest.fail("no interval includes its bound")


@pytest.mark.parametrize("seat", [0, "rotate"])
def test_vectors_say_which_games_they_play(seat):
    envs = RiskVectorEnv(3, "codelab", "duel", **SHORT, opponents="random", seat=seat)
    _, info = envs.reset(seed=5)
    assert info["game"].tolist() == [0, 1, 2] and not info["acted"].any()
    over, numbers, begun = np.zeros(3, dtype=bool), np.arange(3), 0
    for _ in range(150):
        players = info["player"]
        _, rewards, terminated, truncated, info = envs.step(envs.sample())
        assert (info["acted"] == ~over).all()
        numbers = numbers + 3 * over
        begun += over.sum()
        assert (info["game"] == numbers).all()
        assert not rewards[over].any()
        over = terminated | truncated
        for row in np.flatnonzero(over):
            assert info["final_info"]["seat"][row] == players[row] == (numbers[row] % 2 if seat == "rotate" else 0)
    assert begun > 3
    mask = np.array([True, False, False])
    _, info = envs.reset(options={"reset_mask": mask})
    assert info["game"].tolist() == [numbers[0] + 3, *numbers[1:]]
    _, info = envs.reset(seed=8, options={"reset_mask": mask})
    assert info["game"].tolist() == [0, *numbers[1:]]
    digest = envs.games.digests()[0]
    again = RiskVectorEnv(3, "codelab", "duel", **SHORT, opponents="random", seat=seat)
    again.reset(seed=8)
    assert again.games.digests()[0] == digest


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_a_bot_has_stopped_say_its_exception(threads):
    calls = []

    def broken(turn):
        calls.append(turn.player)
        if len(calls) > 9:
            raise ZeroDivisionError("no units left")
        return turn.sample()

    envs = RiskVectorEnv(4, "codelab", "duel", opponents=broken, threads=threads)
    envs.reset(seed=1)
    with pytest.raises(ZeroDivisionError):
        for _ in range(200):
            envs.step(envs.sample())
    for call in (envs.sample, lambda: envs.step(np.zeros((4, 5), np.int32))):
        with pytest.raises(risk_cli.RiskError, match=r"a bot has raised ZeroDivisionError: no units left.*reset\(\)"):
            call()
    calls.clear()
    envs.reset(seed=1)
    envs.step(envs.sample())


def test_illegal_actions_of_pettingzoo_raise_unless_they_are_wrapped():
    settings = {"ruleset": "codelab", "map": "duel", "actions": "flat", "buckets": [4]}
    env = RiskAEC(**settings)
    env.reset(seed=1)
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    before = env.game.digest
    with pytest.raises(risk_cli.IllegalAction):
        env.step(wrong)
    assert env.game.digest == before and env.agent_selection == "player_0"
    wrapped = TerminateIllegalWrapper(RiskAEC(**settings), illegal_reward=-1)
    wrapped.reset(seed=1)
    wrapped.last()
    wrapped.step(wrong)
    assert wrapped.rewards["player_0"] == -1 and all(wrapped.terminations.values())


def test_a_task_says_how_to_use_it():
    with pytest.raises(risk_cli.RiskError, match=re.escape("risk_cli.TASKS")):
        risk_cli.play_match(["random", "random"], "risk/duel-v1")
