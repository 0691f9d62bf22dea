"""Gymnasium: you play one seat, bots play the others."""

from __future__ import annotations

from typing import Any, Sequence

import gymnasium
import numpy as np

from . import Encoding, Game, IllegalAction
from ._spaces import FlatActions, LegalActions, check_mode, draw, observation_space

#: The rulesets with a registered environment: `risk/hasbro-v0` and so on.
RULESETS = ("codelab", "hasbro", "missions", "simplified", "starwars", "teams", "warlight1", "warlight2", "warzone")


class RiskEnv(gymnasium.Env):
    """A game in which you play one seat, and bots play the others.

    An observation is a dictionary of `territories` and `globals`. `info["action_mask"]` masks the
    first factor of an action (with ``actions="flat"``, the actions); :meth:`mask` masks the later
    factors. A sample of the action space is a legal action.

    With ``illegal="end"`` an illegal action loses the game, and `info["illegal"]` has the reason;
    with ``illegal="raise"`` it raises :class:`risk_cli.IllegalAction`.
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
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        actions: str = "factored",
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        illegal: str = "end",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', found {illegal!r}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"unknown render mode {render_mode!r}")
        self.render_mode = render_mode
        self._is_flat = check_mode(actions)
        self._illegal_ends = illegal == "end"
        self._max_steps = max_steps
        if players is None:
            others = None if isinstance(opponents, str) else len(opponents)
            if others is None:
                players = Game(ruleset, map, options=options, position=position).players
            else:
                players = others + 1
        if not 0 <= seat < players:
            raise ValueError(f"seat must be from 0 to {players - 1}, found {seat}")
        bots: list[str | None] = (
            [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        )
        if len(bots) != players - 1:
            raise ValueError(f"expected {players - 1} opponents, found {len(bots)}")
        bots.insert(seat, None)
        self.seat = seat
        self.game = Game(ruleset, map, options=options, position=position, bots=bots)
        self.encoding = Encoding(
            self.game, buckets=buckets, cards=cards, orders=orders, flat=self._is_flat
        )
        self.observation_space = observation_space(self.encoding)
        self.action_space = (
            FlatActions(self.encoding, self._deciding)
            if self._is_flat
            else LegalActions(self.encoding, self._deciding)
        )
        self._steps = 0
        self._over = True

    def _deciding(self) -> tuple[Game, int | None] | None:
        return None if self._over or self.game.player is None else (self.game, None)

    def _observation(self) -> dict[str, np.ndarray]:
        territories, rest = self.encoding.observe(self.game, self.seat)
        return {"territories": territories, "globals": rest}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> np.ndarray:
        """Return the mask of the first factor, or with flat actions the mask of actions."""
        if self._over or self.game.player is None:
            size = self.encoding.flat_len if self._is_flat else self.encoding.factors[0][1]
            return np.zeros(size, dtype=bool)
        if self._is_flat:
            return self.encoding.flat_mask(self.game)
        return self.encoding.mask(self.game)

    def mask(self, given: Sequence[int] = ()) -> np.ndarray:
        """Return the mask of the next factor, after these."""
        return self.encoding.mask(self.game, list(given))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Set up a game. With a seed it is game 0 of that seed."""
        super().reset(seed=seed)
        number = seed if seed is not None else int(self.np_random.integers(2**63))
        self.game.restart(number)
        self._steps = 0
        self._over = self.game.is_over
        return self._observation(), self._info()

    def step(
        self, action: Any
    ) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Apply an action, then let the bots play until your next decision. An action is a member
        of the action space or an action of the game: `"attack alaska kamchatka 3"`."""
        try:
            self.game.apply(self._read(action))
        except IllegalAction as error:
            if not self._illegal_ends or self._over:
                raise
            self._over = True
            info = self._info()
            info["illegal"] = str(error)
            return self._observation(), -1.0, True, False, info
        self._steps += 1
        self._over = self.game.is_over
        reward = float(self.game.rewards[self.seat])
        cut = not self._over and self._max_steps is not None and self._steps >= self._max_steps
        over = self._over
        self._over = over or cut
        return self._observation(), reward, over, cut, self._info()

    def _read(self, action: Any) -> Any:
        if isinstance(action, (np.ndarray, np.integer, int)):
            if self._is_flat:
                action = self.encoding.flat_to_factors(int(action))
            return self.encoding.decode(self.game, action)
        return action

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        return draw(self.game, self.render_mode)


def register() -> None:
    """Register `risk/hasbro-v0` and the others; importing this module does it."""
    for ruleset in RULESETS:
        name = f"risk/{ruleset}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="risk_cli.gym:RiskEnv",
                vector_entry_point="risk_cli.vector:RiskVectorEnv",
                kwargs={"ruleset": ruleset},
            )


register()
