"""Checks a match of SYNCS Bot Battle 2024: referee.py [--limit N] [--end won|cancelled|any] LOG LOG LOG LOG LOG

The logs are those of the five clients, in the order of their seats. Each line is the record that a client was sent and
its number: {"index": 0, "record": {...}}. The referee merges them and checks every record against the rules. At the
first error, it writes one sentence and exits with code 1.

Clients aren't sent the last records of a match. With `--end won`, what they were sent must end with an attack that can
win the match; with `--end cancelled`, where the last turn before the limit ends. A record_banned may come anywhere.
That player's turns may then be missing or stop, and others must still conquer its territories, which defend themselves.
"""
import json
import sys

from board import BONUS, CARDS, LAND, NEAR, card, held, is_set, set_value

SEATS = range(5)
#: The fields of each record, beside record_type.
FIELDS = {
    "public_record_start_game": "turn_order players you",
    "record_shuffled_cards": "",
    "move_claim_territory": "move_by_player territory",
    "move_place_initial_troop": "move_by_player territory",
    "move_redeem_cards": "move_by_player sets cause",
    "move_distribute_troops": "move_by_player cause distributions",
    "move_attack": "move_by_player attacking_territory defending_territory attacking_troops",
    "move_attack_pass": "move_by_player",
    "move_defend": "move_by_player move_attack_id defending_troops",
    "move_troops_after_attack": "move_by_player record_attack_id troop_count",
    "move_fortify": "move_by_player source_territory target_territory troop_count",
    "move_fortify_pass": "move_by_player",
    "record_start_turn": "player continents_held territories_held continent_bonus territory_bonus",
    "record_redeemed_cards": "move_redeem_cards_id total_set_bonus matching_territory_bonus",
    "record_attack": "move_attack_id move_defend_id attacking_troops_lost defending_troops_lost territory_conquered "
                     "defender_eliminated",
    "record_territory_conquered": "record_attack_id",
    "record_player_eliminated": "player record_attack_id cards",
    "record_drew_card": "player card",
    "record_banned": "player ban_type reason details",
}
WORDS, FLAGS = {"record_type", "cause"}, {"territory_conquered", "defender_eliminated"}
LISTS = {"turn_order", "players", "you", "sets", "distributions", "continents_held", "card", "cards"}


class Wrong(Exception):
    """A record breaks the rules."""


class Over(Exception):
    """There are no more records."""


class Gone(Exception):
    """A banned player makes no move here."""


def read(path):
    """The records of a client's log."""
    with open(path, encoding="utf-8") as lines:
        log = [json.loads(line) for line in lines]
    for number, line in enumerate(log):
        if line["index"] != number:
            raise Wrong(f"{path}: record {line['index']} came where record {number} was due")
    return [line["record"] for line in log]


def merged(logs):
    """One list of all records. Each must be the same for all who got it, but for what only some may see."""
    records = []
    for index in range(max(map(len, logs))):
        seen = {seat: log[index] for seat, log in enumerate(logs) if index < len(log)}
        records.append(merge(index, seen))
    return records


def merge(index, seen):
    def need(holds, what):
        if not holds:
            raise Wrong(f"record {index}: {what}")

    kind = next(iter(seen.values()))["record_type"]
    one = dict(next(iter(seen.values())))
    drawn = "record_drew_card", "public_record_drew_card"
    if kind == "public_record_start_game":
        for seat, record in seen.items():
            need(record.get("you", {}).get("player_id") == seat, f"`you` of seat {seat} is not that seat")
            need({**record, "you": 0} == {**one, "you": 0}, "the clients got different starts")
            you = {key: value for key, value in record["you"].items() if key != "team_id"}
            need(you == {"player_id": seat, "troops_remaining": 25, "alive": True, "cards": [],
                         "must_place_territory_bonus": []}, f"`you` of seat {seat} is not the start of a player")
    elif kind in drawn:
        one = {"record_type": drawn[0], "player": one["player"], "card": None}
        for seat, record in seen.items():
            own = seat == one["player"]
            need(record["record_type"] == drawn[not own] and record["player"] == one["player"],
                 f"seat {seat} got the wrong view of a drawn card")
            need(set(record) == {"record_type", "player"} | ({"card"} if own else set()),
                 f"seat {seat} got other fields of a drawn card")
            one["card"] = record["card"] if own else one["card"]
    elif kind == "record_player_eliminated":
        lists = [(seat, record) for seat, record in seen.items() if "cards_surrendered" in record]
        need(len(lists) <= 1, "several clients saw the cards of an eliminated player")
        counts = {record.get("cards_surrendered_count", len(record.get("cards_surrendered", [])))
                  for record in seen.values()}
        need(len(counts) == 1, "the clients got different numbers of surrendered cards")
        for record in seen.values():
            rest = {key: value for key, value in record.items() if not key.startswith("cards_")}
            need(rest == {key: one[key] for key in rest} and len(record) == 4, "the clients saw different eliminations")
        one = {key: value for key, value in one.items() if not key.startswith("cards_")}
        one["cards"] = [counts.pop(), *(lists[0][1]["cards_surrendered"] if lists else [])]
        one["seen by"] = (lists[0][0] if lists else None, sorted(seen))
    else:
        for seat, record in seen.items():
            need(record == one, f"seat {seat} got another {kind} than seat {min(seen)}")
    return one


class Match:
    def __init__(self, records, limit=15000):
        self.records, self.limit, self.at = records, limit, 0
        self.owner, self.armies = [None] * 42, [0] * 42
        self.troops, self.alive = [25] * 5, [True] * 5
        self.hands, self.hidden = [set() for _ in SEATS], [0] * 5  # the cards known, and the number of others
        self.deck, self.left, self.discards = set(CARDS), 44, []   # cards that may be there, and their number
        self.traded, self.awaits, self.banned = 0, "", set()

    def need(self, holds, what):
        if not holds:
            raise Wrong(f"record {self.at}: {what}")

    def take(self, *kinds, by=None):
        """The next record, which has to be of one of these kinds, and a move of this player."""
        self.awaits = kinds[0]
        self.bans()
        if self.at >= len(self.records):
            raise Over
        record = self.records[self.at]
        kind = record["record_type"]
        if by in self.banned and (kind not in kinds or record["move_by_player"] != by):
            raise Gone
        self.need(kind in kinds, f"{kind}, where {' or '.join(kinds)} was due")
        fields = {"record_type", *FIELDS[kind].split()}
        found = set(record) - {"seen by"}
        self.need(found == fields, f"the fields of a {kind} are not {sorted(found)}")
        for key, value in record.items():
            if key not in WORDS | LISTS | {"seen by"}:
                kind_of = bool if key in FLAGS else int
                self.need(type(value) is kind_of, f"{key} is {value!r}")
        if by is not None:
            self.need(record["move_by_player"] == by, f"a move of player {record['move_by_player']}, not of {by}")
        self.at += 1
        return record

    def bans(self):
        """Passes over the bans that come here."""
        while self.at < len(self.records) and self.records[self.at]["record_type"] == "record_banned":
            player = self.records[self.at].get("player")
            self.need(player in SEATS and player not in self.banned, f"a ban of player {player}")
            self.banned.add(player)
            self.at += 1

    def back(self, holds, what):
        """The same as `need`, for the record taken last."""
        if not holds:
            raise Wrong(f"record {self.at - 1}: {what}")

    def land(self, at, what):
        self.back(at in LAND, f"{what} is {at}, which is no territory")

    def owned(self, player):
        return [at for at in LAND if self.owner[at] == player]

    def play(self):
        """Checks all records; returns how the match ended, as far as they show it."""
        try:
            return self.match()
        except Over:
            return "open"

    def match(self):
        start = self.take("public_record_start_game")
        order = start["turn_order"]
        self.back(sorted(order) == list(SEATS), f"turn_order is {order}")
        public = [{"player_id": seat, "troops_remaining": 25, "alive": True, "card_count": 0,
                   "must_place_territory_bonus": []} for seat in SEATS]
        self.back(start["players"] == public, "the five players don't start with 25 armies and no cards")
        self.acting = order[::-1]
        self.take("record_shuffled_cards")
        for count in LAND:
            player = self.acting[count % 5]
            at = self.take("move_claim_territory", by=player)["territory"]
            self.land(at, "the claim")
            self.back(self.owner[at] is None, f"territory {at} was not free")
            self.owner[at], self.armies[at] = player, 1
            self.troops[player] -= 1
        turn = 0
        while any(self.troops):
            player = self.acting[turn % 5]
            turn += 1
            if self.troops[player]:
                try:
                    at = self.take("move_place_initial_troop", by=player)["territory"]
                except Gone:
                    self.troops[player] = 0
                    continue
                self.land(at, "the place of an army")
                self.own(at, player)
                self.armies[at] += 1
                self.troops[player] -= 1
        turn = 0
        while True:
            player = self.acting[turn % 5]
            turn += 1
            try:
                if self.alive[player] and self.turn(player):
                    return "won"
            except Gone:
                self.troops[player] = 0

    def own(self, at, player):
        self.back(self.owner[at] == player, f"territory {at} does not belong to player {player}")

    def turn(self, player):
        """Checks a turn; returns whether it ends the match."""
        self.bans()
        if player in self.banned and self.at < len(self.records) and self.records[self.at].get("player") != player:
            raise Gone
        if self.at >= self.limit and self.at < len(self.records):
            raise Wrong(f"record {self.at}: a turn begins after {self.limit} records")
        start, self.mover = self.take("record_start_turn"), player
        owned = self.owned(player)
        groups = held(owned)
        self.back(start["player"] == player, f"the turn of player {start['player']}, not of {player}")
        self.back(start["territories_held"] == len(owned), f"territories_held is not {len(owned)}")
        self.back(sorted(start["continents_held"]) == groups, f"continents_held is not {groups}")
        bonus, land = sum(BONUS[group] for group in groups), max(3, len(owned) // 3)
        self.back(start["continent_bonus"] == bonus, f"continent_bonus is not {bonus}")
        self.back(start["territory_bonus"] == land, f"territory_bonus is not {land}")
        self.troops[player] += bonus + land
        self.supply(player, "turn_started")
        conquered, passed = False, False
        while self.at <= self.limit and not passed:
            attack = self.take("move_attack", "move_attack_pass", by=player)
            passed = attack["record_type"] == "move_attack_pass"
            if not passed and self.attack(player, attack):
                conquered = True
                if sum(self.alive) == 1:
                    return self.end()
        if conquered and passed:
            self.draw(player)
        self.fortify(player)
        return False

    def end(self):
        if self.at < len(self.records):
            raise Wrong(f"record {self.at}: the match goes on after its last conquest")
        return True

    def supply(self, player, cause):
        """A trade, and what is placed after it."""
        trade = self.take("move_redeem_cards", by=player)
        self.back(trade["cause"] == cause, f"the cause is not {cause}")
        hand, hidden, value, places = set(self.hands[player]), self.hidden[player], 0, set()
        before = len(hand) + hidden
        self.back(isinstance(trade["sets"], list), "the sets are no list")
        for cards in trade["sets"]:
            self.back(isinstance(cards, list) and len(cards) == 3, f"a set of other than three cards: {cards}")
            for one in cards:
                self.back(type(one) is int and one in CARDS, f"there is no card {one}")
                self.back(one in hand or hidden and one in self.deck, f"player {player} doesn't hold card {one}")
                if one not in hand:
                    hidden -= 1
                    self.deck.discard(one)
                hand.discard(one)
                if one < 42 and self.owner[one] == player:
                    places.add(one)
            self.back(is_set(cards), f"the cards {cards} are no set")
            value += set_value(self.traded)
            self.traded += 1
            self.discards += cards
        left = len(hand) + hidden
        self.back(left < 5, f"{left} of {before} cards are left after a trade")
        self.back(cause == "turn_started" or left >= 2, f"only {left} of {before} cards are left after a forced trade")
        self.hands[player], self.hidden[player] = hand, hidden
        bonus = 2 if places else 0
        result = self.take("record_redeemed_cards")
        self.back(result["move_redeem_cards_id"] == self.at - 2, "the result is of another trade")
        self.back(result["total_set_bonus"] == value, f"total_set_bonus is not {value}")
        self.back(result["matching_territory_bonus"] == bonus, f"matching_territory_bonus is not {bonus}")
        self.troops[player] += value + bonus
        move = self.take("move_distribute_troops", by=player)
        self.back(move["cause"] == cause, f"the cause is not {cause}")
        given = {}
        for key, count in move["distributions"].items():
            self.back(key.isdecimal() and str(int(key)) == key, f"{key!r} is no territory")
            self.land(int(key), "a territory of the distribution")
            self.own(int(key), player)
            self.back(type(count) is int and count >= 1, f"{count!r} armies are placed")
            given[int(key)] = count
        total = sum(given.values())
        self.back(total == self.troops[player], f"{total} armies are placed of {self.troops[player]}")
        enough = not places or any(given.get(at, 0) >= 2 for at in places)
        self.back(enough, f"none of the territories {sorted(places)} gets the two armies of its card")
        for at, count in given.items():
            self.armies[at] += count
        self.troops[player] = 0

    def attack(self, player, move):
        """Checks an attack; returns whether it took the territory."""
        number = self.at - 1
        source, target, dice = (move[key] for key in
                                ("attacking_territory", "defending_territory", "attacking_troops"))
        self.land(source, "the source of the attack")
        self.land(target, "the target of the attack")
        self.own(source, player)
        defender = self.owner[target]
        self.back(defender != player, f"player {player} attacks the own territory {target}")
        self.back(target in NEAR[source], f"territory {source} does not border {target}")
        most = min(3, self.armies[source] - 1)
        self.back(1 <= dice <= most, f"an attack with {dice} dice, where {most} are the most")
        try:
            defence = self.take("move_defend", by=defender)
        except Gone:
            return False  # the defender was banned when asked, and the attack has no effect
        answer = self.at - 1
        self.back(defence["move_attack_id"] == number, "the defence is against another attack")
        most = min(2, self.armies[target])
        self.back(1 <= defence["defending_troops"] <= most,
                  f"a defence with {defence['defending_troops']} dice, where {most} are the most")
        pairs = min(dice, defence["defending_troops"])
        result = self.take("record_attack")
        here = self.at - 1
        self.back(result["move_attack_id"] == number and result["move_defend_id"] == answer,
                  "the result is of another attack")
        lost, killed = result["attacking_troops_lost"], result["defending_troops_lost"]
        self.back(lost >= 0 and killed >= 0 and lost + killed == pairs,
                  f"losses of {lost} and {killed}, where {pairs} dice were compared")
        self.armies[source] -= lost
        self.armies[target] -= killed
        taken = self.armies[target] == 0
        self.back(result["territory_conquered"] == taken, f"territory_conquered is not {taken}")
        last = taken and self.owned(defender) == [target]
        self.back(result["defender_eliminated"] == last, f"defender_eliminated is not {last}")
        if not taken:
            return False
        self.owner[target] = player
        conquest = self.take("record_territory_conquered")
        self.back(conquest["record_attack_id"] == here, "the conquest is of another attack")
        if last:
            self.eliminate(player, defender, here)
            if sum(self.alive) == 1:
                return True
        entry = self.take("move_troops_after_attack", by=player)
        self.back(entry["record_attack_id"] == here, "armies move in after another attack")
        most, count = self.armies[source] - 1, entry["troop_count"]
        self.back(dice <= count <= most, f"{count} armies move in, where {dice} to {most} may")
        self.armies[source] -= count
        self.armies[target] = count
        if last and len(self.hands[player]) + self.hidden[player] >= 7:
            self.supply(player, "player_eliminated")
        return True

    def eliminate(self, player, loser, here):
        out = self.take("record_player_eliminated")
        self.back(out["player"] == loser, f"the eliminated player is {loser}, not {out['player']}")
        self.back(out["record_attack_id"] == here, "the elimination is of another attack")
        (count, *cards), (viewer, viewers) = out["cards"], out["seen by"]
        held_by_loser = len(self.hands[loser]) + self.hidden[loser]
        self.back(count == held_by_loser, f"{count} cards are surrendered of {held_by_loser}")
        self.back(viewer in (None, player), f"seat {viewer} saw the cards that player {player} got")
        self.back(viewer == player or player not in viewers, f"player {player} doesn't see the cards of player {loser}")
        numbers = [one.get("card_id") for one in cards]
        for one in cards:
            self.back(one.get("card_id") in CARDS and one == card(one["card_id"]), f"there is no card {one}")
        if viewer is not None:
            unknown = set(numbers) - self.hands[loser]
            self.back(len(set(numbers)) == count and self.hands[loser] <= set(numbers) and unknown <= self.deck,
                      f"player {loser} holds {sorted(self.hands[loser])}, not {sorted(numbers)}")
            self.deck -= unknown
            self.hands[player] |= set(numbers)
        else:
            self.hands[player] |= self.hands[loser]
            self.hidden[player] += self.hidden[loser]
        self.hands[loser], self.hidden[loser], self.alive[loser] = set(), 0, False

    def draw(self, player):
        if self.left == 0:
            self.take("record_shuffled_cards")
            self.deck, self.left = self.deck | set(self.discards), len(self.discards)
            self.discards = []
        drew = self.take("record_drew_card")
        self.back(drew["player"] == player, f"player {drew['player']} draws a card of player {player}")
        self.left -= 1
        one = drew["card"]
        if one is None:
            self.hidden[player] += 1
            return
        self.back(one.get("card_id") in CARDS and one == card(one["card_id"]), f"there is no card {one}")
        self.back(one["card_id"] in self.deck, f"card {one['card_id']} is not in the deck")
        self.deck.discard(one["card_id"])
        self.hands[player].add(one["card_id"])

    def fortify(self, player):
        move = self.take("move_fortify", "move_fortify_pass", by=player)
        if move["record_type"] == "move_fortify_pass":
            return
        source, target, count = (move[key] for key in ("source_territory", "target_territory", "troop_count"))
        self.land(source, "the source of the move")
        self.land(target, "the target of the move")
        self.own(source, player)
        self.own(target, player)
        self.back(target in NEAR[source], f"territory {source} does not border {target}")
        most = self.armies[source] - 1
        self.back(0 <= count <= most, f"{count} armies move, where 0 to {most} may")
        self.armies[source] -= count
        self.armies[target] += count

    def may_have_ended(self, how):
        """Whether the match can have ended in this way after what the clients were sent."""
        if how == "cancelled":
            return self.awaits == "move_fortify" and self.at + 1 >= self.limit
        last = self.records[-1]
        if self.awaits == "move_attack":  # the last defender is banned, so that no client sees the attack
            rest = [at for at in LAND if self.owner[at] != self.mover]
            return len(rest) == 1 and self.armies[rest[0]] <= 2 and self.owner[rest[0]] in self.banned
        if self.awaits not in ("move_defend", "record_attack") or last["record_type"] not in (
                "move_attack", "move_defend"):
            return False
        attack = last if last["record_type"] == "move_attack" else self.records[-2]
        target, player = attack["defending_territory"], attack["move_by_player"]
        return all(self.owner[at] == player for at in LAND if at != target) and self.armies[target] <= 2


def check(paths, limit=15000, end="any"):
    """The number of records of these logs, and how the match ended, as far as they show it."""
    match = Match(merged([read(path) for path in paths]), limit)
    how = match.play()
    if end != "any" and not match.may_have_ended(end):
        raise Wrong(f"record {len(match.records)}: the match can't have ended here ({end}): next was {match.awaits}")
    return len(match.records), how


def main(args):
    settings = {"limit": 15000, "end": "any"}
    while args and args[0][2:] in settings and args[0].startswith("--"):
        name, value, *args = args
        settings[name[2:]] = int(value) if name == "--limit" else value
    if len(args) != 5 or settings["end"] not in ("won", "cancelled", "any"):
        sys.exit(__doc__)
    try:
        count, how = check(args, **settings)
    except Wrong as wrong:
        print(wrong)
        sys.exit(1)
    print(f"{count} records are right")


if __name__ == "__main__":
    main(sys.argv[1:])
