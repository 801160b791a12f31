"""Values of all languages are JSON that Spark reads."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)

from moldau.spark.registry.texts import json_text, plain

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
ID = UUID(int=7)
FILE = """
name: "order.proto" package: "shop" syntax: "proto3"
dependency: "google/protobuf/timestamp.proto"
enum_type { name: "State" value { name: "NEW" number: 0 } value { name: "PAID" number: 1 } }
message_type {
  name: "Order"
  field { name: "order_id" number: 1 type: TYPE_INT64 label: LABEL_OPTIONAL }
  field { name: "state" number: 2 type: TYPE_ENUM type_name: ".shop.State" label: LABEL_OPTIONAL }
  field { name: "tags" number: 3 type: TYPE_BYTES label: LABEL_REPEATED }
  field { name: "at" number: 4 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp"
          label: LABEL_OPTIONAL }
  field { name: "before" number: 5 type: TYPE_MESSAGE type_name: ".shop.Order"
          label: LABEL_OPTIONAL }
  field { name: "states" number: 6 type: TYPE_MESSAGE type_name: ".shop.Order.StatesEntry"
          label: LABEL_REPEATED }
  nested_type {
    name: "StatesEntry" options { map_entry: true }
    field { name: "key" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
    field { name: "value" number: 2 type: TYPE_ENUM type_name: ".shop.State"
            label: LABEL_OPTIONAL }
  }
}
"""


@pytest.fixture(scope="module")
def order():
    from google.protobuf import text_format

    pool = descriptor_pool.DescriptorPool()
    for known in (timestamp_pb2,):
        pool.AddSerializedFile(known.DESCRIPTOR.serialized_pb)
    file = text_format.Parse(FILE, descriptor_pb2.FileDescriptorProto())
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("shop.Order"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"\xff\x00", "/wA="),
        (NOON, "2026-11-23T12:00:00+00:00"),
        (NOON.astimezone(timezone(timedelta(hours=2))), "2026-11-23T14:00:00+02:00"),
        (NOON.replace(tzinfo=None), "2026-11-23T12:00:00"),
        (date(2026, 11, 23), "2026-11-23"),
        (time(1, 2), "01:02:00"),
        (Decimal("1.50"), "1.50"),
        (ID, str(ID)),
        ({"at": {"deep": [b"a"]}}, {"at": {"deep": ["YQ=="]}}),
        ("ž", "ž"),
    ],
)
def test_what_json_has_not_has_a_form_in_it(value, expected):
    assert plain(value) == expected
    assert json.loads(json_text({"value": value})) == {"value": expected}


def test_what_has_none_is_named():
    with pytest.raises(TypeError, match="complex has no form in JSON"):
        json_text(1j)


def test_a_message_has_its_fields_by_their_names_and_numbers_stay_numbers(order):
    message = order(order_id=2**60, state=1, tags=[b"a"], states={3: 1}, before=order(state=9))
    message.at.FromDatetime(NOON)
    bare = {"order_id": 0, "tags": [], "at": None, "before": None, "states": {}}
    assert plain(message) == {
        "order_id": 2**60,
        "state": "PAID",
        "tags": ["YQ=="],
        "at": "2026-11-23T12:00:00Z",
        "before": {**bare, "state": 9},
        "states": {"3": "PAID"},
    }


def test_messages_that_google_knows_are_what_they_stand_for():
    structure = struct_pb2.Struct()
    structure.update({"a": [1, None]})
    assert plain(structure) == {"a": [1, None]}
    assert plain(wrappers_pb2.Int64Value(value=5)) == 5
