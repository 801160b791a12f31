"""How far a group is behind: by partition, and in all."""

from __future__ import annotations

from typing import Final

from moldau.client import TopicPartition
from moldau.client.admin import GroupMember, OffsetPlace
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import number_in_path, reply
from moldau.programs.rest.links import Json, Links, collection, related
from moldau.programs.rest.refusals import absent
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.groups import GROUP, group_of

__all__ = ["LagRoutes"]

NO_MEMBER: Final = GroupMember(member_id="", client_id="", host="")


@dataclass(frozen=True, slots=True)
class _Lag:
    """The lag of a group in one partition."""

    part: TopicPartition
    committed: int
    end: int
    member: GroupMember

    @property
    def lag(self) -> int:
        return max(self.end - self.committed, 0)


class LagRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", f"{GROUP}/lags", self.list_all),
            Route("GET", f"{GROUP}/lags/{{topic_name}}/partitions/{{partition_id}}", self.get),
            Route("GET", f"{GROUP}/lag-summary", self.summary),
        ]

    async def list_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        group, lags = await self._lags(request)
        url = links.to("consumer-groups", group, "lags")
        items = [_lag(links, group, one) for one in lags]
        return reply(collection("KafkaConsumerLagList", url, items))

    async def get(self, request: Request) -> Response:
        links = await self._scope.links(request)
        number = number_in_path(request, "partition_id", "Partition")
        wanted = TopicPartition(request.parameters["topic_name"], number)
        group, lags = await self._lags(request)
        for one in lags:
            if one.part == wanted:
                return reply(_lag(links, group, one))
        raise absent(f"Consumer Lag of {wanted}")

    async def summary(self, request: Request) -> Response:
        links = await self._scope.links(request)
        group, lags = await self._lags(request)
        if not lags:
            raise absent(f"Consumer group lag summary of {group}")
        return reply(_summary(links, group, lags))

    async def _lags(self, request: Request) -> tuple[str, list[_Lag]]:
        view = await group_of(self._scope, request)
        group, admin = view.group_id, self._scope.admin
        committed = (await admin.list_consumer_group_offsets(group))[group]
        known = {part: offset for part, offset in committed.items() if offset is not None}
        ends = await admin.list_offsets(dict.fromkeys(known, OffsetPlace.LATEST))
        readers = {part: member for member in view.members for part in member.assignment}
        lags = [
            _Lag(part, offset.offset, ends.values[part].offset or 0, readers.get(part, NO_MEMBER))
            for part, offset in known.items()
            if part in ends.values  # a topic may be gone
        ]
        return group, sorted(lags, key=lambda one: one.part)


def _lag(links: Links, group: str, one: _Lag) -> Json:
    topic, partition = one.part
    return links.resource(
        "KafkaConsumerLag",
        ("consumer-groups", group, "lags", topic, "partitions", partition),
        {"consumer-group": group, "lag": f"{topic}-{partition}"},
        consumer_group_id=group,
        topic_name=topic,
        partition_id=partition,
        consumer_id=one.member.member_id,
        instance_id=one.member.instance_id,
        client_id=one.member.client_id,
        current_offset=one.committed,
        log_end_offset=one.end,
        lag=one.lag,
    )


def _summary(links: Links, group: str, lags: list[_Lag]) -> Json:
    most = max(lags, key=lambda one: one.lag)
    topic, partition = most.part
    member = most.member
    return links.resource(
        "KafkaConsumerGroupLagSummary",
        ("consumer-groups", group, "lag-summary"),
        {"consumer-group": group, "lag-summary": ""},
        consumer_group_id=group,
        max_lag_consumer_id=member.member_id,
        max_lag_instance_id=member.instance_id,
        max_lag_client_id=member.client_id,
        max_lag_topic_name=topic,
        max_lag_partition_id=partition,
        max_lag=most.lag,
        total_lag=sum(one.lag for one in lags),
        max_lag_consumer=related(links.to("consumer-groups", group, "consumers", member.member_id)),
        max_lag_partition=related(links.to("topics", topic, "partitions", partition)),
    )
