"""The source of encoders: what the compiled functions are made of."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.compile import decode, encode, encoder_for
from moldau.protocol.wire.emit_encode import SHORT_ARRAYS, emit_encoder
from tests.protocol.wire.samples import Letter, Numbers, Row, letter


def source(message, version) -> str:
    return str(encoder_for(message, version).__dict__["source"])


def test_a_run_of_fixed_fields_is_one_call():
    assert source(Numbers, 0).count("pack_obhHiIqd16s(") == 1


def test_the_empty_section_of_tags_is_fused_into_the_run_before_it():
    assert "pack_iqB(" in source(Row, 1)


def test_an_encoder_appends_its_pieces_to_what_is_there():
    parts = [b"header"]
    emit_encoder(Letter, 0)(letter(), parts)
    assert parts[0] == b"header"
    assert len(parts) == 2


def test_absent_fields_are_checked_before_anything_is_written():
    text = source(Letter, 0)
    assert text.index("not_in_version('reply_to', 0)") < text.index(".encode()")
    assert "not_in_version('urgency'" not in text


@pytest.mark.parametrize("version", [0, 2])
@pytest.mark.parametrize("count", [0, 1, SHORT_ARRAYS - 1, SHORT_ARRAYS, 200])
def test_short_arrays_of_numbers_are_written_as_long_ones_are(version, count):
    stamps = list(range(count))
    data = encode(letter(stamps=stamps), version)
    assert b"".join(stamp.to_bytes(4, "big") for stamp in stamps) in data
    assert decode(Letter, version, data).stamps == stamps


def test_a_short_array_of_numbers_is_fused_with_the_run_before_it():
    assert "short_bB_i[len(message_stamps)](message.urgency, len(message_stamps) + 1" in source(
        Letter, 2
    )
