"""What goes into a debug bundle: facts about a cluster, and never a secret or a record.

Brokers do not send the values of sensitive settings. What could hold a secret all the same, by its
name, or as a word in a line of a log, is hidden here once more: a bundle is made to be sent away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from moldau.client.admin import ConfigEntry, ConfigResource, ConfigType, Outcomes
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.findings import examine
from moldau.programs.tools.cluster.lags import find_lags
from moldau.programs.tools.cluster.secrets import HIDDEN, SECRET_NAME, without_secrets

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["PARTS", "Asked", "as_json", "collect"]

NUMBERS = (
    ConfigType.BOOLEAN,
    ConfigType.INT,
    ConfigType.SHORT,
    ConfigType.LONG,
    ConfigType.DOUBLE,
)
"""A token's lifetime is no token."""

Parts = dict[str, Any]


class Asked(NamedTuple):
    """What a bundle was asked for: of which cluster, and when."""

    bootstrap: str
    now_ms: int


Part = Callable[["Admin", Asked], object]


def _topics(admin: Admin, _asked: Asked) -> object:
    return admin.describe_topics(admin.list_topics(internal=True))


def _broker_configs(admin: Admin, _asked: Asked) -> object:
    nodes = admin.describe_cluster().nodes
    return _settings(admin, [ConfigResource.broker(node.node_id) for node in nodes])


def _topic_configs(admin: Admin, _asked: Asked) -> object:
    """Those alone that are not the cluster's defaults."""
    topics = admin.list_topics(internal=True)
    found = _settings(admin, [ConfigResource.topic(name) for name in topics])
    for name, entries in found.values.items():
        found.values[name] = [entry for entry in entries if not entry.is_default]
    return found


def _settings(
    admin: Admin, resources: list[ConfigResource]
) -> Outcomes[ConfigResource, list[ConfigEntry]]:
    if not resources:
        return Outcomes()
    found = admin.describe_configs(resources)
    return Outcomes(
        {resource: list(entries.values()) for resource, entries in found.values.items()},
        found.errors,
    )


def _groups(admin: Admin, _asked: Asked) -> object:
    return admin.list_groups()


def _members(admin: Admin, _asked: Asked) -> object:
    names = list(admin.list_groups(types=("classic", "consumer")).values)
    return admin.describe_consumer_groups(names) if names else {}


def _findings(admin: Admin, asked: Asked) -> object:
    return examine(admin, asked.bootstrap, asked.now_ms)


PARTS: dict[str, Part] = {
    "cluster": lambda admin, _: admin.describe_cluster(fenced_brokers=True),
    "api_versions": lambda admin, _: admin.broker_api_versions(),
    "features": lambda admin, _: admin.describe_features(),
    "quorum": lambda admin, _: admin.describe_metadata_quorum(),
    "topics": _topics,
    "topic_configs": _topic_configs,
    "broker_configs": _broker_configs,
    "log_dirs": lambda admin, _: admin.describe_log_dirs(),
    "reassignments": lambda admin, _: admin.list_partition_reassignments(),
    "groups": _groups,
    "members": _members,
    "lags": lambda admin, _: find_lags(admin),
    "transactions": lambda admin, _: admin.list_transactions(),
    "quotas": lambda admin, _: admin.describe_client_quotas(),
    "acls": lambda admin, _: admin.describe_acls(),
    "findings": _findings,
}
"""Each becomes one file of the bundle."""


def collect(admin: Admin, bootstrap: str, now_ms: int, progress: Callable[[str], None]) -> Parts:
    """The parts as JSON; one that cannot be had holds the reason, and the others go on."""
    asked = Asked(bootstrap, now_ms)
    found: Parts = {}
    for name, part in PARTS.items():
        progress(name)
        try:
            found[name] = as_json(part(admin, asked))
        except MoldauError as error:
            found[name] = {"error": str(error)}
    return found


def as_json(value: object) -> Any:  # noqa: ANN401  # JSON is one of many things
    """What an admin client answers, as JSON, and without what names a secret."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if (named := _named(value)) is not None:
        return {_key(key): as_json(item) for key, item in named.items()}
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, Iterable):
        items = [as_json(item) for item in value]
        return sorted(items, key=str) if isinstance(value, (set, frozenset)) else items
    return str(value)


def _named(value: object) -> Mapping[Any, object] | None:
    """Of what has names for its parts, those; None for everything else."""
    if isinstance(value, ConfigEntry):
        return _config(value)
    if isinstance(value, Outcomes):
        return {**value.values, **value.errors}
    if isinstance(value, BaseException):
        return {"error": str(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return value if isinstance(value, Mapping) else None


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        return "-".join(map(_key, key))
    return key.name if isinstance(key, Enum) else str(key)


def _config(entry: ConfigEntry) -> dict[str, Any]:
    is_named = entry.type not in NUMBERS and SECRET_NAME.search(entry.name) is not None
    hides = entry.is_sensitive or (entry.value is not None and is_named)
    return {
        "name": entry.name,
        "value": HIDDEN if hides else without_secrets(entry.value or ""),
        "source": entry.source.name,
        "is_read_only": entry.is_read_only,
    }
