"""What a request about associations needs: the rights on the topics and on the subjects it names.

    which subjects a topic has       Describe of the topic
    which topics a subject has       Describe of the subject; those topics that may be described
    with the schemas                 Describe of the subjects, too
    give a topic a subject           Write of the topic, Describe of the subject
    and a schema, or for its own     Write of the subject, Describe of what the schema refers to
    take it away                     Delete of the topic; with its schemas, Delete of the subject

Several in one request are all allowed, or none of them is done. A topic is that of the name,
whichever its cluster is: the registry asks one cluster, as it does for subjects in contexts. A
request that names no topic changes nothing, and who sends one has to be allowed to alter the
cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from moldau.programs.http.messages import Request
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.associations.asked import TOPIC
from moldau.programs.registry.associations.records import STRONG, Association
from moldau.programs.registry.lookups import resolved
from moldau.programs.registry.names import in_context, subject_of_values
from moldau.programs.registry.needs import READS, Need, Operation, body_of, referred_to, segments_of

__all__ = ["association_needs", "association_read", "is_of_associations"]

READ: Final = "associations:batchGet"
CHANGED: Final = "associations:batchMutate"
ROOTS: Final = ("associations", READ, CHANGED)
TAKEN_AWAY: Final = "DELETE"
DESCRIBE, WRITE = Operation.DESCRIBE, Operation.WRITE
DELETE, ALTER = Operation.DELETE, Operation.ALTER


def is_of_associations(request: Request) -> bool:
    return segments_of(request.path)[0] in ROOTS


def association_needs(scope: Scope, request: Request) -> list[Need]:
    """All of them have to be met."""
    root, names = segments_of(request.path)[0], request.parameters
    if request.method in READS or root == READ:
        return list(_of_reading(scope, request))
    if request.method == TAKEN_AWAY:
        whole = request.flag("cascadeLifecycle")
        known = _of_id(scope, names["resourceId"], request.one("resourceType") or TOPIC)
        found = list(_of_deleting(known, is_whole=whole))
        return found or [Need(ALTER)]
    return list(_of_changing(scope, request, _items(request))) or [Need(ALTER)]


def association_read(scope: Scope, request: Request) -> Need | None:
    """The subjects of which those that may be described are shown; None for what shows none."""
    names, root = request.parameters, segments_of(request.path)[0]
    if root == READ:
        found = [one for item in _items(request) for one in _asked_for(scope, item)]
    elif request.method not in READS:
        return None
    elif "subject" in names:
        found = scope.state.associations.of_subject(scope.subject(request))
    elif "resourceId" in names:
        found = _of_id(scope, names["resourceId"])
    else:
        return Need(DESCRIBE, (subject_of_values(names["resourceName"]),))
    return Need(DESCRIBE, tuple(sorted({subject_of_values(one.resource.name) for one in found})))


def _of_reading(scope: Scope, request: Request) -> Iterator[Need]:
    names = request.parameters
    if "subject" in names:
        yield Need(DESCRIBE, (scope.subject(request),))
    elif "resourceName" in names:
        yield Need(DESCRIBE, (subject_of_values(names["resourceName"]),))
    elif "resourceId" in names:
        yield from _of_topics(_of_id(scope, names["resourceId"]))
    for item in _items(request):
        found = _asked_for(scope, item)
        yield from _of_topics(found)
        if "resourceName" in item:
            yield Need(DESCRIBE, (subject_of_values(str(item["resourceName"])),))
        if request.flag("includeSchemas"):
            yield from (Need(DESCRIBE, (one.subject,)) for one in found)


def _of_topics(found: Sequence[Association]) -> Iterator[Need]:
    for name in sorted({one.resource.name for one in found}):
        yield Need(DESCRIBE, (subject_of_values(name),))


def _of_deleting(found: Sequence[Association], *, is_whole: bool) -> Iterator[Need]:
    for one in found:
        yield Need(DELETE, (subject_of_values(one.resource.name),))
        if is_whole:
            yield Need(DELETE, (one.subject,))


def _of_changing(
    scope: Scope, request: Request, items: Sequence[Mapping[str, Any]]
) -> Iterator[Need]:
    """Also those of a topic that has the id already, by whichever name."""
    context = request.parameters.get("context") or request.one("context") or ""
    for item in items:
        known = _of_id(scope, str(item.get("resourceId") or request.parameters.get("resourceId")))
        given = item.get("associations")
        for one in given if isinstance(given, list) else ():
            if not isinstance(one, dict):
                continue
            if one.get("opType") == TAKEN_AWAY:
                yield Need(DELETE, (subject_of_values(str(item.get("resourceName"))),))
                yield from _of_deleting(known, is_whole=bool(one.get("cascadeLifecycle")))
                continue
            for name in sorted({str(item.get("resourceName")), *_names(known)}):
                yield Need(WRITE, (subject_of_values(name),))
            yield from _of_subjects(scope, one, context, known)


def _of_subjects(
    scope: Scope, given: Mapping[str, Any], context: str, known: Sequence[Association]
) -> Iterator[Need]:
    """Without a subject it is the topic's own, or the one that the topic has."""
    schema = given.get("schema")
    takes = bool(schema) or given.get("frozen") is True or given.get("lifecycle") == STRONG
    if given.get("subject"):
        subject = resolved(scope.state, in_context(context, str(given["subject"])))
        yield Need(WRITE if takes else DESCRIBE, (subject,))
    elif takes:
        yield from (Need(WRITE, (one.subject,)) for one in known)
    if isinstance(schema, dict):
        for name in referred_to(schema):
            yield Need(DESCRIBE, (resolved(scope.state, name),))


def _names(found: Sequence[Association]) -> set[str]:
    return {one.resource.name for one in found}


def _of_id(scope: Scope, resource_id: str, resource_type: str = TOPIC) -> list[Association]:
    return scope.state.associations.of_resource(resource_id, resource_type)


def _asked_for(scope: Scope, item: Mapping[str, Any]) -> list[Association]:
    """As a batch finds them: by the id where there is one, or else by the name."""
    if item.get("resourceId"):
        return _of_id(scope, str(item["resourceId"]))
    name, namespace = item.get("resourceName"), item.get("resourceNamespace")
    return scope.state.associations.named(str(name), str(namespace), TOPIC)


def _items(request: Request) -> list[Mapping[str, Any]]:
    """Each is of one resource; what is none is refused by the handler, with the reason."""
    if request.method in READS:
        return []
    body = body_of(request)
    given = body.get("requests") if segments_of(request.path)[0] in (READ, CHANGED) else [body]
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
