"""Games, encodings, actions and random numbers that are pickled or copied go on like the original."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import risk_cli
from common import RULESETS, steps

COPIES = [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]


def play(game, count, seed=3):
    """Plays at random."""
    for _ in steps(game, risk_cli.Random(seed), count):
        pass


def assert_same_course(one, other, count=40):
    """Both games are the same, and stay the same."""
    rng = [risk_cli.Random(8), risk_cli.Random(8)]
    for _ in range(count):
        assert one.digest == other.digest
        assert one.deciders == other.deciders
        assert [one.is_over, one.seed, one.round] == [other.is_over, other.seed, other.round]
        if one.is_over:
            break
        for game, numbers in zip((one, other), rng):
            game.apply(game.sample(numbers))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("made", COPIES)
def test_games(ruleset, made):
    game = risk_cli.Game(ruleset, seed="a-seed", game=4, events=True)
    play(game, 50)
    game.events()
    play(game, 5)
    other = made(game)
    assert other.events() == game.clone().events() != []
    assert other.record() == game.record()
    assert_same_course(game, other)


@pytest.mark.parametrize("made", COPIES)
def test_bots_play_on_in_copies(made):
    bots = [None, "outnumber", "random"]
    game = risk_cli.Game("hasbro", seed=2, bots=bots)
    play(game, 12)
    other = made(game)
    assert_same_course(game, other)
    game.restart(5)
    other.restart(5)
    assert_same_course(game, other)
    # The copies are independent.
    play(other, 5)
    assert game.digest != other.digest


def test_bots_play_on_in_a_pickle_of_another_thread():
    game = risk_cli.Game("hasbro", seed=2, bots=[None, "outnumber", "random"])
    play(game, 12)
    with ThreadPoolExecutor(1) as pool:
        saved = pool.submit(pickle.dumps, game).result()
    assert_same_course(game, pickle.loads(saved))


@pytest.mark.parametrize("made", COPIES)
def test_games_in_a_search(made):
    game = risk_cli.Game("hasbro", seed=2, bots=[None, "outnumber", "random"])
    play(game, 6)
    for _ in range(3):
        search = game.imagine(game.player, 7)
        play(search, 4)
        search.reseed(9)
        play(search, 4)
        game = search.clone()
    with pytest.raises(risk_cli.RiskError, match="no record"):
        game.record()
    assert_same_course(game, made(game))


def test_a_long_chain_of_copies():
    game = risk_cli.Game("codelab", seed=1)
    for _ in range(20_000):
        game = game.clone()
        game.reseed(1)
    assert len(pickle.dumps(game)) > 20_000


@pytest.mark.parametrize("made", COPIES)
def test_games_of_records_and_positions(made):
    game = risk_cli.Game("codelab", seed=6)
    play(game, 60)
    taken_up = risk_cli.Game.from_record(game.record(), 40)
    play(taken_up, 4)
    assert_same_course(taken_up, made(taken_up))
    from_position = risk_cli.Game(position=game.position(), seed=4)
    play(from_position, 4)
    assert_same_course(from_position, made(from_position))


def test_a_game_whose_files_have_changed(tmp_path):
    path = tmp_path / "own.rhai"
    text = (Path(__file__).parents[2] / "rulesets" / "codelab.rhai").read_text()
    path.write_text(text)
    game = risk_cli.Game(str(path), seed=1)
    play(game, 30)
    saved = pickle.dumps(game)
    assert pickle.loads(saved).digest == game.digest
    path.write_text(text.replace("max(armies, ", "max(armies + 1, "))
    with pytest.raises(risk_cli.RiskError):
        pickle.loads(saved)
    path.unlink()
    with pytest.raises(risk_cli.LoadError):
        pickle.loads(saved)


@pytest.mark.parametrize("made", COPIES)
def test_encodings_actions_and_random_numbers(made):
    game = risk_cli.Game("warzone", options={"fog": "none"}, players=3)
    encoding = risk_cli.Encoding(game, buckets=[4, 4], orders=10)
    other = made(encoding)
    assert other.factors == encoding.factors
    assert other.fields == encoding.fields
    assert (other.mask(game) == encoding.mask(game)).all()
    action = game.sample(risk_cli.Random(1))
    assert made(action) == action
    assert str(made(action)) == str(action)


def test_an_action_of_a_match_has_words_to_pickle():
    def bot(turn):
        with pytest.raises(TypeError, match="str"):
            pickle.dumps(turn.sample())
        return turn.sample()

    risk_cli.play_match([("one", bot), "random"], "codelab", options={"max_turns": 4})


def test_forged_text():
    game = risk_cli.Game("codelab", seed=1)
    play(game, 3)
    _, (text, callables) = game.__reduce__()
    assert callables == []
    forged = [
        "{}",
        text[:-9],
        text.replace('"number":0', '"number":1'),
        text.replace('{"act":[', '{"act":[9', 1),
        text.replace('{"act":[0,', '{"act":[0,99', 1),
        text.replace('{"Setup":{"seated":false}}', '{"Record":{"decision":1}}'),
    ]
    assert risk_cli.Game._restored(text, []).digest == game.digest
    for wrong in forged:
        assert wrong != text
        with pytest.raises(risk_cli.RiskError):
            risk_cli.Game._restored(wrong, [])


@pytest.mark.parametrize("made", [copy.copy, copy.deepcopy])
def test_a_copy_of_random_numbers_goes_on_like_them(made):
    rng = risk_cli.Random(4, 2)
    rng.below(1000)
    again = made(rng)
    assert [rng.below(2**63) for _ in range(9)] == [again.below(2**63) for _ in range(9)]


# Only a library with debug assertions counts its compilations.
if hasattr(risk_cli._risk_cli, "_compilations"):

    def test_a_ruleset_is_compiled_once():
        compilations = risk_cli._risk_cli._compilations
        options = {"max_turns": 77}
        first = risk_cli.Game("simplified", options=options)
        count = compilations()
        bots = [None] + ["random"] * (first.players - 1)
        for players in (first.players, None):
            risk_cli.Game("simplified", options=options, players=players)
            risk_cli.Game("simplified", options=options, bots=bots)
            pickle.loads(pickle.dumps(first))
        assert compilations() == count
        risk_cli.Game("simplified", options={"max_turns": 78})
        assert compilations() == count + 1
