"""Many games at once: Gymnasium's vector interface over threads in Rust."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium import spaces, vector
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from . import Encoding, Game, IllegalAction, RiskError, VectorGames
from ._spaces import (
    ON_FAULT,
    Opponents,
    check_mode,
    check_number,
    check_observation,
    check_optional,
    check_options,
    check_players,
    check_seed,
    check_word,
    is_usual,
    need_reset,
    observation_space,
    read_integers,
    refuse_factor,
    seat_bots,
    wide_values,
)

#: The largest number of games, of threads, and of steps in a game.
MOST_GAMES, MOST_THREADS, MOST_STEPS = 2**20, 2**10, 2**32 - 1


class _LegalBatch:
    """Draws a legal action of each game, with the random numbers of the space."""

    _env: "RiskVectorEnv | None"
    np_random: np.random.Generator
    dtype: Any

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw a legal action for each game; before the first reset, any. Masks are ignored."""
        if self._env is None or not self._env._begun:
            any_actions: np.ndarray = super().sample()  # type: ignore[misc]
            return any_actions
        self._env.games.seed_sampler(int(self.np_random.integers(2**63)))
        drawn: np.ndarray = self._env.sample().astype(self.dtype)
        return drawn

    def __getstate__(self) -> dict[str, Any]:
        # A copy of the space alone has no games.
        return {**self.__dict__, "_env": None}


class BatchFactors(_LegalBatch, spaces.Box):
    """The factors of the actions of all games."""

    def __init__(self, env: "RiskVectorEnv", usual: spaces.Box) -> None:
        super().__init__(usual.low, usual.high, dtype=np.int32)
        self._env = env


class BatchNumbers(_LegalBatch, spaces.MultiDiscrete):
    """The flat actions of all games."""

    def __init__(self, env: "RiskVectorEnv", usual: spaces.MultiDiscrete) -> None:
        super().__init__(usual.nvec, dtype=np.int64)
        self._env = env


def _made(
    num_envs: int,
    sizes: tuple[int, ...],
    encoding: Encoding,
    given: dict[str, np.ndarray] | None,
) -> dict[str, np.ndarray]:
    """Return the arrays that a step writes, in the order of `VectorGames.step`: those given, and
    new ones."""
    territories, rest, players, _, mask, features = sizes
    rows = encoding.territories_shape if territories else (0, 0)
    wanted: dict[str, tuple[tuple[int, ...], Any]] = {
        "territories": ((num_envs, *rows), np.int32),
        "globals": ((num_envs, rest), np.int32),
        "rewards": ((num_envs, players), np.float32),
        "terminated": ((num_envs,), np.bool_),
        "truncated": ((num_envs,), np.bool_),
        "player": ((num_envs,), np.int32),
        "action_mask": ((num_envs, mask), np.bool_),
        "observation": ((num_envs, features), np.float32),
    }
    given = {} if given is None else given
    for name, array in given.items():
        if name not in wanted:
            raise ValueError(f"expected buffers of {', '.join(wanted)}, found {name!r}")
        shape, dtype = wanted[name]
        fits = isinstance(array, np.ndarray) and array.shape == shape
        if not fits or array.dtype != np.dtype(dtype):
            found = getattr(array, "shape", None), getattr(array, "dtype", type(array))
            raise ValueError(
                f"expected {name} to be an array of {np.dtype(dtype)} of shape {shape}, "
                f"found {found[1]} of shape {found[0]}"
            )
        if not (array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(f"expected {name} to be contiguous and writable")
    return {name: given[name] if name in given else np.zeros(*kind) for name, kind in wanted.items()}


def _metadata() -> dict[str, Any]:
    # Gymnasium 1.0 has no other way to start the next games, and no name for it.
    modes = getattr(vector, "AutoresetMode", None)
    return {"render_modes": []} | ({"autoreset_mode": modes.NEXT_STEP} if modes else {})


class RiskVectorEnv(vector.VectorEnv):
    """Many games of one kind; a step is a decision in each game.

    Without `opponents` you play every seat: an observation is that of the player to move,
    `info["player"]`, and a reward is that of the player who has just acted; `info["rewards"]` has
    the rewards of all players. With `opponents`, bots play the other seats, and you play `seat`,
    0 by default.

    A finished game restarts at the next step, which ignores its action: `info["acted"]` is False in
    such a row, and there is nothing to learn from that step. `info["game"]` is the number of the
    game in each row: row `n` plays games `n`, `n + num_envs` and so on of the seed.

    With ``copy=False`` each step reuses the same arrays. `buffers` are arrays of your own that each
    step writes as well, such as views of pinned memory: `territories` and `globals`, or
    `observation` with ``observation="flat"``; and `rewards`, `terminated`, `truncated`, `player` and
    `action_mask`. No more threads run than there are games.

    After a fault of an opponent, ``on_opponent_fault="raise"`` raises
    :class:`risk_cli.OpponentFault`, and all games need a reset; ``"truncate"`` truncates the game at
    the end of the step; ``"forfeit"`` goes on by the rules, under which an opponent may forfeit.
    With the last two, `info["faults"]` has a list for each game, of its faults so far.

    `opponents` are those of :class:`risk_cli.gym.RiskEnv`. With ``seat="rotate"`` you play seat 0 in
    game 0, seat 1 in game 1 and so on, so that a row keeps its seat if `num_envs` is a multiple of
    the number of players; with ``seat="random"`` a seat drawn for each game. Opponents in Python
    are called on the thread that calls the environment; with them, one thread plays unless
    `threads` says otherwise.

    A game that its rules end is terminated; one that a limit ends is truncated: `max_steps` of
    your decisions, or a limit of the game itself, such as the ruleset's option `max_turns`. At a
    step that ends games, `info["final_info"]` has arrays of their outcomes, winners (-1 if there is
    not exactly one), your seats, bots by seat, returns, lengths in your decisions, rounds and
    faults, and `info["_final_info"]` says for which games.
    """

    metadata = _metadata()

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str | None = None,
        map: str | None = None,
        *,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        position: str | None = None,
        seat: int | str | None = None,
        opponents: Opponents | None = None,
        threads: int | None = None,
        actions: str = "factored",
        observation: str = "integers",
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        illegal: str = "raise",
        on_opponent_fault: str = "raise",
        copy: bool = True,
        buffers: dict[str, np.ndarray] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode must be None for many games, found {render_mode!r}")
        modes = check_mode(actions)
        flat = bool(modes)
        self._sees_floats = check_observation(observation)
        check_word("illegal", illegal, ("raise", "end"))
        check_word("on_opponent_fault", on_opponent_fault, ON_FAULT)
        if not isinstance(copy, bool):
            raise TypeError(f"expected copy to be True or False, found {copy!r}")
        num_envs = check_number("num_envs", num_envs, 1, MOST_GAMES)
        threads = check_optional("threads", threads, 1, MOST_THREADS)
        max_steps = check_optional("max_steps", max_steps, 1, MOST_STEPS)
        cards = check_optional("cards", cards, 0)
        orders = check_optional("orders", orders, 0)
        bots: list[Any] | None = None
        if opponents is None:
            if seat is not None:
                raise ValueError(
                    f"expected opponents with a seat, found seat {seat!r} alone: "
                    "without opponents you play every seat"
                )
            players = check_players(players)
        else:

            def usual_players() -> int:
                return Game(ruleset, map, options=options, position=position).players

            own = 0 if seat is None else seat
            bots, seat = seat_bots(own, players, opponents, usual_players)
            players = len(bots)
        game = Game(ruleset, map, options=options, players=players, position=position)
        players = game.players
        self._has_bots = bots is not None
        self._copy = copy
        self.encoding = Encoding(game, buckets=buckets, cards=cards, orders=orders, **modes)
        self.games = VectorGames(
            num_envs,
            ruleset,
            map,
            options=options,
            players=players,
            position=position,
            bots=bots,
            seat=seat,
            threads=threads,
            buckets=buckets,
            cards=cards,
            orders=orders,
            **modes,
            features=self._sees_floats,
            max_steps=max_steps,
            illegal=illegal,
            on_opponent_fault=on_opponent_fault,
        )
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.encoding, self._sees_floats)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        sizes = [size for _, size in self.encoding.factors]
        self.single_action_space = (
            spaces.Discrete(self.encoding.flat_len)
            if flat
            else spaces.MultiDiscrete(np.array(sizes, dtype=np.int64), dtype=np.int32)
        )
        batch: Any = batch_space(self.single_action_space, num_envs)
        self.action_space = BatchNumbers(self, batch) if flat else BatchFactors(self, batch)
        factors = self.games.sizes[3]
        self._buffers = _made(num_envs, self.games.sizes, self.encoding, buffers)
        self._arrays = tuple(self._buffers.values())
        self._actions = np.zeros((num_envs, factors), dtype=np.int32)
        self._rows = np.arange(num_envs)
        self._flat = flat
        self._illegal_ends = illegal == "end"
        self._lists_faults = bots is not None and on_opponent_fault != "raise"
        self._begun = False
        #: The number of the game in each row, which games are over, and which rows have acted.
        self._numbers = np.arange(num_envs)
        self._over = np.zeros(num_envs, dtype=bool)
        self._acted = np.zeros(num_envs, dtype=bool)
        self._seeds = np.random.default_rng()

    def _out(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        territories, rest, rewards, _, _, players, mask, features = self._arrays
        seen: Any = self._out(features)
        if not self._sees_floats:
            seen = {"territories": self._out(territories), "globals": self._out(rest)}
        info = {
            "player": self._out(players),
            "action_mask": self._out(mask),
            "game": self._out(self._numbers),
            "acted": self._acted,
        }
        if not self._has_bots:
            info["rewards"] = self._out(rewards)
        if self._lists_faults:
            faults = np.empty(self.num_envs, dtype=object)
            # Lists of the same length would become a second axis.
            for row, listed in enumerate(self.games.faults()):
                faults[row] = listed
            info["faults"] = faults
        return seen, info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Set up all games: game 0 of the seed, game 1, and so on. With
        ``options={"reset_mask": mask}`` only the games with True in the mask are set up: those of
        the seed, or without a seed the next ones."""
        seed = check_seed(seed)
        options = check_options(options, ("reset_mask",))
        if "reset_mask" in options:
            chosen = self._read_reset_mask(options["reset_mask"])
            self.games.reset(seed, *self._arrays, reset_mask=chosen)
            following = self._numbers + self.num_envs if seed is None else self._rows
            return self._set_up(chosen, following)
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            self._seeds = np.random.default_rng(seed)
            self.games.seed_sampler(seed)
        self.games.reset(seed, *self._arrays)
        self._begun = True
        return self._set_up(np.ones(self.num_envs, dtype=bool), self._rows)

    def _set_up(self, chosen: np.ndarray, numbers: np.ndarray) -> tuple[Any, dict[str, Any]]:
        """Return what a reset returns, after which the chosen rows have games of these numbers."""
        self._numbers[chosen] = numbers[chosen]
        self._over = self._arrays[3] | self._arrays[4]
        self._acted = self._acted & ~chosen
        return self._seen()

    def _read_reset_mask(self, mask: Any) -> np.ndarray:
        wanted = f"reset_mask to be a NumPy array of {self.num_envs} bools"
        if not isinstance(mask, np.ndarray):
            raise TypeError(f"expected {wanted}, found {mask!r}")
        if mask.dtype != np.bool_:
            raise TypeError(f"expected {wanted}, found {mask.dtype} values")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"expected {wanted}, found shape {mask.shape}")
        if not mask.any():
            raise ValueError("expected reset_mask to choose a game, found no True")
        if not self._begun:
            raise ResetNeeded("call reset() before reset() with a reset_mask")
        return np.ascontiguousarray(mask)

    def step(
        self, actions: Any
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Apply one action in every game: a row of factors each, or with flat actions a number
        each. Values that are no integers raise TypeError, and a wrong shape raises ValueError;
        no game changes."""
        need_reset(self._begun, "step")
        shape = (self.num_envs,) if self._flat else self._actions.shape
        if is_usual(actions, shape):
            numbers = np.ascontiguousarray(actions).reshape(self._actions.shape)
        else:
            wanted = f"integers of shape {shape}"
            found = read_integers(actions, wanted)
            if found.shape != shape:
                raise ValueError(f"expected {wanted}, found shape {found.shape}")
            rows = found.reshape(self._actions.shape)
            numbers = self._narrow(rows, raises=not self._illegal_ends)
        actors = self._arrays[5].copy()
        self.games.step(numbers, *self._arrays)
        rewards, terminated, truncated = self._arrays[2:5]
        own = np.array(rewards[self._rows, actors])
        # A row whose game was over has begun its next game instead.
        self._numbers += self.num_envs * self._over
        self._acted = ~self._over
        seen, info = self._seen()
        self._over = over = terminated | truncated
        if over.any():
            info["final_info"] = self._final(over, actors, own)
            info["_final_info"] = over
        return seen, own, terminated.copy(), truncated.copy(), info

    def _final(
        self, over: np.ndarray, actors: np.ndarray, returns: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Return what became of the games that are over; the other rows are empty."""
        finals = self.games.finals()
        columns: dict[str, np.ndarray] = {
            "seat": np.where(over, actors, -1),
            "return": np.where(over, returns, 0),
        }
        for name in ("outcome", "bots", "faults"):
            columns[name] = np.full(self.num_envs, None, dtype=object)
        for name in ("winner", "length", "rounds"):
            columns[name] = np.full(self.num_envs, -1, dtype=np.int32)
        for row in np.flatnonzero(over):
            final: Any = finals[row]
            winners = (final["outcome"] or {}).get("winners", ())
            final["winner"] = winners[0] if len(winners) == 1 else -1
            for name, value in final.items():
                columns[name][row] = value
        return columns

    def _narrow(self, found: np.ndarray, raises: bool = True) -> np.ndarray:
        """Return integers as 32 bits. A larger one is illegal. If it does not raise, or if its
        game is over, it becomes -1, which is illegal as well."""
        wide = wide_values(found)
        if wide is None:
            return np.ascontiguousarray(found, dtype=np.int32)
        plays = ~self._over & raises
        for row, column in np.argwhere(wide & plays[:, np.newaxis]):
            value = found[row, column]
            if self._flat:
                entries = self.encoding.flat_len
                why = f"no entry {value} in the flat table of {entries} entries"
            else:
                why = refuse_factor(self.encoding, column, value)
            raise IllegalAction(f"game {row}: {why}")
        return np.ascontiguousarray(np.where(wide, -1, found), dtype=np.int32)

    def sample(self) -> np.ndarray:
        """Draw a legal action uniformly for every game, with random numbers that `reset(seed=…)`
        begins anew. With ``copy=False`` the array is reused."""
        need_reset(self._begun, "sample")
        self.games.sample(self._actions)
        actions = self._actions[:, 0] if self._flat else self._actions
        return self._out(actions)

    def sample_from(self, logits: Any) -> tuple[np.ndarray, np.ndarray]:
        """Draw an action for every game by the softmax of a row of logits over the legal actions,
        with random numbers that `reset(seed=…)` begins anew. Return the actions and the logarithms
        of their probabilities. Only flat actions and those over borders have one mask."""
        need_reset(self._begun, "sample_from")
        if not self._flat:
            raise RiskError('factors have no single row of logits: use actions="border" or "flat"')
        mask = self._buffers["action_mask"]
        found = np.ascontiguousarray(logits, dtype=np.float32)
        if found.shape != mask.shape:
            raise ValueError(f"expected logits of shape {mask.shape}, found shape {found.shape}")
        log_probs = np.zeros(self.num_envs, dtype=np.float32)
        self.games.sample_from(found, mask, self._actions, log_probs)
        return self._out(self._actions[:, 0]), log_probs

    def mask(self, given: Any) -> np.ndarray:
        """Return the mask of the next factor in every game, after the factors in its row."""
        need_reset(self._begun, "mask")
        most = len(self.encoding.factors) - 1
        wanted = f"{self.num_envs} rows of at most {most} integers"
        found = read_integers(given, wanted)
        if found.ndim != 2 or len(found) != self.num_envs or found.shape[1] > most:
            raise ValueError(f"expected {wanted}, found shape {found.shape}")
        numbers = self._narrow(found)
        mask = np.zeros((self.num_envs, self.encoding.factors[numbers.shape[1]][1]), dtype=bool)
        self.games.masks(numbers, mask)
        return mask
