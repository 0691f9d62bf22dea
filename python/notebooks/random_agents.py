# %% [markdown]
# # Random agents
# Every ruleset, stepped decision by decision by agents that draw from what is legal. The same seed gives the same
# game, here and on the command line.

# %%
import sys
import time

import risk_cli

QUICK = "--quick" in sys.argv
RULESETS = (
    "codelab",
    "hasbro",
    "missions",
    "simplified",
    "starwars",
    "syncs2024",
    "teams",
    "warlight1",
    "warlight2",
    "warzone",
)


def play(game, rng, most):
    """Plays at random, to the end or for so many decisions."""
    for _ in range(most):
        if game.is_over:
            break
        game.apply(game.sample(rng))
    return game


# %%
for ruleset in RULESETS:
    began = time.perf_counter()
    game = play(risk_cli.Game(ruleset, seed=7), risk_cli.Random(7), 300 if QUICK else 5_000)
    rate = game.decisions / (time.perf_counter() - began)
    print(f"{ruleset:<12} {game.decisions:>6} decisions, {rate:>9,.0f} a second, {game.digest}")

# %% [markdown]
# A match of our bots with a function of one's own among them, as a table.

# %%


def cautious(turn):
    """Attacks with three dice alone, and draws otherwise."""
    fights = [offer for offer in turn.legal.offers() if offer["verb"] == "attack"]
    for offer in fights:
        if 3 in offer["parameters"]["dice"]:
            where = offer["parameters"]
            return ["attack", where["from"][0], where["to"][0], 3]
    return "done" if fights else turn.sample()


match = risk_cli.play_match(
    [("cautious", cautious), "random"], "codelab", games=4 if QUICK else 40, seed=1
)
for bot in match["bots"]:
    print(f"{bot['name']:<12} wins {bot['wins']} of {match['games']}")
