"""The same orders in three languages, and what is written of them, run as a module."""

from __future__ import annotations

import sys
from types import ModuleType

from moldau.schemas.kinds import language_of

AVRO = """{"type": "record", "name": "Order", "namespace": "shop",
  "doc": "What was 'bought'", "fields": [
  {"name": "id", "type": "long"},
  {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["TEA", "TIN"]},
   "default": "TIN"},
  {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
  {"name": "price", "type":
   {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
  {"name": "lines", "type": {"type": "array", "items":
   {"type": "record", "name": "Line", "fields": [{"name": "what", "type": "string"}]}}},
  {"name": "first", "type": ["null", "Line"], "default": null},
  {"name": "tags", "type": {"type": "map", "values": "double"}, "default": {}},
  {"name": "either", "type": ["int", "string"], "default": 7},
  {"name": "raw", "type": "bytes", "default": "\\u00ff"}]}"""
JSON = """{"title": "Order", "type": "object", "required": ["id", "lines", "first-line"],
  "properties": {
    "id": {"type": "integer"},
    "at": {"type": "string", "format": "date-time"},
    "kind": {"enum": ["tea", "tin"], "default": "tea"},
    "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
    "first-line": {"$ref": "#/$defs/Line"},
    "either": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    "more": {}, "tags": {"type": "object", "additionalProperties": {"type": "number"}},
    "class": {"type": ["boolean", "null"]}},
  "$defs": {"Line": {"type": "object", "required": ["what"], "properties": {
    "what": {"type": "string"}, "below": {"allOf": [{"$ref": "#/$defs/Sub"}]}}},
    "Sub": {"type": "object", "properties": {"count": {"type": "integer", "default": 3}}}}}"""
PROTOBUF = """syntax = "proto3"; package shop;
import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
message Order {
  int64 id = 1; optional string what = 2; repeated Line lines = 3; map<int32, double> tags = 4;
  google.protobuf.Timestamp at = 5; google.protobuf.Int32Value count = 6; Kind kind = 7;
  uint64 large = 8; bytes raw = 9; Line first = 10;
  message Line { string what = 1; bool gift = 2; }
  enum Kind { TEA = 0; TIN = 1; }
}
message Bill { Order order = 1; double sum = 2; }"""


def parsed(text, kind="AVRO"):
    return language_of(kind).parse(text, {})


def shown(text, kind, form):
    return parsed(text, kind).formatted(form)


def module_of(monkeypatch, text):
    """What is written is run as it would be from a file."""
    found = ModuleType("written")
    monkeypatch.setitem(sys.modules, "written", found)
    exec(compile(text, "written", "exec"), vars(found))  # it is what is tested
    return found
