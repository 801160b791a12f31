"""The records with which a cluster begins: `bootstrap.checkpoint`, as formatting left it."""

from __future__ import annotations

from moldau.broker.metadata.activation import bootstrap_records
from moldau.broker.metadata.snapshot_file import BOOTSTRAP_FILE_NAME, decode_snapshot
from moldau.platform.ports.files import Files, read_whole
from moldau.protocol.wire.schema import Message


def read_bootstrap_records(files: Files, log_directory: str) -> list[Message]:
    """What the file says; the levels of the latest release where there is none."""
    path = f"{log_directory}/{BOOTSTRAP_FILE_NAME}"
    if files.status(path) is None:
        return bootstrap_records()
    return decode_snapshot(read_whole(files, path), path).records
