# risk bot, quick hack. hangs up when it likes
import sys, json, random, socket, os
HOST, NAME = sys.argv[1], sys.argv[2]
random.seed(int(sys.argv[3]))
token = None

def dial():
    global token
    s = socket.create_connection(HOST.split(":"))
    path = "/bot" if token else "/bot?name=" + NAME
    h = "get".upper() + " " + path + " HTTP/1.1\r\nhost: " + HOST + "\r\nconnection: keep-alive, Upgrade\r\nupgrade: WebSocket\r\n"
    h += "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-extensions: permessage-deflate\r\nsec-websocket-protocol: risk\r\nuser-agent: hack/0.1\r\n"
    if token:
        h += "authorization: bearer " + token + "\r\n"
    s.sendall((h + "\r\n").encode())
    f = s.makefile("rb")
    l = f.readline()
    if b"101" not in l:
        print("no:", l, f.read(500)); sys.exit(1)
    while f.readline().strip():
        pass
    return s, f

def fr(s, first, data):
    m = os.urandom(4)
    n = len(data)
    h = bytes([first, 128 | n]) if n < 126 else bytes([first, 128 | 126, n >> 8, n & 255])
    s.sendall(h + m + bytes(c ^ m[i & 3] for i, c in enumerate(data)))

def say(s, o):
    # pretty-printed, with things nobody asked for, and in pieces if I feel like it
    d = (json.dumps(o, indent=2) + "\n\n").encode()
    r = random.randrange(3)
    if r == 0:
        fr(s, 0x81, d)
    elif r == 1:
        k = random.randrange(len(d))
        fr(s, 0x01, d[:k]); fr(s, 0x89, b"still there?"); fr(s, 0x80, d[k:])
    else:
        fr(s, 0x01, b""); fr(s, 0x00, d[:7]); fr(s, 0x00, d[7:]); fr(s, 0x80, b"")

def val(d):
    if type(d) is list:
        return random.choice(d)
    return float(random.randint(d["min"], d["max"]))     # floats are numbers too

done = False
hangups = 0
while not done:
    s, f = dial()
    while True:
        h = f.read(2)
        if len(h) < 2:
            break
        n = h[1] & 127
        if n == 126: n = int.from_bytes(f.read(2), "big")
        elif n == 127: n = int.from_bytes(f.read(8), "big")
        d = f.read(n)
        op = h[0] & 15
        if op == 8:
            break                                        # never says goodbye
        if op != 1:
            continue                                     # pings? what pings
        m = json.loads(d)
        t = m["type"]
        if t == "welcome":
            token = m.get("token", token)
        elif t == "hello":
            say(s, {"protocol": 1.0, "bot": "hack", "wants": random.choice([[], ["events"], ["events", "cake"]])})
        elif t == "ask":
            if hangups < 4 and random.random() < 0.1:
                hangups += 1
                s.close()
                f.close()
                break
            if random.random() < 0.1:
                say(s, {"id": m["id"] - 1, "do": "old news"})
            o = random.choice(m["options"])
            do = [o["verb"]] + [val(p) for p in o["parameters"]]
            say(s, {"comment": "trust me", "id": float(m["id"]), "do": do})
        elif t == "fault":
            print("fault", m)
        elif t == "over":
            done = True
            break
print("hung up", hangups)
