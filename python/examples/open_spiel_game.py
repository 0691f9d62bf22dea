"""Risk as a game of OpenSpiel: for its searches, its solvers and its tests.

    python open_spiel_game.py --simulations 200 --opponent outnumber

`pyspiel.load_game("python_risk", {"ruleset": "codelab", "map": "grid:2x2"})` works after
`import open_spiel_game`. Players decide in turn, and actions are the flat numbers of an `Encoding`.

The engine rolls dice inside of `apply`, and does not list what can be rolled. The chance nodes of
this game are therefore samples: an action is applied to `rolls` copies of the game, each reseeded with
a number of its own, and the different results are the outcomes, as likely as they were frequent.
An action with a single result has no chance node. The numbers are the same in every state: the
result is the game with dice that are a little loaded, and they are loaded alike everywhere, so
that a search can't pick the places where the sample was lucky. With more rolls, the chances are
closer to the true ones, and each action takes longer.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import risk_cli
from open_spiel.python.algorithms import mcts

DEFAULTS = {
    "ruleset": "codelab",
    "map": "grid:2x2",
    "max_turns": 20,
    "players": 2,
    "position": "",  # a file, instead of the four above
    "rolls": 64,
    "buckets": 4,
}
#: No game is longer: neither in decisions nor in outcomes of chance.
LONGEST = 100_000
#: How many outcomes are remembered.
KNOWN = 100_000


def type_of_game(information: Any, has_history: bool) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="python_risk",
        long_name="Risk",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=has_history,
        provides_information_state_tensor=has_history,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


INFORMATION = pyspiel.GameType.Information


class RiskGame(pyspiel.Game):
    """A game of any ruleset whose players decide in turn."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        asked = {**DEFAULTS, **(params or {})}
        if asked["position"]:
            text = Path(asked["position"]).read_text(encoding="utf-8")
            self.begin = risk_cli.Game(position=text, map=(params or {}).get("map"))
        else:
            self.begin = risk_cli.Game(
                asked["ruleset"],
                asked["map"],
                options={"max_turns": asked["max_turns"]},
                players=asked["players"],
                seed=0,
            )
        if self.begin.secret_phases:
            raise ValueError(f"expected players who decide in turn, found {self.begin.secret_phases}")
        self.deals: Outcomes | None = None
        if not asked["position"]:
            deals = [self.begin.again(seed) for seed in range(asked["rolls"])]
            self.deals = Outcomes(deals, [1] * len(deals))
        self.rules = Rules(self.begin, asked["rolls"], asked["buckets"])
        is_open = self.rules.is_open
        super().__init__(
            type_of_game(INFORMATION.PERFECT_INFORMATION if is_open else INFORMATION.IMPERFECT_INFORMATION, is_open),
            pyspiel.GameInfo(
                num_distinct_actions=self.rules.encoding.flat_len,
                max_chance_outcomes=asked["rolls"],
                num_players=self.begin.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            ),
            params or {},
        )

    def new_initial_state(self, _: str | None = None) -> "RiskState":
        return RiskState(self)

    def max_chance_nodes_in_history(self) -> int:
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "RiskObserver":
        if params:
            raise ValueError(f"expected no parameters for an observer, found {params}")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return RiskObserver(self.rules.encoding, recalls)


class Shared:
    """What copies of a state share, since it never changes."""

    def __deepcopy__(self, memo: Any) -> "Shared":
        return self


class Outcomes(Shared):
    """The games after an action, and how frequent each was."""

    def __init__(self, games: list[risk_cli.Game], counts: list[int]) -> None:
        self.games, self.counts = games, counts


class Rules(Shared):
    """Numbers for actions, and the outcomes of an action."""

    def __init__(self, game: risk_cli.Game, rolls: int, buckets: int) -> None:
        self.encoding = risk_cli.Encoding(game, buckets=[buckets], flat=True)
        self.rolls = rolls
        # Without piles of cards, every player sees everything.
        self.is_open = not game.info()["piles"]
        self.known: dict[tuple[bytes, int], Outcomes] = {}

    def action(self, game: risk_cli.Game, number: int) -> risk_cli.Action:
        return self.encoding.decode(game, self.encoding.flat_to_factors(number))

    def seen(self, game: risk_cli.Game) -> bytes:
        """Returns what the players see of a game, all of them together."""
        players = [0] if self.is_open else range(game.players)
        parts = [part for player in players for part in self.encoding.observe(game, player)]
        return b"".join(part.tobytes() for part in parts)

    def outcomes(self, game: risk_cli.Game, number: int) -> Outcomes:
        """Returns the outcomes of an action. A search often asks for the same ones again."""
        key = self.seen(game), number
        if self.is_open and key in self.known:
            return self.known[key]
        if len(self.known) >= KNOWN:
            self.known.clear()
        self.known[key] = found = self._sampled(game, self.action(game, number))
        return found

    def _sampled(self, game: risk_cli.Game, action: risk_cli.Action) -> Outcomes:
        places: dict[bytes, int] = {}
        games: list[risk_cli.Game] = []
        counts: list[int] = []
        for roll in range(self.rolls):
            after = game.clone()
            after.reseed(roll)
            after.apply(action)
            place = places.setdefault(self.seen(after), len(games))
            if place == len(games):
                games.append(after)
                counts.append(0)
            counts[place] += 1
        return Outcomes(games, counts)


class RiskState(pyspiel.State):
    """A game that waits for a decision, or for dice."""

    def __init__(self, game: RiskGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._game = game.begin.clone()
        self._outcomes: Outcomes | None = None
        if game.deals is not None:
            self._outcomes = game.deals

    def current_player(self) -> int:
        if self._outcomes is not None:
            return pyspiel.PlayerId.CHANCE
        if self._game.is_over:
            return pyspiel.PlayerId.TERMINAL
        return self._game.player

    def _legal_actions(self, player: int) -> list[int]:
        numbers: list[int] = np.flatnonzero(self._rules.encoding.flat_mask(self._game, player)).tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        counts = self._outcomes.counts
        return [(outcome, count / sum(counts)) for outcome, count in enumerate(counts)]

    def _apply_action(self, action: int) -> None:
        if self._outcomes is None:
            self._outcomes = self._rules.outcomes(self._game, action)
            if len(self._outcomes.games) > 1:
                return
            action = 0
        self._game, self._outcomes = self._outcomes.games[action].clone(), None

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return str(self._rules.action(self._game, action))

    def is_terminal(self) -> bool:
        return self._outcomes is None and self._game.is_over

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self._game.players
        return self._game.rewards

    def __str__(self) -> str:
        waits = "" if self._outcomes is None else f"\n{len(self._outcomes.games)} outcomes"
        return self._game.text() + waits


class RiskObserver:
    """What a player sees, as numbers and as text."""

    def __init__(self, encoding: risk_cli.Encoding, recalls: bool) -> None:
        self.encoding, self.recalls = encoding, recalls
        rows, columns = encoding.territories_shape
        self.tensor = np.zeros(rows * columns + encoding.globals_len, dtype=np.float32)
        self.dict = {
            "territories": self.tensor[: rows * columns].reshape(rows, columns),
            "globals": self.tensor[rows * columns :],
        }

    def set_from(self, state: RiskState, player: int) -> None:
        territories, rest = self.encoding.observe(state._game, player)
        self.dict["territories"][:] = territories
        self.dict["globals"][:] = rest

    def string_from(self, state: RiskState, player: int) -> str:
        territories, rest = self.encoding.observe(state._game, player)
        seen = f"player {player}: {territories.tolist()} {rest.tolist()}"
        return f"{seen} after {state.history_str()}" if self.recalls else seen


pyspiel.register_game(type_of_game(INFORMATION.PERFECT_INFORMATION, True), RiskGame)


class Material(mcts.Evaluator):
    """Values a state by the shares of territories and units: quicker than playing it out."""

    def evaluate(self, state: RiskState) -> np.ndarray:
        encoding, game = state._rules.encoding, state._game
        shares = []
        for player in range(game.players):
            territories, _ = encoding.observe(game, player)
            mine = territories[:, 0] == 1
            units = territories[:, 1:].sum(axis=1)
            shares.append((mine.mean() + units[mine].sum() / max(units.sum(), 1)) / 2)
        return np.array(shares) - (1 - np.array(shares)) / (game.players - 1)

    def prior(self, state: RiskState) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def search_bot(game: RiskGame, simulations: int, seed: int, evaluator: Any = None) -> mcts.MCTSBot:
    """Returns OpenSpiel's MCTS as a player of this game; without an evaluator, it plays states out at random."""
    rng = np.random.RandomState(seed)
    evaluator = evaluator or mcts.RandomRolloutEvaluator(random_state=rng)
    return mcts.MCTSBot(game, 1.0, simulations, evaluator, solve=False, random_state=rng)


def state_of(game: RiskGame, position: risk_cli.Game) -> RiskState:
    """Returns a state of this game that is in this position."""
    state = RiskState(game)
    state._game, state._outcomes = position.clone(), None
    return state


def main(words: list[str] | None = None) -> float:
    """Plays games of MCTS against a bot, with the engine's own dice. Returns the share of wins."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="outnumber")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    kind = RiskGame()
    began = time.process_time()
    wins = 0
    for number in range(asked.games):
        bots = [asked.opponent, asked.opponent]
        seat = number % 2
        bots[seat] = None
        options = {"max_turns": DEFAULTS["max_turns"]}
        game = risk_cli.Game(
            DEFAULTS["ruleset"], DEFAULTS["map"], options=options, bots=bots, seed=asked.seed, game=number
        )
        bot = search_bot(kind, asked.simulations, number, Material())
        while not game.is_over:
            game.apply(kind.rules.action(game, bot.step(state_of(kind, game))))
        wins += game.winners == [seat]
    print(f"MCTS with {asked.simulations} simulations won {wins} of {asked.games} games against {asked.opponent}", end="")
    print(f", {time.process_time() - began:.0f} s of one core")
    return wins / asked.games


if __name__ == "__main__":
    main()
