"""Why a group is behind: two samples of its offsets, and what they mean.

Samples are kept while a page looks at the group, so that the answer grows surer; the first answer
waits for its second sample.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from moldau.client import TopicPartition
from moldau.client.admin import GroupType
from moldau.programs.console.api.forms import whole_number
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.groups.diagnosis import diagnose
from moldau.programs.console.groups.groups import (
    GroupInView,
    committed_offsets,
    group_in_view,
    owners_of,
    shown_member,
)
from moldau.programs.console.groups.lag_facts import GroupFacts, PartitionFacts, Sample, group_facts
from moldau.programs.console.groups.rebalances import GroupLooks, Look, MemberLook, Watched
from moldau.programs.console.lookups.log_offsets import log_offsets
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["BehindPages", "GroupSamples"]

SECONDS: Final = 2
SECONDS_MAX: Final = 60
KEPT_MS: Final = 60_000
GROUPS_MAX: Final = 100
"""Of which samples are kept; the one that was looked at longest ago is forgotten first."""
SAMPLES_MAX: Final = 60
MS_PER_SECOND: Final = 1000
WITH_OWNERS: Final = (GroupType.CONSUMER, GroupType.CLASSIC)


class GroupSamples:
    """The last ones of each group."""

    def __init__(self) -> None:
        self._kept: dict[str, deque[Sample]] = {}

    def add(self, group: str, sample: Sample) -> Sample:
        """Return the oldest that it may be compared with."""
        kept = self._kept.pop(group, deque(maxlen=SAMPLES_MAX))
        while kept and kept[0].time_ms < sample.time_ms - KEPT_MS:
            kept.popleft()
        kept.append(sample)
        self._kept[group] = kept
        while len(self._kept) > GROUPS_MAX:
            del self._kept[next(iter(self._kept))]
        return kept[0]


class BehindPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._samples = GroupSamples()
        self._looks = GroupLooks()

    def operations(self) -> list[Operation]:
        seconds = Parameter("seconds", "integer", f"to look at least; {SECONDS} unless given")
        path = "/api/groups/{group}/behind"
        return [Operation("GET", path, self.show, "Why it is behind, and what helps", (seconds,))]

    async def show(self, request: Request) -> Response:
        seconds = whole_number(request, "seconds", SECONDS, SECONDS_MAX)
        facts, watched = await self._facts(request.parameters["group"], seconds * MS_PER_SECOND)
        return reply(
            {
                "group": facts.group,
                "state": facts.state,
                "members": facts.members,
                "seconds": facts.seconds,
                "lag": facts.waiting,
                "rate_in": facts.rate_in,
                "rate_out": facts.rate_out,
                "finding": diagnose(facts)._asdict(),
                "rebalance": watched.rebalance and watched.rebalance._asdict(),
                "watched_since": watched.since_ms,
                "partitions": [_shown(one) for one in facts.partitions],
            }
        )

    async def _facts(self, group: str, least_ms: int) -> tuple[GroupFacts, Watched]:
        found, watched = await self._look(group)
        last = await self._sample(found)
        first = self._samples.add(group, last)
        missing_ms = least_ms - (last.time_ms - first.time_ms)
        if missing_ms > 0:
            await self._reach.tasks.sleep(missing_ms)
            found, watched = await self._look(group)
            last = await self._sample(found)
            first = self._samples.add(group, last)
        has_owners = found.kind in WITH_OWNERS
        view = found.view
        about = GroupFacts(group, str(view.state), len(view.members), 0, (), has_owners)
        owners = {part: (one.client_id, one.member_id) for part, one in owners_of(view).items()}
        return group_facts(about, owners if has_owners else {}, first, last), watched

    async def _look(self, group: str) -> tuple[GroupInView, Watched]:
        found = await group_in_view(self._reach, group)
        return found, self._looks.add(group, _look_at(found, self._reach.clock.now_ms()))

    async def _sample(self, found: GroupInView) -> Sample:
        committed = await committed_offsets(self._reach, found.name, found.kind)
        parts: set[TopicPartition] = {*committed, *owners_of(found.view)}
        ends = await log_offsets(self._reach.admin, parts)
        return Sample(self._reach.clock.now_ms(), committed, ends)


def _look_at(found: GroupInView, now_ms: int) -> Look:
    view = found.view
    members = {}
    for one in map(shown_member, view.members):
        reads = frozenset(one["assignment"])
        members[one["member"]] = MemberLook(one["client"], one["host"], one["instance"], reads)
    coordinator = None if view.coordinator is None else view.coordinator.node_id
    return Look(now_ms, str(view.state), view.epoch, coordinator, members)


def _shown(one: PartitionFacts) -> dict[str, Any]:
    return {**one._asdict(), "lag": one.lag}
