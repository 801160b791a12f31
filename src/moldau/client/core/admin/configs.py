"""Settings of topics, brokers, groups, loggers and client metrics: reading and changing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import (
    AlterOperation,
    ConfigSource,
    ConfigType,
    ResourceType,
    chosen,
)
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import AtBroker, ToAny, only_brokers
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import InvalidArgumentError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.config.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResponse,
)
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from moldau.protocol.messages.config.list_config_resources import (
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)

__all__ = [
    "AnyResource",
    "Changes",
    "ChangesGiven",
    "ConfigChange",
    "ConfigEntry",
    "ConfigResource",
    "ConfigSynonym",
    "describe_configs",
    "incremental_alter_configs",
    "list_config_resources",
    "resource_of",
]

TYPES_SINCE = 1
"""Before it, ListConfigResources knew client metrics alone (KIP-1142)."""
AT_BROKERS = (ResourceType.BROKER, ResourceType.BROKER_LOGGER)
Asked = DescribeConfigsRequest.DescribeConfigsResource
Altered = IncrementalAlterConfigsRequest.AlterConfigsResource
Row = DescribeConfigsResponse.DescribeConfigsResult.DescribeConfigsResourceResult


class ConfigResource(NamedTuple):
    """Something that has settings; the broker with the empty name stands for all brokers."""

    type: ResourceType
    name: str

    @classmethod
    def topic(cls, name: str) -> ConfigResource:
        return cls(ResourceType.TOPIC, name)

    @classmethod
    def broker(cls, node_id: int | None = None) -> ConfigResource:
        """None: what holds for all brokers."""
        return cls(ResourceType.BROKER, "" if node_id is None else str(node_id))

    @classmethod
    def group(cls, name: str) -> ConfigResource:
        return cls(ResourceType.GROUP, name)

    def __str__(self) -> str:
        what = self.type.name.lower().replace("_", " ")
        return f"{what} {self.name}" if self.name else f"all {what}s"


AnyResource: TypeAlias = ConfigResource | tuple[str, str]
"""A resource, or its type and name: ("topic", "orders")."""


class ConfigSynonym(NamedTuple):
    """A place from which a value could come, and what it has."""

    name: str
    value: str | None
    source: ConfigSource


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """A setting of a resource, and its value."""

    name: str
    value: str | None
    """None if it is sensitive, or not set."""
    source: ConfigSource
    is_read_only: bool
    is_sensitive: bool
    type: ConfigType
    synonyms: tuple[ConfigSynonym, ...] = ()
    """Nearest first, where they were asked for."""
    documentation: str | None = None

    @property
    def is_default(self) -> bool:
        return self.source is ConfigSource.DEFAULT


class ConfigChange(NamedTuple):
    """What is done to one setting."""

    operation: AlterOperation
    value: str | None = None

    @classmethod
    def set(cls, value: object) -> ConfigChange:
        return cls(AlterOperation.SET, str(value))

    @classmethod
    def delete(cls) -> ConfigChange:
        """Back to what holds without it."""
        return cls(AlterOperation.DELETE)

    @classmethod
    def append(cls, value: str) -> ConfigChange:
        """Add to a list."""
        return cls(AlterOperation.APPEND, value)

    @classmethod
    def subtract(cls, value: str) -> ConfigChange:
        """Take out of a list."""
        return cls(AlterOperation.SUBTRACT, value)


Changes: TypeAlias = Mapping[str, ConfigChange | str | None]
"""By setting: a change, a value to set, or None to delete."""


ChangesGiven: TypeAlias = Mapping[ConfigResource, Changes] | Mapping[tuple[str, str], Changes]
"""By resource."""


def resource_of(given: AnyResource) -> ConfigResource:
    kind, name = given
    resource = ConfigResource(chosen(ResourceType, kind), name)
    if resource.type in AT_BROKERS and name and not name.isdigit():
        raise InvalidArgumentError(f"a broker is named by its number, and not {name!r}")
    return resource


@declared
def describe_configs(
    call: AdminCall,
    resources: AnyResource | Iterable[AnyResource],
    *,
    names: Iterable[str] | None = None,
    synonyms: bool = False,
    documentation: bool = False,
) -> Dialogue[Outcomes[ConfigResource, dict[str, ConfigEntry]]]:
    """By resource and name, all of them or those that are named."""
    keys = None if names is None else list(names)

    def request(resources: Sequence[ConfigResource]) -> DescribeConfigsRequest:
        return DescribeConfigsRequest(
            resources=[
                Asked(resource_type=kind, resource_name=name, configuration_keys=keys)
                for kind, name in resources
            ],
            include_synonyms=synonyms,
            include_documentation=documentation,
        )

    plan = Plan(
        what="describing settings",
        route=AtBroker[ConfigResource](_broker_of),
        request=request,
        read=_described,
        noun=str,
    )
    return fulfil(call, plan, _resources(resources))


@declared
def incremental_alter_configs(
    call: AdminCall, changes: ChangesGiven, *, validate_only: bool = False
) -> Dialogue[Outcomes[ConfigResource, None]]:
    wanted = {resource_of(given): some for given, some in changes.items()}

    def request(resources: Sequence[ConfigResource]) -> IncrementalAlterConfigsRequest:
        return IncrementalAlterConfigsRequest(
            resources=[_altered(resource, wanted[resource]) for resource in resources],
            validate_only=validate_only,
        )

    plan = Plan(
        what="changing settings",
        route=AtBroker[ConfigResource](_broker_of),
        request=request,
        read=_changed,
        noun=str,
    )
    return fulfil(call, plan, wanted)


@declared
def list_config_resources(
    call: AdminCall, types: Iterable[ResourceType | str] | None = None
) -> Dialogue[list[ConfigResource]]:
    """Which resources have settings of their own, of these types or of all."""
    only_brokers(call)
    kinds = [] if types is None else [chosen(ResourceType, kind) for kind in types]
    only_metrics = kinds == [ResourceType.CLIENT_METRICS]

    def request(keys: Sequence[None]) -> ListConfigResourcesRequest:
        return ListConfigResourcesRequest(resource_types=[int(kind) for kind in kinds])

    plan = Plan(
        what="listing resources that have settings",
        route=ToAny[None](),
        request=(lambda keys: ListConfigResourcesRequest()) if only_metrics else request,
        read=_listed,
        noun=lambda key: "resources",
        oldest=lambda key: 0 if only_metrics else TYPES_SINCE,
    )
    found = yield from fulfil_one(call, plan)
    return [one for one in found if not kinds or one.type in kinds]


def _resources(given: AnyResource | Iterable[AnyResource]) -> list[ConfigResource]:
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], str):
        return [resource_of(given)]
    return [resource_of(one) for one in given]


def _broker_of(resource: ConfigResource) -> int | None:
    """Questions about one broker go to it; any broker knows the rest."""
    return int(resource.name) if resource.type in AT_BROKERS and resource.name else None


def _altered(resource: ConfigResource, changes: Changes) -> Altered:
    rows = []
    for name, given in changes.items():
        change = ConfigChange.delete() if given is None else given
        if not isinstance(change, ConfigChange):
            change = ConfigChange.set(change)
        rows.append(
            Altered.AlterableConfig(
                name=name, config_operation=change.operation, value=change.value
            )
        )
    return Altered(resource_type=resource.type, resource_name=resource.name, configs=rows)


def _described(
    answer: DescribeConfigsResponse, resources: Sequence[ConfigResource]
) -> Iterator[tuple[ConfigResource, dict[str, ConfigEntry] | Failure]]:
    for result in answer.results:
        resource = ConfigResource(ResourceType(result.resource_type), result.resource_name)
        entries = {row.name: _entry(row) for row in result.configs}
        yield resource, failure_or(result.error_code, result.error_message, entries)


def _entry(row: Row) -> ConfigEntry:
    return ConfigEntry(
        row.name,
        row.value,
        ConfigSource(row.config_source),
        row.read_only,
        row.is_sensitive,
        ConfigType(row.config_type),
        tuple(
            ConfigSynonym(synonym.name, synonym.value, ConfigSource(synonym.source))
            for synonym in row.synonyms
        ),
        row.documentation,
    )


def _changed(
    answer: IncrementalAlterConfigsResponse, resources: Sequence[ConfigResource]
) -> Iterator[tuple[ConfigResource, Failure | None]]:
    for row in answer.responses:
        resource = ConfigResource(ResourceType(row.resource_type), row.resource_name)
        yield resource, failure_or(row.error_code, row.error_message, None)


def _listed(
    answer: ListConfigResourcesResponse, keys: Sequence[None]
) -> Iterator[tuple[None, list[ConfigResource] | Failure]]:
    found = [
        ConfigResource(ResourceType(row.resource_type), row.resource_name)
        for row in answer.config_resources
    ]
    yield None, failure_or(answer.error_code, None, found)
