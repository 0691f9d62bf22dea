"""Tasks with names that never change, so that results on them can be compared.

A task freezes the ruleset, the map, the options, the opponents, the observations and the actions.
If any change of this package changes its games, the task gets another version, and the old name is
refused.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ._risk_cli import Encoding, Game, RiskError, Turn, __version__, _compare, play_match

if TYPE_CHECKING:
    from ._risk_cli import BotLike
    from .gym import RiskEnv
    from .vector import RiskVectorEnv

__all__ = ["TASKS", "Evaluation", "Task", "compare", "evaluate"]

#: The chance with which an interval contains the share that infinitely many games would give.
LEVEL = 0.95
_DEVIATIONS = 1.959964


@dataclasses.dataclass(frozen=True)
class Task:
    """Games of one kind, against opponents of one kind."""

    #: The name, with its version: `risk/duel-v1`.
    name: str
    #: What the task asks for, in a sentence.
    about: str
    ruleset: str
    map: str
    players: int
    options: Mapping[str, Any]
    #: The opponents. In training, each seat of each game draws one; an evaluation plays all of them.
    opponents: tuple[str, ...]

    def settings(self) -> dict[str, Any]:
        """Return the arguments of an environment for this task."""
        return {
            "ruleset": self.ruleset,
            "map": self.map,
            "options": dict(self.options),
            "players": self.players,
            "opponents": list(self.opponents),
            "seat": "rotate",
            "actions": "border",
            "buckets": (4,),
            "observation": "flat",
        }

    def encoding(self) -> Encoding:
        """Return the encoding of the task's observations and actions, also for the turns of bots."""
        game = Game(self.ruleset, self.map, options=dict(self.options), players=self.players)
        return Encoding(game, buckets=(4,), border=True)

    def make(self, **settings: Any) -> RiskEnv:
        """Return an environment for this task. With other `settings` it is another task."""
        from .gym import RiskEnv

        return RiskEnv(**self.settings() | settings)

    def make_vec(self, num_envs: int, **settings: Any) -> RiskVectorEnv:
        """Return an environment of many games for this task. With ``opponents=None`` you play every
        seat."""
        from .vector import RiskVectorEnv

        if settings.get("opponents", self.opponents) is None:
            settings = {"seat": None} | settings
        return RiskVectorEnv(num_envs, **self.settings() | settings)


def _task(name: str, about: str, *games: Any, **options: Any) -> Task:
    ruleset, map, players, opponents = games
    frozen = MappingProxyType(options)
    return Task(f"risk/{name}", about, ruleset, map, players, frozen, opponents)


_CLASSIC = {
    "auto_end": False,
    "bonuses": "each",
    "card_sets": "exact",
    "deploy_after": "at_once",
    "forced_trade_at": 5,
    "fortify_to": "adjacent",
    "recycle": True,
    "rounding": "ceil",
    "sixth_set": 15,
    "trades": "down",
    "two_players": False,
}
_ORDERS = {
    "base_income": 0,
    "blockade": 3,
    "bomb_remainder": "up",
    "card_pieces": 1,
    "guard": True,
    "kill_attacking": 60,
    "kill_defending": 70,
    "luck": 100,
    "max_turns": 200,
    "move_order": "fixed",
    "phases": "seed",
    "rounding": "straight",
}
_DICE = ("random", "outnumber", "general")
_SECRET = ("random", "warlord", "marshal")

_ALL = {
    task.name: task
    for task in (
        _task(
            "duel-v1",
            "Two players without cards on a map of 28 territories, alike for both.",
            *("codelab", "duel", 2, _DICE),
            manual_setup=False,
            max_turns=300,
        ),
        _task(
            "world-2p-v1",
            "Two players without cards on the classic world.",
            *("codelab", "world", 2, _DICE),
            manual_setup=False,
            max_turns=300,
        ),
        _task(
            "world-6p-v1",
            "Six players with cards on the classic world.",
            *("hasbro", "world", 6, _DICE),
            max_turns=600,
            **_CLASSIC,
        ),
        _task(
            "orders-v1",
            "Two players who give secret orders at the same time, with cards, on the classic world.",
            *("warzone", "world", 2, _SECRET),
            fog="none",
            **_ORDERS,
        ),
        _task(
            "fog-v1",
            "The same in fog: armies and owners far away are hidden.",
            *("warzone", "world", 2, _SECRET),
            fog="normal",
            **_ORDERS,
        ),
        _task(
            "missions-v1",
            "Four players with secret missions and cards on the classic world.",
            *("missions", "world", 4, ("random", "odds", "agent")),
            max_turns=400,
            first_round=2,
            **_CLASSIC,
        ),
    )
}

#: The tasks by name.
TASKS: Mapping[str, Task] = MappingProxyType(_ALL)


@dataclasses.dataclass(frozen=True)
class Score:
    """A share of the wins. Several winners of a game share its win, and a game without a winner
    counts as a loss of all players."""

    share: float
    #: The 95 % interval of the share, after Wilson. Shared wins make it wider than it needs to be.
    interval: tuple[float, float]
    games: int

    @staticmethod
    def of(shares: list[float]) -> Score:
        """Return the score of games with these shares."""
        count = len(shares)
        share = sum(shares) / count
        # E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
        weight = _DEVIATIONS**2 / count
        middle = (share + weight / 2) / (1 + weight)
        spread = math.sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
        return Score(share, (max(0.0, middle - spread), min(1.0, middle + spread)), count)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """What a policy reached in a task. Its text is a line for a paper."""

    task: str
    policy: str
    total: Score
    #: By the player's number of the policy's seat.
    seats: dict[int, Score]
    #: By the bot that played all other seats.
    opponents: dict[str, Score]
    #: The faults of the policy, and of all opponents.
    faults: tuple[int, int]
    #: The text of the first fault.
    first_fault: str | None
    seed: str
    #: The digests of the matches: equal digests are equal games.
    digests: tuple[str, ...]

    def __str__(self) -> str:
        against = ", ".join(f"{bot} {100 * it.share:.1f} %" for bot, it in self.opponents.items())
        own, others = self.faults
        return (
            f"{self.task}: {self.policy} wins {self.total} of {self.total.games} games ({against}); "
            f"seats rotated, seed {self.seed!r}, {own} faults of the policy and {others} of others, "
            f"risk-cli {__version__}, digests {' '.join(self.digests)}"
        )


def _fault(task: Task, bots: list[Any], seed: str, number: int) -> str:
    """Play a game again, and return its first fault."""
    game = Game(
        task.ruleset, task.map, options=dict(task.options), bots=bots, seed=seed, game=number
    )
    listed = game.faults
    if not listed:
        return "another one when the game is played again: the policy answers differently"
    first = listed[0]
    return f"player {first['player']}, {first['kind']}: {first['text']}"


def evaluate(
    policy: str | Callable[[Turn], Any] | tuple[str, str | Callable[[Turn], Any]],
    task: str | Task,
    *,
    games: int = 1_000,
    seed: int | str = "evaluation",
    jobs: int | None = None,
) -> Evaluation:
    """Play the games of a task with a policy, a third of them against each of three opponents, in
    all seats equally often.

    `policy` is a callable that takes a :class:`risk_cli.Turn` and returns an action, the name of a
    bot, or a name with either of them. The games are the same for the same seed. `games` is rounded up so that each opponent plays
    each seat equally often. A fault of the policy causes a warning."""
    if isinstance(task, str):
        if task not in TASKS:
            raise RiskError(f"expected a task of {', '.join(TASKS)}, found {task!r}")
        task = TASKS[task]
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= 1_000_000:
        raise RiskError(f"`games` must be from 1 to 1,000,000, found {games!r}")
    each = math.ceil(games / len(task.opponents) / task.players) * task.players
    name, player = policy if isinstance(policy, tuple) else (None, policy)
    if name is None:
        name = player if isinstance(player, str) else getattr(player, "__name__", "policy")
    if TASKS.get(task.name) != task:
        task = dataclasses.replace(task, name=f"{task.name} (changed)")
    shares: list[tuple[str, int, float]] = []
    faults, digests = [0, 0], []
    first_fault: str | None = None
    for opponent in task.opponents:
        # Games against one opponent share no dice with those against another.
        own_seed = f"{seed}-{opponent.replace(':', '-')}"
        bots: list[Any] = [("policy", player)] + [opponent] * (task.players - 1)
        match = play_match(
            bots,
            task.ruleset,
            task.map,
            options=dict(task.options),
            games=each,
            seed=own_seed,
            seats="rotate",
            jobs=jobs,
        )
        digests.append(str(match["digest"]))
        for game in match["results"]:
            own = game["seats"].index("policy")
            won = own + 1 in game["winners"]
            shares.append((opponent, own, 1 / len(game["winners"]) if won else 0.0))
            faults[0] += game["faults"][own]
            faults[1] += sum(game["faults"]) - game["faults"][own]
            if first_fault is None and sum(game["faults"]):
                seated = [player if seat == own else opponent for seat in range(task.players)]
                first_fault = _fault(task, seated, own_seed, game["game"])
    if faults[0]:
        warnings.warn(f"the policy has committed faults: {first_fault}", stacklevel=2)
    return Evaluation(
        task=task.name,
        policy=name,
        total=Score.of([share for _, _, share in shares]),
        seats={
            seat: Score.of([share for _, at, share in shares if at == seat])
            for seat in range(task.players)
        },
        opponents={
            bot: Score.of([share for against, _, share in shares if against == bot])
            for bot in task.opponents
        },
        faults=(faults[0], faults[1]),
        first_fault=first_fault,
        seed=str(seed),
        digests=tuple(digests),
    )


def compare(
    bots: Iterable[BotLike],
    ruleset: str | Task | None = None,
    map: str | None = None,
    *,
    options: dict[str, Any] | None = None,
    replace: bool = False,
    d0: float = 0.0,
    d1: float = 0.05,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_blocks: int = 2_000,
    seed: int | str | None = None,
    jobs: int | None = None,
    budget: int | None = None,
) -> dict[str, Any]:
    """Test whether the first bot is better than the second, with as many games as needed.

    `ruleset` may be a task or its name. Both bots play in the same games, or with ``replace=True``
    they take turns in the same seats. Further bots fill the other seats; without any, the
    opponents of the task do in turn, or the bots of the ruleset.

    Games come in blocks, in each of which both bots have every seat. The difference is that of the
    shares of wins. After each block, the test bets against "the difference is at most `d0`" and
    against "it is at least `d1`", and ends as soon as one bet is won: `alpha` is the greatest
    chance of a wrong "better", `beta` that of a wrong "not better". After `max_blocks` (from 12 to
    1,000,000), it ends undecided.

    The result has these keys, and those of `risk-cli compare --format json`:

    - `verdict`: `"better"` (by more than `d0`), `"not better"` (by `d1` or more) or `"undecided"`
    - `text`: the verdict in words, with its reasons
    - `bots`, `shares`, `difference`: the names, the shares of wins and their difference
    - `interval`: limits of the difference, which hold with the chance 1 - `alpha` at any time. They
      are two-sided and the verdict is one-sided, so `"better"` can come with an interval that just
      includes `d0`. The verdict is the result of the test; the interval says how large the
      difference may be.
    - `blocks`, `games`, `undecided_games`: how many were played, and how many had no winner
    - `faults`: those of both bots
    - `test`: the arguments, and the evidence for either verdict
    """
    if isinstance(ruleset, str):
        ruleset = TASKS.get(ruleset, ruleset)
    seated = list(bots)
    kind: tuple[str | None, str | None]
    if isinstance(ruleset, Task):
        if map is not None or options is not None:
            raise RiskError(
                f"the task {ruleset.name} has a map and options of its own: "
                "remove `map` and `options`, or pass its ruleset"
            )
        free = ruleset.players + bool(replace) - len(seated)
        if len(seated) > 1:
            seated += itertools.islice(itertools.cycle(ruleset.opponents), max(0, free))
        kind, options = (ruleset.ruleset, ruleset.map), dict(ruleset.options)
    else:
        kind = (ruleset, map)
    levels = (d0, d1, alpha, beta)
    return _compare(
        seated, kind, options, bool(replace), levels, max_blocks, seed, (jobs, budget)
    )
