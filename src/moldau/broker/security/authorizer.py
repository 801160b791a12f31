"""May this principal do that?

Every handler asks, so that the answer can become a real one without a change to any of them. Kafka
without an authorizer allows everything, and so do we by default.
"""

from __future__ import annotations

from typing import Protocol

from moldau.broker.security.access import OPERATIONS, Operation, Resource, bits_of
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address

__all__ = ["AllowAll", "Authorizer", "Caller"]


class Caller(Protocol):
    """The principal of a request, and its address; every call of the server is one."""

    @property
    def principal(self) -> Principal: ...

    @property
    def peer(self) -> Address: ...


class Authorizer(Protocol):
    """The judge of access."""

    def allows(
        self, caller: Caller, operation: Operation, resource: Resource, name: str
    ) -> bool: ...

    def allowed(self, caller: Caller, resource: Resource, name: str) -> int:
        """The operations that the caller may do to this resource, as bits by their numbers."""
        ...

    def allows_any(self, caller: Caller, operation: Operation, resource: Resource) -> bool:
        """Whether there could be a resource of this kind to which the caller may do this."""
        ...


class AllowAll:
    """No rules: everything is allowed, as in Kafka without `authorizer.class.name`."""

    def allows(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> bool:
        return True

    def allows_any(self, caller: Caller, operation: Operation, resource: Resource) -> bool:
        return True

    def allowed(self, caller: Caller, resource: Resource, name: str) -> int:
        return bits_of(OPERATIONS[resource])
