#!/usr/bin/env python3
"""Can territories be named by their shapes alone? Numbers in the places of names, and a score.

    risk-cli map render world -o bare.svg --no-names --theme light
    trial.py draw bare.svg SEED blind.svg key.txt
    trial.py score guesses.txt key.txt

`draw` writes a picture with a number for each territory, in an order that the seed decides, and no
name; and the key, which is not to be looked at before the guesses are written down: a line with
number and name for each territory. `score` compares them, whatever the case of letters.
"""

import random
import re
import sys

DOT = re.compile(r'<circle data-place="(\d+)" cx="([\d.]+)" cy="([\d.]+)"[^>]*/>')
NAME = re.compile(r"(<path[^>]*>)<title>([^<]*)</title>")


def draw(bare, seed, blind, key):
    """Writes the picture with numbers, and the key."""
    with open(bare, encoding="utf-8") as file:
        svg = file.read()
    names = [name for _, name in NAME.findall(svg)]
    order = list(range(len(names)))
    random.Random(int(seed)).shuffle(order)
    numbers = {land: number for number, land in enumerate(order, 1)}

    def number(match):
        x, y = float(match[2]), float(match[3])
        return (
            f'<circle cx="{x}" cy="{y}" r="9" fill="#fff" stroke="#222"/><text x="{x}" '
            f'y="{y + 4}" font-size="11" text-anchor="middle">{numbers[int(match[1])]}</text>'
        )

    svg = DOT.sub(number, NAME.sub(r"\1", svg))
    # The key of continents would give their names away.
    svg = re.sub(r"<(rect|text|line)[^>]*(over|rx=|dash)[^>]*>([^<]*</text>)?", "", svg)
    with open(blind, "w", encoding="utf-8") as file:
        file.write(svg)
    with open(key, "w", encoding="utf-8") as file:
        file.writelines(f"{numbers[land]} {names[land]}\n" for land in order)


def score(guesses, key):
    """Prints what was named right and wrong."""
    read = [dict(line.strip().split(" ", 1) for line in open(name, encoding="utf-8")) for name in (guesses, key)]
    right = 0
    for number, name in read[1].items():
        guess = read[0].get(number, "nothing")
        if guess.lower() == name.lower():
            right += 1
        else:
            print(f"{number}: {guess}, and it is {name}")
    print(f"{right} of {len(read[1])} are right")


if __name__ == "__main__":
    {"draw": draw, "score": score}[sys.argv[1]](*sys.argv[2:])
