# %% [markdown]
# # A trained net, and one of its games as a page
# A net learns to beat `random` and `outnumber` on a small map with the masked PPO of `python/examples/ppo.py`. Then it
# plays games that it has not seen, at both seats. One more game against `outnumber` is recorded, and the program writes
# it as a page that works offline.

# %%
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import risk_cli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import ppo

QUICK = "--quick" in sys.argv
STEPS, HELD_BACK = (8_000, 20) if QUICK else (250_000, 500)
OPPONENTS = ("random", "outnumber")
FOLDER = Path(os.environ.get("PAGES") or tempfile.mkdtemp())
PROGRAM = os.environ.get("RISK_CLI") or shutil.which("risk-cli")

# %% [markdown]
# Training plays half of the steps against each bot. With NumPy alone, the same seed trains the same net.

# %%
encoding = risk_cli.Encoding(ppo.usual_game(ppo.GAME), buckets=ppo.GAME["buckets"])
learner = ppo.Learner(encoding, seed=1, use_torch=False, steps=STEPS)
untrained = learner.policy()
began = time.process_time()
for opponent in OPPONENTS:
    learner.train(opponent, ppo.GAME, ppo.limit(learner, STEPS // len(OPPONENTS), None))
print(f"{learner.steps:,} steps in {time.process_time() - began:.0f} s of one core")
trained = learner.policy()

# %%
for opponent in OPPONENTS:
    before = ppo.total(ppo.evaluate(untrained, opponent, ppo.GAME, HELD_BACK))
    after = ppo.total(ppo.evaluate(trained, opponent, ppo.GAME, HELD_BACK))
    print(f"against {opponent}: before {before}\n{'after':>{len(opponent) + 16}} {after}")
    if not QUICK:
        assert after.interval[0] > before.interval[1], "the net has not learned"

# %% [markdown]
# One game with a record. A game can have bots for some of the seats, and the net decides for the rest.

# %%
settings = {name: ppo.GAME[name] for name in ("ruleset", "map", "options")}
game = risk_cli.Game(**settings, bots=[None, "outnumber"], seed=ppo.HELD_OUT)
decide = trained.bot(encoding)
while not game.is_over:
    game.apply(decide(game))
record = FOLDER / "net.jsonl"
record.write_text(game.record(), encoding="utf-8")
assert risk_cli.Game.from_record(game.record()).digest == game.digest
result = "a draw" if not game.winners else f"player {game.winners[0] + 1} wins"
print(f"{game.decisions} decisions in {game.turn} turns: {result}; the net is player 1")

# %%
if PROGRAM is None:
    print(f"{record} is the record: `risk-cli replay {record} --html net.html` writes the page")
else:
    page = FOLDER / "net.html"
    subprocess.run([PROGRAM, "replay", record, "--html", page, "--force"], check=True)
    print(f"{page}: {page.stat().st_size:,} bytes")
