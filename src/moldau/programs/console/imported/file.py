"""A file of either kind, from its bytes to its clusters."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.programs.console.imported.access import login_of, roles_of
from moldau.programs.console.imported.akhq import akhq_clusters
from moldau.programs.console.imported.cluster import ImportedCluster, ImportedFile
from moldau.programs.console.imported.fields import Fields, Source
from moldau.programs.console.imported.kafbat import kafbat_clusters
from moldau.programs.located_yaml import read_yaml

__all__ = ["read_clusters"]


def read_clusters(contents: bytes, path: str, environment: Mapping[str, str]) -> ImportedFile:
    """The clusters of a file; `BadYamlError` where it is of neither kind."""
    source = Source(environment)
    fields = Fields(read_yaml(contents, path), "", source)
    clusters: list[ImportedCluster] = []
    if (kafbat := fields.section("kafka")) is not None:
        clusters += kafbat_clusters(kafbat)
    if (akhq := fields.section("akhq")) is not None:
        clusters += akhq_clusters(akhq)
    if not clusters:
        fields.fail("it has neither kafka.clusters of kafbat UI nor akhq.connections of AKHQ")
    names = [cluster.name for cluster in clusters]
    for name in names:
        if names.count(name) > 1:
            fields.fail(f"two clusters are named {name}")
    login = login_of(fields.section("auth"))
    roles = roles_of(fields.section("rbac"), clusters)
    fields.name_left()
    return ImportedFile(clusters, tuple(source.unused), login, *roles)
