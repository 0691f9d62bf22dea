"""Bots in Python at the library's tables."""

import os
import signal
import threading

import pytest
import risk_cli


def first(turn):
    return turn.legal[0]


def drawn(turn):
    return turn.sample()


class Counter:
    """Counts what it is told."""

    def __init__(self):
        self.started = self.asked = self.finished = 0

    def start(self, player, game):
        self.started += 1
        assert game["map"]["territories"]

    def __call__(self, turn):
        self.asked += 1
        assert turn.view["owners"]
        assert turn.phase in ("deploy", "attack", "occupy", "fortify")
        return turn.sample()

    def finish(self, scores, outcome):
        self.finished += 1
        assert len(scores) == 2 and outcome["reason"]


def test_python_plays_beside_ours():
    match = risk_cli.play_match(
        [("mine", drawn), "holder"], "codelab", games=6, seed=1, options={"max_turns": 200}
    )
    assert [bot["name"] for bot in match["bots"]] == ["mine", "holder"]
    assert match["games"] == len(match["results"]) == 6
    again = risk_cli.play_match(
        [("mine", drawn), "holder"], "codelab", games=6, seed=1, options={"max_turns": 200}, jobs=2
    )
    assert again["digest"] == match["digest"]


def test_a_bot_is_told_of_its_games():
    mine = Counter()
    risk_cli.play_match([mine, "random"], "codelab", games=3, options={"max_turns": 20})
    assert mine.started == mine.finished == 3 and mine.asked > 10


def test_an_answer_of_several_steps():
    def steps(turn):
        if turn.phase == "deploy":
            place = turn.legal.offers()[0]["parameters"]
            return [f"place {place['at'][0]} 1", f"place {place['at'][0]} {len(place['armies']) - 1}"]
        return "done" if "done" in turn.legal.verbs else turn.legal[0]

    match = risk_cli.play_match([steps, "random"], "codelab", games=2, options={"max_turns": 20})
    assert match["bots"][0]["faults"] == 0


def test_a_wrong_answer_is_a_fault():
    match = risk_cli.play_match(
        [lambda turn: "attack everything", "random"], "codelab", games=2, options={"max_turns": 20}
    )
    assert match["bots"][0]["faults"] == 6


def test_an_exception_of_a_bot_comes_back():
    def broken(turn):
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        risk_cli.play_match([broken, "random"], "codelab", games=1000)


def test_a_decision_outlives_its_thread():
    kept = []
    risk_cli.play_match(
        [lambda turn: kept.append(turn) or turn.legal[0], "random"],
        "codelab",
        options={"max_turns": 4},
    )
    assert kept[0].view["round"] >= 0


def test_a_tournament():
    table = risk_cli.tournament(
        ["random", "outnumber", ("mine", drawn)], "codelab", blocks=6, options={"max_turns": 60}
    )
    assert {bot["name"] for bot in table["bots"]} == {"random", "outnumber", "mine"}
    assert table["bots"][0]["name"] == "outnumber"
    assert len(table["results"]) == 12
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table["results"])
    assert len(frame) == 12
    with pytest.raises(risk_cli.RiskError, match="`seats`"):
        risk_cli.tournament(["random", "random"], "codelab", seats=3)


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises, although a shell's background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)


PLAYS = pytest.mark.parametrize(
    "play",
    [
        lambda bots, **settings: risk_cli.play_match(bots, "codelab", games=1000, **settings),
        lambda bots, **settings: risk_cli.tournament(bots, "codelab", blocks=1000, **settings),
    ],
    ids=["match", "tournament"],
)


@PLAYS
@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_reaches_the_bot_itself(play, jobs, ctrl_c):
    asked = 0
    caught = None

    def stuck(turn):
        nonlocal asked, caught
        asked += 1
        assert threading.current_thread() is threading.main_thread()
        try:
            ctrl_c()
            # A handler runs before the next line, but only on the main thread.
            while asked:
                pass
        except KeyboardInterrupt as error:
            caught = error
            raise

    with pytest.raises(KeyboardInterrupt) as raised:
        play([("stuck", stuck), "random"], jobs=jobs)
    assert raised.value is caught
    assert asked == 1


@PLAYS
def test_ctrl_c_reaches_the_start_of_a_bot(play, ctrl_c):
    class Stuck:
        asked = 0

        def start(self, player, game):
            ctrl_c()

        def __call__(self, turn):
            self.asked += 1
            return turn.sample()

    bot = Stuck()
    with pytest.raises(KeyboardInterrupt):
        play([("stuck", bot), "random"])
    assert bot.asked == 0
