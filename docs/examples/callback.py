"""A bot for the callback arena that needs only Python's standard library. It speaks the dialect `seed`.

    risk-cli serve --protocol callback --secret-file secret
    python3 callback.py 4444 ann http://127.0.0.1:8080
    curl -H "Authorization: Bearer $(cat secret)" -X POST http://127.0.0.1:8080/startgame
"""
import json, sys, threading, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, NAME, ARENA = int(sys.argv[1]), sys.argv[2], sys.argv[3]

def near(a, b):
    """On a grid a cell has eight neighbours; on other maps each cell lists its own."""
    if "neighbours" in a:
        return b["location"] in a["neighbours"]
    return all(abs(a["location"][side] - b["location"][side]) <= 1 for side in ("row", "column"))

def strongest(board):
    """Returns the attack with the greatest lead in armies."""
    pairs = [(a["armies"] - b["armies"], a["location"], b["location"])
             for a in board if a["ownerName"] == NAME and a["armies"] > 1
             for b in board if b["ownerName"] != NAME and near(a, b)]
    return max(pairs, key=lambda pair: pair[0])

def place(board):
    """Returns the weakest free cell, or else the weakest of mine with an enemy next to it, or else of all mine."""
    free = [cell for cell in board if cell["ownerName"] is None]
    mine = [cell for cell in board if cell["ownerName"] == NAME]
    front = [cell for cell in mine if any(near(cell, to) and to["ownerName"] != NAME for to in board)]
    return min(free or front or mine, key=lambda cell: cell["armies"])["location"]

def decide(path, said):
    if path == "/placeArmy":
        return place(said["board"])
    if path == "/beginAttack":
        _, here, there = strongest(said["board"])
        return {"fromLocation": here, "toLocation": there}
    if path == "/continueAttack":
        return {"continueAttack": strongest(said["board"])[0] > 0}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self, said=b"yes"):
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET(json.dumps(decide(self.path, body)).encode())

    log_message = lambda *_: None

server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
threading.Thread(target=server.serve_forever).start()
own = json.dumps({"name": NAME, "callback": f"http://127.0.0.1:{PORT}"}).encode()
urllib.request.urlopen(urllib.request.Request(f"{ARENA}/join", own, {"Content-Type": "application/json"}))
