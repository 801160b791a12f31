"""Messages of Protobuf: presence, required fields, and Google's own messages."""

from __future__ import annotations

from moldau.schemas.shapes.model import ANY, NO_DEFAULT, ListOf, MapOf, Nullable, Scalar, Struct
from moldau.schemas.shapes.of_protobuf import protobuf_shapes
from tests.schemas.shapes.texts import parsed

TEXT = """syntax = "proto2"; import "google/protobuf/struct.proto";
import "google/protobuf/duration.proto";
message A { required int32 a = 1; optional int32 b = 2 [default = 7]; repeated B c = 3;
  optional google.protobuf.Struct d = 4; optional google.protobuf.Duration e = 5; }
message B { optional A again = 1; }"""


def test_fields_are_as_their_labels_say():
    schema = parsed(TEXT, "PROTOBUF")
    first, second = protobuf_shapes(schema.file, schema._pool)
    assert isinstance(first, Struct)
    assert isinstance(second, Struct)
    number = Scalar("int")
    assert [(one.name, one.shape, one.default) for one in first.fields] == [
        ("a", number, NO_DEFAULT),
        ("b", Nullable(number), None),
        ("c", ListOf(second), []),
        ("d", Nullable(MapOf(Scalar("string"), ANY)), None),
        ("e", Nullable(Scalar("string")), None),
    ]
    assert second.fields[0].shape == Nullable(first)


def test_a_file_without_messages_has_no_shape():
    schema = parsed('syntax = "proto3"; enum E { A = 0; }', "PROTOBUF")
    assert protobuf_shapes(schema.file, schema._pool) == ()
