#!/usr/bin/env python3
"""Makes the pictures of the README from real runs: a map, a game, and a terminal.

`docs/pictures/make.py PROGRAM [FOLDER]` runs the program `risk-cli` and writes into FOLDER, this one
when left out. The same program makes the same bytes, on Linux and macOS.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from xml.sax.saxutils import escape

COLUMNS, ROWS = 100, 32
CELL, LINE = 8.4, 18
INK, PAPER, FAINT = "#d3d7cf", "#0b0e11", "#8b9298"


def run(program, folder, *words):
    subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def screen(program, folder, *words):
    """What a terminal shows when the program waits for a key at the end, as cells."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ["TERM"] = "xterm-256color"
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            os.environ.pop(name, None)
        # The size is set before the program asks for it.
        sys.stdin.readline()
        os.execv(program, [program, *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    os.write(terminal, b"\n")
    said = b""
    while b"the end  q leave" not in said:
        said += os.read(terminal, 65536)
    os.write(terminal, b"q")
    rest = b"."
    while rest:
        try:
            rest = os.read(terminal, 65536)
        except OSError:
            break
    os.waitpid(child, 0)
    text = said.decode(errors="ignore")
    return drawn(text[text.index("\x1b[?1049h") : text.index("the end  q leave") + len("the end  q leave")])


def drawn(text):
    """The cells of a screen that was drawn with a few sequences."""
    cells = [[(" ", "")] * COLUMNS for _ in range(ROWS)]
    row = column = 0
    look = ""
    for part in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|[^\x1b]", text, re.S):
        if not part.startswith("\x1b"):
            if 0 <= row < ROWS and 0 <= column < COLUMNS and part >= " ":
                cells[row][column] = (part, look)
            column += 1
        elif part.endswith("H"):
            row, column = (int(number) - 1 for number in part[2:-1].split(";"))
        elif part.endswith("K"):
            cells[row][column:] = [(" ", "")] * (COLUMNS - column)
        elif part.endswith("J"):
            cells = [[(" ", "")] * COLUMNS for _ in range(ROWS)]
        elif part.endswith("m"):
            look = "" if part in ("\x1b[0m", "\x1b[m") else f"{look};{part[2:-1]}"
    return cells


def colour(number):
    """One of the 256 colours of terminals, from the sixteenth on: themes change those before."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{steps[step]:02x}" for step in (number // 36, number // 6 % 6, number % 6))


def colours(look):
    """Letters, ground and weight of a cell."""
    ink, ground, bold = INK, None, False
    numbers = iter([int(number) for number in look.split(";") if number])
    for number in numbers:
        if number == 1:
            bold = True
        elif number == 2:
            ink = FAINT
        elif number in (38, 48):
            assert next(numbers) == 5
            if number == 38:
                ink = colour(next(numbers))
            else:
                ground = colour(next(numbers))
    return ink, ground, bold


def runs(row):
    """Cells side by side that look alike: where they begin, their text, their look."""
    begin = 0
    for column in range(1, len(row) + 1):
        if column == len(row) or row[column][1] != row[begin][1]:
            yield begin, "".join(text for text, _ in row[begin:column]), row[begin][1]
            begin = column


def picture(title, cells):
    wide, high = COLUMNS * CELL + 24, ROWS * LINE + 48
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}" height="{high}" '
        f'font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="14">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        '<circle cx="18" cy="16" r="6" fill="#ef4b4b"/><circle cx="38" cy="16" r="6" fill="#fce94f"/>'
        '<circle cx="58" cy="16" r="6" fill="#8ae234"/>',
        f'<text x="{wide / 2:.0f}" y="21" fill="{FAINT}" text-anchor="middle">{escape(title)}</text>',
    ]
    grounds, letters = [], []
    for number, row in enumerate(cells):
        top = 36 + number * LINE
        for column, text, look in runs(row):
            ink, ground, bold = colours(look)
            left = 12 + column * CELL
            if ground:
                grounds.append(
                    f'<path fill="{ground}" d="M{left:.1f} {top}h{len(text) * CELL:.1f}v{LINE}h-{len(text) * CELL:.1f}z"/>'
                )
            for word in re.finditer(r"\S+(?: \S+)*", text):
                at, wide_ = left + word.start() * CELL, len(word.group()) * CELL
                weight = ' font-weight="bold"' if bold else ""
                letters.append(
                    f'<text x="{at:.1f}" y="{top + 13.5}" fill="{ink}"{weight} textLength="{wide_:.1f}" '
                    f'lengthAdjust="spacingAndGlyphs">{escape(word.group())}</text>'
                )
    return "\n".join(parts + grounds + letters + ["</svg>", ""])


def make(program, target):
    with tempfile.TemporaryDirectory() as folder:
        # Readers see the picture about this wide, and its letters at their own size.
        run(program, folder, "map", "render", "europe", "-o", "map.svg", "--width", "840")
        run(program, folder, "play", "--quiet", "--seed", "5", "--map", "duel", "--bot", "general:easy",
            "--bot", "holder", "--bot", "outnumber", "--record", "duel.jsonl")
        run(program, folder, "replay", "duel.jsonl", "--animation", "game.gif")
        run(program, folder, "play", "--quiet", "--seed", "7", "--map", "world", "--bot", "outnumber",
            "--bot", "holder", "--bot", "odds", "--bot", "greedy", "--record", "game.jsonl")
        cells = screen(program, folder, "replay", "game.jsonl", "--to", "640", "--watch", "--speed", "1000")
        for name in ("map.svg", "game.gif"):
            (target / name).write_bytes((Path(folder) / name).read_bytes())
    (target / "terminal.svg").write_text(picture("risk-cli replay game.jsonl --watch", cells), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    make(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2] if len(sys.argv) == 3 else Path(__file__).parent))
