"""What PettingZoo and Gymnasium ask of an environment, for every ruleset on two maps."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
import risk_cli
from common import MAPS, RULESETS
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel
from risk_cli.gym import RiskEnv
from risk_cli.pettingzoo import RiskAEC, RiskParallel
from risk_cli.vector import RiskVectorEnv

#: Games that end before a test does.
SHORT = {"max_turns": 12}
SECRET = [(ruleset, map) for ruleset, map in MAPS if ruleset.startswith("war")]


def options(ruleset):
    """Short games, where the ruleset can be told so."""
    return SHORT if "max_turns" in risk_cli.Game(ruleset).options else None


@pytest.fixture(autouse=True)
def quiet():
    """Both tests warn of spaces that are dictionaries, and of negative numbers in arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_aec(ruleset, map):
    api_test(RiskAEC(ruleset, map, options=options(ruleset)), num_cycles=60)


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_aec_seeds(ruleset, map):
    seed_test(lambda: RiskAEC(ruleset, map, options=options(ruleset)), num_cycles=40)


def test_flat_aec():
    settings = {"map": "duel", "actions": "flat", "buckets": [4], "options": SHORT}
    api_test(RiskAEC("codelab", **settings), num_cycles=60)
    seed_test(lambda: RiskAEC("codelab", **settings), num_cycles=60)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_aec_renders(ruleset, capsys):
    modes = {"svg": lambda text: text.startswith("<svg"), "human": lambda nothing: nothing is None}
    render_test(
        lambda render_mode: RiskAEC(ruleset, options=options(ruleset), render_mode=render_mode),
        custom_tests=modes,
    )
    assert "territories" in capsys.readouterr().out


def test_aec_is_not_parallel():
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(RiskAEC("codelab"))


@pytest.mark.parametrize(("ruleset", "map"), SECRET)
def test_parallel(ruleset, map):
    parallel_api_test(RiskParallel(ruleset, map, options=options(ruleset)), num_cycles=60)


@pytest.mark.parametrize(("ruleset", "map"), SECRET)
def test_parallel_is_the_same_game_as_aec(ruleset, map):
    together = RiskParallel(ruleset, map, options=options(ruleset))
    alone = RiskAEC(ruleset, map, options=options(ruleset))
    together.reset(seed=3)
    alone.reset(seed=3)
    for seat, agent in enumerate(together.agents):
        together.action_space(agent).seed(seat)
    for _ in range(40):
        if not together.agents:
            break
        actions = {agent: together.action_space(agent).sample() for agent in together.agents}
        for agent, action in actions.items():
            if action[0] != together.wait:
                assert alone.agent_selection == agent
                alone.step(action)
        together.step(actions)
        assert together.game.digest == alone.game.digest


def test_parallel_needs_secret_rounds():
    with pytest.raises(risk_cli.RiskError, match="RiskAEC"):
        RiskParallel("codelab")


def test_parallel_refuses_whole_steps():
    env = RiskParallel("warzone")
    env.reset(seed=1)
    before = env.game.digest
    actions = {agent: env.action_space(agent).sample() for agent in env.agents}
    with pytest.raises(ValueError, match="player_1"):
        env.step({"player_0": actions["player_0"]})
    actions["player_1"] = np.full_like(actions["player_1"], 10**6)
    with pytest.raises(risk_cli.IllegalAction, match="1000000.*`verb`"):
        env.step(actions)
    assert env.game.digest == before


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_gymnasium(ruleset, map):
    settings = {"map": map, "options": options(ruleset)}
    check_env(gymnasium.make(f"risk/{ruleset}-v0", **settings).unwrapped)


def test_flat_gymnasium():
    check_env(RiskEnv("codelab", "duel", actions="flat", buckets=[4]))


def test_gymnasium_with_bots_is_the_match_of_the_library():
    env = RiskEnv("codelab", players=3, seat=1, opponents={0: "holder", 2: "outnumber"})
    env.reset(seed=9)
    env.action_space.seed(9)
    over = False
    while not over:
        _, reward, over, _, _ = env.step(env.action_space.sample())
    record = env.game.record()
    again = risk_cli.Game.from_record(record)
    assert again.digest == env.game.digest
    assert reward == env.game.rewards[1]


def test_an_illegal_action_ends_or_raises():
    nonsense = np.full(5, 99)
    ends = RiskEnv("codelab")
    ends.reset(seed=1)
    _, reward, over, _, info = ends.step(nonsense)
    assert (reward, over) == (-1.0, True)
    assert "99" in info["illegal"] and "`verb`" in info["illegal"]
    with pytest.raises(ResetNeeded):
        ends.step(nonsense)
    raises = RiskEnv("codelab", illegal="raise")
    raises.reset(seed=1)
    with pytest.raises(risk_cli.IllegalAction):
        raises.step(nonsense)
    raises.step(raises.action_space.sample())


@pytest.mark.parametrize(("ruleset", "map"), MAPS)
def test_vector_is_the_same_games_for_any_threads(ruleset, map):
    def play(threads):
        env = RiskVectorEnv(6, ruleset, map, options=options(ruleset), threads=threads)
        env.reset(seed=4)
        trace = []
        for _ in range(60):
            _, rewards, over, _, info = env.step(env.sample())
            trace.append((rewards.tolist(), over.tolist(), info["player"].tolist()))
        return trace, env.games.digests()

    assert play(1) == play(2)


def test_vector_games_are_those_that_are_stepped_by_hand():
    env = RiskVectorEnv(4, "codelab", options=SHORT, threads=2)
    env.reset(seed=11)
    games = [risk_cli.Game("codelab", options=SHORT, seed=11, game=row) for row in range(4)]
    encoding = risk_cli.Encoding(games[0])
    over = np.zeros(4, dtype=bool)
    for _ in range(400):
        actions = env.sample()
        seen, rewards, ended, cut, info = env.step(actions)
        ended |= cut
        for row, game in enumerate(games):
            if over[row]:
                seed, number = game.seed
                game.restart(seed, number + 4)
            else:
                game.apply(encoding.decode(game, actions[row].tolist()))
            assert ended[row] == (game.is_over and not over[row])
            player = int(info["player"][row])
            territories, rest = encoding.observe(game, player)
            assert np.array_equal(seen["territories"][row], territories)
            assert np.array_equal(seen["globals"][row], rest)
            if not game.is_over:
                assert game.player == player
                assert np.array_equal(info["action_mask"][row], encoding.mask(game))
        over = ended
        assert env.games.digests() == [game.digest for game in games]


def test_environments_begin_from_a_position():
    game, rng = risk_cli.Game("codelab", seed=3), risk_cli.Random(3)
    while game.round < 3:
        game.apply(game.sample(rng))
    text, seat = game.position(), game.player
    aec, own = RiskAEC(position=text), RiskEnv(position=text, seat=seat)
    vector = RiskVectorEnv(3, position=text, threads=2)
    land, rest = risk_cli.Encoding(game).observe(game, seat)
    for _ in range(2):
        aec.reset(seed=8)
        assert aec.game.view(seat) == game.view(seat)
        seen, _ = own.reset(seed=8)
        many, _ = vector.reset(seed=8)
        for one in (seen, *({key: many[key][row] for key in many} for row in range(3))):
            assert np.array_equal(one["territories"], land)
            assert np.array_equal(one["globals"], rest)
        # The dice are those of the seed, and of each game's number.
        assert len({aec.game.digest, game.digest, *vector.games.digests()}) == 4
        for _ in range(50):
            vector.step(vector.sample())
    orders = risk_cli.Game("warzone", seed=3)
    while len(orders.deciders) < 2:
        orders.apply(orders.sample(rng))
    parallel = RiskParallel(position=orders.position())
    parallel.reset(seed=8)
    assert parallel.game.view(0) == orders.view(0)


def test_vector_with_bots():
    env = gymnasium.make_vec("risk/codelab-v0", num_envs=5, opponents="holder", options=SHORT)
    env.reset(seed=2)
    wins = 0
    for _ in range(300):
        _, rewards, over, _, info = env.step(env.sample())
        assert (info["player"] == 0).all()
        assert (rewards[~over] == 0).all()
        wins += over.sum()
    assert wins > 0


@pytest.mark.parametrize("settings", [{}, {"actions": "flat", "buckets": [4]}, {"opponents": "holder"}])
def test_the_action_space_of_many_games_samples_legal_actions(settings):
    def digests(seed, threads):
        env = gymnasium.make_vec("risk/codelab-v0", num_envs=5, map="duel", threads=threads, **settings)
        env.action_space.seed(seed)
        assert env.action_space.sample() in env.action_space
        env.reset(seed=1)
        for _ in range(300):
            actions = env.action_space.sample()
            assert actions in env.action_space
            env.step(actions)
        for alone in (copy.deepcopy(env.action_space), pickle.loads(pickle.dumps(env.action_space))):
            assert alone == env.action_space
            assert alone.sample() in env.action_space
        return env.unwrapped.games.digests()

    assert digests(3, 1) == digests(3, 2)
    assert digests(3, 1) != digests(4, 1)


@pytest.mark.parametrize("settings", [{}, {"actions": "flat", "buckets": [4]}])
def test_no_mask_of_many_games_is_empty(settings):
    env = RiskVectorEnv(4, "codelab", "duel", options=SHORT, **settings)
    _, info = env.reset(seed=1)
    ended = 0
    for _ in range(400):
        assert info["action_mask"].any(axis=1).all()
        if not settings:
            first = info["action_mask"].argmax(axis=1)[:, np.newaxis]
            assert env.mask(first).any(axis=1).all()
        _, _, terminated, truncated, info = env.step(env.sample())
        over = terminated | truncated
        ended += over.sum()
        assert (info["action_mask"][over].sum(axis=1) == 1).all() and info["action_mask"][over, 0].all()
    assert ended > 4


def test_vector_refuses_illegal_actions():
    env = RiskVectorEnv(3, "codelab")
    env.reset(seed=2)
    actions = env.sample()
    actions[1] = 77
    with pytest.raises(risk_cli.IllegalAction, match="game 1: 77 "):
        env.step(actions)
    ends = RiskVectorEnv(3, "codelab", illegal="end")
    ends.reset(seed=2)
    _, rewards, over, _, _ = ends.step(actions)
    assert over.tolist() == [False, True, False]
    assert rewards.tolist() == [0.0, -1.0, 0.0]


def rows_of(env, observations, infos):
    """What a step or a reset tells of each game."""
    arrays = [*observations.values(), *infos.values()]
    return [[array[row].tolist() for array in arrays] for row in range(env.num_envs)]


@pytest.mark.parametrize("copy", [True, False])
def test_a_masked_reset_sets_up_only_its_games(copy):
    env = RiskVectorEnv(4, "codelab", "duel", threads=2, copy=copy)
    env.reset(seed=7)
    for _ in range(20):
        observations, _, _, _, infos = env.step(env.sample())
    before, digests = rows_of(env, observations, infos), env.games.digests()
    mask = np.array([True, False, False, True])
    # The next games of the rows, in the numbers of seed 7.
    after = rows_of(env, *env.reset(options={"reset_mask": mask}))
    assert after[1:3] == before[1:3]
    assert env.games.digests() == [start_of(7, 4), digests[1], digests[2], start_of(7, 7)]
    # The first games of the rows, in the numbers of another seed.
    mask = np.array([False, True, False, True])
    last = rows_of(env, *env.reset(seed=9, options={"reset_mask": mask}))
    assert [last[0], last[2]] == [after[0], before[2]]
    assert env.games.digests() == [start_of(7, 4), start_of(9, 1), digests[2], start_of(9, 3)]
    fresh = RiskVectorEnv(4, "codelab", "duel")
    wanted = rows_of(fresh, *fresh.reset(seed=9))
    assert [last[1], last[3]] == [wanted[1], wanted[3]]


def start_of(seed, number):
    """The digest of a game after its set-up."""
    return risk_cli.Game("codelab", "duel", seed=seed, game=number).digest


def test_a_masked_reset_of_a_finished_game_is_its_next_start():
    env = RiskVectorEnv(3, "codelab", "duel", options=SHORT, threads=1)
    env.reset(seed=5)
    over = np.zeros(3, dtype=bool)
    while not over.any():
        _, _, ended, cut, _ = env.step(env.sample())
        over = ended | cut
    row = int(over.argmax())
    _, infos = env.reset(options={"reset_mask": np.arange(3) == row})
    game = risk_cli.Game("codelab", "duel", options=SHORT, seed=5, game=row + 3)
    assert env.games.digests()[row] == game.digest
    assert infos["action_mask"][row].any()
    actions = env.sample()
    _, _, ended, _, _ = env.step(actions)
    game.apply(risk_cli.Encoding(game).decode(game, actions[row]))
    assert env.games.digests()[row] == game.digest
    assert not ended[row]


def test_vector_masks_follow_factors():
    env = RiskVectorEnv(8, "codelab")
    env.reset(seed=2)
    draw = np.random.default_rng(2)
    for _ in range(50):
        given = np.zeros((8, 0), dtype=np.int32)
        for _ in env.encoding.factors:
            mask = env.mask(given)
            chosen = [draw.choice(np.flatnonzero(row)) for row in mask]
            given = np.column_stack([given, chosen])
        env.step(given)


def test_render_modes_of_gymnasium():
    assert "territories" in _rendered("ansi")
    assert _rendered("svg").startswith("<svg")
    pixels = _rendered("rgb_array")
    assert pixels.dtype == np.uint8 and pixels.shape[2] == 3
    with pytest.raises(ValueError, match="'hologram'"):
        RiskEnv("codelab", render_mode="hologram")


def _rendered(mode):
    env = RiskEnv("codelab", render_mode=mode)
    env.reset(seed=1)
    return env.render()
