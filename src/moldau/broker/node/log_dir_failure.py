"""When a node cannot go on: the disk of its metadata has failed, or the last one of its logs.

Kafka halts then, and so do we: no more is acknowledged, others may lead what was led here, and
the operator reads one sentence and an exit code.
"""

from __future__ import annotations

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.node.storage import Storage
from moldau.errors import MoldauError

__all__ = ["LogDirFailureError", "check_log_dirs"]


class LogDirFailureError(MoldauError):
    """The node has ended itself."""


def check_log_dirs(storage: Storage, failed: LogDirectory) -> None:
    """Return if the node can go on without this directory."""
    why = f"log directory {failed.path} has failed ({failed.offline_reason})"
    remedy = "mend or replace the disk and start the node again"
    if failed.path == storage.metadata_directory:
        raise LogDirFailureError(f"{why}, and the metadata log is there; {remedy}")
    if not any(one.is_online for one in storage.directories.opened):
        raise LogDirFailureError(f"{why}, and no other is left; {remedy}")
