"""What a language answers about one schema, and how it names what breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from moldau.platform.quick_dataclass import dataclass
from moldau.schemas.model import InvalidSchemaError

__all__ = ["Difference", "Language", "ParsedSchema", "no_format"]


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

    def formatted(self, name: str) -> str:
        """Its text in another form, or `InvalidSchemaError` where there is none of that name."""
        ...


class Language(Protocol):
    """One line of the table of languages."""

    name: str

    def parse(self, text: str, references: Mapping[str, str]) -> ParsedSchema:
        """Parse it, with the texts of its references by their names; or `InvalidSchemaError`.

        The references stand in the order in which they can be parsed.
        """
        ...

    def differences(self, reader: ParsedSchema, writer: ParsedSchema) -> list[Difference]:
        """Why what `writer` wrote cannot be read with `reader`; nothing where it can."""
        ...


def no_format(name: str, language: str) -> InvalidSchemaError:
    return InvalidSchemaError(f"{language} has no format {name!r}")
