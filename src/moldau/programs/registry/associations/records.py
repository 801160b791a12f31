"""Keys and values of associations in `_schemas`, byte by byte as Confluent's registry writes them.

When one was made and changed is not in it: it is the time of the first and of the last record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.programs.registry.records import TENANT, StoreRecord
from moldau.schemas.model import JsonObject

__all__ = [
    "ASSOC",
    "STRONG",
    "WEAK",
    "Association",
    "Place",
    "Resource",
    "association_record",
    "association_tombstone",
    "place_of_key",
    "stored_association",
]

ASSOC: Final = "ASSOC"
STRONG: Final = "STRONG"
WEAK: Final = "WEAK"
Place: TypeAlias = tuple[str, str, str, str, str]
"""Name, namespace and type of the resource, then key or value, and the subject: their order."""


class Resource(NamedTuple):
    """What has schemas: a topic."""

    name: str
    namespace: str
    """Its cluster."""
    id: str
    """Of a topic that is deleted and made anew it is another one."""
    type: str

    def as_json(self) -> JsonObject:
        found = {
            "resourceName": self.name,
            "resourceNamespace": self.namespace,
            "resourceId": self.id,
            "resourceType": self.type,
        }
        return {name: text for name, text in found.items() if text}


class Association(NamedTuple):
    """One subject of a resource."""

    guid: str
    resource: Resource
    kind: str
    """`key` or `value`."""
    subject: str
    lifecycle: str
    is_frozen: bool
    created_ms: int = 0
    updated_ms: int = 0

    @property
    def place(self) -> Place:
        resource = self.resource
        return resource.name, resource.namespace, resource.type, self.kind, self.subject

    @property
    def _frozen(self) -> JsonObject:
        """Left out where it follows from the lifecycle."""
        is_usual = self.is_frozen == (self.lifecycle == STRONG)
        return {} if is_usual else {"frozen": self.is_frozen}

    def as_json(self) -> JsonObject:
        """As clients get it."""
        return {
            "subject": self.subject,
            "guid": self.guid,
            **self.resource.as_json(),
            "associationType": self.kind,
            "lifecycle": self.lifecycle,
            **self._frozen,
            "createTs": self.created_ms,
            "updateTs": self.updated_ms,
        }

    def as_part(self, schema: JsonObject | None) -> JsonObject:
        """As it stands among the others of its resource."""
        return {
            "subject": self.subject,
            "associationType": self.kind,
            "lifecycle": self.lifecycle,
            **self._frozen,
            **({} if schema is None else {"schema": schema}),
        }


def _key(place: Place) -> JsonObject:
    name, namespace, resource_type, kind, subject = place
    return {
        "keytype": ASSOC,
        "tenant": TENANT,
        "resourceName": name,
        "resourceNamespace": namespace,
        "resourceType": resource_type,
        "associationType": kind,
        "subject": subject,
        "magic": 0,
    }


def association_record(one: Association) -> StoreRecord:
    value = {
        "guid": one.guid,
        "tenant": TENANT,
        **one.resource.as_json(),
        "associationType": one.kind,
        "subject": one.subject,
        "lifecycle": one.lifecycle,
        "frozen": one.is_frozen,
    }
    return StoreRecord(_key(one.place), value)


def association_tombstone(one: Association) -> StoreRecord:
    return StoreRecord(_key(one.place), None)


def place_of_key(key: Mapping[str, Any]) -> Place:
    """`KeyError` where it is none."""
    return (
        str(key["resourceName"]),
        str(key["resourceNamespace"]),
        str(key["resourceType"]),
        str(key["associationType"]),
        str(key["subject"]),
    )


def stored_association(value: Mapping[str, Any], created_ms: int, updated_ms: int) -> Association:
    """Of the value of a record; `KeyError` or `ValueError` where it is none."""
    lifecycle = str(value["lifecycle"])
    if lifecycle not in (STRONG, WEAK):
        raise ValueError(f"{lifecycle} is no lifecycle")
    resource = Resource(
        str(value["resourceName"]),
        str(value["resourceNamespace"]),
        str(value["resourceId"]),
        str(value["resourceType"]),
    )
    return Association(
        str(value["guid"]),
        resource,
        str(value["associationType"]),
        str(value["subject"]),
        lifecycle,
        bool(value.get("frozen")),
        created_ms,
        updated_ms,
    )
