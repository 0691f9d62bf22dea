"""What several tests share."""

import itertools

import risk_cli

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

#: Two maps for each ruleset: its own, and another one. The board of Star Wars is its only one.
MAPS = [
    (ruleset, map)
    for ruleset in RULESETS
    for map in ((None,) if ruleset == "starwars" else (None, "europe"))
]


def steps(game: risk_cli.Game, rng: risk_cli.Random, most: int):
    """Plays at random; yields before each step who decides."""
    for _ in itertools.repeat(None, most):
        if game.is_over:
            return
        player = game.player
        yield player
        game.apply(game.sample(rng, player), player)
