"""Avro behind the table of languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.avro.changing import changed_avro
from moldau.schemas.avro.encoding import AvroEncoder
from moldau.schemas.avro.json_form import avro_json_decoder, avro_of_json
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.avro.reading_rules import avro_differences
from moldau.schemas.avro.resolving import avro_decoder
from moldau.schemas.avro.types import NAMED, AvroType
from moldau.schemas.avro.writing import avro_text
from moldau.schemas.model import AVRO
from moldau.schemas.parsed import (
    ChangeField,
    Decode,
    Difference,
    Encode,
    Encoded,
    ParsedSchema,
    no_format,
)
from moldau.schemas.shapes.forms import FORMS, shown_as
from moldau.schemas.shapes.of_avro import avro_shape

__all__ = ["AVRO_LANGUAGE", "AvroLanguage", "AvroSchema"]


class AvroSchema:
    """One schema; types of its references are in it by their names alone."""

    def __init__(self, kind: AvroType, referenced: frozenset[str]) -> None:
        self.type = kind
        self._referenced = referenced

    def __repr__(self) -> str:
        return f"AvroSchema({self.type.shown})"

    @property
    def canonical(self) -> str:
        return avro_text(self.type, written=self._referenced)

    @property
    def normalized(self) -> str:
        return avro_text(self.type, written=self._referenced, without_order=True)

    def formatted(self, name: str) -> str:
        """`resolved` spells out the references too."""
        if name == "resolved":
            return avro_text(self.type)
        if name in ("", "default"):
            return self.canonical
        if name in FORMS:
            return shown_as(name, (avro_shape(self.type),))
        raise no_format(name, AVRO)

    @property
    def record_name(self) -> str | None:
        return self.type.full_name if self.type.kind in NAMED else None

    @property
    def field_names(self) -> frozenset[str]:
        return frozenset(field.name for field in self.type.fields)

    @property
    def has_indexes(self) -> bool:
        return False

    def record_name_of(self, value: Any) -> str | None:
        return self.record_name

    def record_name_in(self, data: bytes) -> str | None:
        return self.record_name

    def encoder(self) -> Encode:
        encode = AvroEncoder(self.type).encode
        return lambda value: Encoded(encode(value))

    def decoder(self, reader: ParsedSchema | None = None) -> Decode:
        assert reader is None or isinstance(reader, AvroSchema)
        return avro_decoder(self.type, None if reader is None else reader.type).decode

    def bounded_decoder(self) -> Decode:
        return self.decoder()

    def changed(self, value: Any, change: ChangeField) -> Any:
        return changed_avro(self.type, value, change)

    def payload_start(self, data: bytes) -> int:
        return 0

    def json_encoder(self) -> Encode:
        encode, change = AvroEncoder(self.type).encode, avro_of_json(self.type)
        return lambda value: Encoded(encode(change(value)))

    def json_decoder(self) -> Decode:
        return avro_json_decoder(self.type).decode


class AvroLanguage:
    """The line of the table."""

    name: Final = AVRO

    def parse(self, text: str, references: Mapping[str, str], *, as_new: bool = True) -> AvroSchema:
        return AvroSchema(*parse_avro(text, references, as_new=as_new))

    def differences(
        self, reader: ParsedSchema, writer: ParsedSchema, *, lenient: bool = False
    ) -> list[Difference]:
        assert isinstance(reader, AvroSchema)
        assert isinstance(writer, AvroSchema)
        return avro_differences(reader.type, writer.type)


AVRO_LANGUAGE: Final = AvroLanguage()
