# %% [markdown]
# # A small learner
# A policy with ten weights learns to beat `random` on a small map of `codelab`, with NumPy alone: the cross-entropy
# method. It scores the legal actions by what they look like, and takes the best. Each generation draws policies around
# the mean, plays some games with each, and moves to the best of them. What it has learned is shown on 500 games
# that it has not seen.

# %%
import sys
import time

import numpy as np
import risk_cli

QUICK = "--quick" in sys.argv
MAP, OPTIONS = "grid:3x3", {"max_turns": 60}
GENERATIONS, POLICIES, BEST, GAMES = (2, 6, 2, 4) if QUICK else (8, 16, 4, 16)
HELD_BACK = 20 if QUICK else 500
WEIGHTS = 10

# %% [markdown]
# The verbs are numbers, as the encoding has them; what an action looks like is a row of ten numbers.

# %%
games = [
    risk_cli.Game("codelab", MAP, options=OPTIONS, bots=bots)
    for bots in ([None, "random"], ["random", None])
]
encoding = risk_cli.Encoding(games[0])
VERB = {verb["name"]: number for number, verb in enumerate(games[0].info()["verbs"])}
BORDERS = np.zeros((encoding.territories_shape[0],) * 2, dtype=bool)
BORDERS[tuple(encoding.edges.T)] = True


def looks(actions, owners, armies):
    """What each action looks like: a row for each."""
    verb, here, there, amount = actions.T
    threat = (BORDERS * np.where(owners == 1, 0, armies)).sum(axis=1)
    rows = np.zeros((len(actions), WEIGHTS))
    attack, place = verb == VERB["attack"], verb == VERB["place"]
    move, done = verb == VERB["move"], verb == VERB["done"]
    rows[attack, 0] = 1
    rows[attack, 1] = (armies[here] - armies[there])[attack] / 5
    rows[attack, 2] = amount[attack] / 3
    rows[place, 3] = (threat[here] > 0)[place]
    rows[place, 4] = (armies[here] - threat[here])[place] / 10
    rows[place, 5] = there[place] / 5
    rows[move, 6] = (threat[there] - threat[here])[move] / 10
    rows[move, 7] = amount[move] / 5
    rows[done, 8] = 1
    rows[attack, 9] = (armies[there] < 2)[attack]
    return rows


def numbers(legal, rng):
    """The legal actions as numbers, 40 of them where there are more."""
    count = legal.count
    drawn = range(count) if count <= 40 else rng.integers(count, size=40)
    rows = np.zeros((len(drawn), 4), dtype=np.int64)
    for row, number in enumerate(drawn):
        found = legal.nth(int(number)).numbers
        rows[row, : len(found)] = found
    return rows


def win(weights, seed, rng):
    """Plays one game: 1 for a win, a half for a draw."""
    seat = seed % 2
    game = games[seat]
    game.restart(seed)
    while not game.is_over:
        actions = numbers(game.legal(), rng)
        territories, _ = encoding.observe(game, seat)
        scores = looks(actions, territories[:, 0], territories[:, 1]) @ weights
        # Equals are drawn from.
        best = np.argmax(scores + rng.random(len(scores)) * 1e-6)
        chosen = actions[best]
        count = {"attack": 4, "place": 3, "move": 4, "done": 1}[VERBS[chosen[0]]]
        game.apply(chosen[:count].tolist())
    return (1 + game.rewards[seat]) / 2


VERBS = {number: name for name, number in VERB.items()}


def learn(training):
    """Learns from games of this training seed."""
    rng = np.random.default_rng(training)
    mean, spread = np.zeros(WEIGHTS), np.ones(WEIGHTS)
    for generation in range(GENERATIONS):
        policies = mean + spread * rng.standard_normal((POLICIES, WEIGHTS))
        seeds = 1_000_000 * (training + 1) + generation * GAMES + np.arange(GAMES)
        wins = [np.mean([win(policy, int(seed), rng) for seed in seeds]) for policy in policies]
        best = policies[np.argsort(wins)[-BEST:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
    return mean


def held_back(weights):
    """How many of the games it wins that it has not seen."""
    rng = np.random.default_rng(0)
    return float(np.mean([win(weights, seed, rng) for seed in range(HELD_BACK)]))


# %%
# Before it has learned, all actions are equals.
before = held_back(np.zeros(WEIGHTS))
for training in (1, 2, 3):
    began = time.process_time()
    weights = learn(training)
    after = held_back(weights)
    seconds = time.process_time() - began
    print(
        f"training seed {training}: from {before:.1%} to {after:.1%} of {HELD_BACK} games that were held back, "
        f"{seconds:.0f} s of one core"
    )
    if not QUICK:
        assert before <= 0.60 and after >= 0.85 and seconds < 120, "the learner has not learned"
