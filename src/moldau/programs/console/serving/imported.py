"""Clusters of the files with which kafbat UI and AKHQ are configured.

    kafka.clusters[]        kafbat UI: name, bootstrapServers, ssl, properties, schemaRegistry,
                            schemaRegistryAuth, schemaRegistrySsl, readOnly
    akhq.connections.NAME   AKHQ: properties, schema-registry

Keys may be written in either fashion (`bootstrap-servers`, `bootstrapServers`), properties may be
nested, and `${NAME}` or `${NAME:default}` is a variable of the environment, as in Spring and
Micronaut. What is not taken over is named, not refused, so that a file works as it is; a cluster
has a mark where fields of its records are hidden, since those would be shown. Values stand in no
message: they may be passwords.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, NoReturn

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.located_yaml import Located, read_yaml

__all__ = ["ImportedCluster", "ImportedFile", "read_clusters"]

SERVERS: Final = "bootstrap.servers"
USER: Final = "basic.auth.user.info"
SSL: Final = "ssl."
REGISTRY: Final = "schema.registry."
CONFLUENT: Final = ("confluent", "tibco")
"""Types of AKHQ's registries that have the same API."""
DEFAULT_NAME: Final = "Default"
VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^${}]*))?\}")


@dataclass(slots=True)
class ImportedCluster:
    """One of a file; what it has of secrets is not shown."""

    name: str
    client: dict[str, str] = field(default_factory=dict)
    """Settings of clients, by Kafka's names, with `bootstrap.servers`."""
    registry: dict[str, str] = field(default_factory=dict)
    """Options of the schema registry; empty without one."""
    is_read_only: bool = False
    has_masks: bool = False

    def __repr__(self) -> str:
        return f"ImportedCluster({self.name} at {self.servers})"

    @property
    def servers(self) -> str:
        return self.client.get(SERVERS, "")


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The clusters that an imported file declares."""

    clusters: Sequence[ImportedCluster]
    unused: Sequence[str]
    """Keys that are not taken over, with where they stand."""


def read_clusters(contents: bytes, path: str, environment: Mapping[str, str]) -> ImportedFile:
    """The clusters of a file of either kind; `BadYamlError` where it is neither."""
    return _Import(environment).read(read_yaml(contents, path))


class _Import:
    """One file, while it is read."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._unused: list[str] = []

    def read(self, document: Located) -> ImportedFile:
        clusters: list[ImportedCluster] = []
        for key, value in document.items():
            if key == "kafka":
                clusters += self._kafbat(value)
            elif key == "akhq":
                clusters += self._akhq(value)
            else:
                self._unused.append(key)
        if not clusters:
            document.fail("it has neither kafka.clusters of kafbat UI nor akhq.connections of AKHQ")
        names = [cluster.name for cluster in clusters]
        for name in names:
            if names.count(name) > 1:
                document.fail(f"two clusters are named {name}")
        return ImportedFile(clusters, tuple(self._unused))

    def _kafbat(self, section: Located) -> Iterator[ImportedCluster]:
        for key, value in section.items():
            if key != "clusters":
                self._unused.append(f"kafka.{key}")
                continue
            for index, element in enumerate(value.elements()):
                yield self._kafbat_cluster(_Fields(element, f"kafka.clusters[{index}]"))

    def _kafbat_cluster(self, fields: _Fields) -> ImportedCluster:
        cluster = ImportedCluster(self._text(fields.pop("name")) or DEFAULT_NAME)
        cluster.client |= self._flat(fields.pop("properties"))
        trusted = self._trusted(fields.section("ssl"))
        cluster.client |= trusted
        if servers := self._text(fields.pop("bootstrapServers")):
            cluster.client[SERVERS] = servers
        if (flag := fields.pop("readOnly")) is not None:
            cluster.is_read_only = flag.truth()
        cluster.has_masks = fields.pop("masking") is not None
        user = self._user(fields.section("schemaRegistryAuth"), "username", "password")
        keys = self._stored(fields.section("schemaRegistrySsl"), "keystore")
        if url := self._url(fields.pop("schemaRegistry")):
            cluster.registry = {"url": url, **user, **trusted, **keys}
        elif user or keys:
            self._unused.append(f"{fields.place}.schemaRegistryAuth or schemaRegistrySsl")
        return self._finished(cluster, fields)

    def _akhq(self, section: Located) -> Iterator[ImportedCluster]:
        fields = _Fields(section, "akhq")
        connections, security = fields.pop("connections"), fields.section("security")
        has_masks = security is not None and security.pop("data-masking") is not None
        self._unused += [] if security is None else security.left()
        self._unused += fields.left()
        for name, value in [] if connections is None else connections.items():
            cluster = ImportedCluster(name, has_masks=has_masks)
            yield self._akhq_cluster(cluster, _Fields(value, f"akhq.connections.{name}"))

    def _akhq_cluster(self, cluster: ImportedCluster, fields: _Fields) -> ImportedCluster:
        cluster.client |= self._flat(fields.pop("properties"))
        registry = fields.section("schema-registry")
        if registry is not None:
            cluster.registry = self._akhq_registry(registry)
        return self._finished(cluster, fields)

    def _akhq_registry(self, fields: _Fields) -> dict[str, str]:
        kind, url = fields.pop("type"), self._url(fields.pop("url"))
        if kind is not None and kind.text().lower() not in CONFLUENT:
            kind.fail("registries of this type have another API than Confluent's")
        options = self._user(fields, "basic-auth-username", "basic-auth-password")
        for name, text in self._flat(fields.pop("properties")).items():
            if name.removeprefix(REGISTRY).startswith(SSL):
                options[name.removeprefix(REGISTRY)] = text
            else:
                self._unused.append(f"{fields.place}.properties.{name}")
        self._unused += fields.left()
        if options and not url:
            self._unused.append(f"{fields.place} without its url")
        return {"url": url, **options} if url else {}

    def _url(self, value: Located | None) -> str:
        """A message about an address shows it, so it may hold no password."""
        url = self._text(value)
        if value is not None and "@" in url:
            value.fail(
                "an address must not hold a name and a password: they have keys of their own"
            )
        return url

    def _trusted(self, fields: _Fields | None) -> dict[str, str]:
        verify = None if fields is None else fields.pop("verify")
        if verify is not None and not verify.truth():
            verify.fail("servers are always verified: name whom to trust as truststoreLocation")
        return self._stored(fields, "truststore")

    def _stored(self, fields: _Fields | None, kind: str) -> dict[str, str]:
        """A store of keys or certificates, and its password."""
        found: dict[str, str] = {}
        if fields is None:
            return found
        for what in ("location", "password"):
            if text := self._text(fields.pop(f"{kind}{what.title()}")):
                found[f"{SSL}{kind}.{what}"] = text
        self._unused += fields.left()
        return found

    def _user(self, fields: _Fields | None, name: str, password: str) -> dict[str, str]:
        if fields is None:
            return {}
        user, secret = self._text(fields.pop(name)), self._text(fields.pop(password))
        return {USER: f"{user}:{secret}"} if user else {}

    def _flat(self, given: Located | None, prefix: str = "") -> dict[str, str]:
        """Properties, whose names may be cut at their dots."""
        found: dict[str, str] = {}
        if given is None:
            return found
        for key, value in given.items():
            if value.is_mapping:
                found |= self._flat(value, f"{prefix}{key}.")
            elif not value.is_null:
                found[prefix + key] = self._text(value)
        return found

    def _text(self, value: Located | None) -> str:
        """With variables of the environment in their places."""
        if value is None:
            return ""

        def replaced(match: re.Match[str]) -> str:
            found = self._environment.get(match[1], match[2])
            if found is None:
                value.fail(f"the environment has no variable {match[1]}")
            return found

        return VARIABLE.sub(replaced, value.text())

    def _finished(self, cluster: ImportedCluster, fields: _Fields) -> ImportedCluster:
        if not cluster.servers:
            fields.fail("the addresses of its brokers are missing here (bootstrap.servers)")
        self._unused += fields.left()
        return cluster


class _Fields:
    """The fields of one section, each taken once; names may differ in hyphens and in case."""

    def __init__(self, section: Located, place: str) -> None:
        self.place = place
        self._section = section
        self._given = {_alike(key): (key, value) for key, value in section.items()}

    def pop(self, name: str) -> Located | None:
        """None where it is missing or empty."""
        _, value = self._given.pop(_alike(name), (name, None))
        return None if value is None or value.is_null else value

    def section(self, name: str) -> _Fields | None:
        value = self.pop(name)
        return None if value is None else _Fields(value, f"{self.place}.{name}")

    def left(self) -> list[str]:
        return [f"{self.place}.{key}" for key, _ in self._given.values()]

    def fail(self, reason: str) -> NoReturn:
        self._section.fail(reason)


def _alike(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()
