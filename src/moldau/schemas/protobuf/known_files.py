"""What every schema may import without a reference: files that clients leave out."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from google.protobuf import descriptor_pb2

__all__ = ["known_file"]

GOOGLE: Final = "google/protobuf/"
CONFLUENT: Final = {
    "confluent/meta.proto": "confluent",
    "confluent/type/decimal.proto": "confluent.type",
}
"""Options, which mean nothing here, and a number of any size."""
DECIMAL: Final = (("value", 12), ("precision", 13), ("scale", 5))


def known_file(name: str) -> Any | None:  # a message of Google's package
    if name.startswith(GOOGLE) and name.endswith(".proto"):
        return _of_google(name)
    if name not in CONFLUENT:
        return None
    found = descriptor_pb2.FileDescriptorProto(name=name, package=CONFLUENT[name], syntax="proto3")
    if name.endswith("decimal.proto"):
        message = found.message_type.add(name="Decimal")
        for number, (field, kind) in enumerate(DECIMAL, start=1):
            message.field.add(name=field, number=number, type=kind, label=1)
    return found


def _of_google(name: str) -> Any | None:  # likewise
    stem = name.removeprefix(GOOGLE).removesuffix(".proto")
    if not stem.isidentifier():
        return None
    try:
        module = import_module(f"google.protobuf.{stem}_pb2")
    except ImportError:
        return None
    found = descriptor_pb2.FileDescriptorProto()
    module.DESCRIPTOR.CopyToProto(found)
    return found
