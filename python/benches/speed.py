"""How many steps a second: medians of one run, in which all take turns.

Beside ours: an environment with the same spaces that does nothing, pyspiel's backgammon, catanatron's Catan, and PettingZoo's chess,
where they are installed (`pip install open_spiel catanatron "pettingzoo[classic]"`).
"""

import statistics
import sys
import time

import numpy as np
import risk_cli
from gymnasium import spaces
from pettingzoo import AECEnv
from risk_cli.pettingzoo import RiskAEC
from risk_cli.vector import RiskVectorEnv

TURNS = int(sys.argv[1]) if len(sys.argv) > 1 else 7


class Dummy(AECEnv):
    """The same spaces, and nothing behind them."""

    metadata = {"name": "dummy_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self, like):
        super().__init__()
        self.possible_agents = like.possible_agents[:]
        self._seen = like.observation_spaces
        some = like.action_space(self.possible_agents[0])
        self._acts = {agent: spaces.MultiDiscrete(some.nvec) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def observe(self, agent):
        seen = self._seen[agent]
        inner = seen["observation"]
        return {
            "observation": {key: np.zeros(inner[key].shape, np.int32) for key in inner},
            "verb_mask": np.zeros(seen["verb_mask"].shape, np.int8),
        }

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action):
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.agent_selection = self.agents[1 - self.agents.index(self.agent_selection)]


def raw(count=100_000):
    game, rng, number = risk_cli.Game("codelab", seed=1), risk_cli.Random(1), 0
    for _ in range(count):
        if game.is_over:
            number += 1
            game.restart(1, number)
        game.apply(game.sample(rng))
    return count


def raw_apply(count=100_000):
    """The same, with the time of `apply` alone."""
    game, rng, number, spent = risk_cli.Game("codelab", seed=1), risk_cli.Random(1), 0, 0
    clock = time.perf_counter_ns
    for _ in range(count):
        if game.is_over:
            number += 1
            game.restart(1, number)
        action = game.sample(rng)
        began = clock()
        game.apply(action)
        spent += clock() - began
    return count, spent / 1e9


def aec(env, count=10_000):
    env.reset(seed=1)
    done = 0
    while done < count:
        _, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(env.action_space(env.agent_selection).sample())
        done += 1
    return count


def vector(env, steps=300):
    for _ in range(steps):
        env.step(env.sample())
    return steps * env.num_envs


def masked(env, logits, steps=200):
    """A policy that chooses by masks: its logits are at hand, and its actions drawn in Rust."""
    for _ in range(steps):
        actions, _ = env.sample_from(logits)
        env.step(actions)
    return steps * env.num_envs


def backgammon(count=5_000):
    import pyspiel

    game, rng = pyspiel.load_game("backgammon"), np.random.default_rng(1)
    state = game.new_initial_state()
    for _ in range(count):
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.integers(len(legal)))])
    return count


def catan(count=5_000):
    from catanatron import Color, Game, RandomPlayer

    players = [RandomPlayer(color) for color in (Color.RED, Color.BLUE)]
    game, rng = Game(players, seed=1), np.random.default_rng(1)
    for _ in range(count):
        if game.winning_color() is not None:
            game = Game(players)
        legal = game.state.playable_actions
        game.execute(legal[int(rng.integers(len(legal)))])
    return count


def chess(count=200):
    from pettingzoo.classic import chess_v6

    env = chess_v6.env()
    env.reset(seed=1)
    for _ in range(count):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(env.action_space(env.agent_selection).sample(seen["action_mask"]))
    return count


def rows():
    own = RiskAEC("codelab")
    dummy = Dummy(own)
    vectors = {
        threads: RiskVectorEnv(256 * threads, "codelab", threads=threads, copy=False)
        for threads in (1, 2)
    }
    for env in vectors.values():
        env.reset(seed=1)
        env.sample()
    yield "Game: sample and apply", raw
    yield "Game: apply alone", raw_apply
    yield "RiskAEC", lambda: aec(own)
    yield "an AEC environment that does nothing", lambda: aec(dummy)
    for threads, env in vectors.items():
        yield f"RiskVectorEnv, threads: {threads}", lambda env=env: vector(env)
    for threads in (1, 2):
        env = RiskVectorEnv(
            256 * threads,
            "codelab",
            threads=threads,
            actions="border",
            buckets=(4,),
            observation="flat",
            copy=False,
        )
        env.reset(seed=1)
        shape = (env.num_envs, env.encoding.flat_len)
        logits = np.random.default_rng(1).normal(size=shape).astype(np.float32)
        yield (
            f"RiskVectorEnv, masks and logits, threads: {threads}",
            lambda env=env, logits=logits: masked(env, logits),
        )
    for name, needs, run in (
        ("pyspiel backgammon", "pyspiel", backgammon),
        ("catanatron", "catanatron", catan),
        ("PettingZoo chess", "chess", chess),
    ):
        try:
            __import__(needs)
        except ImportError:
            print(f"{name}: not installed")
            continue
        yield name, run


def main():
    measured = {name: (run, []) for name, run in rows()}
    for _ in range(TURNS):
        for run, rates in measured.values():
            began = time.perf_counter()
            done = run()
            count, seconds = done if isinstance(done, tuple) else (done, time.perf_counter() - began)
            rates.append(count / seconds)
    for name, (_, rates) in measured.items():
        print(f"{name:<48} {statistics.median(rates):>12,.0f} steps a second")


if __name__ == "__main__":
    main()
