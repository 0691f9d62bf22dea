"""Many games at once: Gymnasium's vector interface over threads in Rust."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import Encoding, Game, VectorGames
from ._spaces import check_mode, observation_space


class RiskVectorEnv(VectorEnv):
    """Many games of one kind; a step is a decision in each game.

    Without `opponents` you play every seat: an observation is that of the player to move,
    `info["player"]`, and a reward is that of the player who has just acted; `info["rewards"]` has
    the rewards of all players. With `opponents`, bots play the other seats.

    A finished game restarts at the next step, which ignores its action. With ``copy=False`` each
    step reuses the same arrays.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str | None = None,
        map: str | None = None,
        *,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        position: str | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] | None = None,
        threads: int | None = None,
        actions: str = "factored",
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        illegal: str = "raise",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode must be None for many games, found {render_mode!r}")
        flat = check_mode(actions)
        if players is None and opponents is not None and not isinstance(opponents, str):
            players = len(opponents) + 1
        game = Game(ruleset, map, options=options, players=players, position=position)
        players = game.players
        bots: list[str | None] | None = None
        if opponents is not None:
            bots = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
            if len(bots) != players - 1:
                raise ValueError(f"expected {players - 1} opponents, found {len(bots)}")
            bots.insert(seat, None)
        self._seat = seat if bots else None
        self._copy = copy
        self.encoding = Encoding(game, buckets=buckets, cards=cards, orders=orders, flat=flat)
        self.games = VectorGames(
            num_envs,
            ruleset,
            map,
            options=options,
            players=players,
            position=position,
            bots=bots,
            threads=threads,
            buckets=buckets,
            cards=cards,
            orders=orders,
            flat=flat,
            max_steps=max_steps,
            illegal=illegal,
        )
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.encoding)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        sizes = [size for _, size in self.encoding.factors]
        self.single_action_space = (
            spaces.Discrete(self.encoding.flat_len)
            if flat
            else spaces.MultiDiscrete(np.array(sizes, dtype=np.int64), dtype=np.int32)
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        _, globals_len, players, factors, mask = self.games.sizes
        rows, columns = self.encoding.territories_shape
        self._arrays = (
            np.zeros((num_envs, rows, columns), dtype=np.int32),
            np.zeros((num_envs, globals_len), dtype=np.int32),
            np.zeros((num_envs, players), dtype=np.float32),
            np.zeros(num_envs, dtype=bool),
            np.zeros(num_envs, dtype=bool),
            np.zeros(num_envs, dtype=np.int32),
            np.zeros((num_envs, mask), dtype=bool),
        )
        self._actions = np.zeros((num_envs, factors), dtype=np.int32)
        self._rows = np.arange(num_envs)
        self._flat = flat
        self._seeds = np.random.default_rng()

    def _out(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array

    def _seen(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        territories, rest, rewards, _, _, players, mask = self._arrays
        seen = {"territories": self._out(territories), "globals": self._out(rest)}
        info = {"player": self._out(players), "action_mask": self._out(mask)}
        if self._seat is None:
            info["rewards"] = self._out(rewards)
        return seen, info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Set up all games: game 0 of the seed, game 1, and so on."""
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            self._seeds = np.random.default_rng(seed)
            self.games.seed_sampler(seed)
        self.games.reset(seed, *self._arrays)
        return self._seen()

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Apply one action in every game."""
        wanted = np.ascontiguousarray(actions, dtype=np.int32).reshape(self._actions.shape)
        actors = None if self._seat is not None else self._arrays[5].copy()
        self.games.step(wanted, *self._arrays)
        _, _, rewards, terminated, truncated, _, _ = self._arrays
        own = rewards[:, self._seat] if actors is None else rewards[self._rows, actors]
        seen, info = self._seen()
        return seen, np.array(own), terminated.copy(), truncated.copy(), info

    def sample(self) -> np.ndarray:
        """Draw a legal action uniformly for every game. With ``copy=False`` the array is reused."""
        self.games.sample(self._actions)
        actions = self._actions[:, 0] if self._flat else self._actions
        return self._out(actions)

    def mask(self, given: np.ndarray) -> np.ndarray:
        """Return the mask of the next factor in every game, after the factors in its row."""
        given = np.ascontiguousarray(given, dtype=np.int32).reshape(self.num_envs, -1)
        size = self.encoding.factors[given.shape[1]][1]
        mask = np.zeros((self.num_envs, size), dtype=bool)
        self.games.masks(given, mask)
        return mask
