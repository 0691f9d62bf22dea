"""What `pickle` calls to make objects again."""

from __future__ import annotations

from ._risk_cli import Action, Encoding, Game


def game(text: str) -> Game:
    """Return a game."""
    return Game._restored(text)


def encoding(text: str) -> Encoding:
    """Return an encoding."""
    return Encoding._restored(text)


def action(spec: str, numbers: tuple[int, ...]) -> Action:
    """Return an action."""
    return Action._restored(spec, numbers)
