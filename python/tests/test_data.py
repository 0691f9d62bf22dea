"""Records as arrays and as Parquet files."""

import json

import numpy as np
import pytest
import risk_cli
from common import RULESETS, steps
from risk_cli import data


def record(ruleset, number, most=10_000, **settings):
    game = risk_cli.Game(ruleset, seed=5, game=number, optional=True, **settings)
    for _ in steps(game, risk_cli.Random(number), most):
        pass
    return game.record()


def write(tmp_path, count, **settings):
    paths = []
    for number in range(count):
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_text(record("codelab", number, options={"max_turns": 20}, **settings))
    return paths


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_arrays_of_a_record(ruleset):
    text = record(ruleset, 1, most=150)
    arrays = data.read(text)
    game = risk_cli.Game.from_record(text)
    assert arrays.digest == game.digest
    assert len(arrays.players) == len(arrays.actions) == game.decisions
    again = risk_cli.Game.from_record(text, 50)
    if again.decisions != 50:
        # Several decided at once, and have all answered.
        assert ruleset in ("starwars", "warlight1", "warlight2", "warzone")
        return
    encoding = risk_cli.Encoding(again)
    territories, rest = encoding.observe(again, int(arrays.players[50]))
    assert np.array_equal(arrays.territories[50], territories)
    assert np.array_equal(arrays.globals[50], rest)


def check_parquet(paths, out):
    told = data.to_parquet(paths, out)
    assert told["games"] == len(paths)
    pairs = list(data.replay_parquet(out))
    assert len(pairs) == len(paths)
    assert all(written == played for written, played in pairs)
    return told


def test_parquet_and_back(tmp_path):
    pytest.importorskip("pyarrow")
    check_parquet(write(tmp_path, 12), tmp_path / "games.parquet")


@pytest.mark.slow
def test_a_thousand_records_with_flat_memory(tmp_path, capsys):
    resource = pytest.importorskip("resource")
    pytest.importorskip("pyarrow")
    paths = write(tmp_path, 1000)
    check_parquet(paths[:200], tmp_path / "first.parquet")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = check_parquet(paths, tmp_path / "games.parquet")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000
    with capsys.disabled():
        print(f"\n{told['games']} records, {told['decisions_per_second']:,.0f} decisions a second")


def test_what_does_not_fit_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(risk_cli.RiskError, match="line 1"):
        data.read("nonsense")
    paths = write(tmp_path, 1)
    paths.append(tmp_path / "other.jsonl")
    paths[-1].write_text(record("hasbro", 1, most=20))
    with pytest.raises(risk_cli.RiskError, match="Parquet"):
        data.to_parquet(paths, tmp_path / "both.parquet")
    lines = paths[0].read_text().splitlines()
    faulty = json.dumps({"line": "fault"}, separators=(",", ":"))
    with pytest.raises(risk_cli.RiskError, match="fault"):
        data.read("\n".join([*lines, faulty]))
