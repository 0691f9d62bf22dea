"""Risk and its relatives: games, environments, bots and tournaments.

Everything that this package knows of rules it asks the engine in Rust.
"""

from ._risk_cli import (
    Action,
    Encoding,
    Game,
    GameOver,
    IllegalAction,
    Legal,
    LoadError,
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

__all__ = [
    "Action",
    "Encoding",
    "Game",
    "GameOver",
    "IllegalAction",
    "Legal",
    "LoadError",
    "Random",
    "RiskError",
    "RulesetFault",
    "Turn",
    "VectorGames",
    "WrongThread",
    "__version__",
    "play_match",
    "tournament",
]
