"""Settings with where each value comes from, nearest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.client.admin import ConfigEntry, ConfigSource

__all__ = ["shown_settings"]

SOURCES: Final[Mapping[ConfigSource, str]] = {
    ConfigSource.TOPIC: "topic",
    ConfigSource.BROKER: "broker",
    ConfigSource.ALL_BROKERS: "all brokers",
    ConfigSource.FILE: "server.properties",
    ConfigSource.DEFAULT: "default",
    ConfigSource.BROKER_LOGGER: "logger",
    ConfigSource.CLIENT_METRICS: "client metrics",
    ConfigSource.GROUP: "group",
}
OWN: Final = (ConfigSource.TOPIC, ConfigSource.BROKER, ConfigSource.GROUP)


def shown_settings(entries: Mapping[str, ConfigEntry]) -> list[dict[str, Any]]:
    """The settings of a broker, a topic or a group, those that were set first."""
    ordered = sorted(entries.values(), key=lambda entry: (_nearness(entry), entry.name))
    return [_entry(entry) for entry in ordered]


def _nearness(entry: ConfigEntry) -> int:
    """0 for what is set for the thing itself."""
    if entry.source in OWN:
        return 0
    return 2 if _is_default(entry) else 1


def _is_default(entry: ConfigEntry) -> bool:
    return entry.source is ConfigSource.DEFAULT


def _entry(entry: ConfigEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "value": entry.value,
        "source": SOURCES.get(entry.source, "unknown"),
        "is_default": _is_default(entry),
        "is_read_only": entry.is_read_only,
        "is_sensitive": entry.is_sensitive,
        "chain": [
            {"name": one.name, "value": one.value, "source": SOURCES.get(one.source, "unknown")}
            for one in entry.synonyms
        ],
    }
