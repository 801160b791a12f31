"""Associations in the topic, as bytes."""

import pytest

from moldau.programs.registry.associations.records import (
    Association,
    Resource,
    association_record,
    association_tombstone,
    place_of_key,
    stored_association,
)
from moldau.programs.registry.records import read_json

ORDERS = Resource("orders", "lkc-1", "id-1", "topic")
GUID = "6c55b0a8-3c7c-4a8f-9d75-000000000001"
STRONG = Association(GUID, ORDERS, "value", ":.lkc-1:orders-value", "STRONG", True)
KEY = (
    b'{"keytype":"ASSOC","tenant":"default","resourceName":"orders","resourceNamespace":"lkc-1",'
    b'"resourceType":"topic","associationType":"value","subject":":.lkc-1:orders-value","magic":0}'
)
VALUE = (
    b'{"guid":"6c55b0a8-3c7c-4a8f-9d75-000000000001","tenant":"default","resourceName":"orders",'
    b'"resourceNamespace":"lkc-1","resourceId":"id-1","resourceType":"topic",'
    b'"associationType":"value","subject":":.lkc-1:orders-value","lifecycle":"STRONG",'
    b'"frozen":true}'
)


def test_keys_and_values_have_the_bytes_of_confluents_registry():
    assert association_record(STRONG).encoded() == (KEY, VALUE)
    assert association_tombstone(STRONG).encoded() == (KEY, None)


def read(data):
    found = read_json(data)
    assert found is not None
    return found


def test_what_is_written_is_read():
    assert stored_association(read(VALUE), 1, 2) == STRONG._replace(created_ms=1, updated_ms=2)
    assert place_of_key(read(KEY)) == STRONG.place


def test_what_is_no_association_is_not_read():
    with pytest.raises(ValueError, match="SOME is no lifecycle"):
        stored_association({**read(VALUE), "lifecycle": "SOME"}, 1, 2)


def test_frozen_is_shown_where_it_does_not_follow_from_the_lifecycle():
    assert "frozen" not in STRONG.as_json()
    assert "frozen" not in STRONG._replace(lifecycle="WEAK", is_frozen=False).as_part(None)
    assert STRONG._replace(is_frozen=False).as_part({"id": 1}) == {
        "subject": ":.lkc-1:orders-value",
        "associationType": "value",
        "lifecycle": "STRONG",
        "frozen": False,
        "schema": {"id": 1},
    }
