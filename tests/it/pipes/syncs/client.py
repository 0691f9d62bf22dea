"""A client of SYNCS Bot Battle 2024: client.py [--random SEED] [--sloppy] [--log FILE] [--dies N]

It opens `./io/to_engine.pipe` for writing and then `./io/from_engine.pipe` for reading, and answers queries until the
end of the file. It keeps its own copy of the match, made of the records alone, and exits with code 9 at the first
record or query that does not fit; the last line of stderr says why. Without options, it plays a simple strategy.
`--random` plays random legal moves; `--sloppy` writes its answers in all the ways that the contest took; `--dies N`
exits in the middle of query N. `--log`, or the variable SYNCS_LOG, names a file for the records received.
"""
import argparse
import json
import os
import random
import sys

from board import BONUS, CONTINENTS, LAND, NEAR, SYMBOLS, card, is_set, set_value

QUERIES = {"claim_territory", "place_initial_troop", "redeem_cards", "distribute_troops", "attack", "defend",
           "troops_after_attack", "fortify"}


class Misfit(Exception):
    """What the engine sent does not fit."""


def expect(holds, what):
    if not holds:
        raise Misfit(what)


class State:
    """The match, as one player knows it from the records."""

    def __init__(self):
        self.records, self.me = [], None
        self.owner, self.armies = [None] * 42, [0] * 42
        self.troops, self.alive, self.cards = [25] * 5, [True] * 5, [0] * 5
        self.hand, self.discards, self.traded, self.must = set(), set(), 0, set()

    def mine(self, player=None):
        player = self.me if player is None else player
        return [at for at in LAND if self.owner[at] == player]

    def foes(self, at):
        return [to for to in NEAR[at] if self.owner[to] != self.owner[at]]

    def update(self, update):
        keys = [int(key) for key in update]
        expect(list(map(str, keys)) == list(update), f"keys {list(update)[:5]}")
        first = len(self.records)
        expect(keys == list(range(first, first + len(keys))), f"records {keys[:3]}…, where {first} was due")
        for record in update.values():
            kind = record["record_type"]
            handler = getattr(self, "on_" + kind, None)
            expect(handler, f"a record of the kind {kind}")
            expect(self.records or kind == "public_record_start_game", f"a match that begins with {kind}")
            self.records.append(record)
            try:
                handler(record)
            except (KeyError, TypeError, IndexError, ValueError) as wrong:
                raise Misfit(f"a {kind} without the right fields: {wrong!r}") from wrong

    def mover(self, record):
        player = record["move_by_player"]
        expect(player in range(5) and self.alive[player], f"a move of player {player}")
        return player

    def named(self, record, key, kind):
        """The record that this one names by its number."""
        other = self.records[record[key]]
        expect(other["record_type"] == kind, f"{key} is no {kind}")
        return other

    def on_public_record_start_game(self, record):
        expect(len(self.records) == 1 and sorted(record["turn_order"]) == list(range(5)), "the start")
        you = record["you"]
        expect([one["player_id"] for one in record["players"]] == list(range(5)), "five players by their ids")
        for one in [you, *record["players"]]:
            expect(one["troops_remaining"] == 25 and one["alive"] and one["must_place_territory_bonus"] == [],
                   "players with 25 armies")
        expect(you["cards"] == [] and type(you["team_id"]) is int, "a start without cards")
        self.me, self.order = you["player_id"], record["turn_order"][::-1]

    def on_record_shuffled_cards(self, record):
        self.discards = set()

    def on_move_claim_territory(self, record):
        player, at = self.mover(record), record["territory"]
        expect(self.owner[at] is None, f"a claim of {at}, which is not free")
        self.owner[at], self.armies[at] = player, 1
        self.troops[player] -= 1

    def on_move_place_initial_troop(self, record):
        player, at = self.mover(record), record["territory"]
        expect(None not in self.owner and self.owner[at] == player, f"an army on {at}")
        self.armies[at] += 1
        self.troops[player] -= 1
        expect(self.troops[player] >= 0, "more than 25 armies")

    def on_record_start_turn(self, record):
        player = record["player"]
        expect(self.alive[player] and None not in self.owner and min(self.armies) > 0, "a turn")
        whole = [n for n, land in enumerate(CONTINENTS) if all(self.owner[at] == player for at in land)]
        expect(sorted(record["continents_held"]) == whole, f"continents {record['continents_held']}, not {whole}")
        count = len(self.mine(player))
        expect(record["territories_held"] == count, f"territories_held {record['territories_held']}, not {count}")
        expect(record["continent_bonus"] == sum(BONUS[n] for n in whole), "the bonus of continents")
        expect(record["territory_bonus"] == max(3, count // 3), "the armies for territories")
        self.troops[player] += record["continent_bonus"] + record["territory_bonus"]

    def on_move_redeem_cards(self, record):
        player = self.mover(record)
        cards = [one for one_set in record["sets"] for one in one_set]
        expect(all(map(is_set, record["sets"])) and len(set(cards)) == len(cards), f"sets {record['sets']}")
        expect(not self.discards & set(cards), "a traded card that is among the discards")
        expect(player != self.me or set(cards) <= self.hand, "a traded card that I don't hold")
        expect(player == self.me or not set(cards) & self.hand, "a card of mine that another player trades")
        self.cards[player] -= len(cards)
        expect(0 <= self.cards[player] < 5, f"{self.cards[player]} cards after a trade")
        self.hand -= set(cards)
        self.discards |= set(cards)

    def on_record_redeemed_cards(self, record):
        trade = self.named(record, "move_redeem_cards_id", "move_redeem_cards")
        expect(record["move_redeem_cards_id"] == len(self.records) - 2, "the result of another trade")
        player, value = trade["move_by_player"], 0
        for _ in trade["sets"]:
            value += set_value(self.traded)
            self.traded += 1
        cards = {one for one_set in trade["sets"] for one in one_set if one < 42}
        self.must = {at for at in cards if self.owner[at] == player}
        bonus = record["matching_territory_bonus"]
        expect(record["total_set_bonus"] == value and bonus == (2 if self.must else 0), "the armies of a trade")
        self.troops[player] += value + bonus

    def on_move_distribute_troops(self, record):
        player, given = self.mover(record), {int(at): n for at, n in record["distributions"].items()}
        expect(all(self.owner[at] == player and type(n) is int and n > 0 for at, n in given.items()), "a distribution")
        expect(sum(given.values()) == self.troops[player], f"{self.troops[player]} armies, all of them placed")
        expect(not self.must or any(given.get(at, 0) > 1 for at in self.must), "the duty of the bonus")
        for at, count in given.items():
            self.armies[at] += count
        self.troops[player], self.must = 0, set()

    def on_move_attack(self, record):
        player = self.mover(record)
        source, target = record["attacking_territory"], record["defending_territory"]
        expect(self.owner[source] == player != self.owner[target] and target in NEAR[source], "an attack")
        expect(1 <= record["attacking_troops"] <= min(3, self.armies[source] - 1), "the dice of an attack")

    def on_move_attack_pass(self, record):
        self.mover(record)

    def on_move_defend(self, record):
        attack = self.named(record, "move_attack_id", "move_attack")
        target = attack["defending_territory"]
        expect(self.owner[target] == self.mover(record), "the defence of another player")
        expect(1 <= record["defending_troops"] <= min(2, self.armies[target]), "the dice of a defence")

    def on_record_attack(self, record):
        attack = self.named(record, "move_attack_id", "move_attack")
        defence = self.named(record, "move_defend_id", "move_defend")
        lost, killed = record["attacking_troops_lost"], record["defending_troops_lost"]
        pairs = min(attack["attacking_troops"], defence["defending_troops"])
        expect(min(lost, killed) >= 0 and lost + killed == pairs, f"losses of {lost} and {killed}")
        self.armies[attack["attacking_territory"]] -= lost
        self.armies[attack["defending_territory"]] -= killed
        taken = self.armies[attack["defending_territory"]] == 0
        expect(record["territory_conquered"] is taken, "whether a territory is taken")
        last = taken and len(self.mine(defence["move_by_player"])) == 1
        expect(record["defender_eliminated"] is last, "whether a player is eliminated")

    def conquest(self, record, key="record_attack_id"):
        """The attack of a conquest."""
        result = self.named(record, key, "record_attack")
        return self.named(result, "move_attack_id", "move_attack")

    def on_record_territory_conquered(self, record):
        attack = self.conquest(record)
        self.owner[attack["defending_territory"]] = attack["move_by_player"]

    def on_record_player_eliminated(self, record):
        player, by = record["player"], self.conquest(record)["move_by_player"]
        expect(self.alive[player] and not self.mine(player), f"the end of player {player}")
        expect(by != self.me or "cards_surrendered" in record, "the cards that I got from a player")
        expect(by == self.me or "cards_surrendered_count" in record, "only the number of surrendered cards")
        if by == self.me:
            for one in record["cards_surrendered"]:
                self.get(one)
        count = record.get("cards_surrendered_count", len(record.get("cards_surrendered", [])))
        expect(count == self.cards[player], f"{count} surrendered cards, not {self.cards[player]}")
        self.cards[by] += count
        self.cards[player], self.alive[player] = 0, False

    def get(self, one):
        number = one["card_id"]
        expect(number in range(44) and one == card(number), f"a card {one}")
        expect(number not in self.hand | self.discards, f"card {number}, which is elsewhere")
        self.hand.add(number)

    def on_move_troops_after_attack(self, record):
        player, attack = self.mover(record), self.conquest(record)
        source, target, count = attack["attacking_territory"], attack["defending_territory"], record["troop_count"]
        expect(attack["move_by_player"] == player and self.armies[target] == 0, "armies that move in")
        expect(attack["attacking_troops"] <= count < self.armies[source], f"{count} armies that move in")
        self.armies[source] -= count
        self.armies[target] = count

    def on_record_drew_card(self, record):
        expect(record["player"] == self.me, "the card that another player drew")
        self.get(record["card"])
        self.cards[self.me] += 1

    def on_public_record_drew_card(self, record):
        expect(record["player"] != self.me, "my own card in public")
        self.cards[record["player"]] += 1

    def on_move_fortify(self, record):
        player, source, target = self.mover(record), record["source_territory"], record["target_territory"]
        count = record["troop_count"]
        expect(self.owner[source] == self.owner[target] == player and target in NEAR[source], "a fortify move")
        expect(0 <= count < self.armies[source], f"a fortify move of {count}")
        self.armies[source] -= count
        self.armies[target] += count

    def on_move_fortify_pass(self, record):
        self.mover(record)

    def on_record_banned(self, record):
        pass


class Bot:
    """Decides. `rng` picks where the strategy has no opinion, and everything with `--random`."""

    def __init__(self, seed=None):
        self.state, self.wild, self.rng = State(), seed is not None, random.Random(seed or 0)
        self.asked = 0

    def answer(self, query):
        """The reply to a query."""
        state, kind = self.state, query["query_type"]
        expect(kind in QUERIES, f"a query of the kind {kind}")
        state.update(query["update"])
        expect(state.me is not None, "the start of the match in the first query")
        expect(len(state.hand) == state.cards[state.me], "as many cards as I drew")
        expect(state.alive[state.me], "no query after my end")
        fields = getattr(self, kind)(query)
        return {"record_type": fields.pop("kind", "move_" + kind), "move_by_player": state.me, **fields}

    def last(self, query, key, kind):
        """The record that a query is about."""
        number = query[key]
        expect(number in range(len(self.state.records)), f"{key} {number!r}")
        return self.state.named({key: number}, key, kind)

    def claim_territory(self, query):
        state = self.state
        free = [at for at in LAND if state.owner[at] is None]
        expect(free and state.troops[state.me] > 0, "a query to claim with a free territory")

        def worth(at):
            land = next(land for land in CONTINENTS if at in land)
            return sum(state.owner[to] == state.me for to in land) / len(land) - len(land) / 100
        return {"territory": self.rng.choice(free) if self.wild else max(free, key=worth)}

    def place_initial_troop(self, query):
        expect(None not in self.state.owner and self.state.troops[self.state.me] > 0, "a query to place an army")
        return {"territory": self.front()}

    def front(self):
        """The territory that needs armies most."""
        state = self.state
        own = state.mine()
        fronts = [at for at in own if state.foes(at)] or own
        weakest = max(fronts, key=lambda at: state.armies[at] - min((state.armies[to] for to in state.foes(at)),
                                                                      default=0) + at / 100)
        return self.rng.choice(own) if self.wild else weakest

    def sets(self):
        """A set in the hand, or none."""
        hand = sorted(self.hand, key=lambda one: (SYMBOLS[one] == "W", self.state.owner[one] != self.state.me
                                                  if one < 42 else True))
        found = [[a, b, c] for i, a in enumerate(hand) for j, b in enumerate(hand[:i]) for c in hand[:j]
                 if is_set([a, b, c])]
        return self.rng.choice(found) if found and self.wild else found[0] if found else None

    def redeem_cards(self, query):
        state, cause = self.state, query["cause"]
        expect(cause in ("turn_started", "player_eliminated"), f"the cause {cause}")
        start, sets = cause == "turn_started", []
        expect(start or len(state.hand) >= 7, "a trade after an elimination from seven cards on")
        self.hand = set(state.hand)
        while one := self.sets() if len(self.hand) >= 5 or start else None:
            if len(self.hand) < 5 and self.wild and self.rng.random() < 0.5:
                break
            sets.append(one)
            self.hand -= set(one)
        return {"sets": sets, "cause": cause}

    def distribute_troops(self, query):
        state, given = self.state, {}
        left = state.troops[state.me]
        expect(left > 0, "armies to place")
        if state.must:
            at = self.rng.choice(sorted(state.must))
            given[at] = 2
            left -= 2
        while left:
            at, count = self.front(), self.rng.randint(1, left) if self.wild else left
            given[at] = given.get(at, 0) + count
            left -= count
        return {"distributions": {str(at): count for at, count in given.items()}, "cause": query["cause"]}

    def attack(self, query):
        state = self.state
        ways = [(at, to) for at in state.mine() if state.armies[at] > 1 for to in state.foes(at)]
        if not self.wild:
            ways = [(at, to) for at, to in ways if state.armies[at] > state.armies[to] + 1]
        if not ways or self.wild and self.rng.random() < 0.2:
            return {"kind": "move_attack_pass"}
        best = max(ways, key=lambda way: (state.armies[way[0]] - state.armies[way[1]], way))
        at, to = self.rng.choice(ways) if self.wild else best
        most = min(3, state.armies[at] - 1)
        return {"attacking_territory": at, "defending_territory": to,
                "attacking_troops": self.rng.randint(1, most) if self.wild else most}

    def defend(self, query):
        attack = self.last(query, "move_attack_id", "move_attack")
        at = attack["defending_territory"]
        expect(attack is self.state.records[-1] and self.state.owner[at] == self.state.me, "an attack on me")
        most = min(2, self.state.armies[at])
        return {"move_attack_id": query["move_attack_id"],
                "defending_troops": self.rng.randint(1, most) if self.wild else most}

    def troops_after_attack(self, query):
        result = self.last(query, "record_attack_id", "record_attack")
        attack = self.state.conquest(query)
        expect(result["territory_conquered"] and attack["move_by_player"] == self.state.me, "a conquest of mine")
        least, most = attack["attacking_troops"], self.state.armies[attack["attacking_territory"]] - 1
        inland = set(self.state.foes(attack["attacking_territory"])) == set()
        count = self.rng.randint(least, most) if self.wild else most if inland else max(least, most - 1)
        return {"record_attack_id": query["record_attack_id"], "troop_count": count}

    def fortify(self, query):
        state = self.state
        ways = [(at, to) for at in state.mine() for to in NEAR[at] if state.owner[to] == state.me]
        if not self.wild:
            ways = [(at, to) for at, to in ways if state.armies[at] > 1 and not state.foes(at)]
        if not ways or self.wild and self.rng.random() < 0.3:
            return {"kind": "move_fortify_pass"}
        at, to = self.rng.choice(ways)
        if not self.wild:
            at = max(ways, key=lambda way: state.armies[way[0]])[0]
            near = [to for start, to in ways if start == at]
            to = self.rng.choice([to for to in near if state.foes(to)] or near)
        most = state.armies[at] - 1
        return {"source_territory": at, "target_territory": to,
                "troop_count": self.rng.randint(0, most) if self.wild else most}


class Writer:
    """Writes replies as frames; with `rng`, in all the ways that the contest took."""

    def __init__(self, rng=None):
        self.rng, self.newline = rng, False

    def frame(self, reply):
        plain = json.dumps(reply, separators=(",", ":"))
        if self.rng is None or self.newline:  # a header has four characters at most, with what comes before its number
            self.newline = False
            return f"{len(plain)},{plain}"
        text, way = json.dumps(loosened(reply, self.rng)), self.rng.randrange(8)
        if way == 0:
            text = " " * self.rng.randint(0, 3) + text + "\n" * self.rng.randint(0, 2)
        elif way == 1:
            text = text[:1] + " " * (999 - len(text)) + text[1:]  # as long as a reply may be
        self.newline = reply["record_type"] == "move_claim_territory" and way == 2  # a short reply comes next
        blank = self.rng.choice(["", " ", "\n"]) if len(text) < 100 else ""
        return f"{blank}{len(text)},{text}" + "\n" * self.newline


def loosened(reply, rng):
    """A reply with numbers as strings and so on, which means the same."""
    def number(value):
        return rng.choice([value, str(value), float(value), value == 1 or value])

    def value(one):
        if type(one) is int:
            return number(one)
        if isinstance(one, list):
            return [value(part) for part in one]
        if isinstance(one, dict):
            return {key: number(part) for key, part in one.items()}
        return one
    loose = {key: value(one) for key, one in reply.items()}
    if rng.random() < 0.2:
        del loose["record_type"]
    if rng.random() < 0.2:
        loose["comment"] = {"sure": rng.random() < 0.5, "why": None}
    return dict(rng.sample(sorted(loose.items()), len(loose)))


class Pipes:
    """The two pipes, in the order in which the engine opens them."""

    def __init__(self):
        self.out = open("./io/to_engine.pipe", "wb", buffering=0)
        self.into = open("./io/from_engine.pipe", "rb")

    def read(self):
        """The next query, or None at the end of the file."""
        digits = b""
        while not digits.endswith(b","):
            byte = self.into.read(1)
            if not byte and not digits:
                return None
            expect(byte.isdigit() or byte == b"," and digits, f"the length of a query, not {digits + byte!r}")
            digits += byte
            expect(len(digits) <= 7, f"a query of less than a million characters, not {digits!r}")
        text = self.into.read(int(digits[:-1]))
        expect(len(text) == int(digits[:-1]) and text.isascii(), f"{digits!r} characters of ASCII")
        return json.loads(text)

    def write(self, text):
        data = text.encode("ascii")
        while data:
            data = data[self.out.write(data):]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--random", metavar="SEED")
    options.add_argument("--sloppy", action="store_true")
    options.add_argument("--log", metavar="FILE", default=os.environ.get("SYNCS_LOG"))
    options.add_argument("--dies", metavar="N", type=int)
    args = options.parse_args()
    bot, pipes, written = Bot(args.random), Pipes(), 0
    writer = Writer(random.Random("sloppy") if args.sloppy else None)
    lines = open(args.log, "w", encoding="utf-8") if args.log else None
    while (query := pipes.read()) is not None:
        bot.asked += 1
        print(f"query {bot.asked}: {query['query_type']} {{", flush=True)  # nothing but noise
        try:
            reply = bot.answer(query)
        finally:
            for index, record in list(enumerate(bot.state.records))[written:] if lines else []:
                lines.write(json.dumps({"index": index, "record": record}) + "\n")
            written = len(bot.state.records)
            if lines:
                lines.flush()
        if bot.asked == args.dies:
            sys.exit(3)
        pipes.write(writer.frame(reply))


if __name__ == "__main__":
    try:
        main()
    except Misfit as misfit:
        print(f"expected {misfit}", file=sys.stderr)
        sys.exit(9)
    except BrokenPipeError:  # the match is over
        os._exit(0)
