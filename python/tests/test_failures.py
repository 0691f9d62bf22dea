"""What stops a game in the middle: Ctrl-C and panics. The game is usable afterwards, or says what to do."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import risk_cli
from risk_cli.vector import RiskVectorEnv

def interrupted(code):
    """Runs code that sends itself Ctrl-C. It must end long before its games do."""
    lines = """
        import os, signal, threading
        import risk_cli
        SLOW = "oracle:100000"  # A decision takes minutes.
        rng = risk_cli.Random(1)
        # A shell's background jobs ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def soon():
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    """
    text = textwrap.dedent(lines) + textwrap.dedent(code)
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=40)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_interrupted_games():
    said = interrupted(
        """
        game = risk_cli.Game("hasbro", seed=1, bots=[None, SLOW, SLOW])
        soon()
        try:
            while True:
                game.apply(game.sample(rng))
        except KeyboardInterrupt:
            print("stopped")
        for call in (lambda: game.sample(rng), game.legal, game.clone, lambda: game.apply("done")):
            try:
                call()
            except risk_cli.RiskError as error:
                print("restart()" in str(error))
        game.view(0)
        game.restart(1)
        print(game.digest == risk_cli.Game("hasbro", seed=1, bots=[None, SLOW, SLOW]).digest)
        """
    )
    assert said == ["stopped", *["True"] * 5]


def test_interrupted_set_up_and_matches():
    said = interrupted(
        """
        for work in (
            lambda: risk_cli.play_match([SLOW] * 3, "hasbro"),
            lambda: risk_cli.tournament([SLOW] * 3, "hasbro", blocks=3),
            lambda: risk_cli.Game("codelab", bots=[SLOW, None]),
        ):
            soon()
            try:
                while True:
                    work()
            except KeyboardInterrupt:
                print("stopped")
        """
    )
    assert said == ["stopped"] * 3


def test_interrupted_scripts(tmp_path):
    script = tmp_path / "slow.rhai"
    script.write_text("fn answer(view, ask) { let n = 0; while true { n += 1; } }")
    said = interrupted(
        f"""
        soon()
        try:
            while True:
                game = risk_cli.Game("codelab", bots=[None, {str(script)!r}], budget=10_000_000)
                try:
                    while True:
                        game.apply(game.sample(rng))
                except risk_cli.GameOver:
                    pass
        except KeyboardInterrupt:
            print("stopped")
        """
    )
    assert said == ["stopped"]


def test_interrupted_vectors():
    said = interrupted(
        """
        from risk_cli.vector import RiskVectorEnv
        envs = RiskVectorEnv(4, "hasbro", opponents=SLOW, threads=2)
        envs.reset(seed=1)
        while True:
            soon()
            try:
                while True:
                    envs.step(envs.sample())
            except KeyboardInterrupt:
                pass
            # Ctrl-C between two steps stops no game.
            try:
                envs.sample()
            except risk_cli.RiskError as error:
                print("reset()" in str(error))
                break
        envs.reset(seed=1)
        again = RiskVectorEnv(4, "hasbro", opponents=SLOW, threads=2)
        again.reset(seed=1)
        print((envs.sample() == again.sample()).all())
        """
    )
    assert said == ["True", "True"]


# Only a library with debug assertions panics when it is told to.
if hasattr(risk_cli.Game, "_panic"):

    @pytest.mark.parametrize("reads", [True, False])
    def test_panics_are_exceptions(reads):
        game = risk_cli.Game("codelab", seed=1)
        before = game.digest
        with pytest.raises(risk_cli.RiskError, match="a test of panics"):
            game._panic(reads)
        calls = (game.legal, game.clone, lambda: game.apply(game.sample(risk_cli.Random(1))))
        for call in calls:
            if reads:
                call()
                continue
            with pytest.raises(risk_cli.RiskError, match="restart"):
                call()
        game.restart(1)
        assert game.digest == before


def test_an_encoding_of_another_kind_of_game():
    encoding = risk_cli.Encoding(risk_cli.Game("codelab", players=2))
    fits = risk_cli.Game("codelab", players=2, seed=7)
    encoding.observe(fits, 1)
    others = [
        risk_cli.Game("codelab", players=4),
        risk_cli.Game("codelab", "europe", players=2),
        risk_cli.Game("codelab", players=2, options={"max_turns": 9}),
        risk_cli.Game("simplified", players=2),
    ]
    grids = ["grid:4x4:4", "grid:4x4:8"]
    one, other = (risk_cli.Game("codelab", grid) for grid in grids)
    with pytest.raises(risk_cli.RiskError, match="map"):
        risk_cli.Encoding(one).observe(other, 0)
    for other in others:
        before = other.digest
        for call in (
            lambda: encoding.observe(other, 0),
            lambda: encoding.observe(other, 3),
            lambda: encoding.mask(other),
            lambda: encoding.sample(other, risk_cli.Random(1)),
        ):
            with pytest.raises(risk_cli.RiskError, match="number of players"):
                call()
        assert other.digest == before
        other.apply(other.sample(risk_cli.Random(1)))


def test_imagined_games_end_with_the_game():
    game = risk_cli.Game("codelab", seed=1, options={"max_turns": 2})
    rng = risk_cli.Random(1)
    while not game.is_over:
        game.apply(game.sample(rng))
    with pytest.raises(risk_cli.GameOver):
        game.imagine(0, 1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [0, 5])
def test_an_illegal_action_moves_no_game(threads, wrong):
    envs = RiskVectorEnv(6, "codelab", threads=threads)
    envs.reset(seed=3)
    for _ in range(4):
        envs.step(envs.sample())
    actions = envs.sample().copy()
    before, arrays = envs.games.digests(), [array.copy() for array in envs._arrays]
    legal = actions[wrong].copy()
    actions[wrong] = 30
    with pytest.raises(risk_cli.IllegalAction, match=f"game {wrong}"):
        envs.step(actions)
    assert envs.games.digests() == before
    assert all(np.array_equal(*pair) for pair in zip(envs._arrays, arrays))
    actions[wrong] = legal
    envs.step(actions)
    assert all(one != other for one, other in zip(envs.games.digests(), before))


def test_one_reading_of_an_actions_numbers():
    game = risk_cli.Game("codelab", seed=1)
    action = game.legal()[3]
    numbers = list(action.numbers)
    for same in (numbers, tuple(numbers), np.array(numbers), np.array(numbers, dtype=np.int8)):
        assert game.action(same) == action
    for other in (np.array(numbers, dtype=float), [float(it) for it in numbers], {}, None, 3.5):
        with pytest.raises((risk_cli.IllegalAction, TypeError)):
            game.action(other)
