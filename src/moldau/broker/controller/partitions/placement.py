"""Which brokers get the replicas of new partitions.

Replicas are striped across racks: each partition takes one broker of each rack in turn, so that the
loss of a rack costs as few replicas as possible. Three things keep the stripes from repeating:

- within a rack, the starting broker moves on by one for each partition;
- the starting rack moves on by one for each partition;
- after as many partitions as there are live brokers, racks and brokers are shuffled.

Fenced brokers come after all live ones of their rack, and never first: the first replica is the
preferred leader. A broker without a rack counts as one of a rack without a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from moldau.errors import KafkaError
from moldau.platform.ports.randomness import Random
from moldau.protocol.wire.error_codes import ErrorCode

NO_BROKER = -1
Item = TypeVar("Item")


class UsableBroker(NamedTuple):
    """A broker that may get replicas."""

    broker_id: int
    rack: str | None
    fenced: bool


def place(
    partition_count: int, replication_factor: int, brokers: Iterable[UsableBroker], random: Random
) -> list[tuple[int, ...]]:
    """Replicas for so many partitions, or `KafkaError` if there are too few brokers."""
    usable = list(brokers)
    _check(replication_factor, usable)
    stripes = _Stripes(usable, random)
    return [stripes.take(replication_factor) for _ in range(partition_count)]


def _check(replication_factor: int, brokers: list[UsableBroker]) -> None:
    """Refuse, in Kafka's words, which operators with too few brokers search for."""
    if replication_factor <= 0:
        reason = (
            f"Invalid replication factor {replication_factor}: the replication factor must be "
            "positive."
        )
    elif all(broker.fenced for broker in brokers):
        reason = "All brokers are currently fenced, or have all their log directories cordoned."
    elif replication_factor > len(brokers):
        reason = (
            f"The target replication factor of {replication_factor} cannot be reached because only "
            f"{len(brokers)} broker(s) are registered or some brokers have all their log "
            "directories cordoned."
        )
    else:
        return
    text = f"Unable to replicate the partition {replication_factor} time(s): {reason}"
    raise KafkaError(ErrorCode.INVALID_REPLICATION_FACTOR, text)


class _Ring:
    """Brokers that take turns; every round begins one place further."""

    def __init__(self, brokers: list[int], random: Random) -> None:
        self._brokers = sorted(brokers)
        self._start = random.randrange(0, len(brokers)) if brokers else 0
        self._round = 0
        self._taken = 0

    def shuffle(self, random: Random) -> None:
        _shuffle(self._brokers, random)

    def next(self, round_number: int) -> int:
        if not self._brokers:
            return NO_BROKER
        if self._round != round_number:
            self._round, self._taken = round_number, 0
            self._start = (self._start + 1) % len(self._brokers)
        if self._taken >= len(self._brokers):
            return NO_BROKER
        self._taken += 1
        return self._brokers[(self._start + self._taken - 1) % len(self._brokers)]


class _Rack:
    def __init__(self, brokers: list[UsableBroker], random: Random) -> None:
        self.live = _Ring([broker.broker_id for broker in brokers if not broker.fenced], random)
        self.fenced = _Ring([broker.broker_id for broker in brokers if broker.fenced], random)

    def next(self, round_number: int) -> int:
        broker_id = self.live.next(round_number)
        return broker_id if broker_id != NO_BROKER else self.fenced.next(round_number)


class _Stripes:
    """All racks, and where the next partition begins."""

    def __init__(self, brokers: list[UsableBroker], random: Random) -> None:
        self._random = random
        names = sorted({broker.rack or "" for broker in brokers})
        self._racks = [
            _Rack([broker for broker in brokers if (broker.rack or "") == name], random)
            for name in names
        ]
        self._live_count = sum(not broker.fenced for broker in brokers)
        self._start = random.randrange(0, len(names))
        self._round = 0

    def take(self, replication_factor: int) -> tuple[int, ...]:
        if self._round == self._live_count and self._live_count > 1:
            self._reshuffle()
        racks = self._racks[self._start :] + self._racks[: self._start]
        replicas = [self._first(racks)]
        replicas.extend(self._others(racks, replicas[0], replication_factor - 1))
        self._round += 1
        self._start = (self._start + 1) % len(self._racks)
        return tuple(replicas)

    def _first(self, racks: list[_Rack]) -> int:
        """A live broker of the first rack that has one; that rack has had its turn."""
        while True:
            broker_id = racks[0].live.next(self._round)
            racks.append(racks.pop(0))
            if broker_id != NO_BROKER:
                return broker_id

    def _others(self, racks: list[_Rack], first: int, count: int) -> Iterator[int]:
        turn = 0
        while count:
            broker_id = racks[turn % len(racks)].next(self._round)
            turn += 1
            if broker_id not in (NO_BROKER, first):
                count -= 1
                yield broker_id

    def _reshuffle(self) -> None:
        _shuffle(self._racks, self._random)
        for rack in self._racks:
            rack.live.shuffle(self._random)
            rack.fenced.shuffle(self._random)
        self._round = 0


def _shuffle(items: list[Item], random: Random) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = random.randrange(0, last + 1)
        items[last], items[other] = items[other], items[last]
