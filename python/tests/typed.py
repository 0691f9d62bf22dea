"""What a type checker is to accept: `.ci/python` hands this file to mypy."""

import random

import numpy as np
import risk_cli
from risk_cli import Action, Encoding, Game, Turn


def bot(turn: Turn) -> Action:
    return turn.legal.sample(random.Random(turn.player))


game = Game("codelab", "duel", options={"max_turns": 10}, seed=1)
action: Action = game.legal().sample(np.random.default_rng(1))
game.apply(action)
game.apply(str(game.legal()[0]))
encoding = Encoding(game, buckets=[4], flat=True)
territories, rest = encoding.observe(game, 0)
view: dict[str, object] = encoding.rebuild(territories, rest)
match = risk_cli.play_match([("mine", bot), "random"], "codelab", games=2)
