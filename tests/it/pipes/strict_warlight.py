"""A strict bot for the Warlight AI Challenge 2 protocol: strict_warlight.py COMPLAINTS [SEED [MODE]]

It plays, and holds every line that it reads against the description of the protocol. At the first deviation it
appends a complaint to the file COMPLAINTS and exits with code 9; when stdin ends, with 0. MODE: `late` sleeps 1.4 s
before some answers, `chatty` prints an unasked line after some, `dies` exits with code 1 in the middle of round 5.
"""
import itertools
import os
import random
import re
import sys
import time

PLACE, MOVE = "place_armies", "attack/transfer"


def battle(a, d):
    """Least and most kills, least and most losses of `a` attackers against `d`; ties either way."""
    return (504 * a + 499) // 1000, (664 * a + 500) // 1000, (588 * d + 499) // 1000, (748 * d + 500) // 1000


class Bot:
    def __init__(self, complaints, seed="1", mode=""):
        self.complaints, self.mode, self.count = complaints, mode, 0
        self.rng, self.whim = random.Random(seed), random.Random(seed + " whim")
        self.bank_range = 10000, 10000  # of the next time bank number
        self.sure = True  # every answer so far was surely taken as the answer to its own request

    def expect(self, holds, what):
        if not holds:
            with open(self.complaints, "a", encoding="utf-8") as out:
                out.write(f"line {self.count}: {self.line!r}: expected {what}\n")
            sys.exit(9)

    def read(self, words, size=None):
        """The tokens, if given `size` many, after `words` in the next line, which has to begin with them."""
        raw = sys.stdin.buffer.readline() or sys.exit(0)
        self.read_at = time.monotonic()
        self.line, self.count = raw.decode("latin-1"), self.count + 1
        self.expect(re.fullmatch(r"[!-~]+( [!-~]+)*\n", self.line),
                    "ASCII, single blanks, none at the start or the end, and one LF")
        tokens, known = self.line[:-1].split(" "), words.split()
        rest = tokens[len(known):]
        self.expect(tokens[:len(known)] == known, f"`{words}` as the next message")
        self.expect(size in (None, len(rest)), f"{size} words after `{words}`")
        return rest

    def number(self, token, low, high, what):
        plain = re.fullmatch("0|[1-9][0-9]{0,8}", token)
        self.expect(plain and low <= int(token) <= high, f"{what} as a number in {low}..{high}, not {token!r}")
        return int(token)

    def region_ids(self, tokens):
        ids = [self.number(t, 1, len(self.super_of), "a region id") for t in tokens]
        self.expect(len(set(ids)) == len(ids), "each region once")
        return ids

    def table(self, word, what, low, high):
        rest = self.read("setup_map " + word)
        ids = [self.number(t, 1, 10**6, "an id") for t in rest[::2]]
        right = rest and len(rest) % 2 == 0 and ids == list(range(1, len(ids) + 1))
        self.expect(right, f"pairs of an id and a {what}, with the ids 1, 2, 3 ... in order")
        return {i: self.number(t, low, high, f"the {what} of {i}") for i, t in zip(ids, rest[1::2])}

    def request(self, words):
        rest = self.read(words) or [""]
        self.bank = self.number(rest[0], *self.bank_range, "the time bank")
        return rest[1:]

    def answer(self, text):
        if self.mode == "late" and self.whim.random() < 0.125:
            time.sleep(1.4)
            self.sure = False  # the program is told not to wait so long
        extra = self.mode == "chatty" and self.whim.random() < 0.125
        print(text + "\nunasked line" if extra else text, flush=True)
        took = int((time.monotonic() - self.read_at) * 1000)  # 100 ms less to the other side, at the worst
        self.sure = self.sure and not extra and took <= self.bank - 300  # else perhaps out of time
        self.bank_range = 500, 10000  # nothing is charged here

    def setup(self):
        self.read("settings timebank 10000", 0)
        self.read("settings time_per_move 500", 0)
        rounds = self.number(self.read("settings max_rounds", 1)[0], 60, 10**6, "max_rounds")
        self.me = self.read("settings your_bot", 1)[0]
        self.expect(self.me in ("player1", "player2"), "player1 or player2")
        self.foe = {"player1": "player2", "player2": "player1"}[self.me]
        self.read("settings opponent_bot " + self.foe, 0)
        self.bonus = self.table("super_regions", "bonus", 0, 10**6)
        self.super_of = self.table("regions", "super region", 1, len(self.bonus))
        self.max_rounds = max(60, len(self.super_of) * 5 // 2)
        self.expect(rounds == self.max_rounds, f"max_rounds {self.max_rounds} for so many regions, not {rounds}")
        self.parts = {s: {r for r in self.super_of if self.super_of[r] == s} for s in self.bonus}
        self.near = {r: set() for r in self.super_of}
        rest = self.read("setup_map neighbors")
        ids = self.region_ids(rest[::2])
        self.expect(len(rest) % 2 == 0 and ids == sorted(ids), "pairs of an id and a comma list, in id order")
        for r, listed in zip(ids, rest[1::2]):
            for n in self.region_ids(listed.split(",")):
                self.expect(n > r, f"the edge {r}-{n} once, under the smaller id")
                self.near[r].add(n)
                self.near[n].add(r)
        wastelands, draws = self.region_ids(self.read("setup_map wastelands")), len(self.bonus) // 2
        self.expect(min(draws, 1) <= len(wastelands) <= draws, f"1 to {draws} wastelands (0 without draws)")
        self.at_start = {r: 6 if r in wastelands else 2 for r in self.super_of}
        self.neutral = dict(self.at_start)  # the most armies that it may show as neutral; 0: no more neutral
        self.offered = self.region_ids(self.read("settings starting_regions"))
        plain = [s for s in self.bonus if self.parts[s] - set(wastelands)]
        right = [self.super_of[r] for r in self.offered] == plain and not set(self.offered) & set(wastelands)
        self.expect(right, f"one region, no wasteland, of each of the super regions {plain}, in order")
        most = len(self.offered) // 2
        self.picks = self.number(self.read("settings starting_pick_amount", 1)[0], min(3, most), most, "the picks")

    def pick(self):
        left, self.mine = set(self.offered), set()
        for turn in (i for i in range(2 * self.picks) if (i % 4 in (0, 3)) == (self.me == "player1")):
            ids = self.region_ids(self.request("pick_starting_region"))
            size = len(self.offered) - turn
            self.expect(len(ids) == size and set(ids) <= left, f"{size} regions of {sorted(left)}")
            self.answer(str(ids[0]))
            self.mine.add(ids[0])
            left = set(ids) - ({ids[0]} if self.sure else set())
        self.foe_picks = set(self.region_ids(self.read("setup_map opponent_starting_regions")))
        right = len(self.foe_picks) == self.picks and self.foe_picks <= set(self.offered)
        if self.sure:
            right = right and set(self.offered) - left - self.mine <= self.foe_picks <= set(self.offered) - self.mine
        self.expect(right, f"{self.picks} starting regions, each that was gone, none of {sorted(self.mine)}")

    def update(self, first):
        armies = self.read("settings starting_armies", 1)[0]
        income, rest = self.number(armies, 5, 10**8, "starting_armies"), self.read("update_map")
        self.expect(len(rest) % 3 == 0, "triplets of id, owner, armies")
        ids, self.seen = self.region_ids(rest[::3]), {}
        for r, owner, armies in zip(ids, rest[1::3], rest[2::3]):
            self.expect(owner in (self.me, self.foe, "neutral"), f"an owner, not {owner!r}")
            self.seen[r] = owner, self.number(armies, 1, 10**8, f"the armies of {r}")
        self.own = [r for r in sorted(ids) if self.seen[r][0] == self.me]
        self.expect(ids[:len(self.own)] == self.own, "own regions first, in id order")
        visible = set(self.own).union(*(self.near[r] for r in self.own))
        self.expect(set(ids) == visible, f"own regions and their neighbours, no other: {sorted(visible)}")
        found_by = [min(self.near[r] & set(self.own)) for r in ids[len(self.own):]]
        self.expect(found_by == sorted(found_by), "neighbours in the order in which own regions discover them")
        whole = [s for s in self.bonus if self.parts[s] and self.parts[s] <= set(self.own)]
        due = 5 + sum(self.bonus[s] for s in whole)
        self.expect(income == due, f"starting_armies {due} before it (super regions {whole}), not {income}")
        self.expect(not first or len(self.own) == self.picks, f"{self.picks} own regions")
        for r, (owner, armies) in self.seen.items():
            mine = r in self.mine if self.sure else owner == self.me and r in self.offered
            right = self.foe if r in self.foe_picks else self.me if mine else "neutral"
            self.expect(not first or (owner, armies) == (right, self.at_start[r]), f"{r} {right} {self.at_start[r]}")
            self.expect(owner != "neutral" or armies <= self.neutral[r], f"{r} at most {self.neutral[r]} neutral")
            self.neutral[r] = armies if owner == "neutral" else 0
        return income

    def opponent_moves(self, before):
        """The placements and moves of the opponent in the last round; `before`: what was seen before it."""
        rest, placed, moves = self.read("opponent_moves"), {}, {}
        self.expect(before or not rest, "no moves before round 1")
        held = {r for r in before if before[r][0] == self.me}  # by this bot, at any time in the round, at most
        held |= {t for _, t in self.sent} if self.sure else set(before)
        sight = held.union(*(self.near[r] for r in held))
        foes = {r for r in self.near if before.get(r, (self.foe,))[0] == self.foe}  # as far as is known
        while rest:
            size = {PLACE: 4, MOVE: 5}.get(rest[1] if len(rest) > 1 else "", 9)
            self.expect(rest[0] == self.foe and len(rest) >= size, f"a move of {self.foe} at {rest[:5]}")
            at, n = self.region_ids(rest[2:size - 1]), self.number(rest[size - 1], 1, 10**8, "the armies of a move")
            self.expect(at[0] in foes, f"no move from {at[0]}, which was not {self.foe}'s")
            self.expect(set(at) & (sight if size == 5 else set(before)), f"nothing at {at}, which was under fog")
            if size == 4:
                placed[at[0]] = placed.get(at[0], 0) + n
            else:
                self.expect(at[1] in self.near[at[0]] and tuple(at) not in moves, f"{at} as neighbours, and once")
                moves[tuple(at)] = n
            rest = rest[size:]
        income = 5 + sum(self.bonus[s] for s in self.bonus if self.parts[s] <= foes)
        self.expect(sum(placed.values()) <= income, f"at most {income} armies placed by {self.foe}")
        for r in {f for f, _ in moves if f in before and f in self.seen}:
            sent = sum(n for (f, _), n in moves.items() if f == r)
            self.expect(sent < before[r][1] + placed.get(r, 0), f"{sent} armies sent from {r} to leave one there")
        return placed, moves

    def audit(self, before, placed, moves):
        """What must follow from the last round's moves. `quiet`: own regions not attacked, so surely kept.
        A move from a region that is not seen is not told here: where one may have been, nothing is sure."""
        if any(owner == self.foe for owner, _ in [*before.values(), *self.seen.values()]):
            return
        quiet = {r for r in before if before[r][0] == self.me} - {t for _, t in moves}
        self.expect(quiet <= set(self.own), f"an attack on each of {sorted(quiet - set(self.own))}, which was lost")
        gained = set(self.own) - set(before) - {t for _, t in self.sent} if self.sure and before else set()
        self.expect(not gained, f"no gain of {gained}, to which nothing was sent")
        for r in sorted(quiet.union(*(self.near[r] for r in quiet))) if self.sure else ():
            (owner, armies), (now, then) = before[r], self.seen[r]
            mine, theirs = ({f: n for (f, t), n in m.items() if t == r} for m in (self.sent, moves))
            what = f"before it {r} from {owner} {armies}, sent {mine}, opponent {theirs}, not to {now} {then} but "
            if r in quiet:
                low = armies + self.placed.get(r, 0) + sum(n for f, n in mine.items() if f in quiet)
                high = low + sum(n for f, n in mine.items() if f not in quiet)
                for t, n in ((t, n) for (f, t), n in self.sent.items() if f == r):
                    alone = [to for _, to in [*self.sent, *moves]].count(t) == 1 and before[t][0] == "neutral"
                    alone = alone and self.near[t] <= set(before)
                    least, most = battle(n, before[t][1])[2:] if alone else (1, n)
                    sure = t in quiet or alone and self.seen[t][0] == self.me  # all n have left
                    low, high = low - (n if sure else min(n, most)), high - (n if sure else min(n, least))
                self.expect(low <= then <= high, what + f"{low} to {high} armies")
            elif owner == "neutral" and not theirs and self.near[r] <= set(before):
                self.expect(now != self.foe if mine else (now, then) == before[r], what + "no change unmoved")
                if len(mine) == 1 and set(mine) <= quiet:
                    n, = mine.values()
                    kills0, kills1, loss0, loss1 = battle(n, armies)
                    won = kills1 >= armies and n - loss1 <= then <= n - loss0
                    held = (kills0 < armies or loss1 >= n) and min(kills0, armies - 1) <= armies - then <= kills1
                    self.expect(won if now == self.me else held, what + f"a possible result of {n} v {armies}")
            elif owner == self.foe and not mine:
                low = high = armies + placed.get(r, 0) + sum(theirs.values())
                for t, n in ((t, n) for (f, t), n in moves.items() if f == r):
                    inner = before.get(t, "?")[0] == self.foe and t not in {to for _, to in self.sent}
                    low, high = low - n, high - (n if inner else 1)
                self.expect(now == self.foe and low <= then <= high, what + f"{self.foe} {low} to {high}")

    def choose_place(self, income):
        self.border = [r for r in self.own if self.near[r] - set(self.own)]
        idle = not self.own or self.rng.random() < 0.05
        self.placed = {} if idle else {self.rng.choice(self.border or self.own): income}
        return [f"{self.me} {PLACE} {r} {n}" for r, n in self.placed.items()]

    def choose_moves(self, _):
        sent, away, queue = {}, {r: 0 for r in self.border}, list(self.border)  # `away`: steps to the border
        for r in queue:
            queue += (new := sorted(self.near[r] & set(self.own) - set(away)))
            away.update((n, away[r] + 1) for n in new)
        for r in self.own if self.rng.random() >= 0.05 else []:
            spare, targets = self.seen[r][1] + self.placed.get(r, 0) - 1, sorted(self.near[r] - set(self.own))
            for t in self.rng.sample(targets, len(targets)):
                if spare >= (need := 2 * self.seen[t][1] + 1):
                    sent[r, t] = self.rng.choice([need, spare])
                    spare -= sent[r, t]
            if not targets and spare and r in away:
                sent[r, self.rng.choice([n for n in sorted(self.near[r]) if away[n] < away[r]])] = spare
        self.sent = dict(list(sent.items())[:50])  # more than 51 would not be read
        return [f"{self.me} {MOVE} {f} {t} {n}" for (f, t), n in self.sent.items()]

    def play(self):
        self.setup()
        self.pick()
        before, self.placed, self.sent = {}, {}, {}
        for number in itertools.count(1):
            income = self.update(number == 1)
            self.audit(before, *self.opponent_moves(before))
            before, owners = self.seen, {self.seen.get(r, (self.foe,))[0] for r in self.near}  # fog: perhaps the foe's
            over = number > self.max_rounds or not {self.me, self.foe} <= owners
            for verb, choose in ((PLACE, self.choose_place), (MOVE, self.choose_moves)):
                end = self.request("go " + verb) or over and number > 1
                self.expect(not end, "nothing after the time bank, and no request after the end of the game")
                if self.mode == "dies" and number == 5 and verb == MOVE:
                    sys.exit(1)
                moves, comma = choose(income), self.rng.choice([",", ", ", " , "])
                self.answer(comma.join(moves) + self.rng.choice(["", ",", " , "]) if moves else "No moves")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4 or sys.argv[3:] not in ([], ["late"], ["chatty"], ["dies"]):
        sys.exit(__doc__)
    try:
        Bot(*sys.argv[1:]).play()
    except BrokenPipeError:  # the game is over
        os._exit(0)
