"""A bot that is right but for one thing, which its argument names: see the table in `checked.rs`."""

import json
import random
import subprocess
import sys
import time

MODE = sys.argv[1]
ids = []
games = 0
me = None
pending = False


def say(value):
    print(value if isinstance(value, str) else json.dumps(value), flush=True)


def pick(domain):
    if isinstance(domain, list):
        return random.choice(domain)
    if MODE == "span-open":
        return random.randrange(domain["min"], domain["max"])
    return random.randint(domain["min"], domain["max"])


def number(m):
    """The id that is answered with."""
    ids.append(m["id"])
    if MODE == "old-id" and len(ids) > 1:
        return ids[-2]
    if MODE == "counts-itself":
        return len(ids)
    if MODE == "id-as-int32":
        return m["id"] % 2**31
    return m["id"]


def answer(m):
    global pending
    if MODE == "strict-keys" and "extra" in m:
        sys.exit("what is `extra`?")
    if MODE == "count-in-range":
        range(m["count"]).index(m["count"] - 1)
        if m["count"] > 2**53:
            raise OverflowError("too many")
    if MODE == "own-ruleset" and any(not o["parameters"] for o in m["options"]):
        raise IndexError("list index out of range")
    if MODE == "first-seat" and m["game"] > 1 and m["state"]["owners"] and me != 0:
        raise KeyError(me)
    if MODE == "hangs":
        time.sleep(1000)
    if MODE == "thinks-aloud":
        say("thinking ...")
    if MODE == "after-fault" and pending:
        return
    o = random.choice(m["options"])
    do = [o["verb"]] + [pick(d) for d in o["parameters"]]
    if MODE == "not-offered":
        do = ["surrender"]
    key = number(m)
    if MODE == "text-id":
        key = str(key)
    said = {"id": key, "do": do}
    say(said)
    if MODE == "twice":
        say(said)


def game(m):
    global games, me
    games += 1
    if MODE == "one-game" and games > 1:
        sys.exit("I play one game")
    if MODE == "narrow" and m["ruleset"] in ("codelab", "simplified"):
        sys.exit("I do not play that")
    if MODE == "never-resumed" and m["resumed"]:
        sys.exit("I was never away")
    me = m["you"]


def hear(m):
    global pending
    kind = m["type"]
    if kind == "hello":
        if MODE == "banner":
            say("Welcome to wrong.py 1.0")
        if MODE == "version":
            return say({"protocol": 2})
        if MODE == "leaves-child":
            subprocess.Popen(["sleep", "30"])
        say({"protocol": 1})
    elif kind == "game":
        game(m)
    elif kind == "ask":
        answer(m)
    elif kind == "fault":
        pending = True
        if MODE == "fault-answered":
            say({"id": m["id"], "do": ["done"]})
        if MODE == "fault-exits":
            sys.exit("a fault")
    elif kind == "events" and MODE == "dies-on-events":
        raise KeyError("events")
    elif kind == "over":
        pending = False
    elif kind not in ("events", "bye"):
        if MODE == "answers-news":
            say({"id": m["id"], "do": ["done"]})
        if MODE == "dies-on-news":
            raise KeyError(kind)


for line in iter(sys.stdin.readline, ""):
    hear(json.loads(line))
if MODE == "ignores-end":
    time.sleep(1000)
