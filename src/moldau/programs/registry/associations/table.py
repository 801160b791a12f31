"""All associations of the topic, in memory; changed only by applying its records."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from moldau.programs.registry.associations.records import (
    Association,
    Place,
    place_of_key,
    stored_association,
)
from moldau.schemas.model import JsonObject

__all__ = ["ANY_NAMESPACE", "Associations", "fitting"]

ANY_NAMESPACE: Final = "-"
_Index: TypeAlias = dict[str, dict[Place, None]]


class Associations:
    """Found by their subject, and by the id and the name of their resource."""

    def __init__(self) -> None:
        self._all: dict[Place, Association] = {}
        self._by_subject: _Index = {}
        self._by_id: _Index = {}
        self._by_name: _Index = {}

    def __repr__(self) -> str:
        return f"Associations({len(self)})"

    def __len__(self) -> int:
        return len(self._all)

    def apply(self, key: JsonObject, value: JsonObject | None, timestamp_ms: int) -> None:
        place = place_of_key(key)
        former = self._all.get(place)
        created_ms = timestamp_ms if former is None else former.created_ms
        if value is None:
            self._forget(place)
            return
        one = stored_association(value, created_ms, timestamp_ms)
        self._forget(place)
        self._all[place] = one
        for index, name in self._indexes(one):
            index.setdefault(name, {})[place] = None

    def of_subject(self, subject: str) -> list[Association]:
        return self._found(self._by_subject, subject)

    def of_resource(self, resource_id: str, resource_type: str) -> list[Association]:
        found = self._found(self._by_id, resource_id)
        return [one for one in found if one.resource.type == resource_type]

    def named(self, name: str, namespace: str, resource_type: str) -> list[Association]:
        """Of resources of this name; of each cluster where the namespace is `-`."""
        return [
            one
            for one in self._found(self._by_name, name)
            if one.resource.type == resource_type
            and namespace in (ANY_NAMESPACE, one.resource.namespace)
        ]

    def _found(self, index: _Index, name: str) -> list[Association]:
        return [self._all[place] for place in sorted(index.get(name, ()))]

    def _forget(self, place: Place) -> None:
        one = self._all.pop(place, None)
        if one is None:
            return
        for index, name in self._indexes(one):
            del index[name][place]
            if not index[name]:
                del index[name]

    def _indexes(self, one: Association) -> tuple[tuple[_Index, str], ...]:
        return (
            (self._by_subject, one.subject),
            (self._by_id, one.resource.id),
            (self._by_name, one.resource.name),
        )


def fitting(
    found: Iterable[Association], kinds: Collection[str] = (), lifecycle: str | None = None
) -> list[Association]:
    """Those of these kinds, where any are named, and of this lifecycle."""
    return [
        one
        for one in found
        if (not kinds or one.kind in kinds) and lifecycle in (None, one.lifecycle)
    ]
