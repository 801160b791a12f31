"""Settings as DescribeConfigs shows them: value, source, synonyms, type and what they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from moldau.config.broker.settings import BrokerSettings
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.config.group import GroupSettings
from moldau.config.group_defaults import GROUP_SYNONYMS, group_settings
from moldau.config.key import Key, Scope
from moldau.config.prefixes import base_name
from moldau.config.sources import IN_NO_FILE, BrokerLayers, Source, Synonym
from moldau.config.topic import TopicSettings
from moldau.config.topic_defaults import SYNONYMS, topic_settings
from moldau.platform.quick_dataclass import dataclass

UNKNOWN_TYPE = 0


@dataclass(frozen=True, slots=True)
class Described:
    """One setting of one resource."""

    name: str
    value: str | None
    source: Source
    synonyms: tuple[Synonym, ...]
    is_read_only: bool
    is_sensitive: bool
    type_code: int
    doc: str | None

    @property
    def is_default(self) -> bool:
        return self.source is Source.DEFAULT


def describe_topic(layers: BrokerLayers, given: Mapping[str, str]) -> list[Described]:
    """A topic's settings, with what they fall back to."""
    settings = topic_settings(layers.settings, given)
    found = []
    for key in _public(TopicSettings.KEYS.values(), given):
        value = settings.text(key.name)
        synonyms = layers.synonyms(SYNONYMS[key.name]) if key.name in SYNONYMS else []
        if key.name in given:
            synonyms.insert(0, Synonym(key.name, value, Source.TOPIC))
        found.append(_described(key, value, synonyms, is_read_only=False))
    return found


def describe_broker(layers: BrokerLayers) -> list[Described]:
    """A broker's settings, and the names that it was given and that are unknown.

    Of internal ones those that were set, as in Kafka.
    """
    settings = layers.settings
    known = [
        _described(
            key,
            None if key.is_secret else settings.text(key.name),
            layers.synonyms(key.name),
            is_read_only=key.scope is Scope.RESTART,
        )
        for key in BrokerSettings.KEYS.values()
        if not key.own
        and (key.name in settings.given or not (key.internal or key.name in IN_NO_FILE))
    ]
    return known + [_describe_unknown(layers, name) for name in sorted(settings.prefixed)]


def describe_all_brokers(layers: BrokerLayers) -> list[Described]:
    """What was set for all brokers at once; nothing else."""
    return [
        _describe_for_all(layers, name, value) for name, value in sorted(layers.all_brokers.items())
    ]


def _describe_for_all(layers: BrokerLayers, name: str, value: str) -> Described:
    shown = None if layers.is_secret(name) else value
    synonyms = [Synonym(name, shown, Source.ALL_BROKERS)]
    if name in BrokerSettings.KEYS:
        return _described(BrokerSettings.KEYS[name], shown, synonyms, is_read_only=False)
    unknown = _describe_unknown(layers, name)
    return replace(unknown, value=shown, source=Source.ALL_BROKERS, synonyms=tuple(synonyms))


def describe_group(layers: BrokerLayers, given: Mapping[str, str]) -> list[Described]:
    """A group's settings, with what they fall back to."""
    settings = group_settings(layers.settings, given)
    found = []
    for key in _public(GroupSettings.KEYS.values()):
        value = settings.text(key.name)
        synonym = GROUP_SYNONYMS.get(key.name)
        default = Synonym(key.name, key.default_text, Source.DEFAULT)
        synonyms = layers.synonyms(synonym) if synonym else [default]
        if key.name in given:
            synonyms.insert(0, Synonym(key.name, value, Source.GROUP))
        found.append(_described(key, value, synonyms, is_read_only=False))
    return found


def describe_client_metrics(given: Mapping[str, str]) -> list[Described]:
    """A subscription to clients' metrics."""
    settings = ClientMetricsSettings(given)
    return [
        _described(
            key,
            settings.text(key.name),
            [Synonym(key.name, settings.text(key.name), Source.CLIENT_METRICS)]
            if key.name in given
            else [],
            is_read_only=False,
        )
        for key in _public(ClientMetricsSettings.KEYS.values())
    ]


def _public(keys: Iterable[Key[Any]], given: Collection[str] = ()) -> Iterable[Key[Any]]:
    return (key for key in keys if not (key.internal or (key.own and key.name not in given)))


def _described(
    key: Key[Any], value: str | None, synonyms: list[Synonym], *, is_read_only: bool
) -> Described:
    return Described(
        name=key.name,
        value=value,
        source=synonyms[0].source if synonyms else Source.DEFAULT,
        synonyms=tuple(synonyms),
        is_read_only=is_read_only,
        is_sensitive=key.is_secret,
        type_code=key.kind.code,
        doc=key.doc,
    )


def _describe_unknown(layers: BrokerLayers, name: str) -> Described:
    """Of a listener, of a plug-in, or unknown: shown only where it cannot be a secret.

    A listener's has the type of the setting that it overrides, and nothing else of it, as in Kafka.
    """
    base = base_name(name)
    key = BrokerSettings.KEYS.get(base) if base else None
    synonyms = layers.synonyms(name)
    secret = layers.is_secret(name)
    return Described(
        name=name,
        value=None if secret else layers.settings.all_given[name],
        source=synonyms[0].source if synonyms else Source.DEFAULT,
        synonyms=tuple(synonyms),
        is_read_only=True,
        is_sensitive=secret,
        type_code=key.kind.code if key else UNKNOWN_TYPE,
        doc=None,
    )
