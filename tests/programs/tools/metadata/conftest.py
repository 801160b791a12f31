"""A snapshot with something of everything, and `typed`, which types lines into a shell on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from moldau.broker.metadata.snapshot import image_records
from moldau.broker.metadata.snapshot_file import SnapshotFields, encode_snapshot
from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.metadata.metadata_files import load_metadata
from moldau.programs.tools.metadata.shell import Shell
from moldau.programs.tools.metadata.tree import Directory, tree_of
from tests.broker.metadata.full_image import full_image

FOLDER = "/data/__cluster_metadata-0"
SNAPSHOT = f"{FOLDER}/{100:020}-{5:010}.checkpoint"
FIELDS = SnapshotFields(epoch=5, created_ms=1_700_000_000_120, last_contained_ms=1)


@pytest.fixture
def contents() -> bytes:
    image = full_image()
    batches = encode_snapshot(image_records(image), image.features.metadata_version, FIELDS)
    return b"".join(map(bytes, batches))


@pytest.fixture
def files(contents: bytes) -> SimulatedFiles:
    files = SimulatedFiles()
    files.make_directory(FOLDER)
    replace_whole(files, SNAPSHOT, contents)
    return files


@pytest.fixture
def root(files: SimulatedFiles) -> Directory:
    return tree_of(load_metadata(files, SNAPSHOT))


@pytest.fixture
def typed(root: Directory) -> Callable[..., list[str]]:
    def answers(*lines: str) -> list[str]:
        shell = Shell(root, typed=True)
        return [answer for line in lines for answer in shell.take(line)]

    return answers
