"""Masked PPO in one file: a net learns to beat a bot at Risk.

    python ppo.py --steps 400000 --opponent random outnumber
    python ppo.py --task risk/duel-v1 --seconds 120

The net chooses an action factor by factor: the verb, from where, to where, how many. Each factor
has the mask that the game gives it after the factors before. The gradients are those of torch if
it is installed, and written out in NumPy if not. Both nets begin with the same weights and learn
from the same batches, so they differ by rounding alone.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any, Callable, NamedTuple

import numpy as np
import risk_cli
from risk_cli.vector import RiskVectorEnv

try:
    import torch
except ModuleNotFoundError:
    torch = None

GAME = {
    "ruleset": "codelab",
    "map": "grid:3x3",
    "options": {"max_turns": 60},
    "buckets": [4],
}
#: Games at once, and decisions of each game between two updates.
GAMES, LENGTH = 32, 64
EPOCHS, MINIBATCH = 4, 512
DISCOUNT, TRACE = 0.995, 0.95
CLIP, ENTROPY, VALUE, LARGEST_GRADIENT = 0.2, 0.01, 0.5, 0.5
RATE, HIDDEN = 2e-3, 64
#: The reward for a game that is not won. If draws cost less than losses, a net that meets a
#: stronger bot learns to hide until the last turn.
DRAW_OR_LOSS = np.float32(-1)
#: The seeds of games that no training plays: training draws its seeds below this number.
HELD_OUT = 10**9


class EverySeat:
    """Many games against a bot: at least `games`, and equally many at each seat."""

    def __init__(self, games: int, opponent: str, **game: Any) -> None:
        players = usual_game(game).players
        each = -(-games // players)
        self.envs = [
            RiskVectorEnv(
                each,
                **game,
                opponents=[opponent] * (players - 1),
                seat=seat,
                threads=1,
            )
            for seat in range(players)
        ]
        self.encoding = self.envs[0].encoding
        self.seats = np.repeat(np.arange(players), each)

    def reset(self, seed: int) -> "Seen":
        # Each seat has games of its own: equal ones would be less to learn from.
        return join([env.reset(seed=seed + number) for number, env in enumerate(self.envs)])

    def step(self, actions: np.ndarray) -> tuple["Seen", np.ndarray, np.ndarray, np.ndarray]:
        parts = np.split(actions, len(self.envs))
        steps = [env.step(part) for env, part in zip(self.envs, parts)]
        seen = join([(step[0], step[4]) for step in steps])
        rewards, terminated, truncated = (
            np.concatenate([step[part] for step in steps]) for part in (1, 2, 3)
        )
        return seen, rewards, terminated, truncated

    def mask(self, given: np.ndarray) -> np.ndarray:
        parts = np.split(given, len(self.envs))
        return np.concatenate([env.mask(part) for env, part in zip(self.envs, parts)])


class Seen(NamedTuple):
    """What there is to see in many games: an observation, who is to move, the mask of verbs."""

    territories: np.ndarray
    globals: np.ndarray
    players: np.ndarray
    verbs: np.ndarray


def join(parts: list[tuple[dict[str, np.ndarray], dict[str, Any]]]) -> Seen:
    return Seen(
        np.concatenate([seen["territories"] for seen, _ in parts]),
        np.concatenate([seen["globals"] for seen, _ in parts]),
        np.concatenate([info["player"] for _, info in parts]),
        np.concatenate([info["action_mask"] for _, info in parts]),
    )


def usual_game(game: dict[str, Any]) -> risk_cli.Game:
    names = ("ruleset", "map", "options", "players", "position")
    return risk_cli.Game(**{name: game[name] for name in names if name in game})


class Features:
    """Turns observations into rows of small numbers."""

    def __init__(self, encoding: risk_cli.Encoding) -> None:
        self.territories = encoding.territories_shape[0]
        self.size = 5 * self.territories + encoding.globals_len
        self.borders = np.zeros((self.territories, self.territories), dtype=np.float32)
        self.borders[tuple(encoding.edges.T)] = 1

    def __call__(self, territories: np.ndarray, rest: np.ndarray) -> np.ndarray:
        mine, theirs = territories[..., 0] == 1, territories[..., 0] > 1
        units = np.maximum(territories[..., 1:].sum(axis=-1), 0).astype(np.float32)
        parts = [
            mine,
            mine * short(units),
            theirs * short(units),
            mine * short((theirs * units) @ self.borders.T),
            theirs * short((mine * units) @ self.borders.T),
            short(rest),
        ]
        return np.concatenate(parts, axis=-1, dtype=np.float32)


def short(numbers: np.ndarray) -> np.ndarray:
    """Squeezes numbers of any size, and keeps their sign."""
    return np.sign(numbers) * np.log1p(np.abs(numbers)) / 3


def masked_sample(logits: np.ndarray, mask: np.ndarray, rng: Any) -> np.ndarray:
    """Draws a value in each row from those that the mask allows; the best one without `rng`."""
    if rng is not None:
        logits = logits + rng.gumbel(size=logits.shape)
    return np.where(mask, logits, -np.inf).argmax(axis=1).astype(np.int32)


def log_softmax(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Logarithms of chances; those of masked values are so low that they count for nothing."""
    logits = np.where(mask, logits, np.float32(-1e9))
    logits = logits - logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


class Batch(NamedTuple):
    """Decisions to learn from: one in each row."""

    features: np.ndarray
    masks: np.ndarray  # of all factors, side by side
    actions: np.ndarray
    chances: np.ndarray  # logarithms, when the actions were drawn
    advantages: np.ndarray
    returns: np.ndarray


def first_weights(features: int, factors: list[int], rng: Any) -> list[np.ndarray]:
    """Two layers; the value; for each factor a layer of logits, and a row for each value, which
    the layers of the factors after it see."""

    def layer(rows: int, columns: int, scale: float) -> np.ndarray:
        weights: np.ndarray = rng.standard_normal((rows, columns)) * scale / math.sqrt(rows)
        return weights.astype(np.float32)

    weights = [layer(features, HIDDEN, 1), np.zeros(HIDDEN), layer(HIDDEN, HIDDEN, 1), np.zeros(HIDDEN)]
    weights += [layer(HIDDEN, 1, 1), np.zeros(1)]
    for size in factors:
        weights += [layer(HIDDEN, size, 0.01), np.zeros(size), layer(size, HIDDEN, 1)]
    return [array.astype(np.float32) for array in weights]


class NumpyNet:
    """The net, its gradients and Adam, in NumPy."""

    def __init__(self, weights: list[np.ndarray], factors: list[int]) -> None:
        self.weights = [array.copy() for array in weights]
        self.factors = factors
        self.ends = np.cumsum(factors)
        self.steps = 0
        self.means = [np.zeros_like(array) for array in weights]
        self.squares = [np.zeros_like(array) for array in weights]

    def start(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns what all factors see, and the values."""
        w1, b1, w2, b2, w3, b3 = self.weights[:6]
        seen = np.tanh(features @ w1 + b1) @ w2 + b2
        return seen, (np.tanh(seen) @ w3 + b3)[:, 0]

    def logits(self, seen: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Returns the logits of the next factor, after the factors in `actions`."""
        factor = actions.shape[1]
        for column in range(factor):
            seen = seen + self.weights[8 + 3 * column][actions[:, column]]
        return np.tanh(seen) @ self.weights[6 + 3 * factor] + self.weights[7 + 3 * factor]

    def gradients(self, batch: Batch) -> list[np.ndarray]:
        """Returns the gradient of the loss for all weights."""
        w1, b1, w2, b2, w3, b3 = self.weights[:6]
        rows = len(batch.actions)
        grads = [np.zeros_like(array) for array in self.weights]
        hidden = np.tanh(batch.features @ w1 + b1)
        seen = hidden @ w2 + b2
        known, inputs, logs, chance = seen, [], [], np.zeros(rows, dtype=np.float32)
        for factor, end in enumerate(self.ends):
            inputs.append(np.tanh(known))
            logits = inputs[-1] @ self.weights[6 + 3 * factor] + self.weights[7 + 3 * factor]
            logs.append(log_softmax(logits, batch.masks[:, end - self.factors[factor] : end]))
            chance += logs[-1][np.arange(rows), batch.actions[:, factor]]
            known = known + self.weights[8 + 3 * factor][batch.actions[:, factor]]
        ratio = np.exp(chance - batch.chances)
        clipped = np.clip(ratio, 1 - CLIP, 1 + CLIP)
        counts = ratio * batch.advantages <= clipped * batch.advantages
        of_chance = (-batch.advantages * ratio * counts / rows)[:, np.newaxis]
        # From the last factor to the first: `below` is the gradient of what the factors see.
        below = np.zeros_like(seen)
        for factor in reversed(range(len(self.factors))):
            rows_of = np.eye(self.factors[factor], dtype=np.float32)[batch.actions[:, factor]]
            grads[8 + 3 * factor] = rows_of.T @ below
            chances = np.exp(logs[factor])
            entropy = -(chances * logs[factor]).sum(axis=1, keepdims=True)
            of_logits = of_chance * (rows_of - chances)
            of_logits += ENTROPY / rows * chances * (logs[factor] + entropy)
            grads[6 + 3 * factor] = inputs[factor].T @ of_logits
            grads[7 + 3 * factor] = of_logits.sum(axis=0)
            below = below + of_logits @ self.weights[6 + 3 * factor].T * (1 - inputs[factor] ** 2)
        top = np.tanh(seen)
        of_value = VALUE / rows * ((top @ w3 + b3)[:, 0] - batch.returns)[:, np.newaxis]
        grads[4], grads[5] = top.T @ of_value, of_value.sum(axis=0)
        below = below + of_value @ w3.T * (1 - top**2)
        grads[2], grads[3] = hidden.T @ below, below.sum(axis=0)
        below = below @ w2.T * (1 - hidden**2)
        grads[0], grads[1] = batch.features.T @ below, below.sum(axis=0)
        return grads

    def learn(self, batch: Batch, rate: float) -> None:
        grads = self.gradients(batch)
        norm = math.sqrt(sum(float((grad**2).sum()) for grad in grads))
        scale = np.float32(min(1, LARGEST_GRADIENT / (norm + 1e-6)))
        self.steps += 1
        for weight, grad, mean, square in zip(self.weights, grads, self.means, self.squares):
            mean += np.float32(0.1) * (grad * scale - mean)
            square += np.float32(0.001) * ((grad * scale) ** 2 - square)
            along = mean / np.float32(1 - 0.9**self.steps)
            across = np.sqrt(square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-5)
            weight -= np.float32(rate) * along / across

    def copy(self) -> "NumpyNet":
        """Returns a net with these weights that learns anew."""
        return type(self)(self.arrays(), self.factors)

    def arrays(self) -> list[np.ndarray]:
        return self.weights


class TorchNet(NumpyNet):
    """The same net with torch's gradients and torch's Adam."""

    def __init__(self, weights: list[np.ndarray], factors: list[int]) -> None:
        self.weights = [torch.tensor(array, requires_grad=True) for array in weights]
        self.factors = factors
        self.adam = torch.optim.Adam(self.weights, lr=RATE, eps=1e-5)

    def start(self, features: np.ndarray) -> tuple[Any, np.ndarray]:
        with torch.no_grad():
            seen, values = self._start(torch.as_tensor(features))
        return seen, values.numpy()

    def logits(self, seen: Any, actions: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            logits: np.ndarray = self._logits(seen, torch.as_tensor(actions)).numpy()
        return logits

    def _start(self, features: Any) -> tuple[Any, Any]:
        w1, b1, w2, b2, w3, b3 = self.weights[:6]
        seen = torch.tanh(features @ w1 + b1) @ w2 + b2
        return seen, (torch.tanh(seen) @ w3 + b3)[:, 0]

    def _logits(self, seen: Any, actions: Any) -> Any:
        factor = actions.shape[1]
        for column in range(factor):
            seen = seen + self.weights[8 + 3 * column][actions[:, column]]
        return torch.tanh(seen) @ self.weights[6 + 3 * factor] + self.weights[7 + 3 * factor]

    def learn(self, batch: Batch, rate: float) -> None:
        self.adam.param_groups[0]["lr"] = rate
        features, masks, actions, before, advantages, returns = map(torch.as_tensor, batch)
        seen, values = self._start(features)
        chance, entropy, end = 0, 0, 0
        for factor, size in enumerate(self.factors):
            logits = self._logits(seen, actions[:, :factor])
            allowed = masks[:, end : end + size]
            end += size
            drawn = torch.distributions.Categorical(logits=logits.masked_fill(~allowed, -1e9))
            chance = chance + drawn.log_prob(actions[:, factor])
            entropy = entropy + drawn.entropy()
        ratio = torch.exp(chance - before)
        gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
        loss = (VALUE / 2 * (values - returns) ** 2 - gain - ENTROPY * entropy).mean()
        self.adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights, LARGEST_GRADIENT)
        self.adam.step()

    def arrays(self) -> list[np.ndarray]:
        return [weight.detach().numpy().copy() for weight in self.weights]


class Choice(NamedTuple):
    """Actions, and what a batch needs to know of how they were drawn."""

    actions: np.ndarray
    masks: np.ndarray
    chances: np.ndarray
    values: np.ndarray


def choose(
    net: NumpyNet, features: np.ndarray, verbs: np.ndarray, mask: Callable[[np.ndarray], Any], rng: Any
) -> Choice:
    """Chooses an action in every game, factor by factor."""
    rows = np.arange(len(features))
    seen, values = net.start(features)
    actions = np.zeros((len(features), 0), dtype=np.int32)
    masks, chances = [], np.zeros(len(features), dtype=np.float32)
    for _ in net.factors:
        masks.append(mask(actions) if masks else verbs)
        logits = net.logits(seen, actions)
        drawn = masked_sample(logits, masks[-1], rng)
        chances += log_softmax(logits, masks[-1])[rows, drawn]
        actions = np.column_stack([actions, drawn])
    return Choice(actions, np.concatenate(masks, axis=1), chances, values)


def advantages_of(
    rewards: np.ndarray, values: np.ndarray, last: np.ndarray, terminated: np.ndarray, ended: np.ndarray
) -> np.ndarray:
    """Generalized advantage estimation. `last` are the values after the last decisions."""
    advantages = np.zeros_like(values)
    ahead, carried = last, np.zeros_like(last)
    for step in reversed(range(len(values))):
        gain = rewards[step] + DISCOUNT * ahead * ~terminated[step] - values[step]
        carried = gain + DISCOUNT * TRACE * carried * ~ended[step]
        advantages[step], ahead = carried, values[step]
    return advantages


class Learner:
    """A net with its features, its random numbers and its updates."""

    first_rate = RATE

    def __init__(self, encoding: risk_cli.Encoding, seed: int, use_torch: bool, steps: int | None) -> None:
        self.rng = np.random.default_rng(seed)
        self.encoding, self.features = encoding, Features(encoding)
        self.factors = [size for _, size in encoding.factors]
        weights = first_weights(self.features.size, self.factors, self.rng)
        self.net = (TorchNet if use_torch else NumpyNet)(weights, self.factors)
        self.steps, self.planned = 0, steps

    def learn(self, batch: Batch) -> None:
        """Updates the net with a few passes over shuffled decisions. If the number of steps is
        planned, the rate falls."""
        left = 1 if self.planned is None else max(0.1, 1 - self.steps / self.planned)
        spread = batch.advantages.std() + 1e-8
        batch = batch._replace(advantages=(batch.advantages - batch.advantages.mean()) / spread)
        for _ in range(EPOCHS):
            order = self.rng.permutation(len(batch.actions))
            for begin in range(0, len(order), MINIBATCH):
                rows = order[begin : begin + MINIBATCH]
                self.net.learn(Batch(*(part[rows] for part in batch)), self.first_rate * left)

    def train(self, opponent: str, game: dict[str, Any], is_enough: Callable[[], bool]) -> None:
        """Plays against a bot and learns, until it is enough."""
        envs = EverySeat(GAMES, opponent, **game)
        seen = envs.reset(int(self.rng.integers(HELD_OUT)))
        games = len(envs.seats)
        begins = np.zeros(games, dtype=bool)
        while not is_enough():
            rows: list[tuple[np.ndarray, ...]] = []
            for _ in range(LENGTH):
                features = self.features(seen.territories, seen.globals)
                choice = choose(self.net, features, seen.verbs, envs.mask, self.rng)
                seen, rewards, terminated, truncated = envs.step(choice.actions)
                # A game that reaches its last turn is truncated, and as bad as a loss.
                ended = terminated | truncated
                rewards = np.where(ended & (rewards <= 0), DRAW_OR_LOSS, rewards)
                rows.append((features, *choice, rewards, ended, ~begins))
                # The next step after the end of a game begins another and takes no decision.
                begins = ended
            parts = [np.stack(part) for part in zip(*rows)]
            features, actions, masks, chances, values, rewards, ended, counts = parts
            _, last = self.net.start(self.features(seen.territories, seen.globals))
            advantages = advantages_of(rewards, values, last, ended, ended)
            batch = Batch(features, masks, actions, chances, advantages, advantages + values)
            self.learn(Batch(*(part[counts] for part in batch)))
            self.steps += games * LENGTH

    def policy(self, sampled: bool = True) -> "Policy":
        """Returns the net as a player."""
        return Policy(self.net.copy(), self.features, sampled)


class Policy:
    """A net that plays: in many games at once, or as a bot of matches."""

    def __init__(self, net: NumpyNet, features: Features, sampled: bool) -> None:
        self.net, self.features, self.sampled = net, features, sampled

    def actions(self, seen: Seen, mask: Callable[[np.ndarray], Any], rng: Any) -> np.ndarray:
        features = self.features(seen.territories, seen.globals)
        return choose(self.net, features, seen.verbs, mask, rng if self.sampled else None).actions

    def bot(self, encoding: risk_cli.Encoding, seed: int = 0) -> Callable[[risk_cli.Turn], risk_cli.Action]:
        """Returns a bot for `risk_cli.play_match`."""
        rng = np.random.default_rng(seed)

        def bot(turn: Any) -> risk_cli.Action:
            territories, rest = encoding.observe(turn, turn.player)
            mask = lambda given: encoding.mask(turn, given[0], turn.player)[np.newaxis]
            verbs = encoding.mask(turn, (), turn.player)[np.newaxis]
            seen = Seen(territories[np.newaxis], rest[np.newaxis], np.array([turn.player]), verbs)
            return encoding.decode(turn, self.actions(seen, mask, rng)[0], turn.player)

        return bot


class Score(NamedTuple):
    """Wins and draws in games against a bot."""

    wins: int
    draws: int
    games: int

    @property
    def share(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share of wins, which has it 95 % of the time."""
        n, z2 = self.games, 1.96**2
        middle = (self.wins + z2 / 2) / (n + z2)
        half = math.sqrt(z2 * (self.wins * (n - self.wins) / n + z2 / 4)) / (n + z2)
        return middle - half, middle + half

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:6.1%} won ({low:.1%} to {high:.1%}), {self.draws} of {self.games} drawn"


def evaluate(policy: Policy, opponent: str, game: dict[str, Any], games: int, seed: int = 0) -> list[Score]:
    """Plays games that no training has played, equally many at each seat, and returns a score for each."""
    envs = EverySeat(games, opponent, **game)
    rng = np.random.default_rng(seed)
    seen = envs.reset(HELD_OUT + seed)
    result, over = np.zeros(len(envs.seats)), np.zeros(len(envs.seats), dtype=bool)
    while not over.all():
        seen, rewards, terminated, truncated = envs.step(policy.actions(seen, envs.mask, rng))
        ends = (terminated | truncated) & ~over
        result[ends], over = rewards[ends], over | ends
    return [
        Score(int((result[mine] > 0).sum()), int((result[mine] == 0).sum()), int(mine.sum()))
        for mine in (envs.seats == seat for seat in range(len(envs.envs)))
    ]


def total(scores: list[Score]) -> Score:
    return Score(*(sum(part) for part in zip(*scores)))


def limit(learner: Learner, steps: int | None, seconds: float | None) -> Callable[[], bool]:
    """Returns a function that says whether this number of steps, or of seconds from now, is over."""
    last_step = None if steps is None else learner.steps + steps
    last_time = None if seconds is None else time.monotonic() + seconds
    return lambda: (last_step is not None and learner.steps >= last_step) or (
        last_time is not None and time.monotonic() >= last_time
    )


def before_and_after(
    learner: Learner, train: Callable[[], None], opponents: list[str], game: dict[str, Any], games: int
) -> dict[str, tuple[Score, Score]]:
    """Trains, and returns the scores against each opponent before and after."""

    def scores(when: str) -> list[Score]:
        found = []
        for name in opponents:
            seats = evaluate(learner.policy(), name, game, games)
            found.append(total(seats))
            by_seat = ", ".join(f"{score.share:.1%}" for score in seats)
            print(f"{when:<6} {name:<10} {found[-1]}; by seat: {by_seat}", flush=True)
        return found

    before = scores("before")
    began = time.process_time()
    train()
    spent = time.process_time() - began
    print(f"{learner.steps:,} steps in {spent:.0f} s of one core with {type(learner.net).__name__}")
    return dict(zip(opponents, zip(before, scores("after"))))


def read_arguments(words: list[str] | None, about: str | None, opponents: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", choices=risk_cli.TASKS, help="play this task, and end with its evaluation")
    parser.add_argument("--ruleset", default=GAME["ruleset"])
    parser.add_argument("--map", default=GAME["map"])
    parser.add_argument("--opponent", nargs="+", default=opponents, help="bots, in this order")
    parser.add_argument("--steps", type=int, help="decisions to learn from, divided among the bots")
    parser.add_argument("--seconds", type=float, help="time to learn (default, without --steps: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="games of each evaluation")
    parser.add_argument("--torch", action="store_true", default=None, help="refuse to run without torch")
    parser.add_argument("--numpy", dest="torch", action="store_false", help="do without torch")
    found = parser.parse_args(words)
    if found.torch is None:
        found.torch = torch is not None
    if found.torch and torch is None:
        parser.error("torch is not installed")
    if found.torch:
        torch.manual_seed(found.seed)
        torch.set_num_threads(1)
    if found.steps is None and found.seconds is None:
        found.seconds = 60
    return found


def game_of(asked: argparse.Namespace) -> dict[str, Any]:
    """Returns the games to play: those of a task, or of a ruleset on a map."""
    if not asked.task:
        return {**GAME, "ruleset": asked.ruleset, "map": asked.map}
    task = risk_cli.TASKS[asked.task]
    kind = {"ruleset": task.ruleset, "map": task.map, "players": task.players}
    return {**GAME, **kind, "options": dict(task.options)}


def evaluate_task(learner: "Learner", asked: argparse.Namespace) -> None:
    """Prints what the net reaches in the task."""
    if asked.task:
        bot = learner.policy().bot(learner.encoding, asked.seed)
        print(risk_cli.evaluate((f"net {asked.seed}", bot), asked.task, games=asked.games))


def main(words: list[str] | None = None) -> dict[str, tuple[Score, Score]]:
    """Returns the scores before and after for each opponent."""
    asked = read_arguments(words, __doc__, ["random", "outnumber"])
    game = game_of(asked)
    encoding = risk_cli.Encoding(usual_game(game), buckets=game["buckets"])
    learner = Learner(encoding, asked.seed, asked.torch, asked.steps)
    count = len(asked.opponent)

    def train() -> None:
        for name in asked.opponent:
            steps = None if asked.steps is None else asked.steps // count
            seconds = None if asked.seconds is None else asked.seconds / count
            learner.train(name, game, limit(learner, steps, seconds))

    found = before_and_after(learner, train, asked.opponent, game, asked.games)
    evaluate_task(learner, asked)
    return found


if __name__ == "__main__":
    main()
