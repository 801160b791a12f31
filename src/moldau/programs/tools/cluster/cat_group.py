"""`moldau cat -G`: records of the partitions that a group gives to this member.

As with kcat, `-o` sets where each partition begins that comes, whatever is committed; without it a
group that has committed nothing begins at the end. `-e` ends when all that was given has been read.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Collection, Sequence

from moldau import client as clients
from moldau.client import Consumer, RebalanceListener, TopicPartition
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_consuming import AT_ONCE, POLL_S, READING, Writing, begin_at
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import absence_of

__all__ = ["consume_group", "names_or_pattern"]

STORED = "stored"


def consume_group(options: Namespace, world: World, settings: dict[str, object]) -> int:
    topics = [*options.topic, *options.topics]
    for topic in topics:
        absence = None if _is_pattern(topic) else absence_of(topic, settings)
        if absence is not None:  # as kcat, which does not wait for it
            raise MoldauError(absence)
    reading = {**READING, "auto.offset.reset": "latest", **settings, "group.id": options.group}
    with clients.Consumer(reading) as consumer:
        _Member(options, world, consumer, settings).read(topics)
    return 0


def _is_pattern(topic: str) -> bool:
    return topic.startswith("^")


def names_or_pattern(topics: Sequence[str]) -> list[str] | re.Pattern[str]:
    """One pattern for all where one of them is one, which need not reach to the end of a name."""
    if not any(map(_is_pattern, topics)):
        return list(topics)
    parts = (one if _is_pattern(one) else f"^{re.escape(one)}$" for one in topics)
    try:
        return re.compile("|".join(f"(?:{one}).*" for one in parts))
    except re.error as error:
        raise MoldauError(f"{' '.join(topics)} is no pattern: {error}") from None


class _Member(RebalanceListener):
    """Reads what it is given, and names that on standard error."""

    def __init__(
        self, options: Namespace, world: World, consumer: Consumer, settings: dict[str, object]
    ) -> None:
        self._options, self._world, self._settings = options, world, settings
        self._consumer = consumer
        self._reached: set[TopicPartition] = set()
        """Partitions that have been read to their end, since they came."""

    def read(self, topics: Sequence[str]) -> None:
        self._say("Waiting for group rebalance")
        self._consumer.subscribe(names_or_pattern(topics), listener=self)
        writing = Writing(self._options, self._world)
        while not writing.is_done():
            records = self._consumer.consume(AT_ONCE, POLL_S)
            for record in records:
                writing.write(record)
            self._world.out.flush()
            if not records and self._is_at_the_end() and self._options.exit:
                return

    def on_assigned(self, parts: Collection[TopicPartition]) -> None:
        self._rebalanced("assigned", parts)
        place = ",".join(self._options.offset) or STORED
        if place == STORED or not parts:
            return
        with clients.Admin(self._settings) as client:
            begin, _ = begin_at(client.within(self._options.seconds), list(parts), place)
        for part, offset in begin.items():
            self._consumer.seek(part, offset)

    def on_revoked(self, parts: Collection[TopicPartition]) -> None:
        self._rebalanced("revoked", parts)
        self._reached -= set(parts)

    def _rebalanced(self, how: str, parts: Collection[TopicPartition]) -> None:
        shown = ", ".join(f"{part.topic} [{part.partition}]" for part in sorted(parts))
        self._say(f"Group {self._options.group} rebalanced: {how}: {shown}")

    def _is_at_the_end(self) -> bool:
        """Whether all that was given is read; each partition of which that is so is named once."""
        given = self._consumer.assignment()
        left = sorted(given - self._reached)
        for part, end in self._consumer.end_offsets(left).items() if left else ():
            if self._consumer.position(part) >= end:
                self._reached.add(part)
                leaving = self._options.exit and self._reached >= given
                self._say(
                    f"Reached end of topic {part.topic} [{part.partition}] at offset {end}"
                    f"{': exiting' if leaving else ''}"
                )
        return bool(given) and self._reached >= given

    def _say(self, text: str) -> None:
        if not self._options.quiet:
            self._world.errors.write(f"% {text}\n")
