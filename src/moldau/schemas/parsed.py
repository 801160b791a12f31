"""What a language answers about one schema, and how it names what breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from moldau.platform.quick_dataclass import dataclass
from moldau.schemas.model import InvalidSchemaError

__all__ = [
    "INLINE_TAGS",
    "ChangeField",
    "Decode",
    "Difference",
    "Encode",
    "Encoded",
    "Field",
    "Language",
    "ParsedSchema",
    "UnknownFormatError",
    "no_format",
]


class UnknownFormatError(InvalidSchemaError):
    """The language has no form of that name."""


class Encoded(NamedTuple):
    """A value as bytes."""

    payload: bytes
    indexes: bytes = b""
    """Of Protobuf: which message of the file it is."""


INLINE_TAGS: Final = "confluent:tags"
"""The property of a field that has its tags."""


class Field(NamedTuple):
    """Where a value stands that rules may be about."""

    name: str
    """Its full name."""
    tags: frozenset[str]
    """Those that the schema gives it, not those of its metadata."""
    kind: str
    """The value's type, as Confluent's rules name it: `STRING`, `LONG`, …"""
    holder: Any
    """The record, message or object that has the field, as it was before."""


ChangeField: TypeAlias = Callable[[Field, Any], Any]
"""Of a field, and one value in it."""
Encode: TypeAlias = Callable[[Any], Encoded]
Decode: TypeAlias = Callable[[bytes], Any]
"""Of indexes and payload in one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One reason why a reader with one schema cannot read what was written with another."""

    rule: str
    """As Confluent's registry names it."""
    path: str
    description: str
    info: str = ""

    def __str__(self) -> str:
        extra = f", additionalInfo:'{self.info}'" if self.info else ""
        return f"{{errorType:'{self.rule}', description:'{self.description}'{extra}}}"


class ParsedSchema(Protocol):
    """A schema that is known to be one."""

    @property
    def canonical(self) -> str:
        """The text that is stored."""
        ...

    @property
    def normalized(self) -> str:
        """The same text for all schemas that mean the same."""
        ...

    @property
    def record_name(self) -> str | None:
        """The full name of what it describes first, which subjects may be named after."""
        ...

    @property
    def field_names(self) -> frozenset[str]:
        """Of what it describes first, those of the outermost fields."""
        ...

    @property
    def has_indexes(self) -> bool:
        """Whether indexes in front of a payload say which of its messages it is."""
        ...

    def record_name_of(self, value: Any) -> str | None:
        """The full name of what this value is; `DataError` for what cannot be a value."""
        ...

    def record_name_in(self, data: bytes) -> str | None:
        """The same of indexes and payload in one; `DataError` where there is no such message."""
        ...

    def formatted(self, name: str) -> str:
        """Its text in another form, or `UnknownFormatError` where there is none of that name."""
        ...

    def encoder(self) -> Encode:
        """What writes values by it; `DataError` for what is none."""
        ...

    def decoder(self, reader: ParsedSchema | None = None) -> Decode:
        """What reads values that were written by it, as `reader` has them where one is given."""
        ...

    def bounded_decoder(self) -> Decode:
        """The same with a bound on its time, for schemas and values of strangers."""
        ...

    def changed(self, value: Any, change: ChangeField) -> Any:
        """A copy of a value of this schema with its fields as `change` gives them back."""
        ...

    def payload_start(self, data: bytes) -> int:
        """Where the payload begins behind the indexes."""
        ...

    def json_encoder(self) -> Encode:
        """What writes values that are JSON, in the form that the language has for it."""
        ...

    def json_decoder(self) -> Decode:
        """What reads values as that JSON."""
        ...


class Language(Protocol):
    """One line of the table of languages."""

    name: str

    def parse(
        self, text: str, references: Mapping[str, str], *, as_new: bool = True
    ) -> ParsedSchema:
        """Parse it, with the texts of its references by their names; or `InvalidSchemaError`.

        The references stand in the order in which they can be parsed. What is not new has been
        registered, maybe by another registry: Avro's names and defaults are not checked again.
        """
        ...

    def differences(
        self, reader: ParsedSchema, writer: ParsedSchema, *, lenient: bool = False
    ) -> list[Difference]:
        """Why what `writer` wrote cannot be read with `reader`; nothing where it can.

        `lenient`: objects of JSON Schema are taken to have only the properties that are named.
        """
        ...


def no_format(name: str, language: str) -> UnknownFormatError:
    return UnknownFormatError(f"{language} has no format {name!r}")
