"""A bot for every game that connects to an arena, and reconnects if the connection breaks. It needs no packages.

    risk-cli serve --protocol json --ruleset warzone --players 2 --bot random
    python3 dial.py 127.0.0.1:8080 ann
"""
import base64, json, os, socket, struct, sys
from urllib.parse import quote
from pick import reply

def connect(place, query):
    """Opens a WebSocket, or exits with the arena's reason why not."""
    host, port = place.split(":")
    stream = socket.create_connection((host, int(port))).makefile("rwb")
    key = base64.b64encode(os.urandom(16)).decode()
    stream.write((f"GET /bot?{query} HTTP/1.1\r\nHost: {place}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                  f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
    stream.flush()
    head = iter(stream.readline, b"\r\n")
    status = next(head)
    length = [int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length")]
    if b" 101 " not in status:
        sys.exit(f"{status.decode().strip()}: {stream.read(*length).decode()}")
    return stream

def send(stream, kind, data):
    """Sends one frame. Clients must mask their frames; a mask of zeros changes nothing."""
    size = len(data)
    head = bytes([0x80 | kind, 0x80 | size]) if size < 126 else struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
    stream.write(head + bytes(4) + data)
    stream.flush()

def frames(stream):
    """Yields the arena's messages until the connection ends. The arena sends unfragmented frames, and pings."""
    while head := stream.read(2):
        kind, size = head[0] & 15, head[1] & 127
        if size > 125:
            size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
        data = stream.read(size)
        if kind == 1:
            yield json.loads(data)
        elif kind == 9:
            send(stream, 10, data)
        elif kind == 8:
            return

place, query, over = sys.argv[1], f"name={quote(sys.argv[2])}", False
while not over:
    try:
        stream = connect(place, query)
        for message in frames(stream):
            query = f"token={message['token']}" if "token" in message else query
            over = over or message["type"] == "over"
            said = reply(message)
            if said:
                send(stream, 1, json.dumps(said).encode())
    except OSError as error:
        print(error, file=sys.stderr)
print("the match is over")
