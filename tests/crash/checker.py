"""Finds what a log may never do to its clients, in a history that they wrote down.

Everything rests on offsets: they order the values of a partition, so each rule is one pass. The
classes are those of Jepsen's Kafka workload, as far as Kafka forbids them.

    inconsistent offset   one offset, two values
    duplicate             one value at two offsets
    misplaced             a value is not where it was acknowledged to be
    lost                  acknowledged or committed, and not in the final read
    foreign               read, and never sent
    failed read           read, though its send had definitely failed
    aborted read          read as committed, though its transaction was aborted
    torn transaction      some of a transaction's values are in the final read, others are not
    reordered send        a producer's sends lie in another order than it sent them
    backward poll         offsets go back within a poll, or from poll to poll
    skipped               a poll stepped over a value that the final read has in between
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.crash.history import History, Outcome, Poll


class Anomaly(NamedTuple):
    """One thing that is wrong."""

    kind: str
    says: str


def check(history: History) -> list[Anomaly]:
    """All that is wrong, or nothing."""
    return [found for rule in RULES for found in rule(history)]


def _readings(history: History) -> Iterator[tuple[int, int, str]]:
    """Partition, offset and value, wherever they were read."""
    for poll in history.polls:
        yield from ((poll.partition, offset, value) for offset, value in poll.records)
    for partition, records in history.final.items():
        yield from ((partition, offset, value) for offset, value in records)


def _inconsistent_offsets(history: History) -> Iterator[Anomaly]:
    values: dict[tuple[int, int], str] = {}
    for partition, offset, value in _readings(history):
        other = values.setdefault((partition, offset), value)
        if other != value:
            yield Anomaly("inconsistent offset", f"{partition}@{offset} is {other} and {value}")


def _duplicates(history: History) -> Iterator[Anomaly]:
    places: dict[str, tuple[int, int]] = {}
    for partition, offset, value in _readings(history):
        other = places.setdefault(value, (partition, offset))
        if other != (partition, offset):
            yield Anomaly("duplicate", f"{value} is at {other} and at {(partition, offset)}")


def _misplaced(history: History) -> Iterator[Anomaly]:
    found = {value: (partition, offset) for partition, offset, value in _readings(history)}
    for send in history.sends:
        if send.offset is None or send.value not in found:
            continue
        if found[send.value] != (send.partition, send.offset):
            yield Anomaly("misplaced", f"{send} was read at {found[send.value]}")


def _committed(history: History) -> dict[str, Outcome]:
    return {transaction.name: transaction.outcome for transaction in history.transactions}


def _must_be_there(history: History) -> Iterator[tuple[int, str]]:
    outcomes = _committed(history)
    for send in history.sends:
        if send.transaction is None:
            if send.outcome is Outcome.OK:
                yield send.partition, send.value
        elif outcomes.get(send.transaction) is Outcome.OK and send.outcome is not Outcome.FAILED:
            yield send.partition, send.value


def _lost(history: History) -> Iterator[Anomaly]:
    there = {value for records in history.final.values() for _, value in records}
    for partition, value in _must_be_there(history):
        if value not in there:
            yield Anomaly("lost", f"{value} of partition {partition} is gone")


def _foreign(history: History) -> Iterator[Anomaly]:
    sent = {send.value for send in history.sends}
    for partition, offset, value in _readings(history):
        if value not in sent:
            yield Anomaly("foreign", f"{partition}@{offset} is {value}, which was not sent")


def _failed_reads(history: History) -> Iterator[Anomaly]:
    failed = {send.value for send in history.sends if send.outcome is Outcome.FAILED}
    for partition, offset, value in _readings(history):
        if value in failed:
            yield Anomaly("failed read", f"{value} had failed and is at {partition}@{offset}")


def _aborted_reads(history: History) -> Iterator[Anomaly]:
    outcomes = _committed(history)
    aborted = {
        send.value
        for send in history.sends
        if send.transaction is not None and outcomes.get(send.transaction) is Outcome.FAILED
    }
    polls = [poll for poll in history.polls if poll.committed_only]
    readings = [(poll.partition, *record) for poll in polls for record in poll.records]
    readings += [(part, *record) for part, records in history.final.items() for record in records]
    for partition, offset, value in readings:
        if value in aborted:
            yield Anomaly("aborted read", f"{value} was aborted and is at {partition}@{offset}")


def _torn_transactions(history: History) -> Iterator[Anomaly]:
    there = {value for records in history.final.values() for _, value in records}
    values = defaultdict(set)
    for send in history.sends:
        if send.transaction is not None and send.outcome is Outcome.OK:
            values[send.transaction].add(send.value)
    for name, sent in values.items():
        if sent & there and sent - there:
            yield Anomaly("torn transaction", f"{name} lacks {sorted(sent - there)}")


def _reordered_sends(history: History) -> Iterator[Anomaly]:
    found = {value: offset for _, offset, value in _readings(history)}
    last: dict[tuple[str, int], tuple[int, str]] = {}
    for send in history.sends:
        offset = found.get(send.value)
        if offset is None:
            continue
        before = last.get((send.producer, send.partition))
        if before is not None and before[0] > offset:
            yield Anomaly("reordered send", f"{send.value} lies before {before[1]}, sent earlier")
        last[send.producer, send.partition] = offset, send.value


def _backward_polls(history: History) -> Iterator[Anomaly]:
    for (consumer, partition), offsets in _by_consumer(history).items():
        for one, other in pairwise(offsets):
            if other <= one:
                yield Anomaly("backward poll", f"{consumer} read {partition}@{other} after @{one}")


def _by_consumer(history: History) -> dict[tuple[str, int], list[int]]:
    offsets: dict[tuple[str, int], list[int]] = defaultdict(list)
    for poll in history.polls:
        offsets[poll.consumer, poll.partition] += [offset for offset, _ in poll.records]
    return offsets


def _skipped(history: History) -> Iterator[Anomaly]:
    """Read-committed polls alone: the final read is of that kind."""
    final = {part: [offset for offset, _ in records] for part, records in history.final.items()}
    for poll in history.polls:
        if poll.committed_only and len(poll.records) > 1:
            yield from _skipped_in(poll, final.get(poll.partition, []))


def _skipped_in(poll: Poll, final: list[int]) -> Iterator[Anomaly]:
    seen = {offset for offset, _ in poll.records}
    first, last = min(seen), max(seen)
    for offset in final:
        if first < offset < last and offset not in seen:
            yield Anomaly(
                "skipped", f"{poll.consumer} stepped over {poll.partition}@{offset} in one poll"
            )


Rule = Callable[[History], Iterator[Anomaly]]
RULES: tuple[Rule, ...] = (
    _inconsistent_offsets,
    _duplicates,
    _misplaced,
    _lost,
    _foreign,
    _failed_reads,
    _aborted_reads,
    _torn_transactions,
    _reordered_sends,
    _backward_polls,
    _skipped,
)
