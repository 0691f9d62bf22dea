"""PettingZoo: you play every seat. `RiskAEC` plays every ruleset, decision by decision;
`RiskParallel` plays rulesets with simultaneous secret decisions."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from . import Action, Encoding, Game, IllegalAction, RiskError
from ._spaces import (
    CopiesSpaces,
    FlatActions,
    LegalActions,
    check_mode,
    check_optional,
    check_options,
    check_players,
    check_render_mode,
    check_seed,
    draw,
    need_game,
    need_reset,
    observation_space,
    read_action,
    read_factors,
    read_given,
    read_words,
)

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]


def _agents(count: int) -> list[str]:
    return [f"player_{seat}" for seat in range(count)]


class RiskAEC(CopiesSpaces, AECEnv):
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
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        numbers = check_mode(actions)
        self._is_flat = bool(numbers)
        self._max_steps = check_optional("max_steps", max_steps, 1)
        players = check_players(players)
        self.game = Game(ruleset, map, options=options, players=players, position=position)
        self.encoding = Encoding(
            self.game,
            buckets=buckets,
            cards=check_optional("cards", cards, 0),
            orders=check_optional("orders", orders, 0),
            **numbers,
        )
        self._mask_name = "action_mask" if self._is_flat else "verb_mask"
        self._mask_len = self.encoding.flat_len if self._is_flat else self.encoding.factors[0][1]
        self.possible_agents = _agents(self.game.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._begun = False
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
        self._action_shape = () if self._is_flat else (len(self.encoding.factors),)
        kind = FlatActions if self._is_flat else LegalActions
        self.action_spaces = {agent: kind(self, seat) for agent, seat in self._seats.items()}

    def _decides(self, player: int | None) -> bool:
        return bool(self.agents) and player in self.game.deciders

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent."""
        need_reset(self._begun, "observe")
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
        need_reset(self._begun, "mask")
        given = read_given(given, self.encoding)
        return self.encoding.mask(self.game, given, self._seats[self.agent_selection])

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        need_reset(self._begun, "last")
        last: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return last

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        need_reset(self._begun, "agent_iter")
        return super().agent_iter(max_iter)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up a game. With a seed it is game 0 of that seed. There are no options, and all are
        accepted, as in PettingZoo's own tests."""
        seed = check_seed(seed)
        check_options(options, None)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        number = seed if seed is not None else int(self._random.integers(2**63))
        self.game.restart(number)
        self._begun = True
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
        if self.game.is_over and not self.game.is_truncated:
            self.rewards = dict(zip(self.possible_agents, map(float, self.game.rewards)))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Apply an action of the selected agent: a member of the action space or an action of the
        game, `"attack alaska kamchatka 3"`. An illegal action raises
        :class:`risk_cli.IllegalAction`, and the game goes on as if nothing had happened."""
        need_reset(self._begun, "step")
        need_game(not self.agents)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        self.game.apply(read_action(action, self, seat), seat)
        self._cumulative_rewards[agent] = 0.0
        self._steps += 1
        if self._max_steps is not None and self._steps >= self._max_steps:
            self._cut = not self.game.is_over
        self._select()
        if self.terminations[agent]:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        need_reset(self._begun, "render")
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


class RiskParallel(CopiesSpaces, ParallelEnv):
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
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._max_steps = check_optional("max_steps", max_steps, 1)
        players = check_players(players)
        if ruleset is None and position is None:
            ruleset = "warzone"
        self.game = Game(ruleset, map, options=options, players=players, position=position)
        if not self.game.secret_phases:
            raise RiskError(f"{self.game.ruleset} has no secret decisions: use RiskAEC")
        self.encoding = Encoding(
            self.game,
            buckets=buckets,
            cards=check_optional("cards", cards, 0),
            orders=check_optional("orders", orders, 0),
        )
        self.possible_agents = _agents(self.game.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._begun = False
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
            agent: LegalActions(self, seat, wait=True) for agent, seat in self._seats.items()
        }

    def _decides(self, player: int | None) -> bool:
        return bool(self.agents) and player in self.game.deciders

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def mask(self, agent: str, given: Sequence[int] = ()) -> np.ndarray:
        """Return the mask of the next factor of an agent's action, after these."""
        need_reset(self._begun, "mask")
        return self.encoding.mask(self.game, read_given(given, self.encoding), self._seats[agent])

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
        """Set up a game. With a seed it is game 0 of that seed. There are no options, and all are
        accepted, as in PettingZoo's own tests."""
        seed = check_seed(seed)
        check_options(options, None)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        number = seed if seed is not None else int(self._random.integers(2**63))
        self.game.restart(number)
        self._begun = True
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Apply the actions of all agents at once, or none if one of them is illegal."""
        need_reset(self._begun, "step")
        need_game(not self.agents)
        self._check_agents(actions)
        # All answer from the same state.
        read = [(seat, self._read(agent, actions[agent])) for agent, seat in self._seats.items()]
        said = [(seat, action) for seat, action in read if action is not None]
        for seat, action in said:
            self.game.apply(action, seat)
        self._steps += 1
        over = self.game.is_over and not self.game.is_truncated
        cut = self.game.is_truncated
        if not over and self._max_steps is not None:
            cut = cut or self._steps >= self._max_steps
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

    def _check_agents(self, actions: Any) -> None:
        if not isinstance(actions, dict):
            raise TypeError(f"expected a dictionary of actions by agent, found {actions!r}")
        unknown = [repr(agent) for agent in actions if agent not in self._seats]
        if unknown:
            agents = ", ".join(self.agents)
            raise ValueError(f"expected actions of {agents}, found one of {', '.join(unknown)}")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"expected an action of every agent, found none of {missing[0]}")

    def _read(self, agent: str, action: Any) -> Action | None:
        """Return the legal action of an agent, or None if it waits."""
        seat = self._seats[agent]
        words = read_words(action)
        factors = read_factors(action, self.encoding) if words is None else None
        waits = factors is not None and factors[0] == self.wait
        if waits != (seat not in self.game.deciders):
            why = "has a decision and can't wait" if waits else "has no decision now"
            raise IllegalAction(f"{agent} {why}")
        if waits:
            return None
        if factors is not None:
            said = self.encoding.decode(self.game, factors, seat)
        else:
            assert words is not None
            said = self.game.action(words)
        if said not in self.game.legal(seat):
            raise IllegalAction(f"{agent}: {said} is illegal")
        return said

    def render(self) -> Any:
        """Return the game as text, pixels or SVG."""
        need_reset(self._begun, "render")
        return draw(self.game, self.render_mode)

    def close(self) -> None:
        pass


def env(**settings: Any) -> RiskAEC:
    """Return a new :class:`RiskAEC`."""
    return RiskAEC(**settings)


def parallel_env(**settings: Any) -> RiskParallel:
    """Return a new :class:`RiskParallel`."""
    return RiskParallel(**settings)
