"""The marker that a node stopped in order: `.kafka_cleanshutdown`.

    {"version":0,"brokerEpoch":57}

Written last, after every log is closed and synced. The next start reads it and removes it at once,
so that a crash from then on is seen as one. Where it is missing, logs are recovered from their
recovery points. The broker epoch goes to the controller, which thereby knows whether records can
have been lost (KIP-966). Kafka accepts a marker that it cannot read as one without an epoch.
"""

from __future__ import annotations

import json

from moldau.platform.ports.files import Files, read_whole, replace_whole

FILE_NAME = ".kafka_cleanshutdown"
VERSION = 0
NO_BROKER_EPOCH = -1
_SIZE_MAX = 4096


def write_clean_shutdown(files: Files, directory: str, broker_epoch: int = NO_BROKER_EPOCH) -> None:
    contents = f'{{"version":{VERSION},"brokerEpoch":{broker_epoch}}}'
    replace_whole(files, f"{directory}/{FILE_NAME}", contents.encode())


def take_clean_shutdown(files: Files, directory: str) -> int | None:
    """Remove the marker and return its broker epoch, -1 if it has none; None without a marker."""
    path = f"{directory}/{FILE_NAME}"
    status = files.status(path)
    if status is None:
        return None
    epoch = _epoch(read_whole(files, path)) if status.size <= _SIZE_MAX else NO_BROKER_EPOCH
    files.remove(path)
    files.sync_directory(directory)
    return epoch


def _epoch(contents: bytes) -> int:
    try:
        fields = json.loads(contents)
    except (ValueError, RecursionError):
        return NO_BROKER_EPOCH
    epoch = fields.get("brokerEpoch") if isinstance(fields, dict) else None
    is_number = isinstance(epoch, int) and not isinstance(epoch, bool)
    return epoch if is_number and epoch is not None else NO_BROKER_EPOCH
