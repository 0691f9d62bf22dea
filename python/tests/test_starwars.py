"""Star Wars as agents play it."""

import pytest
from risk_cli import starwars
from risk_cli.starwars import Agent, HeadlessAgentGame, Seeded, ShipCounter


class Watcher(Seeded):
    """Holds what it is told to what it has seen."""

    def __init__(self, seed):
        super().__init__(seed)
        self.heard, self.rounds, self.bonus, self.games = [], 0, 0, 0

    def new_game(self, side):
        self.side = side
        self.games += 1

    def pick_action(self, state, card, actions):
        assert state.side == self.side
        assert () in [action.parts for action in actions]
        self.seen = (state, card, super().pick_action(state, card, actions))
        return self.seen[2]

    def feedback(self, start_state, card, action, end_state, bonus_cards):
        assert (start_state, card, action) == self.seen
        assert 0 <= bonus_cards <= 5
        if action.parts and action.parts[0][0] == "lightning":
            before, after = start_state.health, end_state.health
            assert after[1 - self.side] == max(0, before[1 - self.side] - 2)
        self.heard.append(action)
        self.bonus += bonus_cards

    def round_feedback(self, start_state, hand, chosen, end_state):
        assert len(hand) >= len(chosen) == 3
        assert end_state.round >= start_state.round
        self.rounds += 1


def test_games_with_feedback():
    rebel, empire = Watcher(1), Watcher(2)
    games = HeadlessAgentGame(rebel, empire, seed=3)
    results = [games.play() for _ in range(2)]
    assert rebel.games == empire.games == 2
    assert {result.winner for result in results} <= {"rebel", "empire", None}
    assert rebel.rounds > 5 and empire.rounds > 5
    verbs = {part[0] for agent in (rebel, empire) for action in agent.heard for part in action.parts}
    assert {"move", "attack", "lightsaber", "shield", "stormtroopers"} <= verbs
    assert rebel.bonus + empire.bonus > 0
    moves = [part for action in empire.heard for part in action.parts if part[0] == "move"]
    assert all(isinstance(move[2], ShipCounter) and sum(move[2]) > 0 for move in moves)
    again = HeadlessAgentGame(Watcher(1), Watcher(2), seed=3)
    assert [again.play().digest for _ in range(2)] == [result.digest for result in results]


@pytest.mark.slow
def test_many_games():
    wins, turns = starwars.test_agents(Seeded(1), Agent(), ntests=4)
    assert sum(wins.values()) <= 4 and turns > 20
