"""Dynamic configs, client quotas and feature levels of the image, and what a delta changes.

All three are last-value-wins by their names, so a delta is a copy of what it touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.metadata_cluster import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
)

TOPIC, BROKER, CLIENT_METRICS, GROUP = 2, 4, 16, 32
"""Kinds of resources that have configs."""
SCHEMA_VALIDATION = frozenset(
    ("confluent.key.schema.validation", "confluent.value.schema.validation")
)
"""What a topic asks for schemas by."""
CLUSTER_DEFAULT = ""
"""As name of a broker: all of them."""

Resource = tuple[int, str]
Quota = Mapping[str, float]
QuotaEntity = tuple[tuple[str, str | None], ...]
"""Pairs of type (`user`, `client-id`, `ip`) and name, sorted by type; None is the default one."""

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_QUOTAS: Quota = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Configs:
    """What was set on resources, as text; defaults are not here."""

    by_resource: Mapping[Resource, Mapping[str, str]] = field(default_factory=dict)

    def of(self, resource_type: int, name: str) -> Mapping[str, str]:
        """What was set on this resource itself."""
        return self.by_resource.get((resource_type, name), _NOTHING)

    def ask_for_schemas(self, resources: Iterable[Resource]) -> bool:
        """Whether any of these is a topic whose records have to name schemas."""
        return any(not SCHEMA_VALIDATION.isdisjoint(self.of(*one)) for one in resources)


@dataclass(frozen=True, slots=True)
class Quotas:
    """Limits of clients."""

    by_entity: Mapping[QuotaEntity, Quota] = field(default_factory=dict)

    def of(self, entity: QuotaEntity) -> Quota:
        """What was set on exactly this entity."""
        return self.by_entity.get(entity, _NO_QUOTAS)


@dataclass(frozen=True, slots=True)
class Features:
    """Finalized levels."""

    levels: Mapping[str, int] = field(default_factory=dict)

    def level(self, name: str) -> int:
        """0 where it is off, or was never set."""
        return self.levels.get(name, 0)

    @property
    def metadata_version(self) -> int:
        return self.level("metadata.version")


def quota_entity(parts: Iterable[tuple[str, str | None]]) -> QuotaEntity:
    """The entity in its one spelling."""
    return tuple(sorted(parts, key=lambda part: part[0]))


class ConfigsDelta:
    """What changes of the configs."""

    def __init__(self, configs: Configs) -> None:
        self._before = configs
        self._after: dict[Resource, dict[str, str]] = {}

    @property
    def changed(self) -> set[Resource]:
        return set(self._after)

    def apply_config(self, record: ConfigRecord) -> None:
        settings = self._open((record.resource_type, record.resource_name))
        if record.value is None:
            settings.pop(record.name, None)
        else:
            settings[record.name] = record.value

    def forget(self, resource: Resource) -> None:
        """The resource is gone, and all that was set on it."""
        if resource in self._after or resource in self._before.by_resource:
            self._after[resource] = {}

    def build(self) -> Configs:
        if not self._after:
            return self._before
        merged = {**self._before.by_resource, **self._after}
        self._after = {resource: dict(settings) for resource, settings in self._after.items()}
        return Configs({resource: settings for resource, settings in merged.items() if settings})

    def _open(self, resource: Resource) -> dict[str, str]:
        if resource not in self._after:
            self._after[resource] = dict(self._before.of(*resource))
        return self._after[resource]


class QuotasDelta:
    """What changes of the quotas."""

    def __init__(self, quotas: Quotas) -> None:
        self._before = quotas
        self._after: dict[QuotaEntity, dict[str, float]] = {}

    @property
    def changed(self) -> set[QuotaEntity]:
        return set(self._after)

    def apply_quota(self, record: ClientQuotaRecord) -> None:
        entity = quota_entity((part.entity_type, part.entity_name) for part in record.entity)
        if entity not in self._after:
            self._after[entity] = dict(self._before.of(entity))
        if record.remove:
            self._after[entity].pop(record.key, None)
        else:
            self._after[entity][record.key] = record.value

    def build(self) -> Quotas:
        if not self._after:
            return self._before
        merged = {**self._before.by_entity, **self._after}
        self._after = {entity: dict(quotas) for entity, quotas in self._after.items()}
        return Quotas({entity: quotas for entity, quotas in merged.items() if quotas})


class FeaturesDelta:
    """What changes of the feature levels."""

    def __init__(self, features: Features) -> None:
        self._before = features
        self.changed: dict[str, int] = {}

    def apply_level(self, record: FeatureLevelRecord) -> None:
        self.changed[record.name] = record.feature_level

    def set_level(self, name: str, level: int) -> None:
        self.changed[name] = level

    def build(self) -> Features:
        if not self.changed:
            return self._before
        merged = {**self._before.levels, **self.changed}
        return Features({name: level for name, level in merged.items() if level})
