"""The text that is stored is the one that Java writes."""

import pytest

from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.avro.writing import avro_text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("int", '"int"'),
        ('{"type":"int"}', '"int"'),
        ('{"logicalType":"date","type":"int"}', '{"type":"int","logicalType":"date"}'),
        (
            '{"name":"a.R","type":"record","x":1,"fields":'
            '[{"order":"ignore","default":1,"doc":"d","type":"int","name":"f"}]}',
            '{"type":"record","name":"R","namespace":"a","fields":'
            '[{"name":"f","type":"int","doc":"d","default":1,"order":"ignore"}],"x":1}',
        ),
        (
            '{"type":"record","name":"a.R","aliases":["Q","b.P"],"fields":'
            '[{"name":"f","type":{"type":"array","items":["null","a.R"]}}]}',
            '{"type":"record","name":"R","namespace":"a","fields":'
            '[{"name":"f","type":{"type":"array","items":["null","R"]}}],"aliases":["Q","b.P"]}',
        ),
    ],
)
def test_the_order_of_attributes_is_javas(given, written):
    assert avro_text(parse_avro(given, {})[0]) == written


def test_properties_are_sorted_where_their_order_is_to_mean_nothing():
    kind, _ = parse_avro('{"type":"int","b":1,"a":2}', {})
    assert avro_text(kind, without_order=True) == '{"type":"int","a":2,"b":1}'
