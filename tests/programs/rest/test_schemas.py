"""Keys and values by schemas of a registry that runs in a simulated world."""

from __future__ import annotations

import asyncio

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.schemas import Schemas, Wanted
from moldau.schemas.data_errors import DataError
from tests.client.schemas.simulated_registry import SimulatedRegistry

TEXTS = {
    "AVRO": '{"type":"record","name":"Order","fields":[{"name":"id","type":["null","long"]}]}',
    "JSON": '{"type":"object","properties":{"id":{"type":"object"}}}',
    "PROTOBUF": 'syntax = "proto3"; message Order { message Id { int32 long = 1; } Id id = 1; }',
}
VALUE = {"id": {"long": 7}}


def of(work, registry=None):
    """What the work gives back that has `Schemas`."""
    return (registry or SimulatedRegistry()).ask(lambda calls: work(Schemas(calls)))


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_written_by_a_schema_is_read_by_the_id_in_front(kind):
    async def work(schemas):
        writer = await schemas.writer(Wanted("t", False, kind, TEXTS[kind]))
        data = writer.write(VALUE)
        again = await schemas.writer(Wanted("t", False, kind, id=writer.schema.id))
        assert again.write(VALUE) == data
        return data[:5], await schemas.read(kind, data)

    assert of(work) == (b"\0\0\0\0\1", VALUE)


def test_without_a_name_the_schema_is_the_latest_of_the_subject():
    async def work(schemas):
        found = []
        for text in ('"int"', '"long"'):
            await schemas.writer(Wanted("t", True, "AVRO", text))
            found.append((await schemas.writer(Wanted("t", True))).schema)
        by_version = await schemas.writer(Wanted("t", True, version=1))
        assert by_version.schema == found[0]
        return [(one.subject, one.version) for one in found]

    assert of(work) == [("t-key", 1), ("t-key", 2)]


def test_a_strategy_names_the_subject_after_the_record():
    async def work(schemas):
        wanted = Wanted("t", False, "AVRO", TEXTS["AVRO"], strategy="TopicRecordNameStrategy")
        return (await schemas.writer(wanted)).schema.subject

    assert of(work) == "t-Order"


REFUSED = {
    "no such id": (Wanted("t", False, id=99), 42207),
    "no such subject": (Wanted("t", False), 42207),
    "no schema": (Wanted("t", False, "AVRO", '{"type":"nope"}'), 42205),
    "no strategy": (Wanted("t", False, "AVRO", '"int"', strategy="Nope"), 400),
    "of another type": (Wanted("t", False, "PROTOBUF", id=1), 42206),
}


@pytest.mark.parametrize(("wanted", "code"), REFUSED.values(), ids=list(REFUSED))
def test_what_the_registry_does_not_have_is_refused(wanted, code):
    async def work(schemas):
        await schemas.writer(Wanted("other", False, "AVRO", '"int"'))
        await schemas.writer(wanted)

    with pytest.raises(HttpError) as error:
        of(work)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("kind", "data", "code"),
    [("JSON", b"\0\0\0\0\1\2", 40601), ("AVRO", b"text", 42203), ("AVRO", b"\0\0\0\0\1", 42203)],
)
def test_a_record_that_is_not_of_the_format_is_refused(kind, data, code):
    async def work(schemas):
        await schemas.writer(Wanted("t", False, "AVRO", '"int"'))
        await schemas.read(kind, data)

    with pytest.raises(HttpError) as error:
        of(work)
    assert error.value.code == code


def test_data_that_is_not_of_the_schema_is_an_error_of_the_data():
    async def work(schemas):
        (await schemas.writer(Wanted("t", False, "AVRO", TEXTS["AVRO"]))).write({"id": 7})

    with pytest.raises(DataError, match="id: a value of a union"):
        of(work)


@pytest.mark.parametrize("wanted", [Wanted("t", False), Wanted("t", True, "AVRO", '"int"')])
def test_without_a_registry_a_schema_is_refused(wanted):
    with pytest.raises(HttpError, match="Schema Registry must be configured") as error:
        asyncio.run(Schemas().writer(wanted))
    assert error.value.code == 42206


def test_a_registry_that_does_not_answer_is_named():
    async def work(schemas):
        await schemas.writer(Wanted("t", False, id=1))

    with pytest.raises(HttpError, match="the registry") as error:
        of(work, SimulatedRegistry("http://registry:1"))
    assert error.value.code == 42207
