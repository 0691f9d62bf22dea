"""Records as arrays and as Parquet files, read game by game in constant memory."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import Encoding, Game, RiskError

_KIND = ("ruleset", "ruleset_hash", "map", "map_hash", "options")


class GameArrays(NamedTuple):
    """One game, with a row for each decision."""

    #: The header of the record.
    header: dict[str, Any]
    #: The observation of the player to move, see :class:`risk_cli.Encoding`.
    territories: np.ndarray
    globals: np.ndarray
    #: The player to move.
    players: np.ndarray
    #: The action: the verb and its parameters, filled with -1 up to four parameters.
    actions: np.ndarray
    #: The final reward of the player to move; 0 if the record has no end.
    rewards: np.ndarray
    #: The digest of the last state.
    digest: str


class _Reader:
    """Replays records; games of one kind share their rules."""

    def __init__(self, buckets: Any = None, cards: int | None = None, orders: int | None = None):
        self._room = {"buckets": buckets, "cards": cards, "orders": orders}
        self._games: dict[str, tuple[Game, Encoding]] = {}

    def game(self, text: str, header: dict[str, Any]) -> tuple[Game, Encoding]:
        kind = json.dumps([header[key] for key in _KIND] + [len(header["players"])], sort_keys=True)
        if kind not in self._games:
            game = Game.from_record(text, 0)
            self._games[kind] = (game, Encoding(game, **self._room))
        game, encoding = self._games[kind]
        game.restart(header["seed"], header["game"])
        return game, encoding

    def read(self, text: str) -> GameArrays:
        lines = text.splitlines()
        try:
            header = json.loads(lines[0])
            answers = [json.loads(line) for line in lines[1:] if '"line":"answer"' in line[:20]]
        except (ValueError, IndexError) as error:
            raise RiskError(f"invalid record: {error}") from error
        if any('"line":"fault"' in line[:20] for line in lines):
            raise RiskError("can't convert a record with faults (`\"line\":\"fault\"`) to arrays")
        game, encoding = self.game(text, header)
        count = len(answers)
        territories = np.zeros((count, *encoding.territories_shape), dtype=np.int32)
        rest = np.zeros((count, encoding.globals_len), dtype=np.int32)
        players = np.zeros(count, dtype=np.int8)
        actions = np.full((count, 5), -1, dtype=np.int32)
        for row, answer in enumerate(answers):
            player = answer["seat"] - 1
            action = game.action(answer["say"])
            encoding.observe_into(game, player, territories[row], rest[row])
            numbers = action.numbers
            actions[row, : len(numbers)] = numbers
            players[row] = player
            game.apply(action, player)
        worth = np.array(game.rewards, dtype=np.float32)
        end = json.loads(lines[-1])
        if end.get("line") == "end" and end["digest"] != game.digest:
            raise RiskError(f"expected the final digest {end['digest']}, found {game.digest}")
        return GameArrays(header, territories, rest, players, actions, worth[players], game.digest)


def read(text: str, **room: Any) -> GameArrays:
    """Return the arrays of one record."""
    return _Reader(**room).read(text)


def read_many(paths: Iterable[str | Path], **room: Any) -> Iterator[GameArrays]:
    """Yield the arrays of many records, one by one. `buckets`, `cards` and `orders` are those of
    :class:`risk_cli.Encoding`."""
    reader = _Reader(**room)
    for path in paths:
        try:
            yield reader.read(Path(path).read_text(encoding="utf-8"))
        except RiskError as error:
            raise RiskError(f"{path}: {error}") from error


def _schema(first: GameArrays) -> Any:
    import pyarrow as pa

    def fixed(array: np.ndarray) -> Any:
        return pa.list_(pa.int32(), int(np.prod(array.shape[1:])))

    return pa.schema(
        [
            ("game", pa.int32()),
            ("player", pa.int8()),
            ("territories", fixed(first.territories)),
            ("globals", fixed(first.globals)),
            ("action", fixed(first.actions)),
            ("reward", pa.float32()),
        ]
    )


def _table(number: int, arrays: GameArrays, schema: Any) -> Any:
    import pyarrow as pa

    count = len(arrays.players)

    def fixed(array: np.ndarray, name: str) -> Any:
        kind = schema.field(name).type
        if array.size != count * kind.list_size:
            raise RiskError("a Parquet file holds games of one kind: write one file for each kind")
        return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), kind.list_size)

    columns = [
        pa.array(np.full(count, number, dtype=np.int32)),
        pa.array(arrays.players),
        fixed(arrays.territories, "territories"),
        fixed(arrays.globals, "globals"),
        fixed(arrays.actions, "action"),
        pa.array(arrays.rewards),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def to_parquet(paths: Iterable[str | Path], out: str | Path, **room: Any) -> dict[str, Any]:
    """Write records to two Parquet files: `out` has a row for each decision, in one row group for
    each game; `….games.parquet` next to it has a row for each game with its header and digest.
    Return the numbers of games and decisions, and the speed. Requires pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = Path(out)
    began = time.perf_counter()
    games = decisions = 0
    writer = None
    about = pa.schema([("game", pa.int32()), ("header", pa.string()), ("digest", pa.string())])
    beside = pq.ParquetWriter(games_beside(out), about)
    try:
        for arrays in read_many(paths, **room):
            if writer is None:
                schema = _schema(arrays)
                writer = pq.ParquetWriter(out, schema)
            writer.write_table(_table(games, arrays, schema))
            row = {"game": [games], "header": [json.dumps(arrays.header)], "digest": [arrays.digest]}
            beside.write_table(pa.table(row, schema=about))
            games += 1
            decisions += len(arrays.players)
    finally:
        beside.close()
        if writer is not None:
            writer.close()
    seconds = time.perf_counter() - began
    return {
        "games": games,
        "decisions": decisions,
        "seconds": seconds,
        "decisions_per_second": decisions / max(seconds, 1e-9),
    }


def games_beside(out: str | Path) -> Path:
    """Return the path of the list of games of a Parquet file."""
    return Path(out).with_suffix(".games.parquet")


def replay_parquet(out: str | Path) -> Iterator[tuple[str, str]]:
    """Replay the games of a Parquet file from their actions. Yield the stored digest and the
    replayed one of each game."""
    import pyarrow.parquet as pq

    games = pq.read_table(games_beside(out)).to_pylist()
    file = pq.ParquetFile(out)
    kinds: dict[str, Game] = {}
    for listed, group in zip(games, range(file.num_row_groups)):
        header = json.loads(listed["header"])
        kind = json.dumps([header[key] for key in _KIND] + [len(header["players"])], sort_keys=True)
        if kind not in kinds:
            kinds[kind] = Game(
                header["ruleset"],
                header["map"],
                options=header["options"],
                players=len(header["players"]),
                optional=True,
            )
        game = kinds[kind]
        game.restart(header["seed"], header["game"])
        rows = file.read_row_group(group, columns=["player", "action"])
        for player, action in zip(rows["player"].to_pylist(), rows["action"].to_pylist()):
            count = 5 if -1 not in action else action.index(-1)
            game.apply(action[:count], player)
        yield listed["digest"], game.digest
