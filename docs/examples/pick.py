"""A bot for every game: it plays random options. It needs no packages.

    risk-cli play --ruleset warzone --bot 'cmd:python3 pick.py' --bot random
    python3 pick.py 4444     # the same over HTTP: --bot http://127.0.0.1:4444,protocol=json
"""
import json, random, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

def pick(domain):
    """Picks a value of a parameter, from a list or from a range of integers."""
    if isinstance(domain, list):
        return random.choice(domain)
    return random.randint(domain["min"], domain["max"])

def reply(message):
    """Returns the bot's reply to a message, or None."""
    if message["type"] == "hello":
        return {"type": "hello", "protocol": 1, "name": "pick"}
    if message["type"] == "game":
        random.seed(message["seed"])  # the same seed gives the same choices
    if message["type"] == "fault":
        print(message["text"], file=sys.stderr)
    if message["type"] == "ask":
        offer = random.choice(message["options"])
        action = [offer["verb"]] + [pick(domain) for domain in offer["parameters"]]
        return {"id": message["id"], "do": action}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self, said=b""):
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET(json.dumps(reply(message)).encode())

    log_message = lambda *_: None

if __name__ == "__main__" and len(sys.argv) > 1:
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
for line in sys.stdin if __name__ == "__main__" else ():
    said = reply(json.loads(line))
    if said:
        print(json.dumps(said), flush=True)
