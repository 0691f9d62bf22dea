"""A small arena for the tests of the client and the referee: arena.py [GAMES]

It plays clients in this process, and checks that the referee accepts their logs and finds each of a list of errors.
"""
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from board import BONUS, CARDS, card, held, set_value
from client import Bot, Misfit, Writer
from referee import Match, Wrong, check, merged, read


def number(value):
    """A number of a reply, as the contest reads it."""
    return int(float(value))


def normalised(reply):
    """A reply as the record of it."""
    return {key: {str(int(at)): number(n) for at, n in value.items()} if key == "distributions"
            else [[number(one) for one in cards] for cards in value] if key == "sets"
            else value if key in ("record_type", "cause") else number(value)
            for key, value in reply.items() if key != "comment"}


class Banned(Exception):
    """A player made an error, and is neutral from now on."""


class Arena:
    """One match. The rules are only as strict as legal replies need. `errors` has the query that bans each seat."""

    def __init__(self, seed, bots, sloppy=False, limit=15000, errors=()):
        self.rng, self.bots, self.limit = random.Random(seed), bots, limit
        self.errors, self.banned = dict(errors), set()
        self.writers = [Writer(random.Random(seed) if sloppy else None) for _ in bots]
        self.records, self.sent = [], [0] * 5
        self.owner, self.armies, self.troops = [None] * 42, [0] * 42, [25] * 5
        self.hands, self.discards, self.traded = [[] for _ in bots], [], 0

    def note(self, kind, **fields):
        self.records.append({"record_type": kind, **fields})
        return len(self.records) - 1

    def view(self, record, seat):
        """A record as a player sees it."""
        kind, record = record["record_type"], dict(record)
        if kind == "public_record_start_game":
            record["you"] = {"player_id": seat, "team_id": 70 + seat, "troops_remaining": 25, "alive": True,
                             "cards": [], "must_place_territory_bonus": []}
        elif kind == "record_drew_card" and record["player"] != seat:
            record["record_type"] = "public_record_drew_card"
            del record["card"]
        elif kind == "record_player_eliminated" and record.pop("by") != seat:
            record["cards_surrendered_count"] = len(record.pop("cards_surrendered"))
        return record

    def ask(self, seat, kind, **fields):
        """The reply to a query, which becomes a record."""
        if seat in self.banned:
            raise Banned
        self.errors[seat] = self.errors.get(seat, -1) - 1
        if self.errors[seat] == 0:
            self.banned.add(seat)
            self.note("record_banned", player=seat, ban_type="TIMEOUT", reason="", details={})
            raise Banned
        first, self.sent[seat] = self.sent[seat], len(self.records)
        update = {str(i): self.view(self.records[i], seat) for i in range(first, len(self.records))}
        query = json.loads(json.dumps({"query_type": kind, "update": update, **fields}))
        header, text = self.writers[seat].frame(self.bots[seat].answer(query)).split(",", 1)
        assert len(header.lstrip("\n")) <= 3 and len(text.rstrip("\n")) <= int(header) <= 999, header
        reply = json.loads(text)
        if "record_type" not in reply:
            moves = {"attack": "attacking_territory", "fortify": "source_territory"}
            reply["record_type"] = f"move_{kind}" + "_pass" * (kind in moves and moves[kind] not in reply)
        self.records.append(normalised(reply))
        return self.records[-1]

    def forced(self, seat, kind, fields=(), **move):
        """The same as `ask`, for a move that is made up for a banned player."""
        try:
            return self.ask(seat, kind, **dict(fields))
        except Banned:
            self.note(f"move_{kind}", move_by_player=seat, **dict(fields), **move)
            return self.records[-1]

    def owned(self, seat):
        return [at for at in range(42) if self.owner[at] == seat]

    def play(self):
        """Plays the match; returns the winner, or None if it is cancelled."""
        order = self.rng.sample(range(5), 5)
        self.note("public_record_start_game", turn_order=order[::-1], players=[
            {"player_id": seat, "troops_remaining": 25, "alive": True, "card_count": 0,
             "must_place_territory_bonus": []} for seat in range(5)])
        self.deck = self.rng.sample(CARDS, 44)
        self.note("record_shuffled_cards")
        for count in range(42):
            free = [at for at in range(42) if self.owner[at] is None]
            at = self.forced(order[count % 5], "claim_territory", territory=self.rng.choice(free))["territory"]
            self.owner[at], self.armies[at] = order[count % 5], 1
            self.troops[order[count % 5]] -= 1
        while any(self.troops):
            for seat in order:
                try:
                    if self.troops[seat]:
                        self.armies[self.ask(seat, "place_initial_troop")["territory"]] += 1
                        self.troops[seat] -= 1
                except Banned:
                    self.troops[seat] = 0
        while True:
            for seat in order:
                if not self.owned(seat) or seat in self.banned:
                    continue
                if len(self.records) >= self.limit:
                    return None
                try:
                    if self.turn(seat):
                        return seat
                except Banned:
                    self.troops[seat] = 0

    def turn(self, seat):
        owned = self.owned(seat)
        bonus, land = sum(BONUS[group] for group in held(owned)), max(3, len(owned) // 3)
        self.note("record_start_turn", player=seat, continents_held=held(owned), territories_held=len(owned),
                  continent_bonus=bonus, territory_bonus=land)
        self.troops[seat] = bonus + land
        self.supply(seat, "turn_started")
        conquered = passed = False
        while len(self.records) <= self.limit and not passed:
            move = self.ask(seat, "attack")
            passed = move["record_type"] == "move_attack_pass"
            conquered |= not passed and self.attack(seat, move)
            if len(set(self.owner)) == 1:
                return True
        if conquered and passed:
            if not self.deck:
                self.deck, self.discards = self.rng.sample(self.discards, len(self.discards)), []
                self.note("record_shuffled_cards")
            self.hands[seat].append(self.deck.pop())
            self.note("record_drew_card", player=seat, card=card(self.hands[seat][-1]))
        move = self.ask(seat, "fortify")
        if move["record_type"] == "move_fortify":
            self.armies[move["source_territory"]] -= move["troop_count"]
            self.armies[move["target_territory"]] += move["troop_count"]
        return False

    def supply(self, seat, cause):
        trade = self.ask(seat, "redeem_cards", cause=cause)
        cards = [one for cards in trade["sets"] for one in cards]
        value = sum(set_value(self.traded + n) for n in range(len(trade["sets"])))
        self.traded += len(trade["sets"])
        bonus = 2 if any(one < 42 and self.owner[one] == seat for one in cards) else 0
        self.hands[seat] = [one for one in self.hands[seat] if one not in cards]
        self.discards += cards
        self.troops[seat] += value + bonus
        self.note("record_redeemed_cards", move_redeem_cards_id=len(self.records) - 1, total_set_bonus=value,
                  matching_territory_bonus=bonus)
        for at, count in self.ask(seat, "distribute_troops", cause=cause)["distributions"].items():
            self.armies[int(at)] += count
        self.troops[seat] = 0

    def attack(self, seat, move):
        """Fights a round; returns whether the territory is taken."""
        number, source, target = len(self.records) - 1, move["attacking_territory"], move["defending_territory"]
        loser = self.owner[target]
        about = {"move_attack_id": number}
        defence = self.forced(loser, "defend", about, defending_troops=min(2, self.armies[target]))
        dice = [sorted((self.rng.randint(1, 6) for _ in range(n)), reverse=True)
                for n in (move["attacking_troops"], defence["defending_troops"])]
        wins = [attack > defend for attack, defend in zip(*dice)]
        self.armies[source] -= wins.count(False)
        self.armies[target] -= wins.count(True)
        taken = self.armies[target] == 0
        out = taken and len(self.owned(loser)) == 1
        here = self.note("record_attack", move_attack_id=number, move_defend_id=len(self.records) - 1,
                         attacking_troops_lost=wins.count(False), defending_troops_lost=wins.count(True),
                         territory_conquered=taken, defender_eliminated=out)
        if not taken:
            return False
        self.owner[target] = seat
        self.note("record_territory_conquered", record_attack_id=here)
        if out:
            self.note("record_player_eliminated", player=loser, record_attack_id=here, by=seat,
                      cards_surrendered=[card(one) for one in self.hands[loser]])
            self.hands[seat] += self.hands[loser]
            self.hands[loser] = []
            if len(set(self.owner)) == 1:
                return True
        about = {"record_attack_id": here}
        count = self.forced(seat, "troops_after_attack", about, troop_count=move["attacking_troops"])["troop_count"]
        self.armies[source] -= count
        self.armies[target] = count
        if out and len(self.hands[seat]) >= 7:
            self.supply(seat, "player_eliminated")
        return True


class Program:
    """A client in a process of its own, with two FIFOs in its folder. It writes its records to a log."""

    def __init__(self, folder, *args):
        self.log, own = folder / "records.jsonl", folder / "io"
        own.mkdir(parents=True)
        for name in ("to_engine.pipe", "from_engine.pipe"):
            os.mkfifo(own / name)
        words = [sys.executable, "-B", Path(__file__).parent / "client.py", "--log", self.log, *args]
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
        self.into = open(own / "to_engine.pipe", "rb")  # in the order in which clients open them
        self.out = open(own / "from_engine.pipe", "wb", buffering=0)

    def answer(self, query):
        text = json.dumps(query).encode("ascii")
        text = b"%d,%b" % (len(text), text)
        while text:
            text = text[self.out.write(text):]
        header = b""
        while not header.endswith(b","):
            header += self.into.read(1) or exit("a client ended")
        assert len(header) <= 4, header
        return json.loads(self.into.read(int(header[:-1])))

    def end(self):
        """The exit code of the client, once its pipe is closed."""
        self.out.close()
        return self.process.wait(10)


def first(log, kind, **fields):
    """The number of the first record of this kind with such fields."""
    return next(i for i, record in enumerate(log) if record["record_type"] == kind
                and all(test(record[key]) for key, test in fields.items()))


def change(kind, key, new, **fields):
    """An error: in all logs, a field of the first such record has another value."""
    def damage(logs):
        at = first(max(logs, key=len), kind, **fields)
        for log in logs:
            if at < len(log):
                log[at][key] = new(log[at][key])
    return damage


def swap(kind):
    """An error: in all logs, the first such record and the next one change places."""
    def damage(logs):
        at = first(max(logs, key=len), kind)
        for log in logs:
            log[at:at + 2] = log[at:at + 2][::-1]
    return damage


def drop(kind, **fields):
    """An error: the first such record is missing in all logs."""
    def damage(logs):
        at = first(max(logs, key=len), kind, **fields)
        for log in logs:
            del log[at:at + 1]
    return damage


def in_one(kind, key, new, **fields):
    """An error: one of the clients got another value."""
    def damage(logs):
        at = first(max(logs, key=len), kind, **fields)
        log = next(log for log in logs if at < len(log) and key in log[at])
        log[at][key] = new(log[at][key])
    return damage


def publish(logs):
    """An error: a client sees the card of another one."""
    for log in logs:
        for record in log:
            if record["record_type"] == "public_record_drew_card":
                record.update(record_type="record_drew_card", card=card(0))
                return


def hide(logs):
    """An error: a client doesn't see its own card."""
    for log in logs:
        for record in log:
            if record["record_type"] == "record_drew_card":
                record["record_type"] = "public_record_drew_card"
                del record["card"]
                return


def plus(count):
    return lambda value: value + count


def late_attack(logs):
    """An error: an attack after the player passed."""
    longest = max(logs, key=len)
    attack, end = first(longest, "move_attack"), first(longest, "move_attack_pass")
    for log in logs:
        log[end + 1:end + 1] = copy.deepcopy(log[attack:attack + 3])


#: The errors, each with a word of the sentence that reports it.
ERRORS = [
    (change("public_record_start_game", "turn_order", lambda order: order[::-1]), "not of"),
    (change("public_record_start_game", "turn_order", lambda order: [order[0]] * 5), "turn_order"),
    (swap("move_claim_territory"), "a move of player"),
    (change("move_claim_territory", "territory", lambda at: 42), "no territory"),
    (drop("move_place_initial_troop"), "a move of player"),
    (change("move_place_initial_troop", "territory", lambda at: (at + 1) % 42), "does not belong"),
    (change("record_start_turn", "territory_bonus", plus(1)), "territory_bonus"),
    (change("record_start_turn", "continent_bonus", plus(2)), "continent_bonus"),
    (change("record_start_turn", "player", lambda player: (player + 1) % 5), "the turn of player"),
    (change("record_start_turn", "territories_held", str), "territories_held"),
    (change("record_redeemed_cards", "total_set_bonus", plus(2), total_set_bonus=bool), "total_set_bonus"),
    (change("record_redeemed_cards", "matching_territory_bonus", lambda bonus: 2 - bonus,
            total_set_bonus=bool), "matching_territory_bonus"),
    (change("move_redeem_cards", "sets", lambda sets: [[one, one, one] for one, *_ in sets], sets=bool), "hold card"),
    (change("move_redeem_cards", "sets", lambda sets: sets[1:], sets=bool), ""),
    (change("move_distribute_troops", "distributions", lambda given: {at: n + 1 for at, n in given.items()}), "placed"),
    (change("move_attack", "attacking_troops", lambda dice: 4), "dice"),
    (change("move_attack", "defending_territory", lambda at: (at + 13) % 42), ""),
    (change("move_defend", "defending_troops", lambda dice: 3), "dice"),
    (change("move_defend", "move_by_player", lambda player: (player + 1) % 5), "a move of player"),
    (change("record_attack", "attacking_troops_lost", plus(1)), "compared"),
    (change("record_attack", "move_attack_id", plus(1)), "another attack"),
    (change("record_attack", "territory_conquered", lambda taken: not taken), "territory_conquered"),
    (change("record_attack", "defender_eliminated", lambda out: not out), "defender_eliminated"),
    (change("move_troops_after_attack", "troop_count", lambda count: 0), "move in"),
    (change("move_troops_after_attack", "troop_count", plus(99)), "move in"),
    (drop("record_territory_conquered"), "was due"),
    (drop("public_record_drew_card"), "was due"),
    (drop("record_player_eliminated"), "was due"),
    (drop("move_attack_pass"), ""),
    (late_attack, "was due"),
    (change("move_fortify", "troop_count", plus(99)), "move"),
    (change("move_fortify", "target_territory", lambda at: (at + 13) % 42), ""),
    (in_one("move_attack", "attacking_troops", plus(1)), "got another"),
    (in_one("record_player_eliminated", "cards_surrendered_count", plus(1)), "numbers of surrendered"),
    (in_one("record_drew_card", "card", lambda one: {**one, "card_id": one["card_id"] ^ 1}), "no card"),
    (publish, "drawn card"),
    (hide, "drawn card"),
]


def logs_of(arena):
    """What the clients of a match were sent, as they would read it from their logs."""
    return copy.deepcopy([bot.state.records for bot in arena.bots])


def found(logs):
    """The sentence about the first error of these logs, or nothing."""
    try:
        Match(merged(logs)).play()
    except Wrong as wrong:
        return str(wrong)
    return None


def check_games(games):
    """Plays games of all kinds of clients, to their ends."""
    for seed in range(games):
        wild = [seed * 9 + seat if (seed >> seat % 3) & 1 else None for seat in range(5)]
        limit = (3000, 15000, 600, 15000)[seed % 4]
        arena = Arena(seed, [Bot(one) for one in wild], seed % 2 == 1, limit)
        winner = arena.play()
        match = Match(merged(logs_of(arena)), limit)
        assert match.play() in ("open", "won")
        how = "cancelled" if winner is None else "won"
        other = "won" if winner is None else "cancelled"
        assert match.may_have_ended(how) and not match.may_have_ended(other), (seed, how, match.awaits)
        kinds = {record["record_type"] for record in arena.records}
        print(f"game {seed}: {len(arena.records)} records, {how}, {len(kinds)} kinds")


def check_errors(arena):
    """Each error is found; the logs without errors have none."""
    assert found(logs_of(arena)) is None
    for number, (damage, words) in enumerate(ERRORS):
        logs = logs_of(arena)
        damage(logs)
        sentence = found(logs)
        print(f"error {number}: {sentence}")
        assert sentence is not None and words in sentence, (number, sentence, words)


def check_clients(arena):
    """A client refuses records that don't come in order, records of unknown kinds, and what it may not see."""
    start = json.loads(json.dumps([arena.view(one, 2) for one in arena.records[:4]]))
    ask = {"query_type": "claim_territory"}
    for numbers, extra, fits in [
        ("0123", None, True), ("", None, False), ("013", None, False), ("0012", None, False), ("0213", None, False),
        ("123", None, False), ("01", {"record_type": "record_winner", "player": 1}, False),
        ("01", {"record_type": "record_cancelled", "reason": ""}, False), ("01", {"record_type": "news"}, False),
        ("01", {"record_type": "public_record_drew_card", "player": 2}, False),
        ("01", {"record_type": "record_drew_card", "player": 1, "card": card(3)}, False),
        ("01", {"record_type": "record_banned", "player": 1}, True),
    ]:
        update = {number + " " * (numbers[:i].count(number)): start[int(number)] for i, number in enumerate(numbers)}
        if extra:
            update["2"] = extra
        try:
            Bot().answer({**ask, "update": update})
            took = True
        except Misfit:
            took = False
        assert took == fits, (numbers, extra)


def check_bans():
    """Matches with players who are banned in the claims, while placing, in a defence and in their turns."""
    for seed in range(8):
        errors = {seed % 5: 4 + seed * 5, (seed + 2) % 5: 30 + seed * 3}
        arena = Arena(seed, [Bot(seat if seat < 2 else None) for seat in range(5)], limit=2000, errors=errors)
        winner = arena.play()
        match = Match(merged(logs_of(arena)), 2000)
        how = match.play()
        bans = [arena.records[at - 1]["record_type"] for at in range(len(arena.records))
                if arena.records[at]["record_type"] == "record_banned"]
        print(f"bans {seed}: after {bans}, {len(arena.records)} records, winner {winner}, {how}")
        assert match.may_have_ended("cancelled" if winner is None else "won")


def check_programs():
    """Clients as programs, with all their settings, and the referee as it reads their logs."""
    with tempfile.TemporaryDirectory() as folder:
        args = [[], ["--sloppy"], ["--random", "a"], ["--random", "b", "--sloppy"], []]
        clients = [Program(Path(folder) / str(seat), *more) for seat, more in enumerate(args)]
        winner = Arena(1, clients, limit=4000).play()
        assert [client.end() for client in clients] == [0] * 5
        logs = [client.log for client in clients]
        count, _ = check(logs, 4000, "cancelled" if winner is None else "won")
        assert count > 127 and all(len(read(log)) > 42 for log in logs)
        print(f"programs: {count} records")


if __name__ == "__main__":
    check_games(int((sys.argv[1:] or ["4"])[0]))
    whole = Arena(3, [Bot() for _ in range(5)])
    whole.play()
    check_errors(whole)
    check_clients(whole)
    check_bans()
    check_programs()
