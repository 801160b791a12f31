"""How much each topic stores and how many records it has at most: what makes a list worth sorting.

Bytes are those of all copies on all brokers, as their log directories report them. Records are
where logs end less where they begin; they are asked for of small clusters alone, since each
partition costs its leader a look. Both are found once for all who look within some seconds.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from moldau.client.admin import OffsetPlace
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.lookups.all_topics import partitions_of
from moldau.programs.console.lookups.log_offsets import log_offsets
from moldau.programs.console.lookups.stored import stored
from moldau.programs.console.reach import Reach
from moldau.programs.console.topics.topics import FRESH
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["COLUMNS", "TopicSizes"]

COLUMNS: Final = ("name", "bytes", "records")
KEPT_MS: Final = 5_000
COUNTED_PARTITIONS_MAX: Final = 2_000
"""Of which the records are counted too."""


class TopicSizes:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._rows: list[list[object]] = []
        self._rows_ms: int | None = None

    def operations(self) -> list[Operation]:
        summary = "Bytes and records of each topic"
        return [Operation("GET", "/api/sizes", self.show, summary, (FRESH,))]

    async def show(self, request: Request) -> Response:
        now_ms = self._reach.clock.now_ms()
        if self._rows_ms is None or now_ms - self._rows_ms > KEPT_MS or request.flag("fresh"):
            self._rows = await self._looked_up()
            self._rows_ms = now_ms
        return reply({"columns": COLUMNS, "rows": self._rows})

    async def _looked_up(self) -> list[list[object]]:
        admin = self._reach.admin
        view = await admin.describe_cluster()
        sizes: Counter[str] = Counter()
        found = await stored(admin, [one.node_id for one in view.nodes])
        for directories in found.by_broker.values():
            for directory in directories.values():
                sizes.update(directory.bytes_by_topic)
        records = await self._counted()
        topics = sorted({*sizes, *records})
        return [[topic, sizes.get(topic), records.get(topic)] for topic in topics]

    async def _counted(self) -> Counter[str]:
        """Of topics whose partitions all have leaders, as far as the user may see them."""
        admin = self._reach.admin
        first = await admin.describe_first_topics(partitions=COUNTED_PARTITIONS_MAX)
        if first.has_more:
            return Counter()
        parts = partitions_of(first)
        starts = await log_offsets(admin, parts, OffsetPlace.EARLIEST)
        ends = await log_offsets(admin, parts)
        counts: Counter[str] = Counter()
        unknown: set[str] = set()
        for part in parts:
            if part in starts and part in ends:
                counts[part.topic] += max(ends[part] - starts[part], 0)
            else:
                unknown.add(part.topic)
        for topic in unknown:
            del counts[topic]
        return counts
