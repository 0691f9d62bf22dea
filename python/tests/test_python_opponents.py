"""Opponents in Python, opponents drawn for each game, and the seats of the learner."""

import collections
import copy
import pickle

import gymnasium
import numpy as np
import pytest
import risk_cli
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC, RiskParallel
from risk_cli.vector import RiskVectorEnv

SHORT = {"max_turns": 12}


def first(turn):
    return turn.legal[0]


def drawn(turn):
    return turn.sample()


class Alternating:
    """Answers differently when a game is played again."""

    def __init__(self):
        self.asked = 0

    def __call__(self, turn):
        self.asked += 1
        return turn.legal[0 if self.asked % 2 else -1]


def failing(turn):
    raise KeyError("on purpose")


def illegal(turn):
    return "attack nowhere nobody 3"


def gym(**settings):
    return RiskEnv("codelab", "duel", **{"options": SHORT} | settings)


def vector(**settings):
    return RiskVectorEnv(6, "codelab", "duel", **{"options": SHORT} | settings)


KINDS = pytest.mark.parametrize("make", [gym, vector])


def finals(env, count, seed=1):
    """Plays at random until `count` games are over; returns what became of them."""
    env.reset(seed=seed)
    env.action_space.seed(seed)
    found = []
    while len(found) < count:
        if isinstance(env, RiskVectorEnv):
            _, reward, over, cut, info = env.step(env.sample())
            assert ("final_info" in info) == (over | cut).any()
            for row in np.flatnonzero(info.get("_final_info", [])):
                final = {name: column[row] for name, column in info["final_info"].items()}
                found.append((final, (reward[row], over[row], cut[row])))
        else:
            _, reward, over, cut, info = env.step(env.action_space.sample())
            if over or cut:
                found.append((info["final_info"], (reward, over, cut)))
                env.reset()
    return found


def test_a_game_with_a_bot_in_python_is_the_match():
    for seed in range(4):
        match = risk_cli.play_match(
            [drawn, first], "codelab", "duel", options=SHORT, seed=seed, seats="fixed"
        )
        for bots in ([drawn, first], [None, first], [drawn, None]):
            game = risk_cli.Game("codelab", "duel", options=SHORT, seed=seed, bots=bots)
            own = iter(game_answers(seed, bots))
            while not game.is_over:
                game.apply(next(own))
            assert game.digest == match["results"][0]["digest"]


def game_answers(seed, bots):
    """The answers of the caller's seat, as the bots of the match give them."""
    seat = bots.index(None) if None in bots else None
    said = []

    def noted(policy):
        def answer(turn):
            action = policy(turn)
            said.append(str(action))
            return action

        return answer

    policies = [drawn, first]
    if seat is not None:
        policies[seat] = noted(policies[seat])
        risk_cli.play_match(
            policies, "codelab", "duel", options=SHORT, seed=seed, seats="fixed"
        )
    return said


def test_a_game_with_a_bot_in_python_has_a_record_and_a_pickle():
    game = risk_cli.Game("codelab", "duel", options=SHORT, seed=3, bots=[None, ("mine", drawn)])
    rng = risk_cli.Random(3)
    for _ in range(20):
        game.apply(game.sample(rng))
    assert game.bots == [None, "mine"]
    assert risk_cli.Game.from_record(game.record()).digest == game.digest
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert (again.digest, again.bots) == (game.digest, game.bots)
        own = risk_cli.Random(4)
        again.apply(again.sample(own))
        assert not again.is_over
    lost = game.__reduce__()[1][0]
    with pytest.raises(risk_cli.RiskError, match="lacks its bot in Python, mine"):
        risk_cli.Game._restored(lost, [])
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(risk_cli.Game("codelab", "duel", bots=[None, lambda turn: turn.sample()]))


def test_a_bot_that_answers_differently_has_no_record():
    game = risk_cli.Game("codelab", "duel", options=SHORT, seed=3, bots=[None, Alternating()])
    rng = risk_cli.Random(3)
    while game.decisions < 30:
        game.apply(game.sample(rng))
    with pytest.raises(risk_cli.RiskError, match="answers differently"):
        game.record()


def test_an_exception_of_an_opponent_is_the_callers():
    game = risk_cli.Game("codelab", "duel", bots=[None, failing])
    rng = risk_cli.Random(1)
    with pytest.raises(KeyError, match="on purpose"):
        while True:
            game.apply(game.sample(rng))
    with pytest.raises(risk_cli.RiskError, match=r"call restart\(\)"):
        game.apply(game.sample(rng))
    game.restart(2)
    assert game.player == 0
    with pytest.raises(KeyError):
        risk_cli.Game("codelab", "duel", bots=[failing, None])


@KINDS
def test_an_exception_of_an_opponent_ends_the_step(make):
    env = make(opponents=failing)
    for _ in range(2):
        env.reset(seed=1)
        with pytest.raises(KeyError, match="on purpose"):
            for _ in range(500):
                env.step(env.action_space.sample())
    # An opponent in seat 0 is asked first, whenever a game is set up.
    for seed in (1, 2):
        with pytest.raises(KeyError, match="on purpose"):
            make(opponents=failing, seat=1).reset(seed=seed)


@KINDS
def test_an_illegal_answer_of_an_opponent_is_a_fault(make):
    env = make(opponents=[illegal])
    env.reset(seed=1)
    with pytest.raises(risk_cli.OpponentFault, match="player 1, illegal"):
        for _ in range(500):
            env.step(env.action_space.sample())


def test_a_bot_in_python_may_play_other_games():
    outer = []

    def thinker(turn):
        # The same rules are in use by the game that asks.
        other = risk_cli.Game("codelab", "duel", options=SHORT, seed=1, bots=[None, drawn])
        while not other.is_over:
            other.apply(other.legal()[0])
        with pytest.raises(risk_cli.RiskError, match="already in use"):
            outer[0].legal()
        return turn.legal[0]

    outer.append(risk_cli.Game("codelab", "duel", options=SHORT, seed=1, bots=[None, thinker]))
    plain = risk_cli.Game("codelab", "duel", options=SHORT, seed=1, bots=[None, first])
    for game in (outer[0], plain):
        while not game.is_over:
            game.apply(game.legal()[-1])
    assert outer[0].digest == plain.digest


POOL = [("mine", drawn), "holder", "outnumber"]


@KINDS
def test_opponents_are_drawn_for_each_game(make):
    played = finals(make(opponents=POOL), 60)
    drawn_bots = collections.Counter(final["bots"][1] for final, _ in played)
    assert set(drawn_bots) == {"mine", "holder", "outnumber"}
    # 20 of each are expected; fewer than 8 have a chance below 0.0003.
    assert min(drawn_bots.values()) >= 8
    again = finals(make(opponents=POOL), 60)
    assert repr(again) == repr(played)


def test_the_games_do_not_depend_on_the_threads():
    def played(threads):
        found = finals(vector(opponents=POOL, seat="random", threads=threads), 40)
        return repr(found)

    assert played(1) == played(2) == played(3)


def test_a_drawn_opponent_plays_its_own_game():
    env = vector(opponents=POOL, seat="rotate")
    env.reset(seed=7)
    games = {}
    for row in range(6):
        # The bot is drawn from the seed, so the same game alone has the same opponent.
        bots = [POOL, POOL]
        bots[row % 2] = None
        games[row] = risk_cli.Game("codelab", "duel", options=SHORT, seed=7, game=row, bots=bots)
    assert env.games.digests() == [game.digest for game in games.values()]
    assert len({tuple(game.bots) for game in games.values()}) > 2


def test_opponents_by_seat():
    env = RiskEnv(
        "codelab", seat=1, opponents={0: "holder", 2: ["outnumber", ("mine", first)]}, options=SHORT
    )
    seen = {tuple(final["bots"]) for final, _ in finals(env, 12)}
    assert seen == {("holder", None, "outnumber"), ("holder", None, "mine")}


@KINDS
def test_the_seat_rotates(make):
    env = make(opponents="random", seat="rotate")
    found = finals(env, 12)
    if make is gym:
        assert [final["seat"] for final, _ in found] == [0, 1] * 6
    else:
        _, info = env.reset(seed=1)
        assert info["player"].tolist() == [0, 1] * 3
    for final, _ in found:
        assert final["bots"][final["seat"]] is None


@KINDS
def test_the_seat_is_drawn(make):
    seats = collections.Counter(
        final["seat"] for final, _ in finals(make(opponents="random", seat="random"), 60)
    )
    # A fair coin leaves this range with a chance below 0.0003.
    assert 16 <= seats[0] <= 44 and seats[0] + seats[1] == 60


def test_the_reward_is_that_of_the_drawn_seat():
    found = finals(vector(opponents="random", seat="random", options={"max_turns": 400}), 40)
    wins = [final for final, (reward, _, _) in found if reward == 1]
    losses = [final for final, (reward, _, _) in found if reward == -1]
    assert len(wins) > 5 and len(losses) > 5
    assert all(final["winner"] == final["seat"] for final in wins)
    assert all(final["winner"] == 1 - final["seat"] for final in losses)
    assert all(final["return"] == reward for final, (reward, _, _) in found)


@KINDS
def test_a_limit_truncates_and_rules_terminate(make):
    for final, (reward, over, cut) in finals(make(opponents="random", options={"max_turns": 3}), 6):
        assert (reward, over, cut) == (0, False, True)
        assert final["outcome"]["reason"] == "limit" and final["winner"] == -1
    for final, (reward, over, cut) in finals(make(opponents="holder", max_steps=5), 6):
        assert (reward, over, cut, final["length"]) == (0, False, True, 5)
        assert final["outcome"] is None
    ended = finals(make(opponents="outnumber", options={}), 6)
    for final, (reward, over, cut) in ended:
        assert (abs(reward), over, cut) == (1, True, False)
        assert final["outcome"]["winners"] == [final["winner"]]
        assert final["length"] > 10 and final["rounds"] >= 2 and final["faults"] == []


@pytest.mark.parametrize("ruleset", ["aec", "parallel"])
def test_a_limit_truncates_all_agents(ruleset):
    if ruleset == "aec":
        env = RiskAEC("codelab", "duel", options={"max_turns": 3})
        env.reset(seed=1)
        while not (env.terminations["player_0"] or env.truncations["player_0"]):
            env.step(env.action_space(env.agent_selection).sample())
        ends, cuts, rewards = env.terminations, env.truncations, env.rewards
    else:
        env = RiskParallel("warzone", "duel", options={"max_turns": 4})
        env.reset(seed=1)
        while env.agents:
            sampled = {agent: env.action_space(agent).sample() for agent in env.agents}
            _, rewards, ends, cuts, _ = env.step(sampled)
    assert set(ends.values()) == {False} and set(cuts.values()) == {True}
    assert set(rewards.values()) == {0.0}


def test_final_info_is_that_of_one_game():
    many, alone = vector(opponents="random"), gym(opponents="random")
    many.reset(seed=2)
    alone.reset(seed=2)
    while True:
        actions = many.sample()
        _, _, over, cut, info = many.step(actions)
        _, _, _, _, own = alone.step(actions[0])
        if over[0] or cut[0]:
            break
    assert {name: column[0] for name, column in info["final_info"].items()} == own["final_info"]


def test_episode_statistics():
    env = RecordEpisodeStatistics(vector(opponents="random", seat="rotate"))
    env.reset(seed=1)
    for _ in range(400):
        _, _, over, cut, info = env.step(env.unwrapped.sample())
        if (over | cut).any():
            break
    rows = info["_episode"]
    assert rows.any() and (rows == info["_final_info"]).all()
    assert (info["episode"]["r"][rows] == info["final_info"]["return"][rows]).all()
    assert (info["episode"]["l"][rows] == info["final_info"]["length"][rows]).all()


def test_compare_tests_a_policy_with_our_statistics():
    settings = {"options": {"max_turns": 60}, "seed": 1, "max_blocks": 400}
    worse = risk_cli.compare([("mine", drawn), "outnumber"], "codelab", "duel", **settings)
    assert worse["verdict"] == "not better" and worse["bots"][0] == "mine"
    again = risk_cli.compare([("mine", drawn), "outnumber"], "codelab", "duel", **settings)
    assert again == worse
    for bots, text in [
        (["random"], "at least two bots"),
        (["random"] * 9, "seats"),
    ]:
        with pytest.raises(risk_cli.RiskError, match=text):
            risk_cli.compare(bots, "codelab", "duel")
    for wrong in ({"d0": 0.5, "d1": 0.1}, {"alpha": 0.7}, {"max_blocks": 3}, {"d0": float("nan")}):
        with pytest.raises(risk_cli.RiskError, match="invalid test|`max_blocks` must be from 12"):
            risk_cli.compare(["random", "holder"], "codelab", "duel", **wrong)


def test_errors_speak_of_python():
    for call in (
        lambda: risk_cli.Game("hasbro", bots=["random", None]),
        lambda: risk_cli.play_match(["random"], "hasbro"),
        lambda: risk_cli.Game("starwars", "world"),
        lambda: risk_cli.Game("codelab", options={"nothing": 1}),
        lambda: gymnasium.make("risk/hasbro-v0", players=2),
    ):
        with pytest.raises(risk_cli.LoadError) as found:
            call()
        assert "--" not in str(found.value), found.value
