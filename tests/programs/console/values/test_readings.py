"""A format that is chosen comes first, then that of the topic, then the schema."""

from __future__ import annotations

from typing import Any

from moldau.client import ConsumerRecord
from moldau.programs.console.formats.offered import Chosen, Made
from moldau.programs.console.formats.process import Outcome
from moldau.programs.console.values.decoding import Reading
from moldau.programs.console.values.masking import Masks, mask_of
from moldau.programs.console.values.readings import RecordReadings
from moldau.programs.console.values.values import shown_record

RECORD = ConsumerRecord("pay", 0, 3, 0, b"\xffk", b"\x00raw", ())


class Schemas:
    """Know one of everything."""

    def of(self, _record, part):
        return Reading({"id": 7}, part.encode())


def made(outcome):
    return Made({"value": "sealed"}, {("value", 0, 3): outcome})


NOTHING = Made({}, {})
SCHEMAS: Any = Schemas()


def shown(readings, *masks):
    return shown_record(RECORD, Masks(masks), readings)


def test_a_format_decodes_its_part_and_the_schema_the_other():
    found = shown(RecordReadings(Chosen(), made(Outcome(b'{"a":1}')), SCHEMAS))
    value = found["value"]
    assert (value["text"], value["format"], value["decoded_by"]) == ('{"a":1}', "json", "sealed")
    assert "schema" not in value
    assert (found["key"]["text"], found["key"]["schema"]) == ("key", {"id": 7})


def test_what_a_format_cannot_decode_is_shown_as_it_is_with_the_reason():
    value = shown(RecordReadings(Chosen(), made(Outcome(None, "why")), None))["value"]
    assert (value["format"], value["text"], value["reason"]) == ("hex", "00 72 61 77", "why")


def test_what_is_to_be_text_or_digits_is_that_whatever_it_is():
    readings = RecordReadings(Chosen("hex", "text"), NOTHING, SCHEMAS)
    found = shown(readings)
    assert (found["key"]["format"], found["key"]["text"]) == ("hex", "ff 6b")
    assert (found["value"]["format"], found["value"]["text"]) == ("text", "\x00raw")
    assert "\ufffdk" in shown(RecordReadings(Chosen("text"), NOTHING, None))["key"]["text"]


def test_masks_hold_for_what_was_decoded_and_a_reason_quotes_nothing():
    mask = mask_of("pay:card")
    good = made(Outcome(b'{"card": "secret", "a": 1}'))
    assert "secret" not in str(shown(RecordReadings(Chosen(), good, None), mask))
    bad = made(Outcome(None, "raised ValueError: secret"))
    assert "secret" not in str(shown(RecordReadings(Chosen(), bad, None), mask))


def test_without_formats_and_registry_nothing_is_read():
    assert RecordReadings(Chosen(), NOTHING, None).of(RECORD, "key") is None
