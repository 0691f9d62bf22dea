"""How much of the time the environment takes: one batch, and two halves that take turns with the net.

The net sleeps, as one on an accelerator lets the processor: NET milliseconds for all games, half of it for a half.

    python python/benches/halves.py [NET [OPPONENT]]
"""

import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from risk_cli.vector import RiskVectorEnv

NET = float(sys.argv[1]) / 1e3 if len(sys.argv) > 1 else 4e-3
OPPONENT = sys.argv[2] if len(sys.argv) > 2 else None
GAMES, STEPS, TURNS = 1_024, 60, 5


def make(games, seed):
    env = RiskVectorEnv(
        games,
        "codelab",
        "duel",
        opponents=OPPONENT,
        actions="border",
        buckets=(4,),
        observation="flat",
        copy=False,
    )
    env.reset(seed=seed)
    return env


def act(env, logits):
    time.sleep(NET * env.num_envs / GAMES)
    return env.sample_from(logits)[0]


def whole(env, logits):
    for _ in range(STEPS):
        env.step(act(env, logits))


def halves(envs, logits):
    waiting = [None, None]
    with ThreadPoolExecutor(1) as pool:
        for turn in range(2 * STEPS):
            own = turn % 2
            if waiting[own]:
                waiting[own].result()
            # While this net computes, the other half plays.
            waiting[own] = pool.submit(envs[own].step, act(envs[own], logits))
        for last in waiting:
            last.result()


def main():
    env, two = make(GAMES, 1), [make(GAMES // 2, seed) for seed in (1, 2)]
    logits = np.zeros((GAMES, env.encoding.flat_len), dtype=np.float32)
    ways = {
        "one batch": lambda: whole(env, logits),
        "two halves": lambda: halves(two, logits[: GAMES // 2]),
    }
    taken = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, run in ways.items():
            began = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - began)
    for name, seconds in taken.items():
        median = statistics.median(seconds)
        share = 1 - NET * STEPS / median
        print(f"{name:<12}{GAMES * STEPS / median:>12,.0f} steps a second, {share:4.0%} not the net's")


if __name__ == "__main__":
    main()
