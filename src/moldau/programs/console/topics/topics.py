"""Topics: all of them as a table that is sent in one response, and one with its partitions.

The list has a row of a few numbers for each topic and no request a row, so that thousands are
cheap. It is kept for a moment, since several pages and people ask for it again and again. Of a
cluster of many partitions a page asks for the first rows alone before it asks for all: they are
there at once, however long the whole list takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import ConfigResource, LogDir, OffsetPlace, PartitionView, TopicView
from moldau.client.errors import ClientError
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.groups.groups import committed_in_pages
from moldau.programs.console.lookups.all_topics import topics_in_pages
from moldau.programs.console.lookups.log_offsets import log_offsets
from moldau.programs.console.lookups.long_lists import list_in_slices
from moldau.programs.console.lookups.settings_shown import shown_settings
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["COLUMNS", "FRESH", "TopicPages", "row_of"]

COLUMNS: Final = ("name", "partitions", "replicas", "internal", "under_replicated", "offline")
FRESH: Final = Parameter("fresh", "boolean", "not those that were found a moment before")
SHOWN: Final = (Parameter("first", "boolean", "the first rows alone, where there are many"), FRESH)
KEPT_MS: Final = 2_000
FIRST_PARTITIONS: Final = 1_000
"""Partitions of the first rows: some tens of milliseconds of work, and more rows than are seen."""


class TopicPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._rows: list[list[object]] = []
        self._rows_ms: int | None = None

    def operations(self) -> list[Operation]:
        topic = "/api/topics/{topic}"
        return [
            Operation(
                "GET", "/api/topics", self.show, "All topics, a row of numbers for each", SHOWN
            ),
            Operation("GET", topic, self.one, "Partitions with leaders, replicas and offsets"),
            Operation("GET", f"{topic}/configs", self.configs, "Settings, and whence they come"),
            Operation("GET", f"{topic}/groups", self.groups, "Groups that have offsets in it"),
            Operation("GET", f"{topic}/producers", self.producers, "Who writes, by partition"),
        ]

    async def show(self, request: Request) -> Response:
        now_ms = self._reach.clock.now_ms()
        is_kept = self._rows_ms is not None and now_ms - self._rows_ms <= KEPT_MS
        if is_kept and not request.flag("fresh"):
            return _listed(self._rows)
        if request.flag("first"):
            first = await self._reach.admin.describe_first_topics(partitions=FIRST_PARTITIONS)
            if first.has_more:
                return _listed([row_of(view) for view in first.topics.values()], has_more=True)
        self._rows = await self._all_rows()
        self._rows_ms = now_ms
        return _listed(self._rows)

    async def _all_rows(self) -> list[list[object]]:
        rows: list[list[object]] = []
        async for page in topics_in_pages(self._reach.admin):
            rows += map(row_of, page.topics.values())
        return rows

    async def one(self, request: Request) -> Response:
        view = await self._reach.topic(request.parameters["topic"])
        parts = [TopicPartition(view.name, one.partition) for one in view.partitions]
        led = [part for part, one in zip(parts, view.partitions, strict=True) if _is_led(one)]
        first = await log_offsets(self._reach.admin, led, OffsetPlace.EARLIEST)
        last = await log_offsets(self._reach.admin, led)
        sizes = await self._sizes(view)
        return reply(
            {
                "name": view.name,
                "id": view.topic_id,
                "is_internal": view.is_internal,
                "partitions": [
                    {
                        **_partition(one),
                        "start": first.get(part),
                        "end": last.get(part),
                        "bytes": sizes.get(part),
                    }
                    for part, one in zip(parts, view.partitions, strict=True)
                ],
            }
        )

    async def configs(self, request: Request) -> Response:
        resource = ConfigResource.topic(request.parameters["topic"])
        found = await self._reach.admin.describe_configs(resource, synonyms=True)
        return reply(shown_settings(found[resource]))

    async def groups(self, request: Request) -> Response:
        """Of all groups those with a committed offset in the topic, and how far behind."""
        topic = request.parameters["topic"]
        view = await self._reach.topic(topic)
        parts = [TopicPartition(topic, one.partition) for one in view.partitions if _is_led(one)]
        ends = await log_offsets(self._reach.admin, parts)
        listed = (await self._reach.admin.list_groups()).values
        groups = [one for one in listed.values() if one.type != "share"]
        found = []
        async for committed in committed_in_pages(self._reach, groups):
            for name, offsets in committed.items():
                places = {part: offset for part, offset in offsets.items() if part in ends}
                if places:
                    lag = sum(max(ends[part] - offset, 0) for part, offset in places.items())
                    group = listed[name]
                    row = {"group": name, "type": group.type, "state": group.state, "lag": lag}
                    found.append({**row, "partitions": len(places)})
        return await list_in_slices(self._reach, found)

    async def producers(self, request: Request) -> Response:
        view = await self._reach.topic(request.parameters["topic"])
        parts = [TopicPartition(view.name, one.partition) for one in view.partitions]
        found = (await self._reach.admin.describe_producers(parts)).values
        return reply(
            [
                {
                    "partition": part.partition,
                    "producer_id": one.producer_id,
                    "producer_epoch": one.producer_epoch,
                    "coordinator_epoch": one.coordinator_epoch,
                    "last_sequence": one.last_sequence,
                    "last_timestamp": one.last_timestamp,
                    "transaction_start": one.transaction_start_offset,
                }
                for part, states in found.items()
                for one in states
            ]
        )

    async def _sizes(self, view: TopicView) -> dict[TopicPartition, int]:
        """Of the leaders' logs, as far as their brokers show them."""
        leaders = {one.leader for one in view.partitions if one.leader is not None}
        parts = [TopicPartition(view.name, one.partition) for one in view.partitions]
        try:
            found = await self._reach.admin.describe_log_dirs(leaders, parts) if leaders else None
        except ClientError:
            return {}
        return _leader_sizes(view, found.values if found else {})


def _listed(rows: Sequence[list[object]], *, has_more: bool = False) -> Response:
    return reply({"columns": COLUMNS, "rows": rows, "has_more": has_more})


def row_of(view: TopicView) -> list[object]:
    """A topic's row, in the order of `COLUMNS`."""
    parts = view.partitions
    return [
        view.name,
        len(parts),
        max((len(one.replicas) for one in parts), default=0),
        int(view.is_internal),
        sum(len(one.isr) < len(one.replicas) for one in parts),
        sum(not _is_led(one) for one in parts),
    ]


def _is_led(one: PartitionView) -> bool:
    return one.leader is not None and one.leader >= 0


def _partition(one: PartitionView) -> dict[str, Any]:
    return {
        "partition": one.partition,
        "leader": one.leader,
        "epoch": one.leader_epoch,
        "replicas": one.replicas,
        "isr": one.isr,
        "offline": one.offline,
    }


def _leader_sizes(
    view: TopicView, dirs: Mapping[int, Mapping[str, LogDir]]
) -> dict[TopicPartition, int]:
    found = {}
    for one in view.partitions:
        part = TopicPartition(view.name, one.partition)
        for directory in dirs.get(one.leader if one.leader is not None else -1, {}).values():
            if part in directory.replicas:
                found[part] = directory.replicas[part].size
    return found
