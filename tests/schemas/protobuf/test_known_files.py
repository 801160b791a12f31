"""Files that clients leave out of their references."""

import pytest

from moldau.schemas.protobuf.known_files import known_file
from moldau.schemas.protobuf.pools import resolved


@pytest.mark.parametrize("name", ["any", "duration", "struct", "timestamp", "wrappers"])
def test_googles_own_types_are_known(name):
    file = known_file(f"google/protobuf/{name}.proto")
    assert file is not None
    assert file.package == "google.protobuf"


@pytest.mark.parametrize(
    "name", ["google/protobuf/none.proto", "google/protobuf/../x.proto", "x.proto"]
)
def test_others_are_not(name):
    assert known_file(name) is None


def test_a_number_of_any_size_is_known():
    text = (
        'syntax = "proto3"; import "confluent/meta.proto"; import "confluent/type/decimal.proto";'
        "message A { confluent.type.Decimal a = 1; }"
    )
    assert resolved(text, {})[0].message_type[0].field[0].type_name == ".confluent.type.Decimal"
