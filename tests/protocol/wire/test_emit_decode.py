"""The source of decoders: what the compiled functions are made of."""

from __future__ import annotations

from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.compile import decoder_for
from moldau.protocol.wire.emit_decode import emit_decoder
from moldau.protocol.wire.layout import layout_of
from tests.protocol.wire.samples import Numbers, Row


def source(message, version) -> str:
    return str(decoder_for(message, version).__dict__["source"])


def test_a_run_of_fixed_fields_is_one_call():
    assert "unpack_from_obhHiIqd16s(buf, pos)" in source(Numbers, 0)


def test_only_messages_with_records_keep_views_of_the_frame():
    assert layout_of(ProduceRequest, 9).has_views
    assert layout_of(FetchResponse, 4).has_views
    assert not layout_of(FetchRequest, 12).has_views


def test_a_decoder_answers_the_position_after_the_message():
    decoder = emit_decoder(Row, 0)
    row, position = decoder(b".." + bytes(8) + b"..", 2, 12, 1000)
    assert (row, position) == (Row(cells=[]), 10)
