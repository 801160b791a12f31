"""What doubles at each level, or never ends, is refused before it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.shapes.forms import FORMS
from tests.schemas.shapes.texts import parsed, shown

COLUMNS = ("spark", "arrow")
SELF = '{"type":"record","name":"R","fields":[{"name":"below","type":["null","R"]}]}'


def doubling(levels):
    """Each record has the next one twice."""
    found = '"int"'
    for level in range(levels):
        fields = f'{{"name":"a","type":{found}}},{{"name":"b","type":"R{level - 1}"}}'
        if not level:
            fields = '{"name":"a","type":"int"}'
        found = f'{{"type":"record","name":"R{level}","fields":[{fields}]}}'
    return found


@pytest.mark.parametrize("form", COLUMNS)
def test_columns_that_double_at_each_level_are_refused(form):
    assert shown(doubling(5), "AVRO", form)
    with pytest.raises(InvalidSchemaError, match="more than 20000 parts"):
        shown(doubling(40), "AVRO", form)


@pytest.mark.parametrize("form", COLUMNS)
def test_columns_cannot_hold_themselves_and_classes_can(form):
    with pytest.raises(InvalidSchemaError, match="R holds itself"):
        shown(SELF, "AVRO", form)


@pytest.mark.parametrize("form", ["dataclass", "pydantic"])
def test_classes_are_written_once_however_often_they_are_used(form):
    assert shown(doubling(40), "AVRO", form).count("class ") == 40
    assert "below: R | None" in shown(SELF, "AVRO", form)


@pytest.mark.parametrize("form", FORMS)
def test_a_reference_that_is_no_object_may_lead_to_itself(form):
    text = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}
    assert shown(json.dumps(text), "JSON", form)
    choices: dict[str, Any] = {
        "$defs": {f"a{at}": {"anyOf": [{"$ref": f"#/$defs/a{at + 1}"}] * 2} for at in range(40)}
    }
    choices["$defs"]["a40"] = {"type": "string"}
    choices["$ref"] = "#/$defs/a0"
    assert shown(json.dumps(choices), "JSON", form)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_nested_very_deep_is_refused_or_written(form):
    kind: Any = "int"
    for _ in range(190):
        kind = {"type": "array", "items": kind}
    assert parsed(json.dumps(kind)).formatted(form)
