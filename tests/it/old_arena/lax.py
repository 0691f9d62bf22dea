"""Tests three cards as the old arena did: neighbours that differ. So a horse, a cannon and a horse are a set."""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import combinations
from urllib.parse import parse_qs

board = json.load(open(sys.argv[2]))

def is_set(cards):
    a, b, c = [card["value"] for card in cards]
    return "wild" in (a, b, c) or a == b == c or a != b != c

def do_turn(game, you):
    countries, actions, me = game["countries"], you["available_actions"], you["name"]
    if "choose_country" in actions:
        return "choose_country", sorted(c for c in countries if countries[c]["owner"] == "none")[0]
    if "deploy_troops" in actions:
        at = max(you["countries"], key=lambda c: len([n for n in board[c] if countries[n]["owner"] != me]))
        return "deploy_troops", {at: you["troops_to_deploy"]}
    if "spend_cards" in actions:
        combos = [c for c in combinations(you["cards"], 3) if is_set(c)]
        return "spend_cards", [card["country_name"] for card in combos[0]]
    if "attack" in actions:
        for c in you["countries"]:
            for n in board[c]:
                if countries[n]["owner"] != me and countries[c]["troops"] > countries[n]["troops"] + 1:
                    dice = min(3, countries[c]["troops"] - 1)
                    return "attack", {"attacking_country": c, "defending_country": n, "attacking_troops": dice,
                                      "moving_troops": countries[c]["troops"] - dice - 1}
        return "end_attack_phase", None
    return "end_turn", None

class Player(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        risk = json.loads(parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["risk"][0])
        if self.path == "/turn":
            action, data = do_turn(risk["game"], risk["you"])
            self.answer(json.dumps({"action": action, "data": data}).encode())
        else:
            self.answer(b"")

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Player).serve_forever()
