"""Half of everything, rounded up: with Python 2, where math.ceil gave 3.0."""
import json, math, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

board = json.load(open(sys.argv[2]))

def ceil(number):
    return float(math.ceil(number))

class Player(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer("")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        r = json.loads(parse_qs(body)["risk"][0])
        if self.path == "/not_turn":
            self.answer("")
        else:
            self.answer(json.dumps(self.turn(r["game"]["countries"], r["you"])))

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def turn(self, countries, you):
        actions = you["available_actions"]
        mine = you["countries"]
        foes = lambda c: [n for n in board[c] if countries[n]["owner"] != you["name"]]
        if actions == ["choose_country"]:
            return {"action": "choose_country", "data": [c for c in countries if countries[c]["owner"] == "none"][-1]}
        if actions == ["deploy_troops"]:
            front = [c for c in mine if foes(c)]
            troops = {front[0]: ceil(you["troops_to_deploy"] / 2.0)}
            rest = you["troops_to_deploy"] - troops[front[0]]
            if rest > 0:
                troops[front[-1]] = troops.get(front[-1], 0) + rest
            return {"action": "deploy_troops", "data": troops}
        if "spend_cards" in actions:
            values = {}
            for card in you["cards"]:
                values.setdefault(card["value"], []).append(card["country_name"])
            wild = values.pop("wild", [])
            sets = [names[:3] for names in values.values() if len(names) > 2]
            if len(values) == 3:
                sets.append([names[0] for names in values.values()])
            if wild:
                sets.append((wild + sum(values.values(), []))[:3])
            return {"action": "spend_cards", "data": sets[0]} if sets else {"action": "pass"}
        if "attack" in actions:
            for c in mine:
                spare = countries[c]["troops"] - 1
                for n in foes(c):
                    if spare > countries[n]["troops"]:
                        dice = float(min(3, spare))
                        return {"action": "attack", "data": {
                            "attacking_country": c, "defending_country": n,
                            "attacking_troops": dice, "moving_troops": ceil((spare - dice) / 2)}}
            return {"action": "end_attack_phase"}
        for c in mine:
            own = [n for n in board[c] if countries[n]["owner"] == you["name"]]
            if own and not foes(c) and countries[c]["troops"] > 1:
                return {"action": "reinforce", "data": {
                    "origin_country": c, "destination_country": own[0],
                    "moving_troops": ceil((countries[c]["troops"] - 1) / 2.0)}}
        return {"action": "end_turn"}

    def log_message(self, *args):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Player).serve_forever()
