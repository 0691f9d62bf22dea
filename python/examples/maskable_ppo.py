"""MaskablePPO of sb3-contrib beats a bot: `pip install sb3-contrib`.

    python maskable_ppo.py --steps 100000 --opponent random

It masks each part of an action by itself, so the actions are flat: one number for each.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import ppo
import torch
from risk_cli.gym import RiskEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv


class Small(gymnasium.ObservationWrapper):
    """An environment with the features of ppo.py as observations."""

    def __init__(self, env: RiskEnv) -> None:
        super().__init__(env)
        self.features = ppo.Features(env.encoding)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self.features.size,), np.float32)

    def observation(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        return self.features(observation["territories"], observation["globals"])


def make(opponent: str, seat: int) -> Small:
    return Small(RiskEnv(**ppo.GAME, opponents=opponent, seat=seat, actions="flat", illegal="raise"))


def evaluate(model: MaskablePPO, opponent: str, games: int) -> ppo.Score:
    """Plays games that no training has played, as many at each seat. An illegal action raises."""
    rewards = []
    for number in range(games):
        env = make(opponent, number % 2)
        observation, _ = env.reset(seed=ppo.HELD_OUT + number)
        over = False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            action, _ = model.predict(observation, action_masks=masks)
            assert masks[action]
            observation, reward, terminated, truncated, _ = env.step(int(action))
            over = terminated or truncated
        rewards.append(reward)
    return ppo.Score(sum(reward > 0 for reward in rewards), sum(reward == 0 for reward in rewards), games)


def main(words: list[str] | None = None) -> tuple[ppo.Score, ppo.Score]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    torch.set_num_threads(1)
    envs: Any = DummyVecEnv([lambda seat=seat: make(asked.opponent, seat) for seat in (0, 1) * 4])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=512, learning_rate=1e-3, seed=asked.seed)
    before = evaluate(model, asked.opponent, asked.games)
    print(f"before {asked.opponent:<10} {before}")
    model.learn(asked.steps)
    after = evaluate(model, asked.opponent, asked.games)
    print(f"after  {asked.opponent:<10} {after}")
    return before, after


if __name__ == "__main__":
    main()
