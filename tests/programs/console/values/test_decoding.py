"""Records that name schemas of a registry, which runs in a simulated world."""

import asyncio

from moldau.client import ConsumerRecord
from moldau.client.errors import UnreachableError
from moldau.client.schemas import RegistryCalls, SchemaText
from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.console.formats.offered import Chosen, Made
from moldau.programs.console.values.decoding import AGAIN_MS, SchemaReadings
from moldau.programs.console.values.masking import Masks, mask_of
from moldau.programs.console.values.readings import RecordReadings
from moldau.programs.console.values.values import shown_record
from moldau.schemas.framing import VALUE_HEADER, guid_frame, id_frame
from tests.client.schemas.simulated_registry import SimulatedRegistry

ORDER = SchemaText(
    '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"},'
    '{"name":"raw","type":"bytes"}]}'
)
PAYLOAD = b"\x0e\x04\xff\x00"
SHOWN = '{"id": 7, "raw": "ff 00"}'


def record(value, key=None, headers=()):
    return ConsumerRecord("orders", 0, 0, 0, key=key, value=value, headers=tuple(headers))


def looked(registry, *records, masks=()):
    """As pages show them."""

    async def work(calls):
        readings = await SchemaReadings(calls, SimulatedClock()).of(records)
        by = RecordReadings(Chosen(), Made({}, {}), readings)
        return [shown_record(one, Masks(masks), by) for one in records]

    return registry.ask(work)


def test_what_names_a_schema_is_shown_as_json_with_its_subject():
    registry = SimulatedRegistry()
    registry.register("another", ORDER)
    found = registry.register("orders-value", ORDER)
    framed = id_frame(found.id) + PAYLOAD
    by_header = record(PAYLOAD, headers=[(VALUE_HEADER, guid_frame(found.guid))])
    one, two = looked(registry, record(framed, key=b"plain"), by_header)
    assert (one["value"]["format"], one["value"]["text"]) == ("json", SHOWN)
    assert one["value"]["schema"] == {
        "id": found.id,
        "type": "AVRO",
        "subject": "orders-value",
        "version": 1,
    }
    assert "schema" not in one["key"]
    assert (two["value"]["text"], two["value"]["schema"]["id"]) == (SHOWN, found.guid)


def test_what_cannot_be_decoded_is_shown_as_before_with_the_reason():
    registry = SimulatedRegistry()
    found = registry.register("orders-value", ORDER)
    cut, unknown = id_frame(found.id) + b"\x0e", id_frame(99) + PAYLOAD
    one, two, three = looked(registry, record(cut), record(unknown), record(bytes(8)))
    assert (one["value"]["format"], two["value"]["format"]) == ("hex", "hex")
    assert "none of its schema" in one["value"]["reason"]
    assert "99" in two["value"]["reason"] or "not found" in two["value"]["reason"]
    assert "schema" not in three["value"]


def test_masks_hold_for_decoded_fields_and_hide_what_is_not_decoded():
    registry = SimulatedRegistry()
    found = registry.register("orders-value", ORDER)
    values = [id_frame(found.id) + PAYLOAD, id_frame(found.id) + b"\x0e"]
    one, two = looked(registry, *map(record, values), masks=[mask_of("orders:raw")])
    assert one["value"]["text"] == '{"id": 7, "raw": "•••"}'
    assert (two["value"]["text"], two["value"]["reason"]) == ("•••", "it cannot be decoded")


def test_a_registry_that_does_not_answer_is_asked_once_a_page_and_again_later():
    asked = []

    class Gone(RegistryCalls):
        def __init__(self):
            pass

        async def by_id(self, number, subject=None):
            asked.append(number)
            raise UnreachableError("the registry", "gone")

    async def work():
        clock = SimulatedClock()
        schemas = SchemaReadings(Gone(), clock)
        records = [record(id_frame(number) + PAYLOAD) for number in (1, 2, 3)]
        for _ in range(2):
            found = await schemas.of(records)
            reading = found.of(records[2], "value")
            assert reading is not None
            assert "the registry" in (reading.reason or "")
        assert asked == [1]
        clock.advance_ms(AGAIN_MS)
        await schemas.of(records)
        assert asked == [1, 1]

    asyncio.run(work())
