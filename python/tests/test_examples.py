"""The examples do what they promise: nets learn, runs repeat, and a search finds what an exhaustive one finds."""

import itertools
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import risk_cli

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

pytest.importorskip("gymnasium")
import ppo  # noqa: E402
import self_play  # noqa: E402


def test_the_guide_names_every_example():
    guide = (EXAMPLES.parents[1] / "docs/python.md").read_text(encoding="utf-8")
    section = guide[guide.index("## Examples\n") : guide.index("## How fast\n")]
    missing = [file.name for file in EXAMPLES.iterdir() if file.is_file() and f"`{file.name}`" not in section]
    assert not missing


def check_learned(scores):
    """The interval of the share of wins after training is above the one before."""
    before, after = scores
    assert after.interval[0] > before.interval[1], f"{before} before, {after} after"


def learner(seed, use_torch=False, kind=ppo.Learner):
    encoding = risk_cli.Encoding(ppo.usual_game(ppo.GAME), buckets=ppo.GAME["buckets"])
    return kind(encoding, seed, use_torch, None)


def trained(seed, steps, **settings):
    found = learner(seed, **settings)
    found.train("random", ppo.GAME, ppo.limit(found, steps, None))
    return found.net.arrays()


def alike(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other))


def test_masked_samples_have_the_chances_of_the_logits():
    logits = np.tile(np.array([1.0, 3.0, 0.0, 2.0], dtype=np.float32), (20_000, 1))
    mask = np.tile([True, False, True, True], (20_000, 1))
    drawn = ppo.masked_sample(logits, mask, np.random.default_rng(1))
    found = np.bincount(drawn, minlength=4) / 20_000
    expected = np.exp(ppo.log_softmax(logits, mask)[0])
    assert found[1] == expected[1] == 0
    assert np.abs(found - expected).max() < 0.02
    assert (ppo.masked_sample(logits, mask, None) == 3).all()


def batch_of(found, rows=40):
    """A batch of drawn numbers, with other chances than the net has."""
    rng = np.random.default_rng(2)
    sizes = found.factors
    masks = rng.random((rows, sum(sizes))) < 0.6
    actions = np.column_stack([rng.integers(size, size=rows) for size in sizes])
    masks[np.arange(rows)[:, np.newaxis], actions + np.cumsum([0, *sizes[:-1]])] = True
    features = rng.standard_normal((rows, found.features.size)).astype(np.float32)
    given = np.zeros(rows, dtype=np.float32)
    seen, _ = found.net.start(features)
    for factor, end in enumerate(np.cumsum(sizes)):
        logs = ppo.log_softmax(found.net.logits(seen, actions[:, :factor]), masks[:, end - sizes[factor] : end])
        given += logs[np.arange(rows), actions[:, factor]]
    chances, advantages, returns = (rng.standard_normal(rows).astype(np.float32) for _ in range(3))
    return ppo.Batch(features, masks, actions, given + 0.3 * chances, advantages, returns)


def loss(net, batch):
    rows = np.arange(len(batch.actions))
    seen, values = net.start(batch.features)
    chance, entropy, end = 0, 0, 0
    for factor, size in enumerate(net.factors):
        logs = ppo.log_softmax(net.logits(seen, batch.actions[:, :factor]), batch.masks[:, end : end + size])
        end += size
        chance = chance + logs[rows, batch.actions[:, factor]]
        entropy = entropy - (np.exp(logs) * logs).sum(axis=1)
    ratio = np.exp(chance - batch.chances)
    gain = np.minimum(ratio * batch.advantages, np.clip(ratio, 1 - ppo.CLIP, 1 + ppo.CLIP) * batch.advantages)
    return (ppo.VALUE / 2 * (values - batch.returns) ** 2 - gain - ppo.ENTROPY * entropy).mean()


def test_the_gradients_are_those_of_the_loss():
    found = learner(1)
    batch = batch_of(found)
    batch = batch._replace(features=batch.features.astype(np.float64))
    rng = np.random.default_rng(3)
    # Larger logits than those of new nets: no gradient is to be small.
    found.net.weights = [array + 0.1 * rng.standard_normal(array.shape) for array in found.net.weights]
    grads = found.net.gradients(batch)
    for weights, grad in zip(found.net.weights, grads):
        along = rng.standard_normal(weights.shape)
        saved, step = weights.copy(), 1e-6
        weights[...] = saved + step * along
        above = loss(found.net, batch)
        weights[...] = saved - step * along
        below = loss(found.net, batch)
        weights[...] = saved
        assert (above - below) / (2 * step) == pytest.approx((grad * along).sum(), rel=1e-4, abs=1e-7)


@pytest.mark.optional
def test_torch_learns_what_numpy_learns():
    pytest.importorskip("torch")
    nets = [learner(1, use_torch) for use_torch in (False, True)]
    batch = batch_of(nets[0])
    for _ in range(5):
        for found in nets:
            found.net.learn(batch, 1e-3)
    new, first = (found.net.arrays() for found in (nets[0], learner(1)))
    assert max(np.abs(a - b).max() for a, b in zip(new, first)) > 1e-3
    for a, b in zip(*(found.net.arrays() for found in nets)):
        assert np.abs(a - b).max() < 1e-4


def advantages_one_by_one(rewards, values, last, terminated, ended):
    """The definition: a sum of errors that ends with the game."""
    found = np.zeros_like(values)
    following = np.concatenate([values[1:], [last]])
    errors = rewards + ppo.DISCOUNT * following * ~terminated - values
    for begin in range(len(values)):
        factor = 1
        for step in range(begin, len(values)):
            found[begin] += factor * errors[step]
            if ended[step]:
                break
            factor *= ppo.DISCOUNT * ppo.TRACE
    return found


def drawn_games(length=30, games=5):
    rng = np.random.default_rng(4)
    values = rng.standard_normal((length, games))
    ended = rng.random((length, games)) < 0.15
    return rng, values, ended, rng.standard_normal(games)


def test_advantages_are_sums_of_errors():
    rng, values, ended, last = drawn_games()
    terminated = ended & (rng.random(ended.shape) < 0.5)
    rewards = rng.standard_normal(ended.shape)
    found = ppo.advantages_of(rewards, values, last, terminated, ended)
    for game in range(values.shape[1]):
        parts = (part[:, game] for part in (rewards, values))
        expected = advantages_one_by_one(*parts, last[game], terminated[:, game], ended[:, game])
        assert found[:, game] == pytest.approx(expected)


def test_advantages_by_player_are_those_of_the_players_own_decisions():
    rng, values, ended, last = drawn_games()
    length, games = values.shape
    begins = np.zeros_like(ended)
    for step in range(1, length):
        begins[step] = ended[step - 1]
        ended[step] &= ~begins[step]
    players = rng.integers(2, size=values.shape)
    rewards = rng.standard_normal((length, games, 2))
    last_players = rng.integers(2, size=games)
    found, counts = self_play.advantages_by_player(rewards, values, players, ended, begins, last, last_players)
    expected = np.full_like(values, np.nan)
    for game, player in np.ndindex(games, 2):
        edges = [0, *np.flatnonzero(begins[:, game]), length]
        for begin, end in zip(edges, edges[1:]):
            own = [step for step in range(begin, end) if players[step, game] == player and not begins[step, game]]
            over = ended[end - 1, game]
            after = last[game]
            if own and not over and last_players[game] != player:
                after = values[own.pop(), game]
            if own:
                gains, ends = np.zeros(len(own)), np.zeros(len(own), dtype=bool)
                gains[-1], ends[-1] = rewards[end - 1, game, player] * over, over
                expected[own, game] = advantages_one_by_one(gains, values[own, game], after, ends, ends)
    assert (counts == ~np.isnan(expected)).all()
    assert counts.sum() > length * games / 2
    assert found[counts] == pytest.approx(expected[counts], abs=1e-5)


def test_a_draw_in_the_last_turn_is_a_loss(monkeypatch):
    seen, usual = [], ppo.advantages_of
    monkeypatch.setattr(ppo, "advantages_of", lambda *given: seen.append(given) or usual(*given))
    found = learner(1)
    found.train("random", {**ppo.GAME, "options": {"max_turns": 4}}, ppo.limit(found, 4_000, None))
    for rewards, _, _, terminated, ended in seen:
        assert ended.any() and (terminated == ended).all()
        assert (np.abs(rewards[ended]) == 1).all() and not rewards[~ended].any()


def test_ppo_repeats():
    first = trained(1, 4_000)
    assert alike(first, trained(1, 4_000))
    assert not alike(first, trained(2, 4_000))
    assert not alike(first, learner(1).net.arrays())


def test_evaluations_repeat_and_play_every_seat():
    policy = learner(1).policy()
    scores = ppo.evaluate(policy, "random", ppo.GAME, 20)
    assert [score.games for score in scores] == [10, 10]
    assert scores == ppo.evaluate(policy, "random", ppo.GAME, 20)
    assert scores != ppo.evaluate(policy, "random", ppo.GAME, 20, seed=1)


def test_intervals_are_wilsons():
    # The example of most textbooks: 81 of 263.
    low, high = ppo.Score(81, 0, 263).interval
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_ppo_learns():
    scores = ppo.main(["--numpy", "--steps", "30000", "--opponent", "random", "--games", "300"])
    check_learned(scores["random"])


@pytest.mark.slow
@pytest.mark.parametrize("main", [ppo.main, self_play.main], ids=["ppo", "self_play"])
def test_examples_play_tasks(main, capsys):
    scores = main(["--numpy", "--task", "risk/duel-v1", "--steps", "4096", "--opponent", "random", "--games", "6"])
    assert list(scores) == ["random"]
    assert "risk/duel-v1: net 1 wins" in capsys.readouterr().out


@pytest.mark.slow
def test_ppo_learns_to_beat_outnumber():
    scores = ppo.main(["--numpy", "--steps", "250000", "--games", "500"])
    for pair in scores.values():
        check_learned(pair)


@pytest.mark.optional
def test_ppo_learns_with_torch():
    pytest.importorskip("torch")
    scores = ppo.main(["--torch", "--steps", "40000", "--opponent", "random", "--games", "300"])
    check_learned(scores["random"])


def test_seats_are_drawn_for_each_game():
    drawn = [self_play.draw_seats(1, game, 3, 4) for game in range(300)]
    assert drawn == [self_play.draw_seats(1, game, 3, 4) for game in range(300)]
    assert drawn != [self_play.draw_seats(2, game, 3, 4) for game in range(300)]
    assert all(None in seats for seats in drawn)
    for seat in range(3):
        assert {seats[seat] for seats in drawn} == {None, 0, 1, 2, 3}
    assert self_play.draw_seats(1, 0, 2, 0) == [None, None]


def played_alone(seed, steps):
    found = learner(seed, kind=self_play.SelfPlay)
    found.train_alone(ppo.GAME, seed, ppo.limit(found, steps, None))
    return found


def test_self_play_repeats(monkeypatch):
    monkeypatch.setattr(self_play, "UPDATES", 1)
    first = played_alone(1, 12_000)
    assert len(first.pool) == 3
    assert not alike(first.pool[0].arrays(), first.pool[1].arrays())
    assert alike(first.net.arrays(), played_alone(1, 12_000).net.arrays())


@pytest.mark.slow
def test_self_play_learns_to_beat_bots():
    words = ["--numpy", "--steps", "400000", "--opponent", "random", "outnumber", "--games", "500"]
    for pair in self_play.main(words).values():
        check_learned(pair)


@pytest.mark.optional
def test_maskable_ppo_learns_with_legal_actions_alone():
    pytest.importorskip("sb3_contrib")
    import maskable_ppo

    # An illegal action raises: in training, and in the evaluation.
    check_learned(maskable_ppo.main(["--steps", "40000", "--games", "150"]))


FOUR = str(EXAMPLES / "four.yaml")


def position(turns, reserve, **lands):
    """A position on four territories in the first player's turn: units of the first player are positive, those of the
    second negative. Without a reserve the turn is in its attacks."""
    text = risk_cli.Game("codelab", FOUR, options={"max_turns": turns}, seed=1).position()
    for player, sign in ((1, 1), (2, -1)):
        rows = "".join(f"      {name}: {sign * count}\n" for name, count in lands.items() if sign * count > 0)
        pattern = rf"(name: player {player}\n(?:    counters:\n.*\n)?    land:\n)(?:      \w+: \d+\n)+"
        text, found = re.subn(pattern, lambda match: match[1] + rows, text)
        assert found == 1
    if reserve:
        return text.replace("reserve: 3", f"reserve: {reserve}")
    text = text.replace("    counters:\n      reserve: 3\n", "")
    text = re.sub(r"  - \{phase: deploy,.*\n", "", text)
    return re.sub(r"(phase: attack, [^}]*)", r"\1, opened: true", text)


def chances_of_losses(attack, defence):
    """How likely the defender loses so many units, by all dice: the higher dice are compared, and ties defend."""
    counts = {}
    for dice in itertools.product(range(1, 7), repeat=attack + defence):
        pairs = zip(sorted(dice[:attack], reverse=True), sorted(dice[attack:], reverse=True))
        losses = sum(mine > other for mine, other in pairs)
        counts[losses] = counts.get(losses, 0) + 1
    return {losses: count / 6 ** (attack + defence) for losses, count in counts.items()}


CHANCES = {(attack, defence): chances_of_losses(attack, defence) for attack in (1, 2, 3) for defence in (1, 2)}


class Exhaustive:
    """Searches all games to their ends, with the exact chances of dice."""

    def __init__(self, encoding):
        self.encoding = encoding
        self.known = {}

    def moves(self, game):
        """The expected reward of the first player after each action."""
        return {int(number): self.after(game, int(number)) for number in np.flatnonzero(self.encoding.flat_mask(game))}

    def after(self, game, number):
        factors = self.encoding.flat_to_factors(number)
        action = self.encoding.decode(game, factors)
        if action.verb != "attack":
            after = game.clone()
            after.apply(action)
            return self.value(after)
        target = factors[2]
        units = self.encoding.observe(game, 0)[0][target]
        chances = CHANCES[action.args[2], min(units[1], 2)]
        found = {}
        for seed in itertools.count():
            after = game.clone()
            after.reseed(seed)
            after.apply(action)
            rest = self.encoding.observe(after, 0)[0][target]
            losses = int(units[1] - rest[1]) if rest[0] == units[0] else int(units[1])
            found.setdefault(losses, after)
            if found.keys() == chances.keys():
                return sum(chances[losses] * self.value(after) for losses, after in found.items())

    def value(self, game):
        if game.is_over:
            return game.rewards[0]
        territories, rest = self.encoding.observe(game, 0)
        key = territories.tobytes() + rest.tobytes()
        if key not in self.known:
            best = max if game.player == 0 else min
            self.known[key] = best(self.moves(game).values())
        return self.known[key]


#: Positions, and how much better than the worst action the best one is, at least.
POSITIONS = {
    "place to win": (position(2, 1, north=-1, east=1, south=2, west=1), 0.1),
    "place to hold": (position(2, 1, north=1, east=-2, south=2, west=3), 0.25),
    "attack": (position(2, 0, north=-2, east=1, south=3, west=1), 0.3),
}


@pytest.mark.optional
@pytest.mark.parametrize(("text", "stake"), POSITIONS.values(), ids=POSITIONS)
def test_a_search_of_openspiel_finds_the_best_action(text, stake, tmp_path):
    pyspiel = pytest.importorskip("pyspiel")
    import open_spiel_game

    file = tmp_path / "four.position"
    file.write_text(text, encoding="utf-8")
    game = pyspiel.load_game("python_risk", {"position": str(file), "map": FOUR})
    moves = Exhaustive(game.rules.encoding).moves(game.begin)
    best = max(moves.values())
    assert best - min(moves.values()) >= stake, moves
    for seed in (1, 2):
        chosen = open_spiel_game.search_bot(game, 600, seed).step(game.new_initial_state())
        # There may be several best actions.
        assert moves[chosen] == pytest.approx(best), (seed, chosen, moves)


@pytest.mark.optional
@pytest.mark.parametrize("ruleset", ["codelab", "hasbro", "simplified"])
def test_openspiel_plays_at_random(ruleset):
    pyspiel = pytest.importorskip("pyspiel")
    import open_spiel_game

    players = 3 if ruleset == "hasbro" else 2
    parameters = {"ruleset": ruleset, "map": "grid:3x3", "players": players, "max_turns": 4, "rolls": 4}
    game = pyspiel.load_game("python_risk", parameters)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
