"""Gymnasium: one seat is yours, bots of ours hold the others."""

from __future__ import annotations

from typing import Any, Sequence

import gymnasium
import numpy as np

from . import Encoding, Game, IllegalAction
from ._spaces import FlatActions, LegalActions, check_mode, draw, observation_space

#: The rulesets that have an environment of their own: `risk/hasbro-v0` and so on.
RULESETS = ("codelab", "hasbro", "missions", "simplified", "starwars", "teams", "warlight1", "warlight2", "warzone")


class RiskEnv(gymnasium.Env):
    """A game in which you hold one seat, and bots of ours the others.

    An observation is a dictionary of `territories` and `globals`; `info` has `action_mask`, which
    says what the first factor of an action may be (with ``actions="flat"``, which actions are legal).
    :meth:`mask` has what the others may be. A sample of the action space is a legal action.

    With ``illegal="end"`` an illegal action ends the game as lost, and `info["illegal"]` says why;
    with ``illegal="raise"`` it is an exception.
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
            raise ValueError(f"illegal can be 'end' or 'raise', not {illegal!r}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}")
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
            raise ValueError(f"there is no seat {seat}: they are counted from 0 to {players - 1}")
        bots: list[str | None] = (
            [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        )
        if len(bots) != players - 1:
            raise ValueError(f"{players} players have {players - 1} opponents, not {len(bots)}")
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
        """What the first factor may be; with flat actions, which actions are legal."""
        if self._over or self.game.player is None:
            size = self.encoding.flat_len if self._is_flat else self.encoding.factors[0][1]
            return np.zeros(size, dtype=bool)
        if self._is_flat:
            return self.encoding.flat_mask(self.game)
        return self.encoding.mask(self.game)

    def mask(self, given: Sequence[int] = ()) -> np.ndarray:
        """What the next factor may be, after these."""
        return self.encoding.mask(self.game, list(given))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Sets a game up. With a seed it is game 0 of that seed."""
        super().reset(seed=seed)
        number = seed if seed is not None else int(self.np_random.integers(2**63))
        self.game.restart(number)
        self._steps = 0
        self._over = self.game.is_over
        return self._observation(), self._info()

    def step(
        self, action: Any
    ) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Does an action, and lets the others play until you decide again. An action is what the
        space has, or one of the game: `"attack alaska kamchatka 3"`."""
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
        """The game as text, as pixels or as SVG."""
        return draw(self.game, self.render_mode)


def register() -> None:
    """Registers `risk/hasbro-v0` and the others; `gymnasium.make` does it by itself."""
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
