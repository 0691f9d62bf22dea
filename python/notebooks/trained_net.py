# %% [markdown]
# # A trained net, and one of its games as a page
# A net learns to beat `random` and `outnumber` on a small map with the masked PPO of `python/examples/ppo.py`. Then it
# plays games that it has not seen, at both seats. It goes on until it has won a game against `outnumber`, and the
# program writes this game as a page that works offline.

# %%
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import risk_cli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import ppo

QUICK = "--quick" in sys.argv
STEPS, HELD_BACK = (8_000, 20) if QUICK else (500_000, 500)
OPPONENTS = ("random", "outnumber")
RECORD, PAGE = Path("net.jsonl"), Path("net.html")
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
# A game with a record. It has a bot for one of the seats, and the net decides for the other.

# %%
settings = {name: ppo.GAME[name] for name in ("ruleset", "map", "options")}
game = risk_cli.Game(**settings, bots=[None, "outnumber"], seed=ppo.HELD_OUT)
decide = trained.bot(encoding)
for number in range(3 if QUICK else 50):
    game.restart(ppo.HELD_OUT, number)
    while not game.is_over:
        game.apply(decide(game))
    if game.winners == [0]:
        break
RECORD.write_text(game.record(), encoding="utf-8")
assert risk_cli.Game.from_record(game.record()).digest == game.digest
result = f"player {game.winners[0] + 1} wins" if game.winners else "a draw"
print(f"game {number}: {game.decisions} decisions in {game.turn} turns, {result}; the net is player 1")

# %%
if PROGRAM is None:
    print(f"`risk-cli replay {RECORD} --html {PAGE}` writes the page")
else:
    subprocess.run([PROGRAM, "replay", RECORD, "--html", PAGE, "--force"], check=True)
    print(f"{PAGE}: {PAGE.stat().st_size:,} bytes")
