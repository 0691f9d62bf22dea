"""No integer argument of the package raises a bare `OverflowError`: what is out of range is named, with its limits."""

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import risk_cli
from risk_cli import data, starwars

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from risk_cli.gym import RiskEnv  # noqa: E402
from risk_cli.pettingzoo import RiskAEC, RiskParallel  # noqa: E402
from risk_cli.starwars import compat  # noqa: E402
from risk_cli.vector import RiskVectorEnv  # noqa: E402

HUGE = 2**70
GAME = risk_cli.Game("codelab", "duel", seed=7, events=True)
ENCODING = risk_cli.Encoding(GAME, buckets=[4], border=True)
VECTOR = risk_cli.VectorGames(2, "codelab")
RECORD = GAME.record()
ROW = (np.zeros(ENCODING.territories_shape, np.int32), np.zeros(ENCODING.globals_len, np.int32))
MATCH = (["random", "random"], "codelab", "duel")


def turn_of():
    found = []

    def bot(turn):
        found.append(turn)
        return turn.sample()

    risk_cli.play_match([bot, "random"], "codelab", "duel", options={"max_turns": 2})
    return found[0]


TURN = turn_of()


def of_game(**given):
    return risk_cli.Game("codelab", "duel", **given)


def of_games(**given):
    return risk_cli.VectorGames(**{"games": 2, "ruleset": "codelab"} | given)


def encoded(**given):
    return risk_cli.Encoding(GAME, **given)


def game_with(name, *arguments):
    """A call of a method of a game, and of the same for an encoding, with a player."""
    return lambda **given: getattr(GAME, name)(*arguments, **given)


def encoding_with(name, *arguments):
    return lambda **given: getattr(ENCODING, name)(GAME, *arguments, **given)


#: How to call what has integer arguments, by its name in the stubs.
CALLS = {
    "Random.__new__": risk_cli.Random,
    "Random.below": risk_cli.Random(1).below,
    "Legal.__getitem__": lambda number: GAME.legal()[number],
    "Legal.nth": lambda number: GAME.legal().nth(number),
    "Game.__new__": of_game,
    "Game.from_record": lambda decision: risk_cli.Game.from_record(RECORD, decision),
    "Game.again": lambda seed=1, game=0: GAME.again(seed, game),
    "Game.restart": lambda seed=1, game=0: GAME.restart(seed, game),
    "Game.imagine": lambda player=0, seed=1: GAME.imagine(player, seed),
    "Game.reseed": lambda seed: GAME.clone().reseed(seed),
    "Game.legal": game_with("legal"),
    "Game.plans": game_with("plans"),
    "Game.sample": game_with("sample", risk_cli.Random(1)),
    "Game.action": lambda words: GAME.action([0, words]),
    "Game.apply": lambda player: GAME.apply(GAME.legal()[0], player),
    "Game.events": game_with("events"),
    "Game.view": game_with("view"),
    "Game.score": game_with("score"),
    "Game.text": game_with("text"),
    "Encoding.__new__": encoded,
    "Encoding.observe": encoding_with("observe"),
    "Encoding.observe_into": lambda player: ENCODING.observe_into(GAME, player, *ROW),
    "Encoding.features": encoding_with("features"),
    "Encoding.mask": encoding_with("mask"),
    "Encoding.encode": lambda player: ENCODING.encode(GAME, GAME.legal()[0], player),
    "Encoding.decode": lambda factors=(0, 0, 0, 0), player=None: ENCODING.decode(GAME, factors, player),
    "Encoding.sample": encoding_with("sample", risk_cli.Random(1)),
    "Encoding.flat_mask": encoding_with("flat_mask"),
    "Encoding.flat_decode": lambda number=0, player=None: ENCODING.flat_decode(GAME, number, player),
    "Encoding.flat_to_factors": ENCODING.flat_to_factors,
    "Encoding.factors_to_flat": ENCODING.factors_to_flat,
    "VectorGames.__new__": of_games,
    "VectorGames.reset": VECTOR.reset,
    "VectorGames.seed_sampler": VECTOR.seed_sampler,
    "play_match": lambda **given: risk_cli.play_match(*MATCH, **given),
    "tournament": lambda **given: risk_cli.tournament(*MATCH, **given),
    "compare": lambda **given: risk_cli.compare(*MATCH, **given),
    "evaluate": lambda **given: risk_cli.evaluate("random", "risk/duel-v1", **{"games": 6} | given),
    "RiskEnv": lambda **given: RiskEnv("codelab", **given),
    "RiskEnv.reset": lambda seed: RiskEnv("codelab").reset(seed=seed),
    "RiskVectorEnv": lambda **given: RiskVectorEnv(
        **{"num_envs": 2, "ruleset": "codelab", "opponents": "random"} | given
    ),
    "RiskVectorEnv.reset": lambda seed: RiskVectorEnv(2, "codelab").reset(seed=seed),
    "RiskAEC": lambda **given: RiskAEC("codelab", **given),
    "RiskAEC.reset": lambda seed: RiskAEC("codelab").reset(seed=seed),
    "RiskParallel": lambda **given: RiskParallel("warzone", **given),
    "RiskParallel.reset": lambda seed: RiskParallel("warzone").reset(seed=seed),
    "Task.make_vec": lambda num_envs: risk_cli.TASKS["risk/duel-v1"].make_vec(num_envs),
    "data.read": lambda **room: data.read(RECORD, **room),
    "HeadlessAgentGame": lambda seed: starwars.HeadlessAgentGame(starwars.Agent(), starwars.Agent(), seed=seed),
    "test_agents": lambda **given: starwars.test_agents(
        starwars.Agent(), starwars.Agent(), **{"ntests": 1} | given
    ),
    "compat.HeadlessAgentGame": lambda seed: compat.HeadlessAgentGame(None, None, seed=seed),
    "compat.testAgents": lambda **given: compat.testAgents(None, None, **{"ntests": 1} | given),
}
#: What takes lists of integers, or an integer in a list.
LISTS = {"given", "factors", "buckets"}
#: Below zero, these mean something, such as a place from the end.
SIGNED = {
    ("Legal.__getitem__", "number"),
    ("Legal.nth", "number"),
    ("Encoding.mask", "given"),
    ("Encoding.decode", "factors"),
    ("Encoding.factors_to_flat", "factors"),
    ("Game.action", "words"),
    ("evaluate", "seed"),
}
#: These may be as large as the caller likes.
WITHOUT_END = {
    ("RiskEnv", "max_steps"),
    ("RiskAEC", "max_steps"),
    ("RiskParallel", "max_steps"),
    ("evaluate", "seed"),
}
#: What an error says in place of the argument's name.
SAID = {"number": "list of|flat table of", "words": "action", "factors": "factor|entry", "room": "cards"}


def stub_arguments():
    """The integer arguments of the stubs: of all that is public."""
    path = Path(risk_cli.__file__).with_name("_risk_cli.pyi")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [("", node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name != "Source":
            functions += [(f"{node.name}.", it) for it in node.body if isinstance(it, ast.FunctionDef)]
    for owner, node in functions:
        if node.name.startswith("_") and node.name not in ("__new__", "__getitem__"):
            continue
        arguments = [*node.args.args, *node.args.kwonlyargs]
        for argument in arguments:
            if argument.annotation and re.search(r"\bint\b", ast.unparse(argument.annotation)):
                yield owner + node.name, argument.arg


def python_arguments():
    """The integer arguments of what is written in Python."""
    functions = {
        "compare": risk_cli.compare,
        "evaluate": risk_cli.evaluate,
        "RiskEnv": RiskEnv.__init__,
        "RiskEnv.reset": RiskEnv.reset,
        "RiskVectorEnv": RiskVectorEnv.__init__,
        "RiskVectorEnv.reset": RiskVectorEnv.reset,
        "RiskAEC": RiskAEC.__init__,
        "RiskAEC.reset": RiskAEC.reset,
        "RiskParallel": RiskParallel.__init__,
        "RiskParallel.reset": RiskParallel.reset,
        "Task.make_vec": risk_cli.Task.make_vec,
        "HeadlessAgentGame": starwars.HeadlessAgentGame.__init__,
        "test_agents": starwars.test_agents,
        "compat.HeadlessAgentGame": compat.HeadlessAgentGame.__init__,
        "compat.testAgents": compat.testAgents,
    }
    for name, function in functions.items():
        for argument in inspect.signature(function).parameters.values():
            if re.search(r"\bint\b", str(argument.annotation)):
                yield name, argument.name
    yield from (("data.read", name) for name in ("buckets", "cards", "orders"))


ARGUMENTS = sorted({*stub_arguments(), *python_arguments()})


def refused(name, argument, value):
    given = [value] if argument in LISTS else value
    call = CALLS[name]
    with pytest.raises((risk_cli.RiskError, ValueError, IndexError)) as found:
        if name in ("Random.below", "Encoding.flat_to_factors", "Encoding.factors_to_flat"):
            call(given)
        elif name.startswith("VectorGames.") and name != "VectorGames.__new__":
            call(given)
        else:
            call(**{argument: given})
    text = str(found.value).replace(",", "")
    assert re.search(SAID.get(argument, rf"\b{argument}\b"), text), text
    assert str(value) in text, text


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS, ids=lambda it: it)
def test_what_is_out_of_range_is_named(name, argument):
    if (name, argument) in (("Encoding.encode", "action"), ("Game.apply", "action"), ("Legal.__contains__", "value")):
        return  # Their words are read as those of `Game.action`.
    if (name, argument) not in WITHOUT_END:
        refused(name, argument, HUGE)
    if (name, argument) not in SIGNED:
        refused(name, argument, -1)


def test_errors_say_the_limits():
    for call, text in [
        (lambda: risk_cli.play_match(*MATCH, jobs=-1), "`jobs` must be from 1 to 1,024, found -1"),
        (lambda: of_game(players=33), "`players` must be from 1 to 32, found 33"),
        (lambda: GAME.view(2), "`player` must be from 0 to 1, found 2"),
        (lambda: encoded(buckets=[4, 1]), "`buckets` must be from 2 to 4,096, found 1"),
        (lambda: risk_cli.Random(1).below(0), "`bound` must be from 1 to 18,446,744,073,709,551,615, found 0"),
        (lambda: ENCODING.factors_to_flat([1]), r"1 of 4 factors: \[1\]"),
        (lambda: ENCODING.flat_decode(GAME, -1), r"no entry -1 in the flat table of \d+ entries"),
    ]:
        with pytest.raises(risk_cli.RiskError, match=text):
            call()


def test_integers_of_other_types_are_read_as_before():
    for value in (np.int64(1), np.uint8(1), True):
        assert GAME.view(value) == GAME.view(1)
        assert risk_cli.Random(value).random() == risk_cli.Random(1).random()
    assert risk_cli.Random(2**64 - 1).below(2**64 - 1) >= 0
    for value in (1.0, "1", None):
        with pytest.raises(TypeError):
            GAME.view(value)
