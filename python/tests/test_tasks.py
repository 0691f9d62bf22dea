"""Tasks: their games never change under the same name, and evaluations are repeatable."""

import dataclasses
import hashlib

import gymnasium
import numpy as np
import pytest
import risk_cli
from risk_cli.gym import RiskEnv
from risk_cli.tasks import TASKS, Score, evaluate

#: The digests of some games of each task: of their observations, masks, rewards and ends. If one of
#: them changes, the task needs another version, because results under its name are compared.
DIGESTS = {
    "risk/duel-v1": "3df51b57b119efef",
    "risk/world-2p-v1": "13fabb94e92ad523",
    "risk/world-6p-v1": "7f6ca79128c5be88",
    "risk/orders-v1": "70e372ce5bcabd00",
    "risk/fog-v1": "a2e400e5bf0d3ff0",
    "risk/missions-v1": "1d8df085ccbde947",
}


def digest(task, steps):
    env = task.make_vec(3, threads=2)
    seen, info = env.reset(seed=1)
    found = hashlib.blake2b(digest_size=8)
    for _ in range(steps):
        found.update(seen.tobytes() + info["action_mask"].tobytes() + info["player"].tobytes())
        seen, rewards, over, cut, info = env.step(env.sample())
        found.update(rewards.tobytes() + over.tobytes() + cut.tobytes())
    return found.hexdigest()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_never_changes(name):
    assert digest(TASKS[name], 300) == DIGESTS[name]


def test_tasks_are_environments_by_name():
    env = gymnasium.make("risk/duel-v1")
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen) and info["action_mask"].shape == (env.action_space.n,)
    many = gymnasium.make_vec("risk/duel-v1", num_envs=4)
    assert (many.reset(seed=1)[1]["player"] == [0, 1, 0, 1]).all()
    assert isinstance(TASKS["risk/duel-v1"].make(opponents="holder"), RiskEnv)
    for task in TASKS.values():
        # Every option is frozen, so that a new default can't change the task.
        game = risk_cli.Game(task.ruleset, task.map, players=task.players)
        assert set(game.options) == set(task.options), task.name


def drawn(turn):
    return turn.sample()


def test_an_evaluation_is_repeatable():
    found = evaluate("outnumber", "risk/duel-v1", games=24, seed=3)
    assert found == evaluate("outnumber", "risk/duel-v1", games=24, seed=3, jobs=1)
    assert found != evaluate("outnumber", "risk/duel-v1", games=24, seed=4)
    assert found.total.games == 24 and found.faults == (0, 0) and len(found.digests) == 3
    assert {seat: score.games for seat, score in found.seats.items()} == {0: 12, 1: 12}
    assert {bot: score.games for bot, score in found.opponents.items()} == dict.fromkeys(
        ("random", "outnumber", "general"), 8
    )
    assert found.opponents["random"].share > 0.8
    mean = sum(score.share for score in found.opponents.values()) / 3
    assert found.total.share == pytest.approx(mean)
    for part in ("risk/duel-v1", "outnumber", "24 games", "seed '3'", *found.digests):
        assert part in str(found)


def test_a_policy_in_python_is_evaluated():
    found = evaluate(drawn, "risk/duel-v1", games=6)
    assert found.policy == "drawn" and found.total.share < 0.7
    assert found.total.games == 6


def test_a_faulty_policy_is_seen():
    def faulty(turn):
        return "nothing"

    with pytest.warns(UserWarning, match="nothing"):
        found = evaluate(("mine", faulty), "risk/duel-v1", games=6)
    assert found.policy == "mine" and "illegal" in found.first_fault
    assert found.faults[0] >= 6 and found.faults[1] == 0 and found.total.share == 0


def test_a_task_is_frozen():
    task = TASKS["risk/duel-v1"]
    with pytest.raises(TypeError):
        task.options["max_turns"] = 5
    with pytest.raises(TypeError):
        TASKS["risk/duel-v1"] = task
    with pytest.raises(dataclasses.FrozenInstanceError):
        task.map = "world"
    changed = dataclasses.replace(task, options={**task.options, "max_turns": 5})
    assert evaluate("random", changed, games=6).task == "risk/duel-v1 (changed)"
    assert evaluate("random", task, games=6).task == "risk/duel-v1"


def test_a_task_has_its_encoding_and_every_seat():
    task = TASKS["risk/duel-v1"]
    many = task.make_vec(2, opponents=None)
    _, info = many.reset(seed=1)
    assert "rewards" in info
    encoding = task.encoding()
    assert encoding.flat_len == many.encoding.flat_len

    def net(turn):
        row, mask = encoding.features(turn, turn.player), encoding.flat_mask(turn)
        assert row.shape == many.single_observation_space.shape
        return encoding.flat_decode(turn, int(np.flatnonzero(mask)[-1]))

    assert evaluate(net, task, games=6).faults == (0, 0)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: evaluate("random", "risk/duel-v0"), "expected a task of risk/duel-v1"),
        (lambda: evaluate("random", "risk/duel-v1", games=0), "`games` must be from 1"),
        (lambda: evaluate("random", "risk/duel-v1", games=2.5), "`games` must be from 1"),
        (lambda: evaluate(None, "risk/duel-v1", games=6), "found None"),
    ],
)
def test_wrong_evaluations(call, text):
    with pytest.raises(risk_cli.RiskError, match=text):
        call()


def test_intervals_are_those_of_wilson():
    # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
    for wins, games, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]:
        score = Score.of([1.0] * wins + [0.0] * (games - wins))
        assert score.interval == pytest.approx((low, high), abs=5e-5)
