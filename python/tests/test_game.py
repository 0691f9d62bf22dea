"""Games from Python are the games of the command line, and wrong use is an exception."""

import copy
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import risk_cli
from common import MAPS, RULESETS, steps

ROOT = Path(__file__).resolve().parents[2]


def program():
    """The command line beside this package: built in the same checkout, or installed."""
    found = os.environ.get("RISK_CLI") or shutil.which("risk-cli", path=ROOT / "target/debug")
    if not found:
        pytest.skip("there is no risk-cli to compare with")
    return found


def run(*words):
    """What the command line says, as JSON."""
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_a_match_has_the_digest_of_the_command_line(ruleset, map):
    bots = ["random"] * max(2, risk_cli.Game(ruleset).players)
    words = ["play", "--ruleset", ruleset, "--seed", "77", "--games", "3", "--format", "json"]
    words += ["--map", map] if map else []
    words += [word for bot in bots for word in ("--bot", bot)]
    settings = {"max_turns": 60} if "max_turns" in risk_cli.Game(ruleset).options else {}
    words += [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    said = run(*words)
    match = risk_cli.play_match(bots, ruleset, map, options=settings, games=3, seed=77)
    assert match["digest"] == said["digest"]
    assert match["bots"] == said["bots"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_stepped_by_hand_is_its_record(ruleset, tmp_path):
    game = risk_cli.Game(ruleset, seed=21, game=3, optional=True)
    for _ in steps(game, risk_cli.Random(4), 400):
        pass
    record = game.record()
    path = tmp_path / "game.jsonl"
    path.write_text(record)
    verified = subprocess.run([program(), "replay", "--verify", path], capture_output=True, text=True)
    assert verified.returncode == (0 if game.is_over else 1), verified.stderr
    again = risk_cli.Game.from_record(record)
    assert again.digest == game.digest
    assert again.record() == record


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_of_the_command_line_is_stepped_by_hand(ruleset, tmp_path):
    path = tmp_path / "game.jsonl"
    seats = {"hasbro": 3, "missions": 3, "teams": 4, "syncs2024": 5}.get(ruleset, 2)
    bots = [part for seat in range(seats) for part in ("--bot", ("random", "outnumber")[seat % 2])]
    play = [program(), "play", "--ruleset", ruleset, "--seed", "5", "--record", path, "-q", *bots]
    subprocess.run(play, check=True, capture_output=True)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    header = lines[0]
    game = risk_cli.Game(
        header["ruleset"], header["map"], seed=5, players=seats, optional=True
    )
    for line in lines:
        if line.get("line") == "answer":
            game.apply(line["say"], line["seat"] - 1)
    assert game.is_over
    assert game.digest == lines[-1]["digest"]
    assert game.outcome["reason"] == lines[-1]["reason"]


def test_a_game_is_taken_up_at_any_decision():
    game = risk_cli.Game("hasbro", seed=8, optional=True)
    digests, actions = [], []
    for player in steps(game, risk_cli.Random(2), 10_000):
        digests.append(game.digest)
    record = game.record()
    for number in (0, 1, 50, len(digests) - 1):
        taken = risk_cli.Game.from_record(record, number)
        assert taken.digest == digests[number]
        assert taken.decisions == number
        assert not taken.is_over
    with pytest.raises(risk_cli.RiskError, match=f"{len(digests)}"):
        risk_cli.Game.from_record(record, len(digests) + 1)
    with pytest.raises(risk_cli.RiskError, match="line 1 "):
        risk_cli.Game.from_record("nonsense")
    forged = record.replace('"map":"hacker-risk"', '"map":"../map.yaml"')
    with pytest.raises(risk_cli.RiskError):
        risk_cli.Game.from_record(forged)


def at_rest(game, rng):
    """The text of the next position that there is: none while several have still to answer."""
    for _ in steps(game, rng, 200):
        try:
            return game.position()
        except risk_cli.RiskError as error:
            assert type(error) is risk_cli.RiskError
    raise AssertionError("no position")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_position_goes_on_as_its_game(ruleset):
    game, rng = risk_cli.Game(ruleset, seed=9, game=2, optional=True), risk_cli.Random(3)
    # Games of simplified are short.
    for _ in steps(game, rng, 20 if ruleset == "simplified" else 90):
        pass
    text = at_rest(game, rng)
    taken = risk_cli.Game(position=text, optional=True)
    assert (taken.digest, taken.seed, taken.ruleset) == (game.digest, ("9", 2), ruleset)
    assert taken.position() == text
    other = risk_cli.Game(position=text, seed=10)
    other.restart(9, 2)
    assert other.digest == game.digest
    for _ in range(60):
        if game.is_over:
            break
        action = game.sample(rng)
        game.apply(action)
        taken.apply(action)
        assert taken.digest == game.digest
    # What has begun from a position has a record as well, and again() begins there too.
    assert risk_cli.Game.from_record(taken.record()).digest == taken.digest
    again = taken.again(1)
    assert again.seed == ("1", 0)
    assert again.decisions == risk_cli.Game(position=text).decisions > 0


def test_a_match_from_a_position_is_that_of_the_command_line(tmp_path):
    game, rng = risk_cli.Game("hasbro", seed=4), risk_cli.Random(5)
    for _ in steps(game, rng, 120):
        pass
    text = game.position()
    path = tmp_path / "position.yaml"
    path.write_text(text)
    words = ["play", "--from", path, "--games", "3", "--format", "json", "--seed", "6"]
    said = run(*words, *(word for bot in ("odds", "holder", "random") for word in ("--bot", bot)))
    match = risk_cli.play_match(["odds", "holder", "random"], position=text, games=3, seed=6)
    assert match["digest"] == said["digest"]


def test_positions_that_can_not_be():
    game = risk_cli.Game("codelab", seed=1)
    text = game.position()
    for match, words in (
        ("`options`", {"position": text, "options": {"max_turns": 9}}),
        ("2.*3|3.*2", {"position": text, "players": 3}),
        ("./mine.rhai", {"position": text.replace("ruleset: codelab", "ruleset: ./mine.rhai")}),
        ("position", {"position": "nonsense"}),
        ("409600", {"position": text + "# " * 204_800}),
        ("atlantis", {"position": text.replace("alaska", "atlantis")}),
        ("alaska|duel|map", {"position": text, "map": "duel"}),
    ):
        with pytest.raises(risk_cli.RiskError, match=match):
            risk_cli.Game(**words)
    secret = risk_cli.Game("warzone", seed=1)
    while len(secret.deciders) < 2:
        secret.apply(secret.sample(risk_cli.Random(1)))
    assert secret.position()
    secret.apply(secret.sample(risk_cli.Random(1)))
    with pytest.raises(risk_cli.RiskError) as refused:
        secret.position()
    assert refused.type is risk_cli.RiskError
    for _ in steps(game, risk_cli.Random(1), 100_000):
        pass
    with pytest.raises(risk_cli.GameOver):
        game.position()


def test_a_clone_goes_its_own_way():
    game = risk_cli.Game("codelab", seed=1)
    rng = risk_cli.Random(1)
    for _ in steps(game, rng, 30):
        pass
    clones = [game.clone(), copy.copy(game), copy.deepcopy(game)]
    before = game.digest
    for clone in clones:
        assert clone.digest == before
        for _ in steps(clone, rng, 20):
            pass
        assert game.digest == before


def test_other_dice_are_another_game():
    game = risk_cli.Game("codelab", seed=1)
    ends = set()
    for seed in range(4):
        clone = game.clone()
        assert clone.record()
        clone.reseed(seed)
        for _ in steps(clone, risk_cli.Random(0), 10_000):
            pass
        ends.add(clone.digest)
        with pytest.raises(risk_cli.RiskError):
            clone.record()
    assert len(ends) == 4


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_imagined_game_is_what_the_player_sees(ruleset):
    game = risk_cli.Game(ruleset, seed=12)
    rng = risk_cli.Random(12)
    for number, player in enumerate(steps(game, rng, 120)):
        if number % 20:
            continue
        imagined = [game.imagine(player, seed) for seed in (1, 1, 2)]
        assert imagined[0].digest == imagined[1].digest
        for one in imagined:
            assert one.view(player) == game.view(player)
            assert one.legal(player).count == game.legal(player).count
            for _ in steps(one, rng, 10):
                pass
        with pytest.raises(risk_cli.RiskError):
            imagined[0].record()


def test_legal_actions():
    game = risk_cli.Game("codelab", seed=7)
    legal = game.legal()
    assert legal.verbs == ["place"]
    assert len(legal) == legal.count == len(legal.to_list()) == legal.offers()[0]["count"]
    assert legal[0] == legal.nth(-legal.count)
    assert legal[0] in legal and str(legal[0]) in legal
    assert "done" not in legal
    with pytest.raises(IndexError):
        legal.nth(legal.count)
    for rng in (risk_cli.Random(3), random.Random(3), np.random.default_rng(3)):
        drawn = {str(legal.sample(rng)) for _ in range(200)}
        assert len(drawn) > 60
    counts = np.zeros(legal.count)
    place = {str(action): index for index, action in enumerate(legal.to_list())}
    rng = risk_cli.Random(3)
    for _ in range(legal.count * 100):
        counts[place[str(legal.sample(rng))]] += 1
    assert ((counts - 100) ** 2 / 100).sum() < 2 * legal.count
    with pytest.raises(risk_cli.RiskError, match=r"random\(\).* 2"):
        legal.sample(type("Broken", (), {"random": lambda self: 2.0})())


def test_actions_in_all_forms():
    game = risk_cli.Game("codelab", seed=7)
    action = game.legal()[3]
    forms = [action, str(action), [action.verb, *action.args], action.numbers]
    assert {hash(game.action(form)) for form in forms} == {hash(action)}
    assert all(game.action(form) == action for form in forms)
    assert action != "place"
    truce = risk_cli.Game("warzone", seed=1)
    assert truce.action(["negotiate", 1]) == truce.action("negotiate 2")


def test_events_and_views_hide_what_is_hidden():
    game = risk_cli.Game("hasbro", seed=3, events=True)
    hidden = []
    rng = risk_cli.Random(3)
    for _ in steps(game, rng, 1500):
        clone = game.clone()
        hidden += [event for event in clone.events(2) if event["kind"] == "card"]
        for event in game.events():
            assert "kind" in event
    assert any(event["card"] is None for event in hidden)
    view = game.view(0)
    assert view["piles"]["deck"]["table"]["cards"] is None
    assert view["piles"]["hand"]["players"][1]["cards"] is None
    assert view["piles"]["hand"]["players"][0]["cards"] is not None
    with pytest.raises(risk_cli.RiskError, match="events=True"):
        risk_cli.Game("codelab").events()


def test_load_errors_have_codes(tmp_path):
    with pytest.raises(risk_cli.LoadError) as unknown:
        risk_cli.Game("hasbor")
    assert unknown.value.codes == ["load::unknown"]
    path = tmp_path / "rules.rhai"
    path.write_text("fn ruleset() {\n")
    with pytest.raises(risk_cli.LoadError) as syntax:
        risk_cli.Game(str(path))
    assert syntax.value.codes == ["script::syntax"]
    assert risk_cli.LoadError("raised in Python").codes == []


def test_wrong_use_is_an_exception():
    game = risk_cli.Game("codelab", seed=1)
    cases = [
        (lambda: game.apply("attack alaska kamchatka 3"), "attack"),
        (lambda: game.apply("place alaska"), "place"),
        (lambda: game.apply(["place", "alaska", 10**12]), "1000000000000"),
        (lambda: game.apply([200, 1]), "200"),
        (lambda: game.apply([]), r"\[\]"),
        (lambda: game.apply(game.legal()[0], 1), "player 1 has"),
        (lambda: game.apply(game.legal()[0], 9), "`player` must be from 0 to 1, found 9"),
        (lambda: game.legal(1), "player 1 has"),
        (lambda: game.view(2), "`player` must be from 0 to 1, found 2"),
        (lambda: risk_cli.Game("hasbro", players=99), "99"),
        (lambda: risk_cli.Game("hasbro", players=9), "3 to 6"),
        (lambda: risk_cli.Game("hasbor"), "hasbro"),
        (lambda: risk_cli.Game("hasbro", "wrold"), "world"),
        (lambda: risk_cli.Game("hasbro", options={"sixth": 1}), "sixth_set"),
        (lambda: risk_cli.Game("hasbro", budget=3), "`budget`"),
        (lambda: risk_cli.Game("codelab", bots=[None, "nobody"]), "nobody"),
        (lambda: risk_cli.play_match(["random", 5], "codelab"), "5"),
        (lambda: risk_cli.play_match(["random"] * 2, "codelab", games=0), "`games`"),
        (lambda: risk_cli.play_match(["random"] * 2, "codelab", seats="up"), "`seats`"),
    ]
    for call, words in cases:
        with pytest.raises(risk_cli.RiskError, match=words):
            call()


def test_after_the_end():
    game = risk_cli.Game("codelab", seed=1)
    last = None
    rng = risk_cli.Random(1)
    while not game.is_over:
        last = game.sample(rng)
        game.apply(last)
    with pytest.raises(risk_cli.GameOver):
        game.apply(last)
    with pytest.raises(risk_cli.GameOver):
        game.legal()
    assert sorted(game.ranking) == [1, 2]
    assert game.rewards[game.winners[0]] == 1.0 and sum(game.rewards) == 0.0


def elsewhere(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_a_game_goes_to_another_thread():
    here = risk_cli.Game("codelab", seed=1)
    there = here.clone()

    def play(game):
        while not game.is_over:
            game.apply(game.legal()[0])

    play(here)
    elsewhere(lambda: play(there))
    assert there.is_over and there.digest == here.digest
    # Rules that were compiled there are no other ones.
    assert there.score(0) == here.score(0)


def test_a_game_with_bots_stays_on_its_thread():
    bots = [None, "random"]
    game = risk_cli.Game("codelab", seed=1, bots=bots)
    found = []

    def use():
        try:
            game.apply(game.legal()[0])
        except risk_cli.WrongThread as error:
            found.append(str(error))

    elsewhere(use)
    assert len(found) == 1
    # It may die elsewhere all the same, and without bots it goes anywhere.
    holder = [risk_cli.Game("codelab", seed=1, bots=bots)]
    elsewhere(holder.clear)
    copy = game.clone()
    elsewhere(lambda: copy.apply(copy.legal()[0]))
    assert risk_cli.Game("codelab", seed=2, bots=bots).player == 0


def test_a_stranger_s_ruleset_can_nest_deep(tmp_path):
    path = tmp_path / "deep.rhai"
    path.write_text(
        'fn ruleset() { #{ extends: "codelab", name: "deep" } }\n'
        "fn down(n) { if n == 0 { 0 } else { 1 + down(n - 1) } }\n"
        "fn income(territories) { down(40) + territories / 3 }\n"
    )
    found = []

    def use():
        game = risk_cli.Game(str(path), seed=1)
        found.append(game.view(0)["counters"]["reserve"]["players"][0])

    threading.stack_size(256 * 1024)
    thread = threading.Thread(target=use)
    threading.stack_size(0)
    thread.start()
    thread.join()
    assert found == [49]


def test_a_greedy_script_is_stopped(tmp_path):
    path = tmp_path / "greedy.rhai"
    path.write_text(
        'fn ruleset() { #{ extends: "codelab", name: "greedy" } }\n'
        "fn setup(g) { let all = []; loop { all.push(all); } }\n"
    )
    with pytest.raises(risk_cli.RiskError):
        risk_cli.Game(str(path), seed=1)


def test_scores_and_pictures():
    game = risk_cli.Game("codelab", seed=1)
    assert [game.score(player) for player in (0, 1)] == [21, 21]
    assert game.svg().startswith("<svg")
    assert game.pixels().shape[2] == 3
    assert "21 territories" in game.text()
    assert "codelab on world" in repr(game)
    assert game.info()["players"]


CTRL_C = """
import os, risk_cli, signal
# Whoever started us in the background has the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    print("ready", flush=True)
    risk_cli.play_match(["general", "general"], "codelab", games=1_000_000)
except KeyboardInterrupt:
    # A second signal must not meet Python as it ends.
    os._exit(7)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_ctrl_c_ends_a_long_call():
    child = subprocess.Popen([sys.executable, "-c", CTRL_C], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    # The first signal may come before the long call begins, or while it ends.
    for _ in range(60):
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            pass
    child.kill()
    assert child.wait() == 7


def test_memory_stays_flat():
    resource = pytest.importorskip("resource")
    rng = risk_cli.Random(1)
    game = risk_cli.Game("codelab", seed=1)
    encoding = risk_cli.Encoding(game)

    def play(count):
        for number in range(count):
            if game.is_over:
                game.restart(number)
            encoding.observe(game, 0)
            game.clone().legal()
            game.apply(game.sample(rng))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(20_000)
    assert play(60_000) - before < 8_000


def test_a_bot_is_told_no_chances_that_are_not_those_of_the_fights(tmp_path):
    rules = tmp_path / "mine.rhai"
    rules.write_text("""
fn ruleset() { #{ extends: "codelab", name: "mine", phases: #{ attack: script() } } }
fn attack_options(g, me, out) { out.offer(DONE); }
fn attack_apply(g, me, said) { g.done(me); }
""")
    bot = tmp_path / "asks.rhai"
    bot.write_text("""
fn answer(view, ask) {
    if view.has_odds || view.has_chances { throw "there are none"; }
    ask.random()
}
""")
    game = risk_cli.Game(str(rules), "duel", bots=[str(bot), None], seed=3, events=True)
    rng = risk_cli.Random(3)
    for _ in steps(game, rng, 60):
        assert not [event for event in game.events() if event["kind"] == "fault"]
