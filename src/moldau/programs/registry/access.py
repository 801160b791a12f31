"""What a user of the registry may do: what the cluster lets the user do with the subject's topic.

The cluster decides, and no rule is kept here. The user's own client is asked what it may do:

    read a schema, list versions     Describe of the topic, which Read and Write have with them
    register, change its level       Write
    delete                           Delete
    subjects and schemas as a list   Describe of the cluster
    levels and modes of all, modes   Alter of the cluster
    a subject's keys                 as its schemas: Describe, Write, Delete
    keys that encrypt these          Alter of the cluster; every user may read their names
    associations of a topic          Describe of the topic; to change them, Alter of the cluster

Of the subjects that share a schema a user sees those that it may describe. A subject that is named
in a reference or as an alias has to be one that the user may describe.

`orders-key` and `orders-value` are of the topic `orders`. A subject that is named after a record is
of no topic: all who log in may read it, and who may alter the cluster may do the rest, as with
topics that are not there yet. Who may alter the cluster may do everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol
from urllib.parse import unquote

from moldau.client import AsyncAdmin
from moldau.client.admin import AccessOperation
from moldau.client.errors import AccessDeniedError, UnknownTopicError
from moldau.platform.ports.clock import Clock
from moldau.programs.http.json_bodies import parsed
from moldau.programs.http.messages import DIGITS_MAX, Handler, HttpError, Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.associations.asked import TOPIC
from moldau.programs.registry.lookups import places_of_id, resolved, where_id_is
from moldau.programs.registry.names import bare_of, in_context
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "Access",
    "AccessRouter",
    "AdminRights",
    "Need",
    "Rights",
    "also_needed",
    "needed",
    "topic_of",
]

KEPT_NS: Final = 5_000_000_000
"""How old what the cluster has answered may be."""
KEPT_MAX: Final = 1000
ENDS: Final = ("-key", "-value")
READS: Final = ("GET", "HEAD", "OPTIONS")
LISTS_OF_ID: Final = ("subjects", "versions")
LISTS: Final = (["subjects"], ["schemas"])
KEYS: Final = "dek-registry"
SEVERAL_READ: Final = "associations:batchGet"
ASSOCIATIONS: Final = ("associations", SEVERAL_READ, "associations:batchMutate")
SETTINGS: Final = ("config", "mode")
"""Of the name itself: an alias is one of them."""
KEK_SEGMENTS: Final = 4
"""Of `dek-registry/v1/keks/{name}`; what is below it lists subjects."""
LOOK_UP_SEGMENTS: Final = 2
"""`POST /subjects/{subject}` registers nothing."""
DESCRIBE, WRITE = AccessOperation.DESCRIBE, AccessOperation.WRITE
DELETE, ALTER = AccessOperation.DELETE, AccessOperation.ALTER
Operations = frozenset[AccessOperation]


class Need(NamedTuple):
    """What a request needs: the operation on one of these subjects, or on the cluster."""

    operation: AccessOperation
    subjects: Sequence[str] = ()


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

    async def _allows(self, subject: str, operation: AccessOperation) -> bool:
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
                if later != need and _lists_subjects(request):
                    response = await self._answered(handler, request, later)
            return response

        return answer, names

    async def _answered(self, handler: Handler, request: Request, need: Need | None) -> Response:
        if need is not None and _lists_subjects(request):
            request.may_show = await self._access.allowed(need)
        found = handler(request)
        return found if isinstance(found, Response) else await found

    async def _ensured(self, request: Request, known: Need | None = None) -> Need | None:
        """What it needs, where it is allowed; asked again where an alias changed meanwhile."""
        if known is None:
            for other in also_needed(self._scope, request):
                await self._access.ensure(other)
        while (need := needed(self._scope, request)) is not None and need != known:
            await self._access.ensure(need)
            known = need
        return need


def also_needed(scope: Scope, request: Request) -> list[Need]:
    """Subjects that a body names: by a reference or an alias their schemas could be read."""
    if request.method in READS or "subject" not in request.parameters:
        return []
    try:
        body = parsed(request.body)
    except HttpError:
        return []  # the handler refuses it with the reason
    if not isinstance(body, dict):
        return []
    references = body.get("references")
    named = (
        [one.get("subject") for one in references or () if isinstance(one, dict)]
        if (isinstance(references, list))
        else []
    )
    aliases = [body.get("alias"), body.get("aliasForDeks")]
    subjects = {str(name) for name in (*named, *aliases) if name}
    return [Need(DESCRIBE, (resolved(scope.state, name),)) for name in sorted(subjects)]


def needed(scope: Scope, request: Request) -> Need | None:
    """None for what all may do who log in."""
    names, reads = request.parameters, request.method in READS
    segments = _segments(request.path)
    if segments[:1] == [KEYS]:
        return _need_of_key(scope, request, segments)
    if segments[0] in ASSOCIATIONS:
        return _need_of_association(scope, request, segments)
    if "subject" in names and segments[0] in SETTINGS:
        subject = in_context(names.get("context", ""), names["subject"])
        return Need(_operation(request.method, segments), (subject,))
    if "subject" in names:
        return Need(_operation(request.method, segments), (scope.subject(request),))
    if "id" in names or "guid" in names:
        return Need(DESCRIBE, _subjects_of(scope, request)) if reads else Need(ALTER)
    if not reads:
        return Need(ALTER)
    return Need(DESCRIBE) if segments in LISTS else None


def _need_of_association(scope: Scope, request: Request, segments: Sequence[str]) -> Need | None:
    """To read those of a topic is to read which subjects it has; to change them is no topic's."""
    names = request.parameters
    if segments[0] == SEVERAL_READ:
        return Need(DESCRIBE)
    if request.method not in READS:
        return Need(ALTER)
    if "subject" in names:
        return Need(DESCRIBE, (scope.subject(request),))
    if "resourceName" in names:
        return Need(DESCRIBE, (names["resourceName"] + ENDS[1],))
    found = scope.state.associations.of_resource(names["resourceId"], TOPIC)
    return Need(DESCRIBE, tuple(one.subject for one in found) or ("",))


def _need_of_key(scope: Scope, request: Request, segments: Sequence[str]) -> Need | None:
    """A KEK is only a name, which every user may read: clients ask for it when they decrypt."""
    method = request.method
    is_deleting = method == "DELETE" or segments[-1:] == ["undelete"]
    if "subject" in request.parameters:
        subject = (scope.key_subject(request),)
        if method in READS:
            return Need(DESCRIBE, subject)
        return Need(DELETE if is_deleting else WRITE, subject)
    if method in READS:
        return None if len(segments) == KEK_SEGMENTS else Need(DESCRIBE)
    return Need(ALTER)


def _segments(path: str) -> list[str]:
    """As the router reads them, without a context."""
    found = [unquote(segment) for segment in path.strip("/").split("/")]
    return found[2:] if found[0] == "contexts" and len(found) > 2 else found


def _lists_subjects(request: Request) -> bool:
    """`/schemas/ids/{id}/subjects` and `versions`: a schema may be of topics of several users."""
    return "id" in request.parameters and _segments(request.path)[-1] in LISTS_OF_ID


def _operation(method: str, segments: Sequence[str]) -> AccessOperation:
    """On the subject that the path names."""
    if method in READS:
        return DESCRIBE
    match segments[0], method:
        case "compatibility", _:
            return DESCRIBE
        case "subjects", "POST" if len(segments) == LOOK_UP_SEGMENTS:
            return DESCRIBE
        case "subjects", "DELETE":
            return DELETE
        case (("subjects" | "config"), _):
            return WRITE
        case _:
            return ALTER


def _subjects_of(scope: Scope, request: Request) -> Sequence[str]:
    """Where that schema is registered; what is not there may be read by all, and is 404."""
    state, names = scope.state, request.parameters
    if "guid" in names:
        place = state.by_guid.get(names["guid"].lower())
        stored = None if place is None else state.subjects[place[0]][place[1]]
        found = (
            [] if stored is None else places_of_id(state, stored.id, stored.subject, deleted=True)
        )
    else:
        text = names["id"]
        is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
        number = int(text) if is_number else -1
        meant = where_id_is(state, number, scope.asked_subject(request))
        found = places_of_id(state, number, meant, deleted=True)
    return tuple(one.subject for one in found) or ("",)


def topic_of(subject: str) -> str | None:
    """None for a subject that is named after a record."""
    bare = bare_of(subject)
    for end in ENDS:
        if bare.endswith(end):
            return bare.removesuffix(end) or None
    return None


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
