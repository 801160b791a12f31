"""Records and damage to them, drawn by Hypothesis or from a seed."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.protocol.records.plain_block import PlainRecord, write_plain_block

INT32 = st.integers(-(2**31), 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
PART = st.none() | st.binary(max_size=200)
HEADERS = st.lists(st.tuples(st.text(max_size=9).map(str.encode), PART), max_size=3).map(tuple)
PLAIN_RECORDS = st.lists(st.builds(PlainRecord, INT64, INT32, PART, PART, HEADERS), max_size=8)

EDGES = bytes((0, 1, 2, 3, 126, 127, 128, 129, 254, 255))
"""Bytes where varints change their length or sign."""


def damaged_block(random: Random) -> tuple[bytes, int]:
    """A block of records with a few bytes changed, added or lost, and how many it claims."""
    records = [
        PlainRecord(
            random.choice((0, -1, 70, 2**40)),
            index,
            random.choice((None, b"", b"key")),
            random.choice((None, b"value", b"v" * 100)),
            ((b"header", b"1"), (b"", None))[: random.randrange(3)],
        )
        for index in range(random.randrange(1, 5))
    ]
    block = bytearray(write_plain_block(records))
    for _ in range(random.randrange(4)):
        _damage(block, random)
    return bytes(block), len(records) + random.choice((0, 0, 0, 1, -1))


def _damage(block: bytearray, random: Random) -> None:
    position = random.randrange(len(block) + 1)
    match random.randrange(4):
        case 0:
            block[position : position + 1] = bytes((random.choice(EDGES),))
        case 1:
            block[position:position] = bytes((random.choice(EDGES),)) * random.choice((1, 1, 9))
        case 2:
            del block[position : position + 1]
        case _:
            del block[position:]
