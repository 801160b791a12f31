"""An answer as a plain tree that two nodes can agree on.

What must differ between any two nodes is replaced by what it stands for: ids by their shared
names, addresses and times by whether there is one. Lists of structs are sorted, since no client
may rely on an order that Kafka takes from its hash maps.
"""

from __future__ import annotations

from typing import Any

from moldau.protocol.records.batch import CONTROL_BIT, HEADER_SIZE, LOG_APPEND_TIME_BIT, read_header
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Response
from tests.interop.differential.side import Side

CRC_AT = 17
BASE_TIMESTAMP_AT = 27
MAX_TIMESTAMP_AT = 35
SMALL = 10**6
"""Smaller numbers mean themselves, even if an id happens to be one."""
PRESENCE = frozenset(
    {
        "acknowledge_error_message",
        "error_message",
        "log_append_time_ms",
        "throttle_time_ms",
        "cluster_id",
        "host",
        "port",
        "rack",
        "client_host",
        "max_timestamp",
        "last_timestamp",
        "documentation",
        "metadata_version",
        "record_error_message",
        "status_detail",
        "batch_index_error_message",
        "usable_bytes",
        "total_bytes",
        "log_dir",
        "size",
        "incarnation_id",
        "directory_id",
        "finalized_features_epoch",
    }
)
"""Fields of which it counts only whether they say something."""
OF_ONE_NODE = frozenset(
    {
        "advertised.listeners",
        "controller.quorum.bootstrap.servers",
        "controller.quorum.voters",
        "listeners",
        "log.dir",
        "log.dirs",
        "metadata.log.dir",
    }
)
"""Settings that hold addresses and paths."""
RECENT_MS = 1_750_000_000_000
FUTURE_MS = 3_000_000_000_000
"""Times in between were made by a node's own clock."""
IGNORED = frozenset({"last_fetch_timestamp", "last_caught_up_timestamp"})


def plain(answer: Response, version: int, side: Side) -> Any:
    """Of the fields that this version has."""
    return _Reader(version, side.names()).value(answer)


class _Reader:
    def __init__(self, version: int, names: dict[Any, str]) -> None:
        self._version = version
        self._names = names

    def value(self, value: Any) -> Any:
        match value:
            case None | bool() | float():
                return value
            case int():
                if RECENT_MS < value < FUTURE_MS:
                    return "now"
                return self._names.get(value, value) if abs(value) > SMALL else value
            case str():
                return self._names.get(value, value)
            case bytes() | bytearray() | memoryview():
                data = bytes(value)
                return self._names.get(data) or without_clock(data).hex()
            case list():
                items = [self.value(item) for item in value]
                return sorted(items, key=repr) if items and isinstance(items[0], dict) else items
            case _:
                return self._struct(value)

    def _struct(self, struct: Any) -> dict[str, Any]:
        tree = {}
        self._learn_topic(struct)
        of_one_node = getattr(struct, "name", None) in OF_ONE_NODE
        for field in fields_of(struct_type(struct)):
            if self._version not in field.versions or field.name in IGNORED:
                continue
            value = getattr(struct, field.name)
            shown = field.name in PRESENCE or (of_one_node and field.name == "value")
            tree[field.name] = bool(value) if shown else self.value(value)
        return tree

    def _learn_topic(self, struct: Any) -> None:
        """Topics come and go; a message that names one beside its id has what the id means."""
        topic_id, name = getattr(struct, "topic_id", None), getattr(struct, "name", None)
        if isinstance(topic_id, bytes) and any(topic_id) and name:
            self._names[topic_id] = f"topic:{name}"


def struct_type(struct: Any) -> type:
    found: type = type(struct)
    return found


def without_clock(data: bytes) -> bytes:
    """Batches with the node's own time lose it, and the checksum over it; all else stays."""
    if len(data) < HEADER_SIZE:
        return data
    made = bytearray(data)
    position = 0
    while position + HEADER_SIZE <= len(made):
        header = read_header(made, position)
        if header.attributes & (LOG_APPEND_TIME_BIT | CONTROL_BIT):
            made[position + CRC_AT : position + CRC_AT + 4] = bytes(4)
            made[position + MAX_TIMESTAMP_AT : position + MAX_TIMESTAMP_AT + 8] = bytes(8)
        if header.attributes & CONTROL_BIT:
            made[position + BASE_TIMESTAMP_AT : position + BASE_TIMESTAMP_AT + 8] = bytes(8)
        position += max(header.size, HEADER_SIZE)
    return bytes(made)


def differences(ours: Any, theirs: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """Where two trees part, with what each says there."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [
            found
            for key in ours
            for found in differences(ours[key], theirs.get(key), f"{path}.{key}" if path else key)
        ]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [
            found
            for one, other in zip(ours, theirs, strict=True)
            for found in differences(one, other, path + "[]")
        ]
    return [] if ours == theirs else [(path, ours, theirs)]
