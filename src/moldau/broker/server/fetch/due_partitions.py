"""Which partitions of a fetch session are due: those whose response may have changed.

A session of a thousand partitions gets a record in one of them, and another. To read them all each
time would cost a thousand looks for one answer. So a consumer's session keeps those that are *due*:

    listed anew by the client     ┐            looked at: nothing to read, and
    woken: log, watermark, start, ├──► due ──► nothing that is not sent yet  ──► idle
      leader or epoch changed     ┘     │ ▲                                       │
                                        │ └──── its partition wakes the session ◄─┘
                                        └ anything else stays due: records, errors, news

What is idle is watched: all that can change its response wakes it. What wakes no partition
makes all of them due: other topics in the metadata, an access that is refused, a log
directory that has failed, a reader who may see further than the one before. And all are looked at
when that was not done for a second, lest a forgotten wake-up be missed for ever.

A partition that wakes is not watched any longer, unless a fetch is waiting, so a session that
is not used costs each of its partitions one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Final

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition
from moldau.broker.server.fetch.fetched import Fetched, TopicKey

__all__ = ["CHECK_ALL_MS", "DuePartitions"]

CHECK_ALL_MS: Final = 1_000
"""A look at twenty partitions takes 88 us: once a second that is nothing."""
_TURN: Final = attrgetter("turn")

PartitionKey = tuple[TopicKey, int]
Watcher = Callable[[Partition], None]


class DuePartitions:
    """The partitions of one fetch session that a fetch has to look at."""

    __slots__ = (
        "_directories", "_due", "_image", "_is_over", "_isolation", "_looked_ms", "_partitions",
        "_turns", "_waiting", "_watched", "check_all_ms", "topics",
    )  # fmt: skip

    def __init__(
        self, partitions: dict[PartitionKey, Fetched], check_all_ms: float = CHECK_ALL_MS
    ) -> None:
        self._partitions = partitions
        self.check_all_ms = check_all_ms
        """At 0 wake-ups are not used: fetches look at everything themselves."""
        self._due: dict[Fetched, None] = {}
        self._watched: dict[Partition, Fetched] = {}
        self._directories: dict[LogDirectory, None] = {}
        self._waiting: dict[Watcher, None] = {}
        self._image: object = None
        self._isolation = Isolation.LOG_END
        self._looked_ms = 0
        self._turns = 0
        self._is_over = False
        self.topics: dict[TopicKey, int] = {}
        """How many partitions of each are in the session."""
        for fetched in partitions.values():
            self.add(fetched)

    def __repr__(self) -> str:
        return f"DuePartitions({len(self._due)} of {len(self._partitions)} due)"

    # What the session reports.

    def add(self, fetched: Fetched) -> None:
        """The client reads it from now on."""
        self.topics[fetched.topic] = self.topics.get(fetched.topic, 0) + 1
        self.move_to_end(fetched)
        self._due[fetched] = None

    def ask_again(self, fetched: Fetched) -> None:
        """The client reads it from another offset, or with another limit."""
        self._due[fetched] = None

    def move_to_end(self, fetched: Fetched) -> None:
        self._turns += 1
        fetched.turn = self._turns

    def forget(self, fetched: Fetched) -> None:
        """The client has given it up."""
        self._due.pop(fetched, None)
        self._leave(fetched)
        left = self.topics[fetched.topic] - 1
        if left:
            self.topics[fetched.topic] = left
        else:
            del self.topics[fetched.topic]

    def end(self) -> None:
        """The session is over; a fetch that still waits in it is woken to its end."""
        self._is_over = True
        if not self._waiting:
            self._leave_all()

    # What a fetch asks.

    def look(self, now_ms: int, image: object, isolation: Isolation) -> Iterator[Fetched]:
        """Those that have to be looked at now, in the session's order."""
        if self._must_see_all(now_ms, image, isolation):
            self._looked_ms, self._image, self._isolation = now_ms, image, isolation
            self._due = dict.fromkeys(self._partitions.values())
            return iter(tuple(self._due))
        if len(self._due) < 2:
            return iter(tuple(self._due))
        return iter(sorted(self._due, key=_TURN))

    def make_all_due(self) -> None:
        """All are due with the next look."""
        self._image = None

    def mark_idle(self, partition: Partition, fetched: Fetched) -> None:
        """It has nothing to send before it wakes us."""
        if self._is_over:
            return
        self.follow(partition, fetched)
        self._due.pop(fetched, None)

    def follow(self, partition: Partition, fetched: Fetched) -> None:
        """Be woken by it."""
        if fetched.watched is partition or self._is_over:
            return
        self._leave(fetched)
        fetched.watched = partition
        self._watched[partition] = fetched
        self._directories[partition.directory] = None
        partition.watch(self._woken)

    def of(self, partition: Partition) -> Fetched | None:
        """What is wanted of a partition that wakes us."""
        return self._watched.get(partition)

    def watch(self, watcher: Watcher) -> None:
        """A fetch waits."""
        self._waiting[watcher] = None

    def unwatch(self, watcher: Watcher) -> None:
        """It does no longer."""
        self._waiting.pop(watcher, None)
        if self._is_over and not self._waiting:
            self._leave_all()

    # What is decided here.

    def _must_see_all(self, now_ms: int, image: object, isolation: Isolation) -> bool:
        for directory in self._directories:
            if directory.offline_reason is not None:
                self.make_all_due()
        return (
            image is not self._image
            or isolation is not self._isolation
            or now_ms - self._looked_ms >= self.check_all_ms
        )

    def _woken(self, partition: Partition) -> None:
        fetched = self._watched.get(partition)
        if fetched is None:
            return  # it was left while others were woken
        self._due[fetched] = None
        if self._waiting:
            for watcher in tuple(self._waiting):
                watcher(partition)
        if not self._waiting and fetched in self._due:
            self._leave(fetched)

    def _leave(self, fetched: Fetched) -> None:
        partition = fetched.watched
        if partition is not None:
            fetched.watched = None
            del self._watched[partition]
            partition.unwatch(self._woken)

    def _leave_all(self) -> None:
        for fetched in tuple(self._watched.values()):
            self._leave(fetched)
