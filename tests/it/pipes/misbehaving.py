"""A bot that does one thing wrong, or one odd thing: which, says its argument. It writes the numbers
of its processes into the file `pids.MODE`."""

import json
import os
import signal
import sys
import time

MODE = sys.argv[1]


def note(pid):
    with open(f"pids.{MODE}", "a") as file:
        file.write(f"{pid}\n")


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(value):
    write(json.dumps(value).encode() + b"\n")


def first(message):
    """The first action that is offered."""
    offer = message["options"][0]
    values = [d[0] if isinstance(d, list) else d["min"] for d in offer["parameters"]]
    return [offer["verb"]] + values


def stay():
    while True:
        time.sleep(1)


def child():
    """A process that outlives whoever does not end it."""
    pid = os.fork()
    if pid == 0:
        note(os.getpid())
        stay()
    return pid


def daemon():
    """A child of a child, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        child()
        os._exit(0)
    os.wait()


def hello():
    odd = {
        "hello-garbage": b"hi there\n",
        "hello-list": b"[]\n",
        "hello-later": b'{"protocol": 2}\n',
        "hello-without": b'{"type": "hello"}\n',
        "hello-wants": b'{"protocol": 1, "wants": "events"}\n',
        "hello-refuses": b'{"protocol": 1, "refuses": [{"code": "no-memory", "text": "no memory"}]}\n',
        "hello-refuses-nothing": b'{"protocol": 1, "refuses": 7}\n',
        "hello-float": b'{"protocol": 1.0}\n',
        "hello-more": b'{"protocol": 1, "wants": ["events", "tea"], "mood": [1, {"a": 2}]}\n',
        "hello-twice": b'{"protocol": 1}\n{"protocol": 1}\n',
    }
    if MODE == "hello-never":
        stay()
    elif MODE == "hello-exit":
        sys.exit(3)
    write(odd.get(MODE, b'{"protocol": 1}\n'))
    if MODE in ("daemon", "ignore-all", "kill-keeper"):
        daemon()
    if MODE == "ignore-all":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)


def answer(m):
    """What is said to a question, as bytes; a few do more than speak."""
    key = m["id"]
    good = json.dumps({"id": key, "do": first(m)}).encode()
    said = lambda do: json.dumps({"id": key, "do": do}).encode() + b"\n"
    failed = lambda fault: json.dumps({"id": key, "fault": fault}).encode() + b"\n"
    lines = {
        "binary": b"\xff\xfe\x00\x01\n",
        "null": b"null\n",
        "empty": b"\n",
        "text": b"thinking ...\n" + good + b"\n",
        "deep": b"[" * 100000 + b"\n",
        "id-text": json.dumps({"id": str(key), "do": first(m)}).encode() + b"\n",
        "id-float": json.dumps({"id": float(key), "do": first(m)}).encode() + b"\n",
        "id-old": json.dumps({"id": key - 1, "do": first(m)}).encode() + b"\n",
        "id-next": json.dumps({"id": key + 1, "do": first(m)}).encode() + b"\n",
        "id-none": json.dumps({"do": first(m)}).encode() + b"\n",
        "id-huge": b'{"id": 99999999999999999999, "do": ["done"]}\n',
        "do-none": json.dumps({"id": key}).encode() + b"\n",
        "do-empty": said([]),
        "do-number": said(7),
        "do-verb": said(["atack", 1, 2]),
        "do-few": said(first(m)[:1] * 1 + [0] * 4),
        "do-place": said([first(m)[0], "atlantis", 1][: len(first(m))]),
        "do-fraction": said([first(m)[0]] + [0.5] * (len(first(m)) - 1)),
        "do-many": said([first(m)] * 10001),
        "do-second": said([first(m), ["atack"]]),
        "do-object": said({"verb": first(m)[0]}),
        "fault-told": failed({"code": "script", "text": "no memory", "place": {"file": "a.py", "line": 3, "column": 7}}),
        "fault-kind": failed({"code": "timeout", "text": "too late"}),
        "fault-text": failed("no memory"),
        "fault-long": failed({"code": "script", "text": "x", "help": "y" * 70000}),
        "do-not-offered": said([first(m)[0]] + [2000000000] * (len(first(m)) - 1)),
        "key-twice": good[:-1] + f', "id": {key}}}'.encode() + b"\n",
        "twice": (good + b"\n") * 2,
        "three-old": json.dumps({"id": 0, "do": ["done"]}).encode() + b"\n" + good + b"\n",
        "crlf": good + b"\r\n",
        "more-keys": good[:-1] + b', "type": "answer", "why": {"deep": [1]}}\n',
        "float": json.dumps({"id": key, "do": floats(first(m))}).encode() + b"\n",
        "long-line": b" " * (3 << 20),
        "half-line": b'{"id": ',
        "flood": b"x\n" * 50000,
        "flood-old": b'{"id": 0}\n' * 20000,
    }
    return lines.get(MODE, good + b"\n")


def floats(action):
    return [float(word) if isinstance(word, int) else word for word in action]


def act(m):
    """What is done at a question, before or instead of an answer."""
    if MODE == "sleep":
        stay()
    elif MODE == "late":
        time.sleep(1.6)
    elif MODE == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif MODE == "exit-0":
        sys.exit(0)
    elif MODE == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif MODE == "half-exit":
        write(b'{"id": 1, "do":')
        sys.exit(1)
    elif MODE == "traceback":
        raise KeyError("alaska")
    elif MODE == "stack-trace":
        sys.stderr.write('Exception in thread "main" Oops: alaska\n\tat Bot.main(Bot.java:7)\n')
        sys.exit(1)
    elif MODE == "close-out":
        os.close(1)
        stay()
    elif MODE == "close-in":
        os.close(0)
        stay()
    elif MODE == "orphan":
        child()
        os._exit(0)
    elif MODE == "kill-keeper":
        os.kill(os.getppid(), signal.SIGKILL)
        stay()
    elif MODE == "fork-bomb":
        while True:
            try:
                os.fork()
            except OSError:
                pass
    elif MODE == "many-processes":
        for _ in range(300):
            child()
        stay()
    elif MODE == "stderr-flood":
        sys.stderr.write("noise\n" * 200000)
        sys.stderr.flush()


def main():
    note(os.getpid())
    for line in iter(sys.stdin.readline, ""):
        m = json.loads(line)
        if m["type"] == "hello":
            hello()
        elif m["type"] == "ask":
            act(m)
            write(answer(m))
    if MODE == "ignore-all":
        stay()


main()
