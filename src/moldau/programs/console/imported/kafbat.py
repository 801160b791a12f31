"""Clusters of kafbat UI: `kafka.clusters[]`, with `auth` and `rbac` beside `kafka`.

brokers, security    name, bootstrapServers, ssl, properties
schema registry      schemaRegistry, schemaRegistryAuth, schemaRegistrySsl
records              serde[], defaultKeySerde, defaultValueSerde, masking[]
changes              readOnly, audit.consoleAuditEnabled
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from moldau.programs.console.imported.clients import ensure_servers, store, url_of, user_of
from moldau.programs.console.imported.cluster import SERVERS, ImportedCluster
from moldau.programs.console.imported.fields import Fields
from moldau.programs.console.imported.masks import kafbat_masks
from moldau.programs.console.imported.serdes import usual_formats

__all__ = ["kafbat_clusters"]

DEFAULT_NAME: Final = "Default"
OF_CHANGES: Final = ("", "alter_only")
"""The level of an audit that has changes alone, as the console's own."""


def kafbat_clusters(section: Fields) -> Iterator[ImportedCluster]:
    clusters = section.sections("clusters")
    section.name_left()
    for fields in clusters:
        yield _cluster(fields, is_only=len(clusters) == 1)


def _cluster(fields: Fields, *, is_only: bool) -> ImportedCluster:
    name = fields.text("name")
    if not name and not is_only:
        fields.fail("a cluster needs a name where there are several")
    cluster = ImportedCluster(name or DEFAULT_NAME)
    cluster.client |= fields.source.flat(fields.pop("properties"))
    trusted = _trusted(fields.section("ssl"))
    cluster.client |= trusted
    if servers := fields.text("bootstrapServers"):
        cluster.client[SERVERS] = servers
    cluster.is_read_only = fields.truth("readOnly")
    cluster.masks = kafbat_masks(fields)
    cluster.usual = usual_formats(fields)
    cluster.registry = _registry(fields, trusted)
    _take_audit(fields.section("audit"))
    return ensure_servers(cluster, fields)


def _trusted(fields: Fields | None) -> dict[str, str]:
    verify = None if fields is None else fields.pop("verify")
    if fields is not None and verify is not None and not fields.source.truth(verify):
        verify.fail("servers are always verified: name whom to trust as truststoreLocation")
    return store(fields, "truststore")


def _registry(fields: Fields, trusted: dict[str, str]) -> dict[str, str]:
    login = fields.section("schemaRegistryAuth")
    user = {} if login is None else user_of(login, "username", "password")
    if login is not None:
        login.name_left()
    keys = store(fields.section("schemaRegistrySsl"), "keystore")
    if url := url_of(fields, "schemaRegistry"):
        return {"url": url, **user, **trusted, **keys}
    if user or keys:
        fields.source.unused.append(f"{fields.place}.schemaRegistryAuth or schemaRegistrySsl")
    return {}


def _take_audit(fields: Fields | None) -> None:
    """Each change stands in the console's log, always."""
    if fields is None:
        return
    level = fields.pop("level")
    if fields.source.text(level).lower() not in OF_CHANGES:
        fields.source.unused.append(f"{fields.place}.level")
    fields.pop("consoleAuditEnabled")
    fields.name_left()
