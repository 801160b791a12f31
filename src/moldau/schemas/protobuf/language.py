"""Protobuf behind the table of languages."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.parsed import Difference, ParsedSchema, no_format
from moldau.schemas.protobuf.pools import resolved
from moldau.schemas.protobuf.printing import proto_text
from moldau.schemas.protobuf.wire_rules import proto_differences

__all__ = ["PROTOBUF_LANGUAGE", "ProtobufLanguage", "ProtobufSchema"]

PROTOBUF: Final = "PROTOBUF"


class ProtobufSchema:
    """One file."""

    def __init__(self, file: Any, text: str, *, has_others: bool) -> None:  # noqa: ANN401  # of Google's package
        self.file = file
        self._printed = proto_text(file)
        self._text = text if has_others else self._printed

    def __repr__(self) -> str:
        messages = ", ".join(message.name for message in self.file.message_type)
        return f"ProtobufSchema({messages})"

    @property
    def canonical(self) -> str:
        """As it was written where it has options that a descriptor does not keep."""
        return self._text

    @property
    def normalized(self) -> str:
        return self._printed

    def formatted(self, name: str) -> str:
        """`serialized` is the descriptor in base64."""
        if name == "serialized":
            return base64.b64encode(self.file.SerializeToString()).decode()
        if name in ("", "default", "ignore_extensions"):
            return self.canonical
        raise no_format(name, PROTOBUF)


class ProtobufLanguage:
    """The line of the table."""

    name: Final = PROTOBUF

    def parse(self, text: str, references: Mapping[str, str]) -> ProtobufSchema:
        file, has_others = resolved(text, references)
        return ProtobufSchema(file, text, has_others=has_others)

    def differences(self, reader: ParsedSchema, writer: ParsedSchema) -> list[Difference]:
        assert isinstance(reader, ProtobufSchema)
        assert isinstance(writer, ProtobufSchema)
        return proto_differences(reader.file, writer.file)


PROTOBUF_LANGUAGE: Final = ProtobufLanguage()
