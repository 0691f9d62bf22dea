"""Star Wars through the interface of sw-ksirk."""

import random
import re

import numpy as np
import pytest
from risk_cli import Game
from risk_cli.starwars.compat import BOARD, HeadlessAgentGame, ShipCounter, testAgents

SECTORS = Game("starwars").info()["map"]["territories"]
MOTHERSHIPS = {n for n, sector in enumerate(SECTORS) if "mothership" in sector["data"]}
INNER_RING = {n for n, sector in enumerate(SECTORS) if "death_star" in sector["data"]}
REBEL, EMPIRE = 0, 1


# Quoted from sw-ksirk's README.
class RandomAgent:
    # Whatever one-time initialization you need to do.
    def __init__(self):
        pass

    # Whatever you need to prepare for a new game.
    def newGame(self):
        pass

    # Select 3 down cards from a hand of 6. The first card played is the last,
    # then the second-to-last, then the first (third-to-last).
    def pickDownCards(self, game, hand):
        return [hand[0], hand[1], hand[2]]

    # Given all of the possible actions, pick one and do it.
    # This agent picks an action uniformly at random.
    def pickAction(self, game, actions):
        return random.choice(actions)

    # Provide feedback on how the action went. Passed the state that was
    # passed to pickAction, the card that pickAction chose an action from,
    # the action that pickAction picked, and the state that we ended up in,
    # as well as the number of bonus cards we got.
    def feedback(self, startState, card, action, endState, bonusCards):
        pass

    # Provide feedback on how the round went. Passed the state passed to
    # pickDownCards, the hand passed to pickDownCards, the cards that it
    # chose, and the state that we ended up in after all cards were played.
    def roundFeedback(self, startState, hand, chosenCards, endState):
        pass


def test_quoted_game(capsys):
    random.seed(1)
    rebelAgent, empireAgent = RandomAgent(), RandomAgent()
    # Quoted from sw-ksirk's README.
    hag = HeadlessAgentGame(rebelAgent, empireAgent)
    nturns = hag.play()
    print("Winner was %s!"%hag.winner)

    assert type(nturns) is int and 20 < nturns < 1000
    assert hag.winner in ("rebel", "empire")
    assert capsys.readouterr().out == f"Winner was {hag.winner}!\n"


# 29 seconds in a debug build.
@pytest.mark.slow
def test_quoted_hundred_games(capsys):
    random.seed(1)
    rebelAgent, empireAgent = RandomAgent(), RandomAgent()
    # Quoted from sw-ksirk's README.
    winners, medianTurns = testAgents(rebelAgent, empireAgent, ntests=100)
    print(winners) # {'rebel': <rebel games won>, 'empire': <imperial games won>}

    assert re.fullmatch(r"\{'rebel': \d+, 'empire': \d+\}\n", capsys.readouterr().out)
    # Of 1,500 such games of another simulator, the rebels won 7.93 %; the median was 226 turns.
    assert winners["rebel"] + winners["empire"] == 100 and winners["rebel"] <= 20
    assert 200 < medianTurns < 250


class Watcher(RandomAgent):
    """Notes what it hears and answers. Takes an action with a preferred word if there is one."""

    def __init__(self, seed, *preferred):
        self.random, self.preferred = random.Random(seed), preferred
        self.log = []

    def newGame(self):
        self.log.append(("newGame", (), None))

    def pickDownCards(self, game, hand):
        cards = self.random.sample(hand, 3)
        self.log.append(("pickDownCards", (game, hand), cards))
        return cards

    def pickAction(self, game, actions):
        some = [action for action in actions if any(part[0] in self.preferred for part in action)]
        action = list(self.random.choice(some or actions))
        self.log.append(("pickAction", (game, actions), action))
        return action

    def feedback(self, *args):
        self.log.append(("feedback", args, None))

    def roundFeedback(self, *args):
        self.log.append(("roundFeedback", args, None))

    def calls(self, name):
        return [(args, answer) for called, args, answer in self.log if called == name]


def test_few_games():
    def hasty():
        return Watcher(1, "shield", "attack_deathstar"), Watcher(2, "fire_deathstar")

    won, turns = {"rebel": 0, "empire": 0}, []
    games = HeadlessAgentGame(*hasty())
    assert games.winner is None
    for _ in range(5):
        turns.append(games.play())
        won[games.winner] += 1
    assert testAgents(*hasty(), ntests=5) == (won, sorted(turns)[2])
    assert list(won) == ["rebel", "empire"] and won["rebel"] > 0


@pytest.fixture(scope="module")
def watched():
    """Two watchers that have played. In two games the rebels prefer the duel, then the empire."""
    sides = Watcher(1, "hat", "lightsaber"), Watcher(2, "fire_deathstar")
    games = HeadlessAgentGame(*sides, seed=2)
    turns = [games.play() for _ in range(2)]
    sides[REBEL].preferred, sides[EMPIRE].preferred = ("shield",), ("lightning", "lightsaber")
    turns += [games.play() for _ in range(2)]
    assert sum(len(side.calls("pickAction")) for side in sides) == sum(turns)
    assert [len(side.calls("newGame")) for side in sides] == [4, 4]
    return sides


def offers(sides):
    """Yields each action offered, with the side and the state."""
    for side, agent in enumerate(sides):
        for (state, actions), _ in agent.calls("pickAction"):
            for action in actions:
                yield side, state, action


def test_board():
    ids = Game("starwars").territories
    assert len(BOARD) == len(ids) == 28
    for square, sector in enumerate(SECTORS):
        assert ids[square] == sector["id"]
        assert type(BOARD[square]) is tuple and list(BOARD[square]) == sector["borders"]
        assert all(square in BOARD[neighbour] for neighbour in BOARD[square])
    assert MOTHERSHIPS == set(range(6)) and all(len(BOARD[square]) == 1 for square in range(6))


def test_exported_names():
    names = {}
    exec("from risk_cli.starwars.compat import *", names)
    del names["__builtins__"]
    assert set(names) == {"BOARD", "HeadlessAgentGame", "ShipCounter", "testAgents"}
    assert ShipCounter._fields == ("xwing", "ywing", "bwing", "falcon", "tie", "executor")
    assert names["testAgents"].__test__ is False


SHAPES = {
    "move": (int, ShipCounter, int),
    "spawn": (),
    "attack": (ShipCounter, int),
    "attack_deathstar": (ShipCounter,),
    "fire_deathstar": (int,),
    "lightsaber": (),
    "lightning": (),
    "hat": (),
    "stormtroopers": (),
    "shield": (),
}


def test_shapes_of_actions(watched):
    seen = set()
    for agent in watched:
        for (_, actions), _ in agent.calls("pickAction"):
            assert type(actions) is list and actions.count([]) == 1
    for _, _, action in offers(watched):
        assert type(action) is list
        for part in action:
            assert type(part) is tuple
            assert tuple(type(value) for value in part[1:]) == SHAPES[part[0]]
            seen.add(part[0])
    assert seen == set(SHAPES)


def test_moves_and_attacks(watched):
    longest = {}
    for side, state, action in offers(watched):
        moves = [part for part in action if part[0] == "move"]
        words = [part[0] for part in action]
        if moves:
            ships = moves[0][2]
            kinds = {kind for kind, count in ships._asdict().items() if count}
            assert len(kinds) == 1
            kind = kinds.pop()
            there = getattr(state.ships[moves[0][1]], kind)
            # Of a capital ship, all hit points move.
            assert sum(ships) == there if kind in ("falcon", "executor") else sum(ships) <= there
            assert kind in (("xwing", "ywing", "bwing", "falcon"), ("tie", "executor"))[side]
            assert words[: len(moves)] == ["move"] * len(moves) and len(words) <= len(moves) + 1
            assert set(words[len(moves) :]) <= {"attack", "attack_deathstar"}
            for _, start, moved, to in moves:
                assert to in BOARD[start] and to not in MOTHERSHIPS and moved == ships
                assert state.owners[to] in (-1, side)
            assert [move[3] for move in moves[:-1]] == [move[1] for move in moves[1:]]
            at = moves[-1][3]
            longest[kind] = max(longest.get(kind, 0), len(moves))
        elif words[:1] == ["spawn"]:
            ships, kind = ShipCounter(0, 0, 0, 0, 4, 0), "tie"
            at = next(n for n, here in enumerate(state.ships) if here.executor)
            assert words in (["spawn"], ["spawn", "attack"])
        else:
            assert len(words) <= 1
            continue
        if words[-1] in ("attack", "attack_deathstar"):
            most = 8 if kind in ("falcon", "executor") else 5
            assert action[-1][1] == ShipCounter(*(min(count, most) for count in ships))
        if words[-1] == "attack":
            assert action[-1][2] in BOARD[at] and state.owners[action[-1][2]] == 1 - side
        if words[-1] == "attack_deathstar":
            assert at in INNER_RING and side == REBEL and state.track == 28
    assert longest == {"xwing": 1, "ywing": 1, "bwing": 1, "falcon": 2, "tie": 1, "executor": 2}


def test_more_fighters_move_than_attack(watched):
    pairs = [
        (sum(action[0][2]), sum(action[1][1]))
        for _, _, action in offers(watched)
        if [part[0] for part in action] == ["move", "attack"]
        and not (action[0][2].executor or action[0][2].falcon)
    ]
    assert any(moved > 5 for moved, _ in pairs)
    assert all(attacking == min(moved, 5) for moved, attacking in pairs)


def test_death_star_fires_at_motherships_first(watched):
    fired = [
        (state, [action[0][1] for action in actions if action and action[0][0] == "fire_deathstar"])
        for (state, actions), _ in watched[EMPIRE].calls("pickAction")
    ]
    early = late = 0
    for state, targets in fired:
        left = {square for square in range(6) if not state.destroyed >> square & 1}
        if targets and left:
            assert set(targets) == left
            early += 1
        elif targets:
            assert all(state.owners[square] == REBEL for square in targets)
            late += 1
    assert early > 5 and late > 0


def test_states_hide_cards_of_the_other_side(watched):
    decks = {"rebels": set(), "empire": set()}
    for card in Game("starwars").info()["cards"]:
        decks[card["kind"]].add(card["name"])
    for side, agent in enumerate(watched):
        own = list(decks.values())[side]
        states = 0
        for (state, hand), _ in agent.calls("pickDownCards"):
            assert tuple(hand) == state.hand and len(hand) == 6
        for _, args, _ in agent.log:
            for state in args:
                if hasattr(state, "owners"):
                    cards = set(re.findall(r"[a-z]+(?:-[a-z]+)+(?:-\d)?", repr(state)))
                    assert cards == set(state.hand) <= own and state.side == side
                    states += 1
        assert states > 100


def test_feedback_gets_the_objects_of_pick_action(watched):
    for agent in watched:
        calls = [call for call in agent.log if call[0] in ("pickAction", "feedback")]
        assert len(calls) > 100
        for picked, heard in zip(calls[::2], calls[1::2], strict=True):
            assert (picked[0], heard[0]) == ("pickAction", "feedback")
            start, card, action, end, _ = heard[1]
            assert start is picked[1][0] and action is picked[2]
            assert isinstance(card, str) and end.turn >= start.turn and end is not start


def test_round_feedback_gets_the_objects_of_pick_down_cards(watched):
    for agent in watched:
        calls = [call for call in agent.log if call[0] in ("pickDownCards", "roundFeedback")]
        assert len(calls) > 20
        for picked, heard in zip(calls[::2], calls[1::2], strict=True):
            assert (picked[0], heard[0]) == ("pickDownCards", "roundFeedback")
            start, hand, chosen, end = heard[1]
            assert start is picked[1][0] and hand is picked[1][1] and chosen is picked[2]
            assert end.turn > start.turn and end is not start


def test_the_last_card_is_turned_first(watched):
    for agent in watched:
        rounds = []
        for name, args, answer in agent.log:
            if name == "pickDownCards":
                rounds.append((answer, []))
            elif name == "feedback":
                rounds[-1][1].append(args[1])
        # In the last round of a game, cards can be left.
        for chosen, turned in rounds:
            assert turned[:3] == chosen[::-1][: len(turned)]
        assert sum(len(turned) >= 3 for _, turned in rounds) > 20


def test_bonus_cards(watched):
    counts, duels = set(), set()
    for side, agent in enumerate(watched):
        for (start, _, action, end, bonus), _ in agent.calls("feedback"):
            assert type(bonus) is int and 0 <= bonus <= 5
            counts.add(bonus)
            if action == []:
                assert bonus == 0
            if start.health[1 - side] > 0 == end.health[1 - side]:
                duels.add((side, action[0][0], bonus))
    assert counts >= {0, 1, 3, 4, 5}
    assert duels >= {(REBEL, "hat", 5), (REBEL, "lightsaber", 3)}
    assert duels <= {
        (REBEL, "hat", 5),
        (REBEL, "lightsaber", 3),
        (EMPIRE, "lightsaber", 4),
        (EMPIRE, "lightning", 4),
    }


FOREIGN = [("move", 0, ShipCounter(1, 0, 0, 0, 0, 0), 27)]


@pytest.mark.parametrize(
    "answer",
    [
        lambda actions: FOREIGN,
        lambda actions: None,
        lambda actions: 0,
        lambda actions: actions,
        lambda actions: actions[0].append(("shield", "twice")) or actions[0],
        lambda actions: np.zeros(2),
    ],
)
def test_action_that_was_not_offered(answer):
    class Wrong(RandomAgent):
        def pickAction(self, game, actions):
            self.count, self.answer = len(actions), answer(actions)
            return self.answer

    agent = Wrong()
    with pytest.raises(ValueError) as error:
        HeadlessAgentGame(agent, RandomAgent()).play()
    assert str(error.value) == (
        f"pickAction of rebel: expected one of the actions offered ({agent.count} in all),"
        f" found {agent.answer!r}"
    )


@pytest.mark.parametrize(
    "answer",
    [
        lambda hand: hand[:2],
        lambda hand: hand[:4],
        lambda hand: [hand[0], hand[0], hand[1]],
        lambda hand: [hand[0], hand[1], "ywing"],
        lambda hand: [0, 1, 2],
        lambda hand: None,
        lambda hand: hand.append("ywing") or hand[-3:],
    ],
)
def test_cards_that_are_not_in_the_hand(answer):
    class Wrong(RandomAgent):
        def pickDownCards(self, game, hand):
            self.hand, self.answer = hand[:], answer(hand)
            return self.answer

    agent = Wrong()
    with pytest.raises(ValueError) as error:
        HeadlessAgentGame(RandomAgent(), agent).play()
    assert str(error.value) == (
        f"pickDownCards of empire: expected three cards of the hand {agent.hand},"
        f" found {agent.answer!r}"
    )


class Sloppy:
    """Derives from nothing, names its parameters as it likes, and changes its lists."""

    def newGame(this):
        return "ready"

    def pickDownCards(this, g, cards):
        cards.sort()
        return cards.pop(), cards.pop(), cards.pop()

    def pickAction(this, g, choices):
        choices.reverse()
        action = list(choices.pop(len(choices) // 3))
        choices.clear()
        return action

    def feedback(this, *args):
        return args

    roundFeedback = feedback


def test_sloppy_agent():
    wins, turns = testAgents(Sloppy(), Sloppy(), ntests=1)
    assert sum(wins.values()) == 1 and turns > 20


def test_games_repeat():
    def play(**parameters):
        agent, hands = Watcher(1), []
        games = HeadlessAgentGame(agent, Watcher(2), options={"max_turns": 20}, **parameters)
        for _ in range(2):
            agent.log.clear()
            games.play()
            hands.append([hand for (_, hand), _ in agent.calls("pickDownCards")])
        return hands

    first = play()
    assert play() == play(seed=0) == first
    assert play(seed=1) != first
    assert first[0][0] != first[1][0]


def test_draws_count_for_neither_side():
    games = HeadlessAgentGame(Sloppy(), Sloppy(), options={"max_turns": 7})
    assert (games.play(), games.winner) == (7, None)
    wins = testAgents(Sloppy(), Sloppy(), ntests=2, options={"max_turns": 7})
    assert wins == ({"rebel": 0, "empire": 0}, 7)


def test_options_change_the_actions():
    sides = Watcher(1), Watcher(2)
    HeadlessAgentGame(*sides, options={"preset": "upstream", "max_turns": 40}).play()
    flights = [
        (state.ships[action[0][1]], action)
        for _, state, action in offers(sides)
        if action and action[0][0] == "move" and (action[0][2].falcon or action[0][2].executor)
    ]
    # A capital ship takes its sector along.
    for there, action in flights:
        assert all(part[2] == there for part in action if part[0] == "move")
    assert any(there.falcon and there.xwing for there, _ in flights)

    sides = Watcher(1), Watcher(2)
    options = {"attackers": "up_to_all", "most_dice": 0, "max_turns": 40}
    HeadlessAgentGame(*sides, options=options).play()
    attacks = {
        (sum(action[0][2]), sum(action[1][1]))
        for _, _, action in offers(sides)
        if [part[0] for part in action] == ["move", "attack"]
    }
    assert (3, 2) in attacks and (6, 6) in attacks
