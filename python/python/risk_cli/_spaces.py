"""Spaces of observations and actions, for Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from gymnasium import spaces

if TYPE_CHECKING:
    from . import Encoding, Game

#: The limit of units on a territory, and of a counter.
MOST = 1_000_000_000

#: The source of a space's samples: a game and a player, None for the player to move.
Source = Callable[[], "tuple[Game, int | None] | None"]


def observation_space(encoding: "Encoding") -> spaces.Dict:
    """Return the space of observations."""
    info = np.iinfo(np.int32)
    return spaces.Dict(
        {
            "territories": spaces.Box(-1, MOST, encoding.territories_shape, np.int32),
            "globals": spaces.Box(info.min, info.max, (encoding.globals_len,), np.int32),
        }
    )


class LegalActions(spaces.MultiDiscrete):
    """Factored actions. A sample is a legal action of the current game: each factor depends on
    those before it, so independent masks can't describe the legal actions."""

    def __init__(
        self, encoding: "Encoding", source: Source, wait: bool = False, seed: int | None = None
    ) -> None:
        sizes = [size for _, size in encoding.factors]
        if wait:
            sizes[0] += 1
        super().__init__(np.array(sizes, dtype=np.int64), dtype=np.int32, seed=seed)
        self._encoding = encoding
        self._source: Source | None = source
        self._wait = sizes[0] - 1 if wait else None

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw a legal action, or any action without a game. Masks are ignored."""
        found = self._source() if self._source else None
        if found is None:
            if self._wait is None:
                return super().sample()
            waiting = np.zeros(len(self.nvec), dtype=np.int32)
            waiting[0] = self._wait
            return waiting
        game, player = found
        return self._encoding.sample(game, self.np_random, player)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        # A game stays in its process.
        state["_source"] = state["_encoding"] = None
        return state

    def __deepcopy__(self, memo: Any) -> "spaces.MultiDiscrete":
        return spaces.MultiDiscrete(self.nvec.copy(), dtype=np.int32)


class FlatActions(spaces.Discrete):
    """Actions as one number. A sample without a mask is a legal action of the current game."""

    def __init__(self, encoding: "Encoding", source: Source, seed: int | None = None) -> None:
        super().__init__(encoding.flat_len, seed=seed)
        self._encoding = encoding
        self._source: Source | None = source

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw a legal action, or with a mask one that the mask allows."""
        found = self._source() if self._source and mask is None and probability is None else None
        if found is None:
            return super().sample(mask, probability)
        game, player = found
        factors = self._encoding.sample(game, self.np_random, player)
        return self.start + self.dtype.type(self._encoding.factors_to_flat(factors))

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_source"] = state["_encoding"] = None
        return state

    def __deepcopy__(self, memo: Any) -> "spaces.Discrete":
        return spaces.Discrete(int(self.n))


def check_mode(actions: str) -> bool:
    """Return whether actions are numbers of the flat table."""
    if actions not in ("factored", "flat"):
        raise ValueError(f"actions must be 'factored' or 'flat', found {actions!r}")
    return actions == "flat"


def draw(game: "Game", mode: str | None) -> Any:
    """Draw a game in a render mode."""
    if mode == "ansi":
        return game.text()
    if mode == "rgb_array":
        return game.pixels()
    if mode == "svg":
        return game.svg()
    if mode == "human":
        print(game.text())
    return None
