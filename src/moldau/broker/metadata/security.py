"""Access rules, SCRAM credentials and delegation tokens of the image, and a delta's changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Generic, NamedTuple, TypeVar

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.metadata_security import (
    AccessControlEntryRecord,
    DelegationTokenRecord,
    UserScramCredentialRecord,
)

Key = TypeVar("Key")
Value = TypeVar("Value")


class AccessRule(NamedTuple):
    """Who may, or may not, do what to which resource."""

    resource_type: int
    resource_name: str
    pattern_type: int
    """3 literal, 4 prefixed."""
    principal: str
    host: str
    operation: int
    permission_type: int
    """2 deny, 3 allow."""


class ScramCredential(NamedTuple):
    """What is stored of a password."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int


class DelegationToken(NamedTuple):
    """A token and who may use and renew it; principals as `Type:name`."""

    owner: str
    requester: str
    renewers: tuple[str, ...]
    issue_timestamp_ms: int
    max_timestamp_ms: int
    expiration_timestamp_ms: int
    token_id: str


@dataclass(frozen=True, slots=True)
class Acls:
    """Access rules by the id that was made up at their creation."""

    by_id: Mapping[bytes, AccessRule] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scram:
    """Credentials by mechanism (1 SCRAM-SHA-256, 2 SCRAM-SHA-512) and user."""

    by_user: Mapping[tuple[int, str], ScramCredential] = field(default_factory=dict)

    def of(self, mechanism: int, user: str) -> ScramCredential | None:
        return self.by_user.get((mechanism, user))


@dataclass(frozen=True, slots=True)
class Tokens:
    """Delegation tokens by id."""

    by_id: Mapping[str, DelegationToken] = field(default_factory=dict)


def rule_of(record: AccessControlEntryRecord) -> AccessRule:
    return AccessRule(
        record.resource_type,
        record.resource_name,
        record.pattern_type,
        record.principal,
        record.host,
        record.operation,
        record.permission_type,
    )


def credential_of(record: UserScramCredentialRecord) -> ScramCredential:
    return ScramCredential(record.salt, record.stored_key, record.server_key, record.iterations)


def token_of(record: DelegationTokenRecord) -> DelegationToken:
    return DelegationToken(
        record.owner,
        record.requester,
        tuple(record.renewers),
        record.issue_timestamp,
        record.max_timestamp,
        record.expiration_timestamp,
        record.token_id,
    )


class EntriesDelta(Generic[Key, Value]):
    """What changes of a mapping whose values come and go whole."""

    def __init__(self, before: Mapping[Key, Value]) -> None:
        self._before = before
        self.changed: dict[Key, Value | None] = {}
        """None for one that is gone."""

    def put(self, key: Key, value: Value) -> None:
        self.changed[key] = value

    def remove(self, key: Key) -> None:
        self.changed[key] = None

    def build(self) -> Mapping[Key, Value]:
        if not self.changed:
            return self._before
        merged = {**self._before, **self.changed}
        return {key: value for key, value in merged.items() if value is not None}
