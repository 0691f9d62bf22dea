"""Gymnasium: you play one seat, bots play the others."""

from __future__ import annotations

from typing import Any, Sequence

import gymnasium
import numpy as np

from . import Encoding, Game, IllegalAction, RiskError
from ._registration import RULESETS, register
from ._spaces import (
    ON_FAULT,
    CopiesSpaces,
    FlatActions,
    LegalActions,
    Opponents,
    check_mode,
    check_observation,
    check_optional,
    check_options,
    check_render_mode,
    check_seed,
    check_word,
    draw,
    need_game,
    need_reset,
    observation_space,
    read_action,
    read_given,
    seat_bots,
)

__all__ = ["RULESETS", "RiskEnv", "register"]


class RiskEnv(CopiesSpaces, gymnasium.Env):
    """A game in which you play one seat, and bots play the others.

    An observation is a dictionary of `territories` and `globals`, or with ``observation="flat"`` a
    row of floats from 0 to 1. `info["action_mask"]` masks the first factor of an action (with
    ``actions="flat"`` or ``"border"``, the actions); :meth:`mask` masks the later factors. A sample of the action space is a legal action.

    A step takes a member of the action space in any form (an array, a list, a tensor), or an
    action of the game: `"attack alaska kamchatka 3"`, the same as a list, or an `Action`. Values
    that are no integers raise TypeError, and a wrong length raises ValueError; the game goes on.

    With ``illegal="end"`` an illegal action loses the game, and `info["illegal"]` has the reason;
    with ``illegal="raise"`` it raises :class:`risk_cli.IllegalAction`.

    After a fault of an opponent, ``on_opponent_fault="raise"`` raises
    :class:`risk_cli.OpponentFault`, and the game needs a reset; ``"truncate"`` truncates the game
    at the end of the step; ``"forfeit"`` goes on by the rules, under which an opponent may forfeit.
    With the last two, `info["faults"]` lists the faults of the game so far.

    `opponents` is a bot, a list of bots, of which each other seat of each game draws one, or a
    dictionary of bots (or of such lists) by seat. A bot is named as on the command line, or is a
    callable as in :func:`risk_cli.play_match`. You play `seat`; with ``seat="rotate"`` the next one
    after each reset without a seed, beginning with 0 after a reset with a seed; with
    ``seat="random"`` a random one.

    A game that its rules end is terminated; one that a limit ends is truncated: `max_steps` of
    your decisions, or a limit of the game itself, such as the ruleset's option `max_turns`. At the
    end, `info["final_info"]` has the outcome, the winner (-1 if there is not exactly one), your seat,
    the bots by seat, the return, the length in your decisions, the rounds and the faults.
    """

    metadata = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 4}

    def __init__(
        self,
        ruleset: str | None = None,
        map: str | None = None,
        *,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        position: str | None = None,
        seat: int | str = 0,
        opponents: Opponents = "random",
        actions: str = "factored",
        observation: str = "integers",
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        illegal: str = "end",
        on_opponent_fault: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        check_word("illegal", illegal, ("end", "raise"))
        check_word("on_opponent_fault", on_opponent_fault, ON_FAULT)
        self._on_opponent_fault = on_opponent_fault
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        numbers = check_mode(actions)
        self._is_flat = bool(numbers)
        self._sees_floats = check_observation(observation)
        self._illegal_ends = illegal == "end"
        self._max_steps = check_optional("max_steps", max_steps, 1)

        def usual_players() -> int:
            return Game(ruleset, map, options=options, position=position).players

        self._bots, self._own_seat = seat_bots(seat, players, opponents, usual_players)
        self._kind: dict[str, Any] = {
            "ruleset": ruleset,
            "map": map,
            "options": options,
            "position": position,
        }
        #: Your seat in this game.
        self.seat = self._own_seat if isinstance(self._own_seat, int) else 0
        self._games: dict[int, Game] = {}
        self.game = self._game_at(self.seat)
        self.encoding = Encoding(
            self.game,
            buckets=buckets,
            cards=check_optional("cards", cards, 0),
            orders=check_optional("orders", orders, 0),
            **numbers,
        )
        self.observation_space = observation_space(self.encoding, self._sees_floats)
        self._action_shape = () if self._is_flat else (len(self.encoding.factors),)
        self.action_space = FlatActions(self) if self._is_flat else LegalActions(self)
        self._steps = 0
        self._resets = 0
        self._begun = False
        self._over = True

    def _game_at(self, seat: int) -> Game:
        """Return the game in which you play this seat, with its compiled bots."""
        if seat not in self._games:
            bots = [None if at == seat else bot for at, bot in enumerate(self._bots)]
            self._games[seat] = Game(**self._kind, bots=bots)
        return self._games[seat]

    def _next_seat(self) -> int:
        if self._own_seat == "rotate":
            return self._resets % len(self._bots)
        if self._own_seat == "random":
            return int(self.np_random.integers(len(self._bots)))
        return self.seat

    def __getstate__(self) -> dict[str, Any]:
        # Without a seed, the copy is to play the same next games too.
        self.np_random
        return super().__getstate__() | {"_games": {self.seat: self.game}}

    def _decides(self, player: int | None) -> bool:
        return not self._over and self.game.player is not None

    def _observation(self) -> Any:
        if self._sees_floats:
            return self.encoding.features(self.game, self.seat)
        territories, rest = self.encoding.observe(self.game, self.seat)
        return {"territories": territories, "globals": rest}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask()}
        if self._on_opponent_fault != "raise":
            info["faults"] = self.game.faults
        return info

    def _final(self, reward: float) -> dict[str, Any]:
        """Return what became of the game."""
        winners = self.game.winners
        return {
            "outcome": self.game.outcome,
            "winner": winners[0] if len(winners) == 1 else -1,
            "seat": self.seat,
            "bots": self.game.bots,
            "return": reward,
            "length": self._steps,
            "rounds": self.game.round,
            "faults": self.game.faults,
        }

    def _check_opponents(self) -> None:
        if self._on_opponent_fault == "raise":
            self.game._check_opponents()

    def _mask(self) -> np.ndarray:
        if not self._decides(None):
            size = self.encoding.flat_len if self._is_flat else self.encoding.factors[0][1]
            return np.zeros(size, dtype=bool)
        if self._is_flat:
            return self.encoding.flat_mask(self.game)
        return self.encoding.mask(self.game)

    def action_masks(self) -> np.ndarray:
        """Return the mask of flat actions. Factored actions have no such mask, since the values
        of a factor depend on the factors before it."""
        if not self._is_flat:
            raise RiskError(
                "masks of single factors can't describe the legal actions: "
                'use actions="flat" or "border", or mask(given) factor by factor'
            )
        need_reset(self._begun, "action_masks")
        return self._mask()

    def mask(self, given: Sequence[int] = ()) -> np.ndarray:
        """Return the mask of the next factor, after these."""
        need_reset(self._begun, "mask")
        return self.encoding.mask(self.game, read_given(given, self.encoding))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Set up a game. With a seed it is game 0 of that seed."""
        seed = check_seed(seed)
        check_options(options)
        super().reset(seed=seed)
        number = seed if seed is not None else int(self.np_random.integers(2**63))
        self._resets = 0 if seed is not None else self._resets + self._begun
        self.seat = self._next_seat()
        self.game = self._game_at(self.seat)
        self.game.restart(number)
        self._steps = 0
        self._begun = self._over = True
        self._check_opponents()
        self._over = self.game.is_over
        return self._observation(), self._info()

    def step(
        self, action: Any
    ) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply an action, then let the bots play until your next decision."""
        need_reset(self._begun, "step")
        need_game(self._over)
        try:
            self.game.apply(read_action(action, self))
        except IllegalAction as error:
            if not self._illegal_ends:
                raise
            self._over = True
            info = self._info() | {"illegal": str(error), "final_info": self._final(-1.0)}
            return self._observation(), -1.0, True, False, info
        self._steps += 1
        self._over = True
        self._check_opponents()
        cut = self._on_opponent_fault == "truncate" and bool(self.game.faults)
        cut = cut or self.game.is_truncated
        over = self.game.is_over and not cut
        reward = float(self.game.rewards[self.seat]) if over else 0.0
        if not over and self._max_steps is not None:
            cut = cut or self._steps >= self._max_steps
        self._over = over or cut
        info = self._info()
        if self._over:
            info["final_info"] = self._final(reward)
        return self._observation(), reward, over, cut, info

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        need_reset(self._begun, "render")
        return draw(self.game, self.render_mode)


# Importing the package has done it, unless Gymnasium was only half imported then.
register()
