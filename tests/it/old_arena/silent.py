"""Answers with nothing where none of the names that it knows is in the list."""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

board = json.load(open(sys.argv[2]))

class Player(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        risk = json.loads(parse_qs(body)["risk"][0])
        game, you = risk["game"], risk["you"]
        what = ""
        for name in ("choose_country", "deploy_troops", "spend_cards", "attack", "reinforce"):
            if name in you["available_actions"]:
                what = json.dumps(getattr(self, name)(game["countries"], you))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(what.encode())

    def choose_country(self, countries, you):
        for name in countries:
            if countries[name]["owner"] == "none":
                return {"action": "choose_country", "data": name}

    def deploy_troops(self, countries, you):
        if game_begins(you):
            return {"action": "deploy_troops", "data": {you["countries"][-1]: 1}}
        return {"action": "deploy_troops", "data": {self.fights(countries, you)[-1][1]: you["troops_to_deploy"]}}

    def spend_cards(self, countries, you):
        if "pass" in you["available_actions"]:
            return {"action": "pass"}
        by = {}
        for card in you["cards"]:
            by.setdefault(card["value"], []).append(card["country_name"])
            if len(by[card["value"]]) == 3:
                return {"action": "spend_cards", "data": by[card["value"]]}
        names = [by[value][0] for value in by]
        return {"action": "spend_cards", "data": (names + by.get("wild", [])[1:])[-3:]}

    def attack(self, countries, you):
        for troops, here, there in reversed(self.fights(countries, you)):
            if troops > 1:
                return {"action": "attack", "data": {"attacking_country": here, "defending_country": there,
                                                     "attacking_troops": min(3, troops - 1), "moving_troops": 0}}
        return {"action": "end_attack_phase"}

    def reinforce(self, countries, you):
        for here in you["countries"]:
            for there in board[here]:
                if countries[there]["owner"] == you["name"] and countries[here]["troops"] > 9:
                    return {"action": "reinforce", "data": {
                        "origin_country": here, "destination_country": there, "moving_troops": 1}}
        return {"action": "end_turn"}

    def fights(self, countries, you):
        pairs = [(countries[here]["troops"], here, there) for here in you["countries"] for there in board[here]]
        return sorted(pair for pair in pairs if countries[pair[2]]["owner"] != you["name"])

    def log_message(self, *args):
        pass

def game_begins(you):
    return you["troops_to_deploy"] == 1

HTTPServer(("127.0.0.1", int(sys.argv[1])), Player).serve_forever()
