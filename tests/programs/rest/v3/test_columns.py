"""Streams of Arrow as pyarrow writes them, sent to a topic and read by librdkafka."""

from __future__ import annotations

import sys

import pyarrow as pa
import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.v3.columns import ARROW, ensure_arrow, table_of
from tests.programs.rest.reading import records_of

HEADERS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
ROWS = pa.table(
    {
        "key": [b"a", None, b"c"],
        "value": ["x", "", None],
        "partition": pa.array([1, 1, 1], pa.int32()),
        "timestamp": pa.array([1000, 2000, 3000], pa.timestamp("ms", tz="UTC")),
        "headers": pa.array([[{"key": "h", "value": b"7"}], [], None], HEADERS),
        "offset": [7, 8, 9],
    }
)
DICTIONARY = pa.table({"value": pa.array(["x"]).dictionary_encode()})


def stream_of(table, compression=None):
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def path_of(topic, end="records"):
    return f"/v3/clusters/-/topics/{topic}/{end}"


def test_each_row_arrives_as_a_record_and_a_page_is_sent_on_as_it_is(rest, place, made):
    sent = rest.ask("POST", path_of(made), stream_of(ROWS), ARROW)
    assert sent == (200, {"error_code": 200, "topic_name": made, "records_count": 3})
    found = records_of(place, made, 3, 1)
    assert [one.key() for one in found] == [b"a", None, b"c"]
    assert [one.value() for one in found] == [b"x", b"", None]
    assert [one.timestamp()[1] for one in found] == [1000, 2000, 3000]
    assert found[0].headers() == [("h", b"7")]
    page = rest.raw("GET", path_of(made, "partitions/1/records"), Accept=ARROW)[2]
    assert rest.ask("POST", path_of(made), page, ARROW)[1]["records_count"] == 3
    again = records_of(place, made, 6, 1)[3:]
    assert [(one.key(), one.value(), one.timestamp()) for one in again] == [
        (one.key(), one.value(), one.timestamp()) for one in found
    ]


def test_a_request_that_comes_again_with_its_key_sends_no_row_again(rest, place, made):
    for _ in range(2):
        status, _, _ = rest.raw("POST", path_of(made), stream_of(ROWS), ARROW, Idempotency_Key="k")
        assert status == 200
    assert rest.ask("GET", f"/topics/{made}/partitions/1/offsets")[1]["end_offset"] == 3


def test_what_cannot_be_sent_is_refused_as_a_whole(rest, made):
    beyond = ROWS.set_column(2, "partition", pa.array([0, 1, 9]))
    bodies = (b"junk", stream_of(ROWS.select(["key"])), stream_of(beyond))
    answers = [rest.ask("POST", path_of(made), body, ARROW)[1] for body in bodies]
    assert [one["error_code"] for one in answers] == [400, 40002, 40402]
    assert rest.ask("POST", path_of(made), stream_of(ROWS), "application/x")[0] == 415
    assert rest.ask("GET", f"/topics/{made}/partitions/0/offsets")[1]["end_offset"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 100,
        b"\xff" * 100,
        stream_of(ROWS)[:-40],
        stream_of(ROWS, "zstd"),
        stream_of(ROWS, "lz4"),
        stream_of(DICTIONARY),
        stream_of(pa.table({"value": pa.nulls(10**9)})),
        stream_of(pa.table({"value": [1]})),
        stream_of(pa.table({"value": ["x"], "headers": ["x"]})),
        stream_of(pa.table([["x"], ["y"]], names=["value", "value"])),
        stream_of(pa.table({"value": pa.array(["x" * 20], pa.string_view())})),
    ],
)
def test_what_is_no_stream_of_records_is_refused_before_anything_is_made_of_it(body):
    with pytest.raises(HttpError) as caught:
        table_of(body)
    assert caught.value.status == 400


def test_bytes_that_are_bent_are_a_table_or_a_refusal():
    body = stream_of(ROWS)
    for place in range(0, len(body), 3):
        bent = body[:place] + bytes([body[place] ^ 0xFF]) + body[place + 1 :]
        try:
            assert table_of(bent).num_rows <= len(body)
        except HttpError as error:
            assert error.status == 400  # noqa: PT017  # either of both is right


@pytest.mark.parametrize("status", [406, 415])
def test_without_pyarrow_one_sentence_has_what_to_install(monkeypatch, status):
    monkeypatch.delitem(sys.modules, "moldau.protocol.records.arrow", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(HttpError, match="pyarrow") as caught:
        ensure_arrow(status)
    assert caught.value.status == status
