"""PettingZoo: you play every seat. `RiskAEC` plays every ruleset, decision by decision;
`RiskParallel` plays rulesets with simultaneous secret decisions."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from . import Encoding, Game, IllegalAction, RiskError
from ._spaces import FlatActions, LegalActions, check_mode, draw, observation_space

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]


def _agents(count: int) -> list[str]:
    return [f"player_{seat}" for seat in range(count)]


class RiskAEC(AECEnv):
    """A game, decision by decision.

    An observation is a dictionary: `observation` has `territories` and `globals`, and `verb_mask`
    masks the first factor of an action; with ``actions="flat"``, `action_mask` masks the actions.
    :meth:`mask` masks later factors. A sample of an action space is a legal action of the current
    game.

    All agents stay until the game is over. Simultaneous decisions come in seat order, and no agent
    sees the decisions of the others.
    """

    metadata = {
        "render_modes": RENDER_MODES,
        "name": "risk_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        ruleset: str | None = None,
        map: str | None = None,
        *,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        position: str | None = None,
        actions: str = "factored",
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"unknown render mode {render_mode!r}")
        self.render_mode = render_mode
        self._is_flat = check_mode(actions)
        self._max_steps = max_steps
        self.game = Game(ruleset, map, options=options, players=players, position=position)
        self.encoding = Encoding(
            self.game, buckets=buckets, cards=cards, orders=orders, flat=self._is_flat
        )
        self._mask_name = "action_mask" if self._is_flat else "verb_mask"
        self._mask_len = self.encoding.flat_len if self._is_flat else self.encoding.factors[0][1]
        self.possible_agents = _agents(self.game.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._random = np.random.default_rng()
        seen = observation_space(self.encoding)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": seen,
                    self._mask_name: spaces.Box(0, 1, (self._mask_len,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        kind = FlatActions if self._is_flat else LegalActions
        self.action_spaces = {
            agent: kind(self.encoding, self._source(seat)) for agent, seat in self._seats.items()
        }

    def _source(self, seat: int) -> Any:
        def found() -> tuple[Game, int | None] | None:
            return (self.game, seat) if self.agents and seat in self.game.deciders else None

        return found

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent."""
        seat = self._seats[agent]
        territories, rest = self.encoding.observe(self.game, seat)
        return {
            "observation": {"territories": territories, "globals": rest},
            self._mask_name: self._mask(seat),
        }

    def _mask(self, seat: int) -> np.ndarray:
        if self._cut or seat not in self.game.deciders:
            return np.zeros(self._mask_len, dtype=np.int8)
        if self._is_flat:
            return self.encoding.flat_mask(self.game, seat).view(np.int8)
        return self.encoding.mask(self.game, (), seat).view(np.int8)

    def mask(self, given: Sequence[int] = ()) -> np.ndarray:
        """Return the mask of the next factor for the selected agent, after these."""
        return self.encoding.mask(self.game, list(given), self._seats[self.agent_selection])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up a game. With a seed it is game 0 of that seed."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        number = seed if seed is not None else int(self._random.integers(2**63))
        self.game.restart(number)
        self._steps = 0
        self._cut = False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        player = self.game.player
        if player is not None and not self._cut:
            self.agent_selection = self.possible_agents[player]
            return
        if self.game.is_over:
            self.rewards = dict(zip(self.possible_agents, map(float, self.game.rewards)))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Apply an action of the selected agent: a member of the action space or an action of the
        game, `"attack alaska kamchatka 3"`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        self.game.apply(self._read(action, seat), seat)
        self._cumulative_rewards[agent] = 0.0
        self._steps += 1
        if self._max_steps is not None and self._steps >= self._max_steps:
            self._cut = not self.game.is_over
        self._select()
        if self.terminations[agent]:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _read(self, action: Any, seat: int) -> Any:
        if isinstance(action, (np.ndarray, np.integer, int)):
            if self._is_flat:
                action = self.encoding.flat_to_factors(int(action))
            return self.encoding.decode(self.game, action, seat)
        if action is None:
            raise IllegalAction("expected an action of a living agent, found None")
        return action

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


class RiskParallel(ParallelEnv):
    """A game with simultaneous decisions. The only legal action of an agent without a decision is
    the last verb, `wait`."""

    metadata = {"render_modes": RENDER_MODES, "name": "risk_parallel_v0", "render_fps": 4}

    def __init__(
        self,
        ruleset: str | None = None,
        map: str | None = None,
        *,
        options: dict[str, Any] | None = None,
        players: int | None = None,
        position: str | None = None,
        buckets: Sequence[int] | None = None,
        cards: int | None = None,
        orders: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"unknown render mode {render_mode!r}")
        self.render_mode = render_mode
        self._max_steps = max_steps
        if ruleset is None and position is None:
            ruleset = "warzone"
        self.game = Game(ruleset, map, options=options, players=players, position=position)
        if not self.game.secret_phases:
            raise RiskError(f"{self.game.ruleset} has no secret decisions: use RiskAEC")
        self.encoding = Encoding(self.game, buckets=buckets, cards=cards, orders=orders)
        self.possible_agents = _agents(self.game.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._random = np.random.default_rng()
        #: The verb of agents without a decision.
        self.wait = self.encoding.factors[0][1]
        seen = observation_space(self.encoding)
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": seen, "verb_mask": spaces.Box(0, 1, (self.wait + 1,), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: LegalActions(self.encoding, self._source(seat), wait=True)
            for agent, seat in self._seats.items()
        }

    def _source(self, seat: int) -> Any:
        def found() -> tuple[Game, int | None] | None:
            return (self.game, seat) if self.agents and seat in self.game.deciders else None

        return found

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def mask(self, agent: str, given: Sequence[int] = ()) -> np.ndarray:
        """Return the mask of the next factor of an agent's action, after these."""
        return self.encoding.mask(self.game, list(given), self._seats[agent])

    def _observations(self) -> dict[str, Any]:
        deciders = set(self.game.deciders)
        seen = {}
        for agent in self.agents:
            seat = self._seats[agent]
            territories, rest = self.encoding.observe(self.game, seat)
            mask = np.zeros(self.wait + 1, dtype=np.int8)
            if seat in deciders:
                mask[:-1] = self.encoding.mask(self.game, (), seat)
            else:
                mask[-1] = 1
            seen[agent] = {
                "observation": {"territories": territories, "globals": rest},
                "verb_mask": mask,
            }
        return seen

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Set up a game. With a seed it is game 0 of that seed."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        number = seed if seed is not None else int(self._random.integers(2**63))
        self.game.restart(number)
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Apply the actions of all agents at once, or none if one of them is illegal."""
        if not self.agents:
            raise RiskError("the game is over: call reset()")
        said = []
        deciders = self.game.deciders
        for agent, action in actions.items():
            seat = self._seats[agent]
            waits = isinstance(action, np.ndarray) and action[0] == self.wait
            if waits != (seat not in deciders):
                why = "has a decision and can't wait" if waits else "has no decision now"
                raise IllegalAction(f"{agent} {why}")
            if not waits:
                # All answer from the same state.
                if isinstance(action, np.ndarray):
                    action = self.encoding.decode(self.game, action, seat)
                elif action not in self.game.legal(seat):
                    raise IllegalAction(f"{agent}: {action} is illegal")
                said.append((seat, action))
        if {seat for seat, _ in said} != set(deciders):
            missing = sorted(set(deciders) - {seat for seat, _ in said})
            raise IllegalAction(f"missing the action of player_{missing[0]}")
        for seat, action in said:
            self.game.apply(action, seat)
        self._steps += 1
        over = self.game.is_over
        cut = not over and self._max_steps is not None and self._steps >= self._max_steps
        seen = self._observations()
        rewards = {
            agent: float(self.game.rewards[seat]) if over else 0.0
            for agent, seat in self._seats.items()
        }
        ends = dict.fromkeys(self.possible_agents, over)
        cuts = dict.fromkeys(self.possible_agents, cut)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, ends, cuts, infos

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


def env(**settings: Any) -> RiskAEC:
    """Return a new :class:`RiskAEC`."""
    return RiskAEC(**settings)


def parallel_env(**settings: Any) -> RiskParallel:
    """Return a new :class:`RiskParallel`."""
    return RiskParallel(**settings)
