"""Keys and values of v3, where the registry runs in a simulated world."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.schemas import Schemas
from moldau.programs.rest.v3.parts import part_bytes
from tests.client.schemas.simulated_registry import SimulatedRegistry

INT = {"type": "AVRO", "schema": '"int"'}


def written(*parts):
    """The bytes and the account of the last one."""

    async def work(calls):
        schemas = Schemas(calls)
        for part in parts:
            sizes: dict[str, Any] = {}
            data = await part_bytes(schemas, "t", {"key": part}, "key", sizes)
        return data, sizes.get("key")

    return SimulatedRegistry().ask(work)


def test_a_part_without_a_schema_needs_no_registry():
    assert written({"type": "STRING", "data": "k"}) == (b"k", {"type": "STRING", "size": 1})
    assert written(None) == (None, None)


def test_the_account_names_the_schema():
    account = {"type": "AVRO", "subject": "t-key", "schema_id": 1, "schema_version": 1}
    data = b"\0\0\0\0\1\x0e"
    for given in ({}, {"schema_version": 1}, {"subject": "t-key", "schema_version": 1}):
        found = written({**INT, "data": 7}, {"data": 7, **given})
        assert found == (data, {**account, "size": 6})
    by_id = {"type": "AVRO", "schema_id": 1, "size": 6}
    assert written(INT, {"schema_id": 1, "data": 7}) == (data, by_id)
    assert written(INT) == (None, {**account, "size": 0})


def test_a_strategy_has_either_of_its_names():
    text = '{"type":"enum","name":"shop.Tea","symbols":["A"]}'
    for name in ("RECORD_NAME", "io.confluent.kafka.serializers.subject.RecordNameStrategy"):
        given = {"type": "AVRO", "schema": text, "subject_name_strategy": name, "data": "A"}
        assert written(given)[1]["subject"] == "shop.Tea"


REFUSED = {
    "no such type": ({"type": "NOPE"}, 400),
    "two schemas": ({**INT, "schema_id": 1}, 400),
    "a schema without a type": ({"schema": '"int"'}, 400),
    "two subjects": ({**INT, "subject": "s", "subject_name_strategy": "RECORD_NAME"}, 400),
    "an id that is text": ({"schema_id": "1"}, 400),
    "data of another type": ({**INT, "data": "7"}, 400),
    "a schema of what needs none": ({"type": "JSON", "schema_id": 1, "data": 1}, 400),
    "a subject of what needs none": ({"type": "BINARY", "subject": "s", "data": ""}, 400),
    "a field that there is not": ({"type": "JSON", "date": 1}, 400),
    "one more field": ({"type": "JSON", "data": 1, "date": 1}, 400),
}


@pytest.mark.parametrize(("part", "code"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_is_refused(part, code):
    with pytest.raises(HttpError) as error:
        written(part)
    assert error.value.code == code
