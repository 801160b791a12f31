"""Planted bugs that no scenario finds in a bearable number of seeds, but unit tests do."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.simulation.planted_bugs import BROKER, LOG, Bug


class BugOfUnits(NamedTuple):
    """A change that the tests of a folder find."""

    name: str
    path: str
    sound: str
    planted: str
    tests: str
    """One of these fails."""

    def plant(self, source: Path) -> None:
        Bug(*self[:4], "", 0).plant(source)


FOUND_BY_UNIT_TESTS = (
    BugOfUnits(
        "a late batch opens a transaction that will not be ended (KIP-890)",
        f"{LOG}/producers/rules.py",
        "    if verification is None or append.guard is not verification.guard:\n",
        "    if False:\n",
        "tests/broker/log/producers",
    ),
    BugOfUnits(
        "a marker of a coordinator that is deposed ends a transaction",
        f"{LOG}/producers/rules.py",
        "    if entry.coordinator_epoch > marker.coordinator_epoch:\n",
        "    if False:\n",
        "tests/broker/log/producers",
    ),
    BugOfUnits(
        "a coordinator answers before it has read its log",
        f"{BROKER}/runtime/shard_loop.py",
        "        if index in self._loading:\n",
        "        if False:\n",
        "tests/broker/runtime/test_shard_loop.py",
    ),
    BugOfUnits(
        "metadata are taken in before they are committed",
        f"{BROKER}/runtime/quorum/pending.py",
        "        while self._batches and self._batches[0].last_offset < offset:\n",
        "        while self._batches:\n",
        "tests/broker/runtime/quorum",
    ),
    BugOfUnits(
        "FetchSnapshot without a topic ends the controller",
        f"{BROKER}/runtime/quorum/incoming_messages.py",
        "    if not topics or not topics[0].partitions:\n",
        "    if False:\n",
        "tests/broker/runtime/quorum",
    ),
    BugOfUnits(
        "a piece of a snapshot without bytes is asked for without a pause",
        f"{BROKER}/runtime/quorum/outgoing.py",
        " or not piece.unaligned_records:",
        ":",
        "tests/broker/runtime/quorum/test_outgoing.py",
    ),
)
