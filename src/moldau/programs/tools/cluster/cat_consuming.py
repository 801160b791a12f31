"""`moldau cat -C`: records to standard output, from one place to another."""

from __future__ import annotations

import re
from argparse import Namespace
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_format import Format, json_line, unescaped
from moldau.programs.tools.cluster.cat_packed import packed_by
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.streams import write_bytes

if TYPE_CHECKING:
    from moldau.client import Consumer
    from moldau.client.admin import Admin

__all__ = ["AT_ONCE", "POLL_S", "READING", "Writing", "begin_at", "consume"]

POLL_S = 0.25
AT_ONCE = 500
READING = {"auto.offset.reset": "earliest", "allow.auto.create.topics": "false"}
"""Unless the user sets them; like kcat it creates no topic."""
PLACES = {"beginning": OffsetPlace.EARLIEST, "end": OffsetPlace.LATEST}
Places = dict[TopicPartition, int]


def consume(options: Namespace, world: World, settings: dict[str, object]) -> int:
    topic = options.topic[0]
    with clients.Admin(settings) as client:
        admin = client.within(options.seconds)
        view = admin.describe_topics(topic)[topic]
        numbers = [part.partition for part in view.partitions]
        if options.partition >= 0:
            numbers = [options.partition]
        parts = [TopicPartition(topic, number) for number in numbers]
        begin, end = begin_at(admin, parts, ",".join(options.offset) or "beginning")
        latest = _offsets(admin, parts, OffsetPlace.LATEST)
        leaders = {part.partition: part.leader or -1 for part in view.partitions}
    stops = end if end is not None else (latest if options.exit else {})
    with clients.Consumer({**READING, **settings}) as consumer:
        consumer.assign(parts)
        for part, offset in begin.items():
            consumer.seek(part, offset)
        Writing(options, world, leaders, latest).write_all(
            consumer,
            {part: stop for part, stop in stops.items() if stop > begin.get(part, 0)}
            if stops
            else None,
        )
    return 0


def begin_at(admin: Admin, parts: list[TopicPartition], text: str) -> tuple[Places, Places | None]:
    """Where to begin, and where to end if `s@…e@…` has an end."""
    times = re.fullmatch(r"(?:s@(\d+))?,?(?:e@(\d+))?", text)
    if text in PLACES:
        return _offsets(admin, parts, PLACES[text]), None
    if text == "stored":
        raise MoldauError("-o stored needs a group: use -G")
    if re.fullmatch(r"\d+", text):
        return dict.fromkeys(parts, int(text)), None
    if re.fullmatch(r"-\d+", text):
        earliest = _offsets(admin, parts, OffsetPlace.EARLIEST)
        latest = _offsets(admin, parts, OffsetPlace.LATEST)
        return {part: max(earliest[part], latest[part] + int(text)) for part in latest}, None
    if text and times is not None:
        start, stop = times.groups()
        begin = (
            _times(admin, parts, start) if start else _offsets(admin, parts, OffsetPlace.EARLIEST)
        )
        return begin, _times(admin, parts, stop) if stop else None
    raise MoldauError(f"-o {text}: write beginning, end, a number, -N, s@TIME or e@TIME")


def _offsets(admin: Admin, parts: list[TopicPartition], place: OffsetPlace) -> Places:
    views = admin.list_offsets(dict.fromkeys(parts, place)).all()
    return {part: view.offset or 0 for part, view in views.items()}


def _times(admin: Admin, parts: list[TopicPartition], time_ms: str) -> Places:
    """The end where no record is that new."""
    views = admin.list_offsets(dict.fromkeys(parts, int(time_ms))).all()
    latest = _offsets(admin, parts, OffsetPlace.LATEST)
    return {
        part: latest[part] if view.offset is None else view.offset for part, view in views.items()
    }


class Writing:
    """Records to standard output, and remarks to standard error."""

    def __init__(
        self,
        options: Namespace,
        world: World,
        leaders: dict[int, int] | None = None,
        latest: Places | None = None,
    ) -> None:
        self._options = options
        self._world = world
        self._leaders = leaders or {}
        self._latest = latest or {}
        self._count = 0
        null = b"NULL" if options.null else b""
        delimiter = unescaped(options.delimiter)
        self._format = Format(options.format or "", null, packed_by(options.packed))
        self._key_end = None if options.key_delimiter is None else unescaped(options.key_delimiter)
        self._line_end = delimiter

    def write_all(self, consumer: Consumer, stops: Places | None) -> None:
        """Up to the stops; for ever where there are none."""
        endless = stops is None
        left = dict(stops or {})
        seen: set[TopicPartition] = set()
        while (endless or left) and not self.is_done():
            for record in consumer.consume(AT_ONCE, POLL_S):
                part = TopicPartition(record.topic, record.partition)
                if endless or record.offset < left.get(part, 0):
                    self.write(record)
            self._world.out.flush()
            for part in list(left):
                if consumer.position(part) >= left[part]:
                    del left[part]
            self._remark(consumer, seen)
        if not endless:
            self._remark(consumer, seen)

    def write(self, record: ConsumerRecord) -> None:
        """Unless there are enough."""
        if not self.is_done():
            write_bytes(self._world.out, self._line(record))
            self._count += 1

    def is_done(self) -> bool:
        """A count of 0 is none, as kcat's."""
        return bool(self._options.count) and self._count >= self._options.count

    def _remark(self, consumer: Consumer, seen: set[TopicPartition]) -> None:
        for part, end in self._latest.items():
            if part not in seen and consumer.position(part) >= end:
                seen.add(part)
                if not self._options.quiet:
                    leaving = ": exiting" if self._is_last(seen) else ""
                    self._world.errors.write(
                        f"% Reached end of topic {part.topic} [{part.partition}] "
                        f"at offset {end}{leaving}\n"
                    )

    def _is_last(self, seen: set[TopicPartition]) -> bool:
        return bool(self._options.exit) and len(seen) == len(self._latest)

    def _line(self, record: ConsumerRecord) -> bytes:
        if self._options.json:
            return json_line(record, self._leaders.get(record.partition, -1))
        if self._options.format is not None:
            return self._format.line(record)
        value = self._format.data("value", record.value)
        if self._key_end is None:
            return value + self._line_end
        return self._format.data("key", record.key) + self._key_end + value + self._line_end
