"""Pipelines of Spark by their checkpoints: how far they are, how fast, and whether it adds up.

A checkpoint lies on a disk that the console can read, and names its lake. How much waits is the
distance from where its last whole batch ends to the ends of its topics, which are asked for as the
user: who may not describe the topic sees no pipeline. For how long it has waited is the age of the
oldest of these records, which are read for their times; whose user may not read has no age.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import OffsetPlace
from moldau.errors import MoldauError
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.checkpoint_folders import CheckpointFolders
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.lag.ages import time_at
from moldau.programs.rest.bodies import reply

if TYPE_CHECKING:
    from moldau.programs.pipelines.state import PipelineState

__all__ = ["PipelinePages", "shown_state"]

BATCHES_SHOWN: Final = 50
MS_PER_S: Final = 1_000
AGES_MAX: Final = 1_000
"""Partitions of which a record each is read for its time."""
AGES_TIMEOUT_MS: Final = 3_000


class PipelinePages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        return [Operation("GET", "/api/pipelines", self.pipelines, "Pipelines, rates and lag")]

    async def pipelines(self, request: Request) -> Response:
        folders = self._reach.settings.pipelines
        shown = [] if folders is None else [await self._one(folders, one) for one in folders.paths]
        return reply([one for one in shown if one is not None])

    async def _one(self, folders: CheckpointFolders, path: str) -> dict[str, Any] | None:
        """None for what the user may not see."""
        is_everyone = self._reach.user is None
        try:
            state = await self._reach.tasks.offload(folders.read, path)
        except MoldauError as error:
            return {"checkpoint": path, "problem": str(error)} if is_everyone else None
        try:
            ends = await self._ends(state.owner.topic)
        except MoldauError as error:
            if not is_everyone:
                return None
            return {**shown_state(path, state, None), "problem": str(error)}
        since_ms = await self._oldest_ms(state.ends, ends) if state.batch is not None else None
        waited_ms = None if since_ms is None else self._reach.clock.now_ms() - since_ms
        return shown_state(path, state, ends, waited_ms)

    async def _oldest_ms(
        self, read: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]
    ) -> int | None:
        """The time of the oldest record behind these offsets; None where one cannot be read."""
        waiting = [part for part, end in ends.items() if end > read.get(part, 0)]
        if len(waiting) > AGES_MAX:
            return None
        times: list[int] = []
        try:
            async with self._reach.tasks.deadline(AGES_TIMEOUT_MS):
                connection = await self._reach.clients.connection()
                first = await connection.earliest(waiting)
                for part in waiting:
                    found = await time_at(connection, part, max(read.get(part, 0), first[part]))
                    times += [] if found is None else [found]
        except (MoldauError, TimeoutError):
            return None
        return min(times, default=None)

    async def _ends(self, topics: str) -> dict[TopicPartition, int]:
        """Of one topic, or of several with commas between."""
        views = [await self._reach.topic(name.strip()) for name in topics.split(",")]
        parts = [
            TopicPartition(view.name, one.partition) for view in views for one in view.partitions
        ]
        wanted = dict.fromkeys(parts, OffsetPlace.LATEST)
        found = (await self._reach.admin.list_offsets(wanted)).all()
        return {part: one.offset for part, one in found.items() if one.offset is not None}


def shown_state(
    path: str,
    state: PipelineState,
    ends: Mapping[TopicPartition, int] | None,
    waited_ms: int | None = None,
) -> dict[str, Any]:
    """`ends` are those of its topics, if they are known, and `waited_ms` how old the oldest record
    is that it has not read.
    """
    found = state.reconciled
    batches = [_batch(row) for row in found.batches[-BATCHES_SHOWN:]]
    lag = None if ends is None or state.batch is None else _lag(state.ends, ends)
    return {
        "checkpoint": path,
        "pipeline": state.owner.pipeline,
        "topic": state.owner.topic,
        "lake": state.owner.lake,
        "batch": state.batch,
        "lag": lag,
        "lag_ms": 0 if lag == 0 else waited_ms,
        "rate": batches[-1]["rate"] if batches else None,
        "read": found.read,
        "good": found.good,
        "rejected": found.rejected,
        "known": found.known,
        "rows": dict(found.rows),
        "sentence": found.sentence,
        "differences": found.differences,
        "batches": batches,
        "problem": None,
    }


def _batch(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("query", "batch", "read", "good", "rejected", "known", "took_ms")
    rate = round(row["read"] * MS_PER_S / max(row["took_ms"], 1))
    return {**{name: row[name] for name in names}, "rate": rate}


def _lag(read: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]) -> int:
    return sum(max(end - read.get(part, 0), 0) for part, end in ends.items())
