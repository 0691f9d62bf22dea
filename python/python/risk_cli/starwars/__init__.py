"""Star Wars Risk for agents: choose order cards, choose an action that a card allows, get feedback,
and play many games without a display.

The rebels have seat 0, the empire seat 1.
"""

from __future__ import annotations

import random
import statistics
from typing import Any, NamedTuple, Sequence

from .. import Action, Game

REBEL, EMPIRE = 0, 1
SIDES = ("rebel", "empire")
#: The phase in which a card is turned and an action of it chosen.
_ACTION, _ORDERS = "action", "orders"


class ShipCounter(NamedTuple):
    """The number of ships of each kind; for the Falcon and the Executor the hit points."""

    xwing: int = 0
    ywing: int = 0
    bwing: int = 0
    falcon: int = 0
    tie: int = 0
    executor: int = 0


class State(NamedTuple):
    """The state that a side can see."""

    #: The side that sees the state.
    side: int
    round: int
    turn: int
    #: By sector: the owner, -1 for none.
    owners: tuple[int, ...]
    #: By sector: the ships there.
    ships: tuple[ShipCounter, ...]
    #: Spaces of the shield track that the rebels have passed, and stormtroopers ahead of them.
    track: int
    troopers: int
    #: Hit points in the duel: of the rebels, of the empire.
    health: tuple[int, int]
    #: The motherships that the Death Star has destroyed, a bit for each sector.
    destroyed: int
    #: The names of the side's own cards.
    hand: tuple[str, ...]
    #: The number of cards in each side's order stack.
    stack: tuple[int, int]


#: A part of an action: a word and its values.
SubAction = tuple[Any, ...]


class Choice(NamedTuple):
    """An action that a card allows, up to its first die."""

    #: Its parts: `("move", from, ShipCounter, to)`, `("attack", ShipCounter, to)`, `("shield",)` …
    parts: tuple[SubAction, ...]
    #: The same as actions of the game.
    steps: tuple[Action, ...]


class Agent:
    """An agent. The methods of this base class draw at random; override those you need."""

    def new_game(self, side: int) -> None:
        """Note the start of a game."""

    def pick_down_cards(self, state: State, hand: list[str]) -> list[str]:
        """Return three cards of the hand, placed face down: the last one is turned first."""
        return hand[:3]

    def pick_action(self, state: State, card: str, actions: list[Choice]) -> Choice:
        """Return one of the actions that the card allows; one of them does nothing."""
        return random.choice(actions)

    def feedback(
        self, start_state: State, card: str, action: Choice, end_state: State, bonus_cards: int
    ) -> None:
        """Note the result of an action: the states before and after, and the bonus cards."""

    def round_feedback(
        self, start_state: State, hand: list[str], chosen: list[str], end_state: State
    ) -> None:
        """Note the result of a round: the states at the choice of cards and at the end."""


class Seeded(Agent):
    """An agent that draws at random with a seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def pick_down_cards(self, state: State, hand: list[str]) -> list[str]:
        return self._random.sample(hand, 3)

    def pick_action(self, state: State, card: str, actions: list[Choice]) -> Choice:
        return self._random.choice(actions)


class Result(NamedTuple):
    """The result of a game."""

    #: `rebel`, `empire`, or `None` for a draw.
    winner: str | None
    #: The number of cards turned.
    turns: int
    reason: str
    digest: str


class HeadlessAgentGame:
    """Games between two agents."""

    def __init__(
        self, rebel: Agent, empire: Agent, *, seed: int = 0, options: dict[str, Any] | None = None
    ) -> None:
        self.agents = (rebel, empire)
        self.game = Game("starwars", seed=seed, options=options, events=True, plans=True)
        self._kinds = ShipCounter._fields
        self._seed, self._number = seed, -1
        self.winner: str | None = None

    def play(self) -> Result:
        """Play the next game, starting with game 0 of the seed."""
        self._number += 1
        self.game.restart(self._seed, self._number)
        self._rounds: dict[int, tuple[State, list[str], list[str]]] = {}
        for side, agent in enumerate(self.agents):
            agent.new_game(side)
        while not self.game.is_over:
            if self.game.phase == _ORDERS:
                self._end_of_round()
                self._choose_cards()
            elif self.game.phase == _ACTION:
                self._act()
            else:
                # What a plan has left to chance: the first option, as the ruleset would take it.
                self.game.apply(self.game.legal()[0])
        self._end_of_round()
        outcome = self.game.outcome or {}
        winners = outcome.get("winners", [])
        self.winner = SIDES[winners[0]] if len(winners) == 1 else None
        return Result(self.winner, self.game.turn, outcome.get("reason", ""), self.game.digest)

    def _end_of_round(self) -> None:
        for side, (start, hand, chosen) in self._rounds.items():
            self.agents[side].round_feedback(start, hand, chosen, self.state(side))
        self._rounds = {}

    def _choose_cards(self) -> None:
        picked: dict[int, list[str]] = {}
        while self.game.phase == _ORDERS and not self.game.is_over:
            side = self.game.player
            assert side is not None
            if side not in picked:
                state = self.state(side)
                hand = list(state.hand)
                cards = self.agents[side].pick_down_cards(state, hand[:])
                if len(cards) != 3 or any(cards.count(card) > hand.count(card) for card in cards):
                    raise ValueError(f"expected three cards of the hand {hand}, found {cards}")
                self._rounds[side] = (state, hand, list(cards))
                picked[side] = list(cards)
            self.game.apply(["choose", picked[side].pop(0)], side)

    def _act(self) -> None:
        side = self.game.player
        assert side is not None
        self.game.events()
        start = self.state(side)
        card = self.card(side)
        actions = [self._choice(plan) for plan in self.game.plans()]
        choice = self.agents[side].pick_action(start, card, actions)
        turn = self.game.turn
        for step in choice.steps:
            goes_on = not self.game.is_over and self.game.turn == turn and self.game.player == side
            # A step behind a die may have become impossible: the rest is left then.
            if not goes_on or step not in self.game.legal():
                break
            self.game.apply(step)
        bonus = sum(
            event["from"] == "deck" and event["to"] == "stack" and event["to_player"] == side
            for event in self.game.events()
            if event["kind"] == "card"
        )
        self.agents[side].feedback(start, card, choice, self.state(side), bonus)

    def card(self, side: int) -> str:
        """Return the card that a side has turned."""
        turned = self.game.view(side)["piles"]["turned"]["players"][side]["cards"]
        return str(turned[-1])

    def state(self, side: int) -> State:
        """Return the state that a side can see."""
        view = self.game.view(side)
        counters = view["counters"]
        units = [view["units"][kind] for kind in self._kinds]
        piles = view["piles"]
        return State(
            side,
            view["round"],
            view["turn"],
            tuple(view["owners"]),
            tuple(ShipCounter(*ships) for ships in zip(*units)),
            counters["track"]["table"],
            counters["troopers"]["table"],
            tuple(counters["health"]["players"]),
            counters["destroyed"]["table"],
            tuple(piles["hand"]["players"][side]["cards"]),
            tuple(stack["count"] for stack in piles["stack"]["players"]),
        )

    def _choice(self, plan: list[Action]) -> Choice:
        parts: list[SubAction] = []
        moved = ShipCounter()
        for step in plan:
            verb, args = step.verb, step.args
            if verb == "move":
                moved = ShipCounter(**{str(args[2]): int(args[3])})
                parts.append(("move", args[0], moved, args[1]))
            elif verb == "spawn":
                moved = ShipCounter(tie=4)
                parts.append(("spawn",))
            elif verb in ("attack", "attack_with"):
                parts.append(("attack", _with(moved, args[2:]), args[1]))
            elif verb in ("attack_deathstar", "attack_deathstar_with"):
                parts.append(("attack_deathstar", _with(moved, args[1:])))
            elif verb != "done":
                parts.append((verb, *args))
        return Choice(tuple(parts), tuple(plan))


def _with(moved: ShipCounter, ships: Sequence[Any]) -> ShipCounter:
    """Return the attacking ships: those that have moved, or fewer of them."""
    if not ships:
        return moved
    return ShipCounter(*(min(count, int(ships[0])) for count in moved))


def check_tests(ntests: int) -> None:
    """Check a number of games."""
    if not 1 <= ntests <= 1_000_000:
        raise ValueError(f"expected ntests to be from 1 to 1000000, found {ntests}")


def test_agents(
    rebel: Agent,
    empire: Agent,
    ntests: int = 100,
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> tuple[dict[str, int], float]:
    """Play `ntests` games. Return the wins of each side, and the median number of cards turned."""
    check_tests(ntests)
    games = HeadlessAgentGame(rebel, empire, seed=seed, options=options)
    results = [games.play() for _ in range(ntests)]
    wins = {side: sum(result.winner == side for result in results) for side in SIDES}
    return wins, statistics.median(result.turns for result in results)


# It is no test of ours, whatever its name.
test_agents.__test__ = False  # type: ignore[attr-defined]
