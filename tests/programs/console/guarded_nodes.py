"""Nodes with logins of their own, each a cluster that one console knows from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.judges.moldau_node import MoldauNode

__all__ = ["file_of_clusters", "guarded_nodes"]


@contextmanager
def guarded_nodes(
    folders: pytest.TempPathFactory, settings: Mapping[str, Mapping[str, str]]
) -> Iterator[Path]:
    """Nodes by the names of their clusters; and the file of these clusters."""
    nodes = {
        name: MoldauNode(folders.mktemp(name), settings=dict(given))
        for name, given in settings.items()
    }
    for node in nodes.values():
        node.start()
    try:
        servers = {name: node.bootstrap for name, node in nodes.items()}
        yield file_of_clusters(folders.mktemp("clusters"), servers)
    finally:
        for node in nodes.values():
            node.stop()


def file_of_clusters(folder: Path, servers: Mapping[str, str]) -> Path:
    """Where each of them is, in the form of AKHQ's own file."""
    lines = [
        f"    {name}: {{properties: {{bootstrap.servers: '{bootstrap}'}}}}\n"
        for name, bootstrap in servers.items()
    ]
    path = folder / "application.yml"
    path.write_text("".join(["akhq:\n  connections:\n", *lines]))
    return path
