"""The notebooks run; the whole learner, with what it promises, is slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def run(folder, name, *words):
    done = subprocess.run(
        [sys.executable, NOTEBOOKS / name, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["random_agents.py", "learner.py", "trained_net.py"])
def test_quickly(name, tmp_path):
    assert run(tmp_path, name, "--quick")


@pytest.mark.slow
def test_random_agents(tmp_path):
    told = run(tmp_path, "random_agents.py")
    assert "wins" in told


@pytest.mark.slow
def test_the_learner_learns(capsys, tmp_path):
    told = run(tmp_path, "learner.py")
    assert told.count("held back") == 3
    with capsys.disabled():
        print("\n" + told)


@pytest.mark.slow
def test_the_trained_net_plays_as_a_page(capsys, tmp_path):
    told = run(tmp_path, "trained_net.py")
    assert (tmp_path / "net.jsonl").read_text(encoding="utf-8").startswith("{")
    # The program may be missing.
    assert (tmp_path / "net.html").exists() == ("bytes" in told)
    assert "player 1 wins" in told
    with capsys.disabled():
        print("\n" + told)
