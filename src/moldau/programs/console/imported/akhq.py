"""Clusters of AKHQ: `akhq.connections.NAME`, with masks for all in `akhq.security`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from moldau.programs.console.imported.clients import SSL, ensure_servers, url_of, user_of
from moldau.programs.console.imported.cluster import ImportedCluster
from moldau.programs.console.imported.fields import Fields
from moldau.programs.console.imported.masks import akhq_masks

__all__ = ["akhq_clusters"]

REGISTRY: Final = "schema.registry."
CONFLUENT: Final = ("confluent", "tibco")
"""Types of registries that have the same API."""


def akhq_clusters(section: Fields) -> Iterator[ImportedCluster]:
    connections, security = section.section("connections"), section.section("security")
    masks, hides_more = akhq_masks(None if security is None else security.section("data-masking"))
    if security is not None:
        security.name_left()
    section.name_left()
    for fields in [] if connections is None else connections.named():
        name = fields.place.removeprefix("akhq.connections.")
        cluster = ImportedCluster(name, masks=masks, hides_more=hides_more)
        cluster.client |= fields.source.flat(fields.pop("properties"))
        registry = fields.section("schema-registry")
        cluster.registry = {} if registry is None else _registry(registry)
        yield ensure_servers(cluster, fields)


def _registry(fields: Fields) -> dict[str, str]:
    kind, url = fields.pop("type"), url_of(fields, "url")
    if kind is not None and kind.text().lower() not in CONFLUENT:
        kind.fail("registries of this type have another API than Confluent's")
    options = user_of(fields, "basic-auth-username", "basic-auth-password")
    source = fields.source
    for name, text in source.flat(fields.pop("properties")).items():
        if name.removeprefix(REGISTRY).startswith(SSL):
            options[name.removeprefix(REGISTRY)] = text
        else:
            source.unused.append(f"{fields.place}.properties.{name}")
    fields.name_left()
    if options and not url:
        source.unused.append(f"{fields.place} without its url")
    return {"url": url, **options} if url else {}
