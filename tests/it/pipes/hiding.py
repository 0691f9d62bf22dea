"""A bot that says hello, and then hides files in the folder that it may write into: `deep` below
more folders than a path may name, `shut` in folders that nobody can look into, `links` between links that lead
nowhere, `unlinked` in one that it has removed and still writes."""

import json
import os
import sys
import time

sys.stdin.readline()
print(json.dumps({"type": "hello", "protocol": 1, "name": "hiding"}), flush=True)
os.chdir(os.environ["TMPDIR"])
if sys.argv[1] == "deep":
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
        open("file", "w").close()
elif sys.argv[1] == "unlinked":
    with open("file", "wb") as file:
        os.unlink("file")
        for _ in range(600):
            file.write(b"x" * (1 << 20))
        file.flush()
        time.sleep(60)
elif sys.argv[1] == "links":
    for number in range(300):
        os.symlink("/nowhere/x", str(number))
        os.makedirs(f"z{number}/b/c")
else:
    os.mkdir("shut", 0o300)
    open("shut/file", "w").close()
    os.mkdir("shut/inner", 0o000)
while True:
    time.sleep(1)
