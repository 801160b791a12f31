"""JSON by a schema, both ways."""

from __future__ import annotations

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.language import JSON_LANGUAGE

SCHEMA = JSON_LANGUAGE.parse('{"title":"Order","properties":{"id":{"type":"integer"}}}', {})


def test_values_go_both_ways():
    data = SCHEMA.encoder()({"id": 1, "was": "é"})
    assert data == ('{"id":1,"was":"é"}'.encode(), b"")
    assert SCHEMA.decoder()(data.payload) == {"id": 1, "was": "é"}
    assert SCHEMA.record_name == "Order"


def test_what_the_schema_does_not_accept_is_refused_both_ways():
    with pytest.raises(DataError, match="id: 'a' is no integer"):
        SCHEMA.encoder()({"id": "a"})
    with pytest.raises(DataError, match="id: 'a' is no integer"):
        SCHEMA.decoder()(b'{"id":"a"}')


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000])
def test_bytes_that_are_not_json_are_refused(data):
    with pytest.raises(DataError, match="not JSON"):
        SCHEMA.decoder()(data)


def test_a_value_that_json_has_not_is_refused():
    with pytest.raises(DataError, match="nothing that JSON has"):
        SCHEMA.encoder()({"id": 1, "at": object()})
