"""Every declared setting is read by some code, or listed with the reason why it changes nothing.

A setting is read where its attribute is loaded, or where its name or attribute stands as a text
that something looks it up by. Modules that only judge, name or show settings do not count, and a
broker's default for topics counts where the topic's own setting is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from functools import cache

from moldau.client.settings.client import ClientSettings
from moldau.config.broker.settings import BrokerSettings
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.config.group import GroupSettings
from moldau.config.key import Key
from moldau.config.own import OwnSettings
from moldau.config.settings import Settings
from moldau.config.topic import TopicSettings
from moldau.config.topic_defaults import SYNONYMS
from moldau.config.without_effect import WITHOUT_EFFECT
from tests.tidy.source import Source, assert_none, python_sources

OF_NODES: tuple[type[Settings], ...] = (
    BrokerSettings,
    TopicSettings,
    GroupSettings,
    ClientMetricsSettings,
    OwnSettings,
)
CLIENT = tuple(f"src/moldau/{name}/" for name in ("client", "programs/pipelines", "spark"))
SHARED = ("src/moldau/network/outgoing/", "src/moldau/network/tls/")
"""What clients and nodes do alike, and read settings for."""
CONFIG = "src/moldau/config/"
DERIVING = tuple(
    CONFIG + name for name in ("broker/settings.py", "broker/listeners.py", "group_defaults.py")
)
"""Modules of the package that use settings; the others declare, judge or show them."""
JUDGING = (
    "src/moldau/broker/node/server_properties.py",
    "src/moldau/broker/server/config/changes.py",
)
"""Modules elsewhere that judge settings, and do not obey them."""


@cache
def reads(*, by_client: bool = False) -> frozenset[str]:
    """Every attribute that is loaded, and every text: of clients' packages, or of all others."""
    counted = (
        source
        for source in python_sources("src")
        if source.path.startswith(CLIENT) is by_client
        and (source.path in DERIVING or not source.path.startswith((CONFIG, *JUDGING)))
    )
    return frozenset(word for source in counted for word in words_in(source))


def words_in(source: Source) -> Iterator[str]:
    for node in source.nodes:
        match node:
            case ast.Attribute(attr=attribute, ctx=ast.Load()):
                yield attribute
            case ast.Constant(value=str(text)):
                yield text
            case _:
                pass


def is_read(key: Key[object], found: Set[str]) -> bool:
    topics = [TopicSettings.KEYS[name] for name, default in SYNONYMS.items() if default == key.name]
    return any(not found.isdisjoint((one.name, one.attribute)) for one in (key, *topics))


def keys(*classes: type[Settings]) -> Iterable[Key[object]]:
    return (key for settings in classes for key in settings.KEYS.values())


def test_a_setting_is_read_or_listed_with_a_reason():
    found = reads()
    unread = (key.name for key in keys(*OF_NODES) if not is_read(key, found))
    assert_none(name for name in unread if name not in WITHOUT_EFFECT)


def test_what_is_listed_is_a_setting_that_no_code_reads():
    found = reads()
    known = {key.name for key in keys(*OF_NODES)}
    read = {key.name for key in keys(*OF_NODES) if is_read(key, found)}
    assert_none(name for name in WITHOUT_EFFECT if name not in known or name in read)


def test_every_setting_of_a_client_is_read():
    outgoing = (source for source in python_sources("src") if source.path.startswith(SHARED))
    found = reads(by_client=True) | {word for source in outgoing for word in words_in(source)}
    assert_none(key.name for key in keys(ClientSettings) if not is_read(key, found))


def test_a_setting_that_is_only_declared_is_found():
    key = BrokerSettings.KEYS["num.io.threads"]
    assert not is_read(key, reads())
    assert is_read(key, {"num_io_threads"})
    assert is_read(BrokerSettings.KEYS["log.retention.bytes"], {"retention_bytes"})
