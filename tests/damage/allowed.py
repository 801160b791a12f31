"""Where we may serve something else than Apache Kafka from the same damaged directory, and why.

By the state of the node that left it and the kind of damage: what we serve then, to the value.
Everything that is not here has to be equal.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.damage.probe import Outcome


class Difference(NamedTuple):
    """What is served here, and why it is not what Kafka serves."""

    ours: Outcome
    reason: str


CUT = "Kafka appends behind bytes that are no batch, where no reader gets; here they are cut off."
TAIL = "Kafka takes the last batches for what their headers say; here their checksums are checked."
BACK = "Kafka's log ends at the last batch's offset, though it goes back, and loses the end."
INDEX = "Kafka gives up a whole segment with a wrong index; here the index is made anew."
SILENT = (
    "Kafka's readers pass over what is lost, or wait for ever; here the lost offsets are refused."
)
BEHIND = "Kafka refuses whole batches, or never sends them, up to the next index entry."
STOPS = "Kafka does not start; here the file is made anew from the log."
NAME = "Kafka renames a log without its topic's id and begins an empty one; here it is kept."
PREFIX = (
    "Kafka takes gaps for legal after a kill; here a log has no gap that "
    "compaction did not make, and what lies behind one is kept aside."
)
ORDER = "Offsets and leader epochs lie outside the checksum; here they must not go back."
FORMAT = "Kafka reads past a batch of a format that is none; here the log ends there after a kill."
WHOLE = Outcome(0, 120, 120, "0-119", "", (0, 120, True))

ALLOWED: dict[tuple[str, str], Difference] = {
    ("clean", "behind the end: other bytes"): Difference(WHOLE, CUT),
    ("clean", "behind the end: many other bytes"): Difference(WHOLE, CUT),
    ("clean", "behind the end: zeros"): Difference(WHOLE, CUT),
    ("clean", "behind the end: half a header"): Difference(WHOLE, CUT),
    ("clean", "last: cut in the last batch"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), CUT
    ),
    ("clean", "last: a small bit of the last length"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), CUT
    ),
    ("clean", "behind the end: a batch with a wrong checksum"): Difference(WHOLE, TAIL),
    ("clean", "last: a bit of the last payload"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), TAIL
    ),
    ("clean", "last: the last offset delta"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), TAIL
    ),
    ("clean", "last: the last offset delta, high"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), TAIL
    ),
    ("clean", "behind the end: a batch of old offsets"): Difference(WHOLE, BACK),
    ("clean", "last: the last base offset"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), BACK
    ),
    ("clean", "last: cut in the middle"): Difference(
        Outcome(0, 101, 100, "0-100", "", (0, 101, True)), INDEX
    ),
    ("clean", "last: cut behind a batch in the middle"): Difference(
        Outcome(0, 101, 100, "0-100", "", (0, 101, True)), INDEX
    ),
    ("clean", "last: an .index of no whole entries"): Difference(WHOLE, INDEX),
    ("clean", "last: an .index that leads astray"): Difference(WHOLE, INDEX),
    ("clean", "second: cut in the middle"): Difference(
        Outcome(0, 120, 120, "0-60 80-119", "61-79: 2", (0, 120, True)), SILENT
    ),
    ("clean", "first: cut in the middle"): Difference(
        Outcome(0, 120, 120, "0-20 40-119", "21-39: 2", (0, 120, True)), SILENT
    ),
    ("killed", "first: cut in the middle"): Difference(
        Outcome(0, 120, 120, "0-20 40-119", "21-39: 2", (0, 120, True)), SILENT
    ),
    ("clean", "last: a small bit of a length in the middle"): Difference(
        Outcome(0, 120, 120, "0-100 103-119", "101-101: -101, 102-102: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: a large bit of a length in the middle"): Difference(
        Outcome(0, 120, 120, "0-100 102-119", "101-101: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: the sign of a length in the middle"): Difference(
        Outcome(0, 120, 120, "0-100 102-119", "101-101: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: a bit of a format in the middle"): Difference(
        Outcome(0, 120, 120, "0-100 102-119", "101-101: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: a base offset in the middle"): Difference(
        Outcome(0, 120, 120, "0-100 102-119", "101-101: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: zeros for a page"): Difference(
        Outcome(0, 120, 120, "0-99 106-119", "100-100: -101, 101-105: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "second: a large bit of a length"): Difference(
        Outcome(0, 120, 120, "0-60 62-119", "61-61: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "second: zeros for a page"): Difference(
        Outcome(0, 120, 120, "0-59 66-119", "60-60: -101, 61-65: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "first: a large bit of a length"): Difference(
        Outcome(0, 120, 120, "0-20 22-119", "21-21: 2", (0, 120, True)), BEHIND
    ),
    ("killed", "first: a large bit of a length"): Difference(
        Outcome(0, 120, 120, "0-20 22-119", "21-21: 2", (0, 120, True)), BEHIND
    ),
    ("clean", "last: a .txnindex without sense"): Difference(WHOLE, STOPS),
    ("clean", "first: a .txnindex without sense"): Difference(WHOLE, STOPS),
    ("clean", "leader epochs without sense"): Difference(WHOLE, STOPS),
    ("clean", "half of the leader epochs"): Difference(WHOLE, STOPS),
    ("killed", "last: a .txnindex without sense"): Difference(WHOLE, STOPS),
    ("killed", "first: a .txnindex without sense"): Difference(WHOLE, STOPS),
    ("killed", "leader epochs without sense"): Difference(WHOLE, STOPS),
    ("killed", "half of the leader epochs"): Difference(WHOLE, STOPS),
    ("clean", "no partition.metadata"): Difference(WHOLE, NAME),
    ("killed", "no partition.metadata"): Difference(WHOLE, NAME),
    ("killed", "second: cut behind a batch in the middle"): Difference(
        Outcome(0, 61, 60, "0-60", "", (0, 61, True)), PREFIX
    ),
    ("killed", "second: empty"): Difference(Outcome(0, 40, 40, "0-39", "", (0, 40, True)), PREFIX),
    ("killed", "second: no .log"): Difference(
        Outcome(0, 40, 40, "0-39", "", (0, 40, True)), PREFIX
    ),
    ("killed", "second: no file"): Difference(
        Outcome(0, 40, 40, "0-39", "", (0, 40, True)), PREFIX
    ),
    ("killed", "behind the end: a batch of old offsets"): Difference(WHOLE, ORDER),
    ("killed", "last: a base offset in the middle"): Difference(
        Outcome(0, 101, 100, "0-100", "", (0, 101, True)), ORDER
    ),
    ("killed", "last: the last base offset"): Difference(
        Outcome(0, 119, 119, "0-118", "", (0, 119, True)), ORDER
    ),
    ("killed", "last: a leader epoch in the middle"): Difference(
        Outcome(0, 102, 100, "0-101", "", (0, 102, True)), ORDER
    ),
    ("killed", "last: a bit of a format in the middle"): Difference(
        Outcome(0, 101, 100, "0-100", "", (0, 101, True)), FORMAT
    ),
}
