"""Control records as text: markers in words, the metadata quorum's records as JSON."""

from __future__ import annotations

from moldau.broker.log.dump.plain_json import json_text, plain_message
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.control import (
    KRaftVersionRecord,
    LeaderChangeMessage,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
)
from moldau.protocol.records.control import ControlType, parse_key, parse_marker
from moldau.protocol.records.record import Record
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message

_VERSION_BYTES = 2
_MESSAGES: dict[ControlType, tuple[str, type[Message]]] = {
    ControlType.LEADER_CHANGE: ("LeaderChange:", LeaderChangeMessage),
    ControlType.SNAPSHOT_HEADER: ("SnapshotHeader", SnapshotHeaderRecord),
    ControlType.SNAPSHOT_FOOTER: ("SnapshotFooter", SnapshotFooterRecord),
    ControlType.KRAFT_VERSION: ("KRaftVersion", KRaftVersionRecord),
    ControlType.KRAFT_VOTERS: ("KRaftVoters", VotersRecord),
}


def control_text(record: Record) -> str:
    """What a control record holds."""
    marker = parse_marker(record.key, record.value)
    if marker is not None:
        decision = "COMMIT" if marker.is_commit else "ABORT"
        return f"endTxnMarker: {decision} coordinatorEpoch: {marker.coordinator_epoch}"
    kind = parse_key(record.key)
    named = _MESSAGES.get(kind)
    if named is None:
        number = int.from_bytes((record.key or b"")[2:4], "big", signed=True)
        return f"controlType: {kind.name}({number})"
    name, message_class = named
    value = record.value or b""
    version = int.from_bytes(value[:_VERSION_BYTES], "big", signed=True)
    if version not in message_class.VERSIONS:
        raise DecodeError(f"{name} record at offset {record.offset} has unknown version {version}")
    return f"{name} {json_text(plain_message(decode(message_class, version, value), version))}"
