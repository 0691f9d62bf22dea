"""Risk-like games: games, environments, bots and tournaments.

All rules come from the engine in Rust.
"""

from ._registration import register_if_possible as _register_if_possible
from ._risk_cli import (
    Action,
    Encoding,
    Game,
    GameOver,
    IllegalAction,
    Legal,
    LoadError,
    OpponentFault,
    Random,
    RiskError,
    RulesetFault,
    Turn,
    VectorGames,
    WrongThread,
    __version__,
    play_match,
    tournament,
)
from .tasks import TASKS, Evaluation, Task, compare, evaluate

__all__ = [
    "TASKS",
    "Evaluation",
    "Task",
    "Action",
    "Encoding",
    "Game",
    "GameOver",
    "IllegalAction",
    "Legal",
    "LoadError",
    "OpponentFault",
    "Random",
    "RiskError",
    "RulesetFault",
    "Turn",
    "VectorGames",
    "WrongThread",
    "__version__",
    "compare",
    "evaluate",
    "play_match",
    "tournament",
]

_register_if_possible()
