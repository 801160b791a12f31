"""How much clients may do: quotas of users, client ids and addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import ToAny, ToController, only_brokers
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import InvalidArgumentError
from moldau.protocol.messages.config.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
)
from moldau.protocol.messages.config.describe_client_quotas import (
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)

__all__ = [
    "AnyEntity",
    "QuotaEntity",
    "QuotaMatch",
    "alter_client_quotas",
    "describe_client_quotas",
    "entity_of",
]

EXACT, DEFAULT, ANY = 0, 1, 2
TYPES = ("user", "client-id", "ip")
Entry = AlterClientQuotasRequest.EntryData
Component = DescribeClientQuotasRequest.ComponentData


class QuotaMatch(Enum):
    """What may stand for a name when quotas are looked for."""

    ANY = "any"
    """Any name, and the default."""


class QuotaEntity(NamedTuple):
    """Who has a quota: names by type; None is the default of all that have none of their own."""

    parts: tuple[tuple[str, str | None], ...]

    def __str__(self) -> str:
        shown = (f"{kind} {name or 'by default'}" for kind, name in self.parts)
        return ", ".join(shown)


AnyEntity: TypeAlias = QuotaEntity | Mapping[str, str | None]
"""An entity, or names by type: {"user": "alice", "client-id": None}."""
Quotas: TypeAlias = dict[QuotaEntity, dict[str, float]]


def entity_of(given: AnyEntity) -> QuotaEntity:
    parts = given.parts if isinstance(given, QuotaEntity) else tuple(sorted(given.items()))
    for kind, _ in parts:
        if kind not in TYPES:
            raise InvalidArgumentError(
                f"quotas are of user, client-id or ip, or of user and client-id, not of {kind!r}"
            )
    return QuotaEntity(parts)


@declared
def describe_client_quotas(
    call: AdminCall,
    match: Mapping[str, str | QuotaMatch | None] | None = None,
    *,
    strict: bool = False,
) -> Dialogue[Quotas]:
    """Of those that have each of these parts, by name, by default or any; strict: and no other."""
    only_brokers(call)
    request = DescribeClientQuotasRequest(
        components=[_component(kind, name) for kind, name in (match or {}).items()], strict=strict
    )
    plan = Plan(
        what="describing quotas",
        route=ToAny[None](),
        request=lambda keys: request,
        read=_described,
        noun=lambda key: "quotas",
    )
    return fulfil_one(call, plan)


@declared
def alter_client_quotas(
    call: AdminCall,
    changes: Mapping[QuotaEntity, Mapping[str, float | None]],
    *,
    validate_only: bool = False,
) -> Dialogue[Outcomes[QuotaEntity, None]]:
    """By entity and name of the quota; None removes it."""

    def request(entities: Sequence[QuotaEntity]) -> AlterClientQuotasRequest:
        return AlterClientQuotasRequest(
            entries=[_entry(entity, changes[entity]) for entity in entities],
            validate_only=validate_only,
        )

    plan = Plan(
        what="changing quotas",
        route=ToController[QuotaEntity](),
        request=request,
        read=_altered,
        noun=lambda entity: f"quotas of {entity}",
    )
    return fulfil(call, plan, changes)


def _component(kind: str, name: str | QuotaMatch | None) -> Component:
    if isinstance(name, QuotaMatch):
        return Component(entity_type=kind, match_type=ANY, match=None)
    return Component(entity_type=kind, match_type=DEFAULT if name is None else EXACT, match=name)


def _entry(entity: QuotaEntity, quotas: Mapping[str, float | None]) -> Entry:
    return Entry(
        entity=[
            Entry.EntityData(entity_type=kind, entity_name=name) for kind, name in entity.parts
        ],
        ops=[
            Entry.OpData(key=name, value=value or 0.0, remove=value is None)
            for name, value in quotas.items()
        ],
    )


def _described(
    answer: DescribeClientQuotasResponse, keys: Sequence[None]
) -> Iterator[tuple[None, Quotas | Failure]]:
    quotas = {
        entity_of({part.entity_type: part.entity_name for part in entry.entity}): {
            value.key: value.value for value in entry.values
        }
        for entry in answer.entries or ()
    }
    yield None, failure_or(answer.error_code, answer.error_message, quotas)


def _altered(
    answer: AlterClientQuotasResponse, entities: Sequence[QuotaEntity]
) -> Iterator[tuple[QuotaEntity, Failure | None]]:
    for entry in answer.entries:
        entity = entity_of({part.entity_type: part.entity_name for part in entry.entity})
        yield entity, failure_or(entry.error_code, entry.error_message, None)
