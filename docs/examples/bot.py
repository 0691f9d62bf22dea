"""A bot over HTTP that needs only Python's standard library.

    risk-cli map import hacker-risk -o board.graphml
    python3 bot.py 4444 board.graphml
    risk-cli play --bot http://127.0.0.1:4444 --bot odds --bot holder
"""
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs
from xml.etree import ElementTree

NEAR = {}
for edge in ElementTree.parse(sys.argv[2]).iter("{http://graphml.graphdrawing.org/xmlns}edge"):
    here, there = (edge.get(end).replace("-", " ") for end in ("source", "target"))
    NEAR.setdefault(here, []).append(there)
    NEAR.setdefault(there, []).append(here)

def decide(lands, you):
    asked, mine = you["available_actions"], you["countries"]
    troops = {name: land["troops"] for name, land in lands.items()}
    foes = {name: [to for to in NEAR[name] if lands[to]["owner"] != you["name"]] for name in mine}
    if "choose_country" in asked:
        return "choose_country", min(name for name in lands if lands[name]["owner"] == "none")
    if "deploy_troops" in asked:  # where it has the most enemies next to it
        most = max(mine, key=lambda name: (sum(troops[to] for to in foes[name]), name))
        return "deploy_troops", {most: you["troops_to_deploy"]}
    if "spend_cards" in asked:
        kinds = {}
        for card in you["cards"]:
            kinds.setdefault(card["value"], []).append(card["country_name"])
        wild = kinds.pop("wild", [])
        three = [names for names in kinds.values() if len(names) > 2] + [[names[0] for names in kinds.values()]]
        return "spend_cards", (three[0] if len(three[0]) > 2 else wild + sum(kinds.values(), []))[:3]
    if "attack" in asked:
        pairs = [(troops[a] - troops[b], a, b) for a in mine for b in foes[a] if troops[a] > troops[b] + 1]
        if pairs:
            (_, a, b), dice = max(pairs), min(3, troops[max(pairs)[1]] - 1)
            return "attack", {"attacking_country": a, "defending_country": b, "attacking_troops": dice,
                              "moving_troops": troops[a] - 1 - dice}
    return ("end_attack_phase" if "end_attack_phase" in asked else "end_turn"), {}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self, said=b"ready"):
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        state = json.loads(parse_qs(body)["risk"][0] if body.startswith("risk=") else body)
        state = state.get("risk", state)
        action, data = decide(state["game"]["countries"], state["you"]) if self.path == "/turn" else ("none", {})
        self.do_GET(json.dumps({"action": action, "data": data}).encode())

    log_message = lambda *_: None

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
