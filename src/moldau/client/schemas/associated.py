"""The subject that a registry has for a topic, as a strategy like those by names.

Who runs the registry decides it there, for a topic of one cluster or of any, and programs need not
know. A topic that has no association has the subject that another strategy gives it.
"""

from __future__ import annotations

from typing import Final

from moldau.client.schemas.registry import RegistryClient
from moldau.schemas.data_errors import DataError
from moldau.schemas.subjects import SubjectOf, subject_strategy

__all__ = ["AssociatedSubject", "strategy_of"]

SHORT: Final = "associated"
JAVAS: Final = "AssociatedNameStrategy"
ANY_CLUSTER: Final = "-"


class AssociatedSubject:
    """For `subject` of a serializer or deserializer, whose registry it asks."""

    def __init__(
        self,
        registry: RegistryClient,
        *,
        cluster: str = ANY_CLUSTER,
        otherwise: str | SubjectOf = "topic",
    ) -> None:
        """`cluster` is the namespace of the topic, where several clusters have one registry."""
        self._registry = registry
        self._cluster = cluster
        self._otherwise = subject_strategy(otherwise) if isinstance(otherwise, str) else otherwise

    def __repr__(self) -> str:
        return f"<AssociatedSubject by {self._registry!r}>"

    def __call__(self, topic: str, is_key: bool, record: str | None) -> str:
        kind = "key" if is_key else "value"
        found = self._registry.ask(lambda calls: calls.associated(topic, self._cluster, kind))
        if len(found) > 1:
            raise DataError(f"the {kind}s of {topic} have several subjects: name its cluster")
        return found[0] if found else self._otherwise(topic, is_key, record)


def strategy_of(given: str | SubjectOf, registry: RegistryClient) -> SubjectOf:
    """By its name; the one that asks asks this registry."""
    if not isinstance(given, str):
        return given
    if given.rpartition(".")[2] in (SHORT, JAVAS):
        return AssociatedSubject(registry)
    return subject_strategy(given)
