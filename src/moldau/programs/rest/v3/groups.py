"""Groups of consumers, their members, and what those read."""

from __future__ import annotations

import re
from typing import Final

from moldau.client.admin import GroupMember, GroupType, GroupView
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import number_in_path, reply
from moldau.programs.rest.links import Json, Links, collection, related
from moldau.programs.rest.refusals import absent
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.clusters import CLUSTER

__all__ = ["GROUP", "GroupRoutes", "group_of"]

GROUPS: Final = f"{CLUSTER}/consumer-groups"
GROUP: Final = f"{CLUSTER}/consumer-groups/{{consumer_group_id}}"
CONSUMER: Final = f"{GROUP}/consumers/{{consumer_id}}"
OF_CONSUMERS: Final = (GroupType.CLASSIC, GroupType.CONSUMER)
GONE: Final = "Dead"
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


class GroupRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [
            Route("GET", GROUPS, self.list_all),
            Route("GET", GROUP, self.get),
            Route("GET", f"{GROUP}/consumers", self.list_consumers),
            Route("GET", CONSUMER, self.get_consumer),
            Route("GET", f"{CONSUMER}/assignments", self.list_assignments),
            Route(
                "GET",
                f"{CONSUMER}/assignments/{{topic_name}}/partitions/{{partition_id}}",
                self.get_assignment,
            ),
        ]

    async def list_all(self, request: Request) -> Response:
        links = await self._scope.links(request)
        listed = await self._scope.admin.list_groups(types=OF_CONSUMERS)
        names = [
            one.group_id for one in listed.values.values() if one.protocol_type in ("", "consumer")
        ]
        views = await self._scope.admin.describe_consumer_groups(names)
        items = [_group(links, view) for view in views.values.values()]
        return reply(collection("KafkaConsumerGroupList", links.to("consumer-groups"), items))

    async def get(self, request: Request) -> Response:
        links = await self._scope.links(request)
        return reply(_group(links, await group_of(self._scope, request)))

    async def list_consumers(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await group_of(self._scope, request)
        items = [_consumer(links, view, member) for member in view.members]
        url = links.to("consumer-groups", view.group_id, "consumers")
        return reply(collection("KafkaConsumerList", url, items))

    async def get_consumer(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await group_of(self._scope, request)
        return reply(_consumer(links, view, _member(view, request)))

    async def list_assignments(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await group_of(self._scope, request)
        member = _member(view, request)
        items = [
            _assignment(links, view, member, part.topic, part.partition)
            for part in member.assignment
        ]
        here = ("consumer-groups", view.group_id, "consumers", member.member_id, "assignments")
        return reply(collection("KafkaConsumerAssignmentList", links.to(*here), items))

    async def get_assignment(self, request: Request) -> Response:
        links = await self._scope.links(request)
        view = await group_of(self._scope, request)
        member = _member(view, request)
        topic = request.parameters["topic_name"]
        number = number_in_path(request, "partition_id", "Partition")
        if (topic, number) not in member.assignment:
            raise absent(f"Consumer Assignment of {topic}-{number}")
        return reply(_assignment(links, view, member, topic, number))


async def group_of(scope: Scope, request: Request) -> GroupView:
    """The group that the path names; 404 where there is none."""
    name = request.parameters["consumer_group_id"]
    view = (await scope.admin.describe_consumer_groups(name))[name]
    if view.state == GONE:
        raise absent(f"Consumer Group {name}")
    return view


def _member(view: GroupView, request: Request) -> GroupMember:
    wanted = request.parameters["consumer_id"]
    for member in view.members:
        if member.member_id == wanted:
            return member
    raise absent(f"Consumer {wanted}")


def _group(links: Links, view: GroupView) -> Json:
    here = ("consumer-groups", view.group_id)
    coordinator = view.coordinator
    kinds = {member.is_classic for member in view.members}
    return links.resource(
        "KafkaConsumerGroup",
        here,
        {"consumer-group": view.group_id},
        consumer_group_id=view.group_id,
        is_simple=view.type is GroupType.CLASSIC and not view.protocol_type,
        partition_assignor=view.assignor,
        state=_HUMP.sub("_", view.state).upper(),
        type=view.type.name,
        is_mixed_consumer_group={True, False} <= kinds,
        coordinator=None
        if coordinator is None
        else related(links.to("brokers", coordinator.node_id)),
        consumer=related(links.to(*here, "consumers")),
        lag_summary=related(links.to(*here, "lag-summary")),
    )


def _consumer(links: Links, view: GroupView, member: GroupMember) -> Json:
    here = ("consumer-groups", view.group_id, "consumers", member.member_id)
    return links.resource(
        "KafkaConsumer",
        here,
        {"consumer-group": view.group_id, "consumer": member.member_id},
        consumer_group_id=view.group_id,
        consumer_id=member.member_id,
        instance_id=member.instance_id,
        client_id=member.client_id,
        assignments=related(links.to(*here, "assignments")),
    )


def _assignment(
    links: Links, view: GroupView, member: GroupMember, topic: str, partition: int
) -> Json:
    group = ("consumer-groups", view.group_id)
    here = (*group, "consumers", member.member_id, "assignments", topic, "partitions", partition)
    return links.resource(
        "KafkaConsumerAssignment",
        here,
        {
            "consumer-group": view.group_id,
            "consumer": member.member_id,
            "assignment": f"{topic}-{partition}",
        },
        consumer_group_id=view.group_id,
        consumer_id=member.member_id,
        topic_name=topic,
        partition_id=partition,
        partition=related(links.to("topics", topic, "partitions", partition)),
        lag=related(links.to(*group, "lags", topic, "partitions", partition)),
    )
