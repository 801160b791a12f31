"""What a user of the registry may do: what the cluster lets the user do with the subject's topic.

The cluster decides, and no rule is kept here. The user's own client is asked whether it may do what
a request needs, which is in `needs` and `association_needs`.

Of the subjects that share a schema, and of the topics that share a subject, a user sees those that
it may describe. Subjects that are named after a record are of no topic: all who log in may read
them, and who may alter the cluster may do the rest, as with topics that are not there yet. Who may
alter the cluster may do everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from moldau.client import AsyncAdmin
from moldau.client.errors import AccessDeniedError, UnknownTopicError
from moldau.platform.ports.clock import Clock
from moldau.programs.http.messages import Handler, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.association_needs import (
    association_needs,
    association_read,
    is_of_associations,
)
from moldau.programs.registry.needs import (
    Need,
    Operation,
    also_needed,
    needed,
    segments_of,
    topic_of,
)
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "Access",
    "AccessRouter",
    "AdminRights",
    "Rights",
]

KEPT_NS: Final = 5_000_000_000
"""How old what the cluster has answered may be."""
KEPT_MAX: Final = 1000
LISTS_OF_ID: Final = ("subjects", "versions")
DESCRIBE, ALTER = Operation.DESCRIBE, Operation.ALTER
Operations = frozenset[Operation]


class Rights(Protocol):
    """What a user may do, as the cluster answers it."""

    async def of_topic(self, topic: str) -> Operations | None:
        """None where there is no such topic."""
        ...

    async def of_cluster(self) -> Operations: ...


class Access:
    """What one user may do."""

    def __init__(self, rights: Rights, clock: Clock) -> None:
        self._rights = rights
        self._clock = clock
        self._kept: dict[str | None, tuple[int, Operations | None]] = {}

    async def ensure(self, need: Need) -> None:
        """Return where it is allowed, or 403; what is denied by old knowledge is asked again."""
        if await self._is_allowed(need):
            return
        self._kept.clear()
        if await self._is_allowed(need):
            return
        what = f"Subject: {need.subjects[0]}" if need.subjects else "the cluster"
        name = need.operation.name.capitalize()
        raise refuse(Refusal.AUTHORIZATION, f"User is denied operation {name} on {what}")

    async def allowed(self, need: Need) -> frozenset[str] | None:
        """Those of its subjects for which it is allowed; None for all, whichever there are."""
        if ALTER in (await self._operations(None) or ()):
            return None
        found = [one for one in need.subjects if await self._allows(one, need.operation)]
        return frozenset(found)

    async def _is_allowed(self, need: Need) -> bool:
        cluster = await self._operations(None) or frozenset()
        if ALTER in cluster or (not need.subjects and need.operation in cluster):
            return True
        for subject in need.subjects:
            if await self._allows(subject, need.operation):
                return True
        return False

    async def _allows(self, subject: str, operation: Operation) -> bool:
        topic = topic_of(subject)
        if topic is None:
            return operation is DESCRIBE
        found = await self._operations(topic)
        return operation is DESCRIBE if found is None else operation in found

    async def _operations(self, topic: str | None) -> Operations | None:
        now_ns = self._clock.monotonic_ns()
        kept = self._kept.get(topic)
        if kept is not None and now_ns - kept[0] < KEPT_NS:
            return kept[1]
        rights = self._rights
        found = await (rights.of_cluster() if topic is None else rights.of_topic(topic))
        if len(self._kept) >= KEPT_MAX:
            self._kept.clear()
        self._kept[topic] = now_ns, found
        return found


class AccessRouter(Router):
    """The routes of a registry, for one user."""

    def __init__(self, routes: Router, scope: Scope, access: Access) -> None:
        super().__init__(())
        self._routes = routes
        self._scope = scope
        self._access = access

    def find(self, method: str, path: str) -> tuple[Handler, Mapping[str, str]]:
        handler, names = self._routes.find(method, path)

        async def answer(request: Request) -> Response:
            need = await self._ensured(request)
            response = await self._answered(handler, request, need)
            if need is not None and need.operation is DESCRIBE:
                # Another registry's schema may have come in while it was looked for.
                later = await self._ensured(request, need)
                if later != need and _is_list(request):
                    response = await self._answered(handler, request, later)
            return response

        return answer, names

    async def _answered(self, handler: Handler, request: Request, need: Need | None) -> Response:
        if need is not None and _is_list(request):
            request.may_show = await self._access.allowed(need)
        found = handler(request)
        return found if isinstance(found, Response) else await found

    async def _ensured(self, request: Request, known: Need | None = None) -> Need | None:
        """What it needs, where it is allowed; asked again where an alias changed meanwhile."""
        is_association = is_of_associations(request)
        if known is None:
            others = association_needs if is_association else also_needed
            for other in others(self._scope, request):
                await self._access.ensure(other)
        if is_association:
            return association_read(self._scope, request)
        while (need := needed(self._scope, request)) is not None and need != known:
            await self._access.ensure(need)
            known = need
        return need


def _is_list(request: Request) -> bool:
    """Of subjects of a schema, or of topics of a subject: they may be of several users."""
    if is_of_associations(request):
        return True
    return "id" in request.parameters and segments_of(request.path)[-1] in LISTS_OF_ID


class AdminRights:
    """The rights of the user that a client has logged in as."""

    def __init__(self, admin: AsyncAdmin) -> None:
        self._admin = admin

    async def of_topic(self, topic: str) -> Operations | None:
        try:
            view = (await self._admin.describe_topics([topic], operations=True))[topic]
        except AccessDeniedError:
            return frozenset()
        except UnknownTopicError:
            return None
        return view.operations or frozenset()

    async def of_cluster(self) -> Operations:
        return (await self._admin.describe_cluster(operations=True)).operations or frozenset()
