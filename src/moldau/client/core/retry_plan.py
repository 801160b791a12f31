"""Where a record goes that could not be processed, and what its headers hold about the failure.

    orders ─► orders-retry-1 ─► orders-retry-2 ─► orders-dlt

Nothing waits behind a record that fails: it gives up its place in the order of its partition. All
records of a retry topic wait equally long, so that the first of a partition is the first that is
due, and to pause the partition is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

__all__ = [
    "DEAD_LETTER",
    "RETRY",
    "Failure",
    "Moved",
    "Processed",
    "RetryPlan",
    "Round",
    "failure_of",
]

RETRY, DEAD_LETTER = "-retry-", "-dlt"
MS_PER_SECOND = 1000

NAMES = (
    "errors.topic",
    "errors.partition",
    "errors.offset",
    "errors.attempts",
    "errors.exception",
    "errors.message",
    "errors.due",
)
"""Of the headers, in the order of the fields of `Failure`."""
MESSAGE_CHARS_MAX = 1000
"""Of the text of an exception: a header is no place for more."""

Headers = list[tuple[str, bytes | None]]


class Failure(NamedTuple):
    """What the headers hold of a record that failed."""

    topic: str
    """Where it was first."""
    partition: int
    offset: int
    attempts: int
    """How often it has been processed without success."""
    exception: str
    """The class of the last one."""
    message: str
    due_ms: int
    """Not before this time again; milliseconds since 1970."""


class Moved(NamedTuple):
    """Where a record goes next, and with which headers."""

    topic: str
    headers: Headers


class Processed(NamedTuple):
    """What came of the records of one call."""

    done: int = 0
    retried: int = 0
    dead: int = 0


class RetryPlan:
    """A topic, those in which its records wait to be processed again, and where they end."""

    def __init__(
        self,
        topic: str,
        delays: Sequence[float],
        errors: type[Exception] | tuple[type[Exception], ...],
        dead_at_once: type[Exception] | tuple[type[Exception], ...],
    ) -> None:
        if not _are_seconds(delays):
            raise InvalidArgumentError(f"delays are seconds, 0 or more, and not {delays!r}")
        self.topic = topic
        self._dead_at_once = _classes(dead_at_once)
        self.errors = (*_classes(errors), *self._dead_at_once)
        """All that are caught."""
        self._delays_ms = [round(delay * MS_PER_SECOND) for delay in delays]
        numbers = range(1, len(self._delays_ms) + 1)
        self.topics = [topic, *(f"{topic}{RETRY}{number}" for number in numbers)]
        """What a worker reads: the topic itself, and its retry topics."""
        self.dead_letter_topic = f"{topic}{DEAD_LETTER}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {' -> '.join([*self.topics, self.dead_letter_topic])}>"

    def after(self, record: ConsumerRecord, error: Exception, now_ms: int) -> Moved:
        """What is next for a record that failed."""
        step = self._step(record.topic)
        before = failure_of(record)
        first = before or record
        is_dead = step == len(self._delays_ms) or isinstance(error, self._dead_at_once)
        failure = Failure(
            first.topic,
            first.partition,
            first.offset,
            1 if before is None else before.attempts + 1,
            f"{type(error).__module__}.{type(error).__qualname__}",
            str(error)[:MESSAGE_CHARS_MAX],
            now_ms if is_dead else now_ms + self._delays_ms[step],
        )
        topic = self.dead_letter_topic if is_dead else self.topics[step + 1]
        return Moved(topic, _headers(record, failure))

    def due_ms(self, record: ConsumerRecord) -> int | None:
        """When it may be processed; None for one of the topic itself, which waits for nothing."""
        if self._step(record.topic) == 0:
            return None
        failure = failure_of(record)
        return None if failure is None else failure.due_ms

    def _step(self, topic: str) -> int:
        if topic not in self.topics:
            raise InvalidArgumentError(
                f"{topic} is not among {', '.join(self.topics)}: give each topic a consumer and "
                "RetryTopics of its own"
            )
        return self.topics.index(topic)


class Round:
    """The records of one poll that are due, and what came of them."""

    def __init__(self, plan: RetryPlan, records: list[ConsumerRecord]) -> None:
        self._plan = plan
        self.records = records
        self.offsets: dict[TopicPartition, CommittedOffset] = {}
        """The next to read, behind what has been done or moved."""
        self._done = self._retried = self._dead = 0

    @property
    def processed(self) -> Processed:
        return Processed(self._done, self._retried, self._dead)

    @property
    def starts(self) -> dict[TopicPartition, int]:
        """Where these records begin in each partition."""
        found: dict[TopicPartition, int] = {}
        for record in self.records:
            found.setdefault(TopicPartition(record.topic, record.partition), record.offset)
        return found

    def done(self, record: ConsumerRecord) -> None:
        self._done += 1
        self._settled(record)

    def failed(self, record: ConsumerRecord, error: Exception, now_ms: int) -> Moved:
        moved = self._plan.after(record, error, now_ms)
        is_dead = moved.topic == self._plan.dead_letter_topic
        self._dead += is_dead
        self._retried += not is_dead
        self._settled(record)
        return moved

    def _settled(self, record: ConsumerRecord) -> None:
        self.offsets[TopicPartition(record.topic, record.partition)] = CommittedOffset.after(record)


def failure_of(record: ConsumerRecord) -> Failure | None:
    """What its headers hold; None for a record that has not failed."""
    found = {name: value for name, value in record.headers if name in NAMES}
    try:
        topic, partition, offset, attempts, exception, message, due = (
            (found[name] or b"").decode() for name in NAMES
        )
        return Failure(
            topic, int(partition), int(offset), int(attempts), exception, message, int(due)
        )
    except (KeyError, ValueError):
        return None


def _headers(record: ConsumerRecord, failure: Failure) -> Headers:
    """Those of the program, and what is known now of the failure."""
    ours = [
        (name, str(value).encode(errors="replace"))
        for name, value in zip(NAMES, failure, strict=True)
    ]
    return [*((name, value) for name, value in record.headers if name not in NAMES), *ours]


def _are_seconds(delays: object) -> bool:
    return isinstance(delays, Sequence) and all(
        isinstance(delay, int | float) and delay >= 0 for delay in delays
    )


def _classes(given: object) -> tuple[type[Exception], ...]:
    """One or several, as `except` takes them."""
    found = given if isinstance(given, tuple) else (given,)
    if not all(isinstance(one, type) and issubclass(one, Exception) for one in found):
        raise InvalidArgumentError(
            f"errors are classes of exceptions, one or a tuple of them, and not {given!r}"
        )
    return found
