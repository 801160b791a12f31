"""What a request needs of the cluster: an operation on the topic of a subject, or on the cluster.

    read a schema, list versions     Describe of the topic, which Read and Write have with them
    register, change its level       Write
    delete                           Delete
    subjects and schemas as a list   Describe of the cluster
    levels and modes of all, modes   Alter of the cluster
    a subject's keys                 as its schemas: Describe, Write, Delete
    keys that encrypt these          Alter of the cluster; every user may read their names
    associations of a topic          in association_needs

A subject that is named in a reference or as an alias has to be one that the user may describe.

`orders-key` and `orders-value` are of the topic `orders`. A subject that is named after a record is
of no topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from moldau.client.admin import AccessOperation
from moldau.programs.http.json_bodies import parsed
from moldau.programs.http.messages import DIGITS_MAX, HttpError, Request
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.lookups import places_of_id, resolved, where_id_is
from moldau.programs.registry.names import bare_of, in_context, referenced

__all__ = [
    "ENDS",
    "READS",
    "Need",
    "Operation",
    "also_needed",
    "body_of",
    "needed",
    "referred_to",
    "segments_of",
    "topic_of",
]

ENDS: Final = ("-key", "-value")
READS: Final = ("GET", "HEAD", "OPTIONS")
LISTS: Final = (["subjects"], ["schemas"])
KEYS: Final = "dek-registry"
SETTINGS: Final = ("config", "mode")
"""Of the name itself: an alias is one of them."""
KEK_SEGMENTS: Final = 4
"""Of `dek-registry/v1/keks/{name}`; what is below it lists subjects."""
LOOK_UP_SEGMENTS: Final = 2
"""`POST /subjects/{subject}` registers nothing."""
Operation = AccessOperation
DESCRIBE, WRITE = Operation.DESCRIBE, Operation.WRITE
DELETE, ALTER = Operation.DELETE, Operation.ALTER


class Need(NamedTuple):
    """The operation on one of these subjects' topics, or on the cluster."""

    operation: Operation
    subjects: Sequence[str] = ()


def also_needed(scope: Scope, request: Request) -> list[Need]:
    """Subjects that a body names: by a reference or an alias their schemas could be read."""
    if request.method in READS or "subject" not in request.parameters:
        return []
    body = body_of(request)
    aliases = [body.get("alias"), body.get("aliasForDeks")]
    named = {str(name) for name in (*referred_to(body), *aliases) if name}
    own = in_context(request.parameters.get("context", ""), request.parameters["subject"])
    return [
        Need(DESCRIBE, (resolved(scope.state, referenced(own, name)),)) for name in sorted(named)
    ]


def body_of(request: Request) -> Mapping[str, Any]:
    """Empty where it is no object: the handler refuses it with the reason."""
    try:
        body = parsed(request.body)
    except HttpError:
        return {}
    return body if isinstance(body, dict) else {}


def referred_to(body: Mapping[str, Any]) -> list[str]:
    """The subjects that a schema names as those of its references."""
    references = body.get("references")
    if not isinstance(references, list):
        return []
    names = [one.get("subject") for one in references if isinstance(one, dict)]
    return [str(name) for name in names if name]


def needed(scope: Scope, request: Request) -> Need | None:
    """None for what each user that is logged in may do."""
    names, reads = request.parameters, request.method in READS
    segments = segments_of(request.path)
    if segments[:1] == [KEYS]:
        return _need_of_key(scope, request, segments)
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


def segments_of(path: str) -> list[str]:
    """As the router reads them, without a context."""
    found = [unquote(segment) for segment in path.strip("/").split("/")]
    return found[2:] if found[0] == "contexts" and len(found) > 2 else found


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
