"""Control records in words."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.control import control_text
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.control import KRaftVersionRecord
from moldau.protocol.records.control import ControlType, EndMarker, pack_key, pack_marker
from moldau.protocol.records.record import Record
from moldau.protocol.wire.compile import encode


def control(key: bytes, value: bytes) -> Record:
    return Record(5, 0, key, value)


def test_markers_say_how_the_transaction_ended():
    commit = control(*pack_marker(EndMarker(True, 3)))
    abort = control(*pack_marker(EndMarker(False, 4)))
    assert control_text(commit) == "endTxnMarker: COMMIT coordinatorEpoch: 3"
    assert control_text(abort) == "endTxnMarker: ABORT coordinatorEpoch: 4"


def test_the_quorums_records_are_json():
    value = bytes(encode(KRaftVersionRecord(version=0, kraft_version=1), 0))
    text = control_text(control(pack_key(ControlType.KRAFT_VERSION), value))
    assert text == 'KRaftVersion {"version":0,"kRaftVersion":1}'


def test_records_from_the_future_show_their_number():
    assert control_text(control(b"\0\0\0\x63", b"")) == "controlType: UNKNOWN(99)"


def test_a_version_from_the_future_is_refused():
    with pytest.raises(DecodeError, match="at offset 5 has unknown version 9"):
        control_text(control(pack_key(ControlType.LEADER_CHANGE), b"\0\x09"))
