"""The notebooks run; the whole learner, with what it promises, is slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def run(name, *words):
    done = subprocess.run(
        [sys.executable, NOTEBOOKS / name, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["random_agents.py", "learner.py", "trained_net.py"])
def test_quickly(name):
    assert run(name, "--quick")


@pytest.mark.slow
def test_random_agents():
    told = run("random_agents.py")
    assert "wins" in told


@pytest.mark.slow
def test_the_learner_learns(capsys):
    told = run("learner.py")
    assert told.count("held back") == 3
    with capsys.disabled():
        print("\n" + told)


@pytest.mark.slow
def test_the_trained_net_plays_as_a_page(capsys):
    told = run("trained_net.py")
    assert "net.html" in told
    with capsys.disabled():
        print("\n" + told)
