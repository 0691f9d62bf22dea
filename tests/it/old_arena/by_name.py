"""Looks for one name after the other in the list of what it may do. Raw JSON, answers of HTTP/1.0."""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

board = json.load(open(sys.argv[2]))

class Player(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def do_POST(self):
        # It never heard of /not_turn.
        if self.path != "/turn":
            self.send_error(405)
            return
        r = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/json")
        self.end_headers()
        self.wfile.write(json.dumps(turn(r["game"]["countries"], r["you"])).encode())

    def log_message(self, *args):
        pass

def turn(countries, you):
    actions = you["available_actions"]
    if "choose_country" in actions:
        free = [c for c in countries if countries[c]["owner"] == "none"]
        return {"action": "choose_country", "data": free[0]}
    if "deploy_troops" in actions:
        front = [c for c in you["countries"] if [n for n in board[c] if countries[n]["owner"] != you["name"]]]
        return {"action": "deploy_troops", "data": {front[0]: you["troops_to_deploy"]}}
    if "pass" in actions:
        return {"action": "pass", "data": {}}
    if "spend_cards" in actions:
        return {"action": "spend_cards", "data": three(you["cards"])}
    if "attack" in actions:
        for c in you["countries"]:
            for n in board[c]:
                if countries[n]["owner"] != you["name"] and countries[c]["troops"] > 3:
                    return {"action": "attack", "data": {
                        "attacking_country": c, "defending_country": n, "attacking_troops": 3, "moving_troops": 0}}
        return {"action": "end_attack_phase", "data": {}}
    if "reinforce" in actions:
        return {"action": "end_turn", "data": {}}
    raise Exception("what now? " + str(actions))

def three(cards):
    for a in cards:
        for b in cards:
            for c in cards:
                if a != b and b != c and a != c:
                    values = set([a["value"], b["value"], c["value"]])
                    if "wild" in values or len(values) != 2:
                        return [a["country_name"], b["country_name"], c["country_name"]]

HTTPServer(("127.0.0.1", int(sys.argv[1])), Player).serve_forever()
