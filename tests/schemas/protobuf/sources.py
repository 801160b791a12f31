"""Texts of .proto files, and what Google's compiler makes of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

MONEY = 'syntax = "proto3"; package shop; message Money { int64 cents = 1; }'
ORDER = """// an order
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "money.proto";
option java_package = "x.y"; option optimize_for = SPEED;
message Order {
  int64 id = 1;
  optional string what = 2 [deprecated = true];
  Money price = 3; /* what it costs */
  map<string, Item> some_items = 4;
  oneof which { string a = 5; bytes b = 6; }
  google.protobuf.Timestamp at = 7;
  repeated int32 numbers = 8 [packed = false, json_name = "n"];
  reserved 10, 12 to 14; reserved "old", "older";
  message Item { Kind kind = 1; Order again = 2; }
  enum Kind { option allow_alias = true; NONE = 0; SOME = 1; MANY = 1 [deprecated = true]; }
}
service Orders { rpc Get (stream Order) returns (Order) { option deprecated = true; } }
"""
OLD = """syntax = "proto2";
package old.shop;
message Order {
  required int64 id = 1;
  optional string what = 2 [default = "t\\"ea"];
  optional double price = 3 [default = 1.5];
  optional bool gift = 4 [default = true];
  optional Kind kind = 0x5 [default = B];
  optional int32 count = 6 [default = -7];
  repeated .old.shop.Order parts = 7;
  extensions 100 to max;
  enum Kind { A = 0; B = -1; reserved 5 to 7; }
}
extend Order { optional string note = 100; }
"""
NO_PACKAGE = "message A { optional B b = 1; message B {} } message B {}"
SOURCES = (ORDER, OLD, NO_PACKAGE, MONEY, "", 'syntax = "proto3"; enum E { E_0 = 0; }')


def compiled(text):
    """The descriptor of Google's compiler."""
    protoc = pytest.importorskip("grpc_tools.protoc", reason="grpcio-tools is not installed")
    include = Path(protoc.__file__).parent / "_proto"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "money.proto").write_text(MONEY)
        (place / "default").write_text(text)
        out = place / "out"
        code = protoc.main(
            ["protoc", f"-I{folder}", f"-I{include}", f"--descriptor_set_out={out}", "default"]
        )
        assert code == 0, text
        found = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    return found.file[0]
