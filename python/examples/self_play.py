"""Self-play with a pool of past selves: a net learns without any bot, and meets the bots afterwards.

    python self_play.py --steps 400000 --opponent random outnumber holder general
    python self_play.py --task risk/duel-v1 --seconds 120

All seats of all games are played at once, without `opponents`. In every game, the present net has
one seat. Which net has each of the other seats, the present one or one of the pool, is drawn from
the seed and the number of the game, so that a run can be repeated. The net, its updates and the
evaluation are those of ppo.py.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import ppo
import risk_cli
from risk_cli.vector import RiskVectorEnv

#: How many past selves there are at most, how many updates lie between two of them, and how often
#: a seat has the present net instead.
POOL, UPDATES, PRESENT = 8, 5, 0.5
#: Opponents that learn too ask for more games between updates, and for smaller updates.
GAMES, RATE = 64, 1e-3


def draw_seats(seed: int, game: int, players: int, pool: int) -> list[int | None]:
    """Draws who plays a game: a number of the pool for each seat, or None for the present net."""
    rng = np.random.default_rng([seed, game])
    own = rng.integers(players)
    present, past = rng.random(players) < PRESENT, rng.random(players)
    return [
        None if pool == 0 or seat == own or present[seat] else int(past[seat] * pool) for seat in range(players)
    ]


class Team:
    """Several nets that choose together: each for the rows in which it is to move."""

    def __init__(self, nets: list[ppo.NumpyNet]) -> None:
        self.factors = nets[0].factors
        distinct = {id(net): net for net in nets}
        ids = np.array([id(net) for net in nets])
        self.parts = [(net, np.flatnonzero(ids == number)) for number, net in distinct.items()]

    def start(self, features: np.ndarray) -> tuple[list[Any], np.ndarray]:
        values = np.zeros(len(features), dtype=np.float32)
        seen = []
        for net, rows in self.parts:
            part, values[rows] = net.start(features[rows])
            seen.append(part)
        return seen, values

    def logits(self, seen: list[Any], actions: np.ndarray) -> np.ndarray:
        logits = np.zeros((len(actions), self.factors[actions.shape[1]]), dtype=np.float32)
        for (net, rows), part in zip(self.parts, seen):
            logits[rows] = net.logits(part, actions[rows])
        return logits


def advantages_by_player(
    rewards: np.ndarray,
    values: np.ndarray,
    players: np.ndarray,
    ended: np.ndarray,
    begins: np.ndarray,
    last: np.ndarray,
    last_players: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Generalized advantage estimation if several players decide in turn: what comes after a
    decision is the same player's next one, or the end of the game. Returns the advantages, and
    which of them count: not those of decisions after which the player has not decided again.
    Rewards are those at the end of the game, with a column for each player."""
    length, games, count = rewards.shape
    rows = np.arange(games)
    ahead, carried, earned = (np.zeros((games, count), dtype=np.float32) for _ in range(3))
    known = np.zeros((games, count), dtype=bool)
    ahead[rows, last_players], known[rows, last_players] = last, True
    advantages, counts = np.zeros_like(values), np.zeros(values.shape, dtype=bool)
    for step in reversed(range(length)):
        over = ended[step]
        ahead[over], carried[over], earned[over], known[over] = 0, 0, rewards[step, over], True
        now = rows[~begins[step]]
        player = players[step, now]
        gain = earned[now, player] + ppo.DISCOUNT * ahead[now, player] - values[step, now]
        advantage = (gain + ppo.DISCOUNT * ppo.TRACE * carried[now, player]) * known[now, player]
        advantages[step, now], counts[step, now] = advantage, known[now, player]
        ahead[now, player], carried[now, player] = values[step, now], advantage
        earned[now, player], known[now, player] = 0, True
    return advantages, counts


class SelfPlay(ppo.Learner):
    """A learner whose opponents are its past selves."""

    first_rate = RATE
    pool: list[ppo.NumpyNet]

    def train_alone(self, game: dict[str, Any], seed: int, is_enough: Callable[[], bool]) -> None:
        envs = RiskVectorEnv(GAMES, threads=1, **game)
        self.pool = []
        updates = 0
        players = ppo.usual_game(game).players
        numbers = np.arange(GAMES)
        nets = [self.seats(seed, int(number), players) for number in numbers]
        seen = ppo.join([envs.reset(seed=seed)])
        begins = np.zeros(GAMES, dtype=bool)
        while not is_enough():
            rows = []
            for _ in range(ppo.LENGTH):
                moving = [nets[row][player] for row, player in enumerate(seen.players)]
                features = self.features(seen.territories, seen.globals)
                choice = ppo.choose(Team(moving), features, seen.verbs, envs.mask, self.rng)
                present = np.array([net is self.net for net in moving])
                before = seen.players
                observations, _, terminated, truncated, info = envs.step(choice.actions)
                seen = ppo.join([(observations, info)])
                ended = terminated | truncated
                rewards = np.where(info["rewards"] > 0, info["rewards"], ppo.DRAW_OR_LOSS)
                rows.append((features, *choice, rewards, before, ended, begins, present))
                for row in np.flatnonzero(begins):
                    # The step began the next game of this row.
                    numbers[row] += GAMES
                    nets[row] = self.seats(seed, int(numbers[row]), players)
                begins = ended
            parts = [np.stack(part) for part in zip(*rows)]
            features, actions, masks, chances, values, rewards, movers, ended, began, present = parts
            _, last = self.net.start(self.features(seen.territories, seen.globals))
            advantages, counts = advantages_by_player(
                rewards, values, movers, ended, began, last, seen.players
            )
            batch = ppo.Batch(features, masks, actions, chances, advantages, advantages + values)
            self.learn(ppo.Batch(*(part[counts & present] for part in batch)))
            self.steps += GAMES * ppo.LENGTH
            updates += 1
            if updates % UPDATES == 0:
                self.pool = [*self.pool, self.net.copy()][-POOL:]

    def seats(self, seed: int, game: int, players: int) -> list[ppo.NumpyNet]:
        drawn = draw_seats(seed, game, players, len(self.pool))
        return [self.net if number is None else self.pool[number] for number in drawn]


def main(words: list[str] | None = None) -> dict[str, tuple[ppo.Score, ppo.Score]]:
    """Returns the scores before and after for each opponent."""
    asked = ppo.read_arguments(words, __doc__, ["random", "outnumber", "holder", "general"])
    game = ppo.game_of(asked)
    encoding = risk_cli.Encoding(ppo.usual_game(game), buckets=game["buckets"])
    learner = SelfPlay(encoding, asked.seed, asked.torch, asked.steps)

    def train() -> None:
        learner.train_alone(game, asked.seed, ppo.limit(learner, asked.steps, asked.seconds))

    found = ppo.before_and_after(learner, train, asked.opponent, game, asked.games)
    ppo.evaluate_task(learner, asked)
    return found


if __name__ == "__main__":
    main()
