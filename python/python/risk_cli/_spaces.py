"""Spaces of observations and actions, and what all environments check and read alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from . import Action, IllegalAction

if TYPE_CHECKING:
    from . import Encoding, Game
    from ._risk_cli import BotLike

#: What an environment accepts as opponents: a bot, a list to draw from, or either by seat.
Opponents: TypeAlias = "BotLike | list[BotLike] | dict[int, BotLike | list[BotLike]]"

#: What an environment does after a fault of an opponent.
ON_FAULT = ("raise", "truncate", "forfeit")

#: The limit of units on a territory, and of a counter.
MOST = 1_000_000_000

_INT32 = np.iinfo(np.int32)
_DTYPE = np.dtype(np.int32)
#: The type of factors. Gymnasium takes it, but declares 64 bits alone.
_NUMBERS: Any = np.int32


def observation_space(encoding: "Encoding", is_flat: bool = False) -> "spaces.Space[Any]":
    """Return the space of observations: of integers, or of one row of floats."""
    if is_flat:
        _, start, length = encoding.features_fields[-1]
        return spaces.Box(0, 1, (start + length,), np.float32)
    return spaces.Dict(
        {
            "territories": spaces.Box(-1, MOST, encoding.territories_shape, np.int32),
            "globals": spaces.Box(_INT32.min, _INT32.max, (encoding.globals_len,), np.int32),
        }
    )


class LegalActions(spaces.MultiDiscrete):
    """Factored actions. A sample is a legal action of the environment's game: each factor depends
    on those before it, so independent masks can't describe the legal actions."""

    def __init__(
        self, env: "CopiesSpaces", player: int | None = None, wait: bool = False
    ) -> None:
        sizes = [size for _, size in env.encoding.factors]
        if wait:
            sizes[0] += 1
        super().__init__(np.array(sizes, dtype=np.int64), dtype=_NUMBERS)
        self._env: CopiesSpaces | None = env
        self._player = player
        self._wait = sizes[0] - 1 if wait else None

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw a legal action, or any action without a decision. Masks are ignored."""
        if self._env is not None and self._env._decides(self._player):
            return self._env.encoding.sample(self._env.game, self.np_random, self._player)
        if self._wait is None:
            return super().sample()
        waiting = np.zeros(len(self.nvec), dtype=np.int32)
        waiting[0] = self._wait
        return waiting

    def __getstate__(self) -> dict[str, Any]:
        return _state_without_env(self)

    def __deepcopy__(self, memo: Any) -> "spaces.MultiDiscrete":
        return spaces.MultiDiscrete(self.nvec.copy(), dtype=_NUMBERS)


class FlatActions(spaces.Discrete):
    """Actions as one number. A sample without a mask is a legal action of the environment's
    game."""

    def __init__(self, env: "CopiesSpaces", player: int | None = None) -> None:
        super().__init__(env.encoding.flat_len)
        self._env: CopiesSpaces | None = env
        self._player = player

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw a legal action, or with a mask one that the mask allows."""
        env = self._env if mask is None and probability is None else None
        if env is None or not env._decides(self._player):
            # Gymnasium 1.0 knows no probabilities.
            return super().sample(mask, *([] if probability is None else [probability]))
        factors = env.encoding.sample(env.game, self.np_random, self._player)
        try:
            number = env.encoding.factors_to_flat(factors)
        except IllegalAction:
            # The action is not over a border, so another one is drawn.
            open_numbers = np.flatnonzero(env.encoding.flat_mask(env.game, self._player))
            number = int(self.np_random.choice(open_numbers))
        return self.start + self.dtype.type(number)

    def __getstate__(self) -> dict[str, Any]:
        return _state_without_env(self)

    def __deepcopy__(self, memo: Any) -> "spaces.Discrete":
        return spaces.Discrete(int(self.n))


def _state_without_env(space: Any) -> dict[str, Any]:
    """Return the state of a space. A copy of a space alone has no game."""
    return {**space.__dict__, "_env": None}


class _SpaceState(NamedTuple):
    """A space of actions in the state of its environment."""

    kind: Any
    state: dict[str, Any]


class CopiesSpaces:
    """An environment whose copies and pickles have spaces of actions that draw from their own
    game."""

    game: "Game"
    encoding: "Encoding"
    #: The shape of actions; those of flat actions have none.
    _action_shape: tuple[int, ...]

    def _decides(self, player: int | None) -> bool:
        """Return whether a player has a decision now; None stands for the player to move."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for name in ("action_space", "action_spaces"):
            if name in state:
                state[name] = _detached(state[name])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in ("action_space", "action_spaces"):
            if name in state:
                self.__dict__[name] = _attached(state[name], self)


def _detached(value: Any) -> Any:
    if isinstance(value, dict):
        return {agent: _detached(space) for agent, space in value.items()}
    if not isinstance(value, (LegalActions, FlatActions)):
        return value
    # Without a seed, the copy is to draw the same samples too.
    value.np_random
    return _SpaceState(type(value), value.__getstate__())


def _attached(value: Any, env: CopiesSpaces) -> Any:
    if isinstance(value, dict):
        return {agent: _attached(space, env) for agent, space in value.items()}
    if not isinstance(value, _SpaceState):
        return value
    space = value.kind.__new__(value.kind)
    space.__setstate__({**value.state, "_env": env})
    return space


def check_mode(actions: str) -> dict[str, bool]:
    """Return the numbers that actions have, as arguments of an encoding."""
    check_word("actions", actions, ("factored", "flat", "border"))
    return {mode: True for mode in ("flat", "border") if mode == actions}


def check_observation(observation: str) -> bool:
    """Return whether observations are rows of floats."""
    check_word("observation", observation, ("integers", "flat"))
    return observation == "flat"


def check_word(name: str, value: Any, words: Sequence[str]) -> None:
    """Check that an argument is one of these words."""
    if not isinstance(value, str) or value not in words:
        listed = " or ".join(map(repr, words))
        raise ValueError(f"expected {name} to be {listed}, found {value!r}")


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Check that a render mode is None or one of these."""
    if mode is not None:
        check_word("render_mode", mode, modes)


def check_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return an integer argument that is within its limits."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"expected {name} to be an integer, found {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"expected {name} to be {limits}, found {value}")
    return int(value)


def check_optional(name: str, value: Any, least: int, most: int | None = None) -> int | None:
    """Return an integer argument that is within its limits, or None."""
    return None if value is None else check_number(name, value, least, most)


def check_players(players: Any) -> int | None:
    """Return the number of players, or None."""
    return check_optional("players", players, 1, 32)


def check_seed(seed: Any) -> int | None:
    """Return the seed of a reset."""
    return check_optional("seed", seed, 0, 2**64 - 1)


def check_options(options: Any, known: Sequence[str] | None = ()) -> dict[str, Any]:
    """Return the options of a reset; `known` are the names to accept, None accepts any."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise TypeError(f"expected options to be a dictionary, found {options!r}")
    unknown = [] if known is None else [repr(name) for name in options if name not in known]
    if unknown:
        wanted = f"only {', '.join(map(repr, known))}" if known else "none"
        raise ValueError(f"expected options for reset(): {wanted}, found {', '.join(unknown)}")
    return options


def _candidates(value: Any) -> list[Any]:
    """Return the bots that may play in a seat."""
    bots = value if isinstance(value, list) else [value]
    for bot in bots:
        named = isinstance(bot, tuple) and len(bot) == 2 and isinstance(bot[0], str)
        if not (isinstance(bot, str) or callable(bot) or named):
            raise TypeError(f"expected opponents to be bots or callables, found {bot!r}")
    if not bots:
        raise ValueError("expected opponents to be at least one bot, found []")
    return bots


def seat_bots(
    seat: Any, players: Any, opponents: Any, usual_players: Callable[[], int]
) -> tuple[list[list[Any]], int | str]:
    """Return the bots of which one plays in each seat, and your seat, where none does.
    `usual_players` returns how many players there are if `players` does not say so."""
    given = check_players(players)
    if isinstance(opponents, dict):
        own = check_number("seat", seat, 0)
        count = len(opponents) + 1 if given is None else given
        if sorted([*opponents, own], key=str) != sorted(range(count), key=str):
            raise ValueError(
                f"expected opponents for all {count} seats but seat {own}, "
                f"found {sorted(opponents, key=str)}"
            )
        return [_candidates(opponents.get(at, "random")) for at in range(count)], own
    bots = _candidates(opponents)
    count = usual_players() if given is None else given
    if isinstance(seat, str):
        check_word("seat", seat, ("rotate", "random"))
    else:
        seat = check_number("seat", seat, 0, count - 1)
    return [bots] * count, seat


def need_reset(begun: bool, call: str) -> None:
    """Check that there was a reset before a call."""
    if not begun:
        raise ResetNeeded(f"call reset() before {call}()")


def need_game(over: bool) -> None:
    """Check that the game is not over before a step."""
    if over:
        raise ResetNeeded("the game is over: call reset() before step()")


def is_usual(values: Any, shape: tuple[int, ...]) -> bool:
    """Return whether values are an array like those of a space's samples."""
    return isinstance(values, np.ndarray) and values.dtype == _DTYPE and values.shape == shape


def read_integers(values: Any, wanted: str) -> np.ndarray:
    """Return integers as an array. Nothing is cast: other values are a TypeError."""
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        if array.dtype.kind not in "iu":
            raise TypeError(f"expected {wanted}, found {array.dtype} values")
        return array
    # As objects, since a common type would turn True into 1, and large integers into floats.
    array = np.array(values, dtype=object)
    for place, item in enumerate(array.flat):
        if isinstance(item, (Sequence, np.ndarray)) and not isinstance(item, (str, bytes)):
            raise ValueError(f"expected {wanted}, found rows of different lengths")
        if hasattr(item, "__array__") and np.asarray(item).dtype.kind in "iu":
            array.flat[place] = np.asarray(item).item()
        elif isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(f"expected {wanted}, found {item!r}")
    return array


def wide_values(array: np.ndarray) -> np.ndarray | None:
    """Return which integers are beyond 32 bits, so that no action has them, or None if no
    integer can be."""
    if np.can_cast(array.dtype, np.int32):
        return None
    wide: np.ndarray = np.asarray((array < _INT32.min) | (array > _INT32.max), dtype=bool)
    return wide if wide.any() else None


def refuse_factor(encoding: "Encoding", column: int, value: int) -> str:
    """Return why a factor beyond all tables is illegal."""
    name = encoding.factors[column][0]
    return f"{value} is illegal for the factor `{name}` given the previous factors"


def _narrow_factors(array: np.ndarray, encoding: "Encoding") -> list[int]:
    wide = wide_values(array)
    if wide is not None:
        column = int(wide.argmax())
        raise IllegalAction(refuse_factor(encoding, column, array[column]))
    factors: list[int] = array.tolist()
    return factors


def read_words(action: Any) -> Action | str | list[str | int] | None:
    """Return an action of the game, or None for other values. Those are an `Action`, its words
    and a sequence that begins with a word."""
    if isinstance(action, (Action, str)):
        return action
    if isinstance(action, np.ndarray):
        return None
    if not isinstance(action, Sequence) or not action or not isinstance(action[0], str):
        return None
    words: list[str | int] = []
    for item in action:
        if isinstance(item, bool) or not isinstance(item, (str, int, np.integer)):
            raise TypeError(f"expected an action of words and integers, found {item!r}")
        words.append(item if isinstance(item, str) else int(item))
    return words


def read_factors(action: Any, encoding: "Encoding") -> list[int]:
    """Return the factors of a member of the action space."""
    count = len(encoding.factors)
    array = read_integers(action, f"an action of {count} integers")
    if array.shape != (count,):
        raise ValueError(f"expected an action of {count} integers, found shape {array.shape}")
    return _narrow_factors(array, encoding)


def read_action(
    action: Any, env: CopiesSpaces, player: int | None = None
) -> Action | str | list[str | int]:
    """Return the action that a step is given: a member of the action space or an action of the
    game. What is neither is a TypeError or a ValueError, and no illegal action."""
    flat = env._action_shape == ()
    if not flat and is_usual(action, env._action_shape):
        return env.encoding.decode(env.game, action.tolist(), player)
    words = read_words(action)
    if words is not None:
        return words
    if not flat:
        return env.encoding.decode(env.game, read_factors(action, env.encoding), player)
    array = read_integers(action, "an action of one integer")
    if array.shape not in ((), (1,)):
        raise ValueError(f"expected an action of one integer, found shape {array.shape}")
    number = int(array.item())
    if not 0 <= number < env.encoding.flat_len:
        entries = env.encoding.flat_len
        raise IllegalAction(f"no entry {number} in the flat table of {entries} entries")
    return env.encoding.flat_decode(env.game, number, player)


def read_given(given: Any, encoding: "Encoding") -> list[int]:
    """Return the factors that a mask follows."""
    most = len(encoding.factors) - 1
    array = read_integers(given, f"at most {most} integers")
    if array.ndim != 1 or len(array) > most:
        raise ValueError(f"expected at most {most} integers, found shape {array.shape}")
    return _narrow_factors(array, encoding)


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
