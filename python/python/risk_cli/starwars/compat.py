"""The interface of sw-ksirk: agents that were written for it play here without changes.

`game` and the states of feedback are a `risk_cli.starwars.State`, which contains what the agent's
side can see. Its `owners` and `ships` are indexed like `BOARD`, and so are all squares in actions.
Cards are names such as `"ywing-lightsaber-4"`, and each name is unique.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any, Protocol

from .. import Game, starwars
from . import SIDES, Choice, ShipCounter, State, SubAction

__all__ = ["BOARD", "HeadlessAgentGame", "ShipCounter", "testAgents"]


def _board() -> tuple[dict[str, int], tuple[tuple[int, ...], ...]]:
    sectors = Game("starwars").info()["map"]["territories"]
    numbers = {sector["id"]: number for number, sector in enumerate(sectors)}
    return numbers, tuple(tuple(sector["borders"]) for sector in sectors)


#: By square: its neighbours. The first six squares are the motherships, as they are on the map.
BOARD: tuple[tuple[int, ...], ...]
_NUMBERS, BOARD = _board()


class Agent(Protocol):
    """The methods of an agent. An agent need not derive from this class.

    An action is a list of parts; an empty list does nothing. Squares are indices into `BOARD`. The
    parts are `("move", from, ShipCounter, to)`, `("spawn",)`, `("attack", ShipCounter, to)`,
    `("attack_deathstar", ShipCounter)`, `("fire_deathstar", target)`, `("lightsaber",)`,
    `("lightning",)`, `("hat",)`, `("stormtroopers",)` and `("shield",)`. A flight of two squares
    has two moves. An attack names the ships that roll dice: at most five fighters.
    """

    def newGame(self, /) -> object:
        """Prepare for a new game."""

    def pickDownCards(self, game: State, hand: list[str], /) -> Iterable[str]:
        """Return three cards of the hand. The last one is turned first."""

    def pickAction(self, game: State, actions: list[list[SubAction]], /) -> list[SubAction]:
        """Return one of the actions, or an equal list."""

    def feedback(
        self,
        startState: State,
        card: str,
        action: list[SubAction],
        endState: State,
        bonusCards: int,
        /,
    ) -> object:
        """Note the result of an action: what `pickAction` received and returned, the state that
        the side sees next, and the number of bonus cards."""

    def roundFeedback(
        self, startState: State, hand: list[str], chosenCards: Any, endState: State, /
    ) -> object:
        """Note the result of a round: what `pickDownCards` received and returned, and the state
        that the side sees next. Its `hand` contains the cards drawn for the next round."""


class _Adapter(starwars.Agent):
    """An agent of this interface as an agent of `risk_cli.starwars`."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._most_dice, self._takes_along = 0, False

    def set_options(self, options: dict[str, str]) -> None:
        self._most_dice = int(options["most_dice"])
        self._takes_along = options["capital_ships"] == "whole_stack"

    def new_game(self, side: int) -> None:
        self._side = SIDES[side]
        self._agent.newGame()

    def pick_down_cards(self, state: State, hand: list[str]) -> list[str]:
        # The agent may change its lists, so it gets copies.
        self._hand = hand[:]
        self._chosen = self._agent.pickDownCards(state, self._hand)
        cards = list(self._chosen) if isinstance(self._chosen, Iterable) else []
        if len(cards) != 3 or any(cards.count(card) > hand.count(card) for card in cards):
            raise ValueError(
                f"pickDownCards of {self._side}: expected three cards of the hand {hand},"
                f" found {self._chosen!r}"
            )
        return cards

    def pick_action(self, state: State, card: str, actions: list[Choice]) -> Choice:
        offered = [self._parts(state, action) for action in actions]
        self._picked = self._agent.pickAction(state, [action[:] for action in offered])
        # For an array, `in` would fail instead of answering.
        if not isinstance(self._picked, list) or self._picked not in offered:
            raise ValueError(
                f"pickAction of {self._side}: expected one of the actions offered"
                f" ({len(offered)} in all), found {self._picked!r}"
            )
        return actions[offered.index(self._picked)]

    def feedback(
        self, start_state: State, card: str, action: Choice, end_state: State, bonus_cards: int
    ) -> None:
        self._agent.feedback(start_state, card, self._picked, end_state, bonus_cards)

    def round_feedback(
        self, start_state: State, hand: list[str], chosen: list[str], end_state: State
    ) -> None:
        self._agent.roundFeedback(start_state, self._hand, self._chosen, end_state)

    def _parts(self, state: State, action: Choice) -> list[SubAction]:
        parts: list[SubAction] = []
        flying = ShipCounter()
        for word, *values in action.parts:
            if word == "move" and not parts:
                flying = self._flying(state.ships[_NUMBERS[values[0]]], values[1])
            translated: list[Any] = []
            for value in values:
                if not isinstance(value, ShipCounter):
                    translated.append(_NUMBERS[value])
                elif value.falcon or value.executor:
                    translated.append(flying)
                else:
                    translated.append(value if word == "move" else self._attacking(value))
            parts.append((word, *translated))
        return parts

    def _flying(self, there: ShipCounter, ships: ShipCounter) -> ShipCounter:
        """Return the ships of a capital ship's flight, with hit points instead of the number 1."""
        if self._takes_along:
            # All ships of its sector fly along.
            return there
        return ShipCounter(*(has if moves else 0 for has, moves in zip(there, ships)))

    def _attacking(self, ships: ShipCounter) -> ShipCounter:
        """Return the fighters that attack, at most as many as may roll dice."""
        most = self._most_dice or sum(ships)
        return ShipCounter(*(min(count, most) for count in ships))


class HeadlessAgentGame:
    """Games between two agents. The same seed gives the same games to the same decisions."""

    def __init__(
        self,
        rebelAgent: Agent,
        empireAgent: Agent,
        *,
        seed: int = 0,
        options: dict[str, Any] | None = None,
    ) -> None:
        rebel, empire = _Adapter(rebelAgent), _Adapter(empireAgent)
        self._games = starwars.HeadlessAgentGame(rebel, empire, seed=seed, options=options)
        for side in (rebel, empire):
            side.set_options(self._games.game.options)
        #: `"rebel"` or `"empire"`; `None` before the first game, and after a draw, which is a game
        #: that has reached the option `max_turns`.
        self.winner: str | None = None

    def play(self) -> int:
        """Play the next game of the seed. Return its number of turns: how many cards were turned.

        An answer of an agent that was not offered raises `ValueError`.
        """
        self.winner = None
        result = self._games.play()
        self.winner = result.winner
        return result.turns


def testAgents(
    rebelAgent: Agent,
    empireAgent: Agent,
    ntests: int = 100,
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> tuple[dict[str, int], float]:
    """Play `ntests` games. Return the games won by each side, and the median number of turns.

    A draw counts for neither side.
    """
    starwars.check_tests(ntests)
    games = HeadlessAgentGame(rebelAgent, empireAgent, seed=seed, options=options)
    winners = {side: 0 for side in SIDES}
    turns = []
    for _ in range(ntests):
        turns.append(games.play())
        if games.winner is not None:
            winners[games.winner] += 1
    return winners, statistics.median(turns)


# pytest takes functions with such names for tests.
testAgents.__test__ = False  # type: ignore[attr-defined]
