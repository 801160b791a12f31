"""Which defaults a type may have."""

import json

import pytest

from moldau.schemas.avro.defaults import is_default_of
from moldau.schemas.avro.parsing import parse_avro

RECORD = (
    '{"type":"record","name":"R","fields":'
    '[{"name":"a","type":"int"},{"name":"b","type":"int","default":1}]}'
)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ('"null"', [None], [0]),
        ('"boolean"', [True], [1, None]),
        ('"int"', [0, -(2**31)], [2**31, True, 1.5, "1"]),
        ('"long"', [2**63 - 1], [2**63]),
        ('"double"', [1, 1.5], [True, "1.5"]),
        ('"bytes"', ["a"], [1]),
        ('{"type":"enum","name":"E","symbols":["A"]}', ["A"], ["B", 1]),
        ('{"type":"array","items":"int"}', [[], [1]], [["x"], {}]),
        ('{"type":"map","values":"int"}', [{}, {"a": 1}], [{"a": "x"}, []]),
        ('["null","int"]', [None, 1], ["x"]),
        (RECORD, [{"a": 1}], [{}, {"a": "x"}, 1]),
    ],
)
def test_a_default_is_a_value_of_its_type(kind, good, bad):
    found, _ = parse_avro(kind, {})
    assert [is_default_of(found, value) for value in good] == [True] * len(good)
    assert [is_default_of(found, value) for value in bad] == [False] * len(bad), json.dumps(bad)
