"""The board and the cards of SYNCS Bot Battle 2024, by the numbers of its protocol."""

#: The neighbours of each territory.
NEAR = [
    (1, 5, 21), (0, 5, 6, 8), (3, 8, 30), (2, 6, 7, 8), (5, 6, 7, 10), (0, 1, 4, 6), (1, 3, 4, 5, 7, 8),
    (3, 4, 6), (1, 2, 3, 6), (10, 11, 12, 15), (4, 9, 12), (9, 12, 13, 14, 15), (9, 10, 11, 14),
    (11, 14, 15, 22, 34, 36), (11, 12, 13, 16, 22, 26), (9, 11, 13, 36), (14, 17, 18, 22, 26),
    (16, 18, 23, 24, 25, 26), (16, 17, 22, 24), (21, 23, 25, 27), (21, 23), (0, 19, 20, 23, 27),
    (13, 14, 16, 18, 33, 34), (17, 19, 20, 21, 25), (17, 18, 40), (17, 19, 23, 26, 27), (14, 16, 17, 25),
    (19, 21, 25), (29, 31), (28, 30, 31, 36), (2, 29, 31), (28, 29, 30), (33, 36, 37),
    (22, 32, 34, 35, 36, 37), (13, 22, 33, 36), (33, 37), (13, 15, 29, 32, 33, 34), (32, 33, 35), (39, 41),
    (38, 40, 41), (24, 39, 41), (38, 39, 40),
]
LAND = range(42)
#: The territories of each continent, and its bonus.
CONTINENTS = [range(0, 9), range(9, 16), range(16, 28), range(28, 32), range(32, 38), range(38, 42)]
BONUS = [5, 5, 7, 2, 3, 2]
#: The symbol of each card; cards 42 and 43 have no territory.
SYMBOLS = "ICAACACCAAIACACACICCAIIIICCCIAIIIIICCAAIAAWW"
CARDS = range(44)
WORDS = {"I": "Infantry", "C": "Cavalry", "A": "Artillery", "W": "Wildcard"}


def set_value(traded):
    """The armies for a set, after this many sets of all players."""
    return (4, 6, 8, 10, 12, 15)[traded] if traded < 6 else 5 * traded - 10


def is_set(cards):
    """Three alike, three different, or any three with a wildcard."""
    kinds = {SYMBOLS[card] for card in cards}
    return len(set(cards)) == 3 and ("W" in kinds or len(kinds) != 2)


def held(owned):
    """The continents that a player with these territories holds."""
    return [number for number, land in enumerate(CONTINENTS) if set(land) <= set(owned)]


def card(number):
    """A card as messages have it."""
    land = number if number < 42 else None
    return {"card_id": number, "territory_id": land, "symbol": WORDS[SYMBOLS[number]]}
