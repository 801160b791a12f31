"""Where a value comes from: defaults, the file, what was set for all brokers, what for this one.

Later layers win. A setting with several names (`log.retention.ms`, `.minutes`, `.hours`) has
*synonyms*: a reader of a value needs the name and the place under which it was set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from moldau.config.broker.settings import BrokerSettings
from moldau.config.key import Scope
from moldau.config.own import OwnSettings
from moldau.config.prefixes import OF_AUTHORIZER, base_name
from moldau.platform.quick_dataclass import dataclass


class Source(IntEnum):
    """As DescribeConfigs numbers them."""

    TOPIC = 1
    BROKER = 2
    ALL_BROKERS = 3
    FILE = 4
    DEFAULT = 5
    LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8


class Synonym(NamedTuple):
    """One place where a value was set."""

    name: str
    value: str | None
    source: Source


FAMILIES = (
    ("log.roll.ms", "log.roll.hours"),
    ("log.roll.jitter.ms", "log.roll.jitter.hours"),
    ("log.flush.interval.ms", "log.flush.scheduler.interval.ms"),
    ("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
)
"""Names of the same setting in other units; the first that is given wins."""

IN_NO_FILE = frozenset(
    {
        "leader.replication.throttled.rate",
        "follower.replication.throttled.rate",
        "replica.alter.log.dirs.io.max.bytes.per.second",
    }
)
"""Only tools set these, while they move partitions; they are hidden before, defaults included."""
KEYS = {**BrokerSettings.KEYS, **OwnSettings.KEYS}
NAMING_CODE = frozenset({"principal.builder.class"})
"""With Kafka a broker can change them while it runs; here no client chooses what a node loads."""
NO_DEFAULTS = IN_NO_FILE | frozenset(BrokerSettings.REQUIRED)


def names_of(name: str) -> Sequence[str]:
    """All names under which this setting may have been set, the strongest first."""
    for family in FAMILIES:
        if name in family:
            return family
    base = base_name(name)
    return (name, base) if base else (name,)


def may_change(name: str, *, for_all: bool) -> bool:
    """Whether a running broker takes it; `for_all` brokers at once, or for one.

    Behind the prefix of a listener, and of a mechanism, the same holds as without; names that mean
    nothing may be a plug-in's.
    """
    known = next((KEYS[one] for one in _plain_names(name)), None)
    if known is None:
        return True
    if known.name in NAMING_CODE:
        return False
    return known.scope is Scope.CLUSTER or (known.scope is Scope.BROKER and not for_all)


def _plain_names(name: str) -> Iterator[str]:
    """As it stands, without a listener's prefix, without a mechanism's: those that are known."""
    base = base_name(name) or ""
    for known in (name, base, base.partition(".")[2]):
        if known in KEYS:
            yield known


def _taken(given: Mapping[str, str], *, for_all: bool) -> Mapping[str, str]:
    """Those of the authorizer are accepted by Kafka, too, and it reads them when it starts."""
    return {
        name: text
        for name, text in given.items()
        if may_change(name, for_all=for_all) and name not in OF_AUTHORIZER
    }


@dataclass(frozen=True)
class BrokerLayers:
    """What was set for one broker, by place."""

    file: Mapping[str, str]
    all_brokers: Mapping[str, str] = field(default_factory=dict)
    broker: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def settings(self) -> BrokerSettings:
        """What is in force.

        A broker refuses to be given what cannot change while it runs; a controller, which knows
        nothing of each broker, keeps it, and it is left out here.
        """
        of_all = _taken(self.all_brokers, for_all=True)
        return BrokerSettings({**self.file, **of_all, **_taken(self.broker, for_all=False)})

    @cached_property
    def defaults(self) -> Mapping[str, str]:
        return {
            key.name: text
            for key in BrokerSettings.KEYS.values()
            if (text := key.default_text) is not None and key.name not in NO_DEFAULTS
        }

    def synonyms(self, name: str) -> list[Synonym]:
        """Every place where `name` was set, the one that wins first."""
        layers = (
            (self.broker, Source.BROKER),
            (self.all_brokers, Source.ALL_BROKERS),
            (self.file, Source.FILE),
            (self.defaults, Source.DEFAULT),
        )
        found = [
            Synonym(synonym, self._shown(synonym, values[synonym]), source)
            for values, source in layers
            for synonym in names_of(name)
            if synonym in values
        ]
        while found and found[0].name != name:
            del found[0]  # as Kafka does: set under another name only, it counts as not set
        return found

    def is_secret(self, name: str) -> bool:
        """Unknown names too: a plug-in may keep a secret there."""
        key = BrokerSettings.KEYS.get(name) or BrokerSettings.KEYS.get(base_name(name) or "")
        return key is None or key.is_secret

    def _shown(self, name: str, value: str) -> str | None:
        return None if self.is_secret(name) else value
