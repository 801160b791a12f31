"""Denied decisions, each an event.

A few questions are put only to choose the next one, such as whether a client may create anything
in the cluster before it is asked about one topic. Kafka does not log these when they are denied;
here they are no events either, nor is what a listing leaves out.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.authorizer import Authorizer, Caller
from moldau.protocol.messages.api_key import ApiKey

__all__ = ["AuditedAuthorizer"]

Denied = Callable[[Caller, Operation, Resource, str], None]

ANY_NAME = "*"
FIRST_OF_TWO: dict[int, frozenset[tuple[Operation, Resource]]] = {
    ApiKey.CREATE_TOPICS: frozenset(
        {(Operation.CREATE, Resource.CLUSTER), (Operation.DESCRIBE_CONFIGS, Resource.TOPIC)}
    ),
    ApiKey.DELETE_TOPICS: frozenset({(Operation.DELETE, Resource.CLUSTER)}),
    ApiKey.METADATA: frozenset(
        {(Operation.CREATE, Resource.CLUSTER), (Operation.DESCRIBE, Resource.CLUSTER)}
    ),
    ApiKey.DESCRIBE_CLUSTER: frozenset({(Operation.DESCRIBE, Resource.CLUSTER)}),
    ApiKey.INIT_PRODUCER_ID: frozenset({(Operation.IDEMPOTENT_WRITE, Resource.CLUSTER)}),
    ApiKey.CONSUMER_GROUP_HEARTBEAT: frozenset({(Operation.CREATE, Resource.CLUSTER)}),
    ApiKey.STREAMS_GROUP_HEARTBEAT: frozenset({(Operation.CREATE, Resource.CLUSTER)}),
    ApiKey.LIST_GROUPS: frozenset(
        {(Operation.DESCRIBE, Resource.CLUSTER), (Operation.DESCRIBE, Resource.GROUP)}
    ),
    ApiKey.LIST_TRANSACTIONS: frozenset({(Operation.DESCRIBE, Resource.TRANSACTIONAL_ID)}),
}
"""By API: what is asked first, or of what a listing leaves out."""
NONE: frozenset[tuple[Operation, Resource]] = frozenset()


class AuditedAuthorizer:
    """Decides as another does, and notes what is denied."""

    def __init__(self, judge: Authorizer, denied: Denied) -> None:
        self._judge = judge
        self._denied = denied
        self.allowed = judge.allowed

    def __repr__(self) -> str:
        return f"AuditedAuthorizer({self._judge})"

    # hot: for each topic of each request, where there is an audit.
    def allows(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> bool:
        if self._judge.allows(caller, operation, resource, name):
            return True
        self._note(caller, operation, resource, name)
        return False

    def allows_any(self, caller: Caller, operation: Operation, resource: Resource) -> bool:
        if self._judge.allows_any(caller, operation, resource):
            return True
        self._note(caller, operation, resource, ANY_NAME)
        return False

    def _note(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> None:
        api_key = getattr(caller, "api_key", None)
        if (operation, resource) in FIRST_OF_TWO.get(api_key or 0, NONE):
            return
        if api_key == ApiKey.METADATA and _lists_all(caller):
            return
        self._denied(caller, operation, resource, name)


def _lists_all(caller: Caller) -> bool:
    request = getattr(caller, "request", None)
    return getattr(request, "topics", NONE) is None
