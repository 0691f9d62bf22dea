"""What `pickle` calls to make objects again."""

from __future__ import annotations

from typing import Any

from ._risk_cli import Action, Encoding, Game


def game(text: str, callables: list[Any]) -> Game:
    """Return a game with these bots in Python."""
    return Game._restored(text, callables)


def encoding(text: str) -> Encoding:
    """Return an encoding."""
    return Encoding._restored(text)


def action(spec: str, numbers: tuple[int, ...]) -> Action:
    """Return an action."""
    return Action._restored(spec, numbers)
