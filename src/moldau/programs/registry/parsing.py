"""Texts of the state to schemas that are understood, their references with them.

What has been parsed is kept for a while: the versions of a subject are compared again and again.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from moldau.programs.registry.lookups import need_version, resolved
from moldau.programs.registry.names import context_of, referenced
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState
from moldau.schemas.kinds import language_of
from moldau.schemas.model import InvalidSchemaError, Reference, SchemaText
from moldau.schemas.parsed import ParsedSchema

__all__ = ["Parser"]

CACHED_MAX: Final = 1000
CHARACTERS_MAX: Final = 4 * 1024 * 1024
"""Of one schema: four times what a record of the topic may have by default."""
REFERENCES_MAX: Final = 1000
"""Of one schema, with all that these refer to."""


class Parser:
    """Parses the schemas of one registry."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, ...], ParsedSchema] = OrderedDict()

    def parse(
        self, state: RegistryState, schema: SchemaText, subject: str, *, as_new: bool = False
    ) -> ParsedSchema:
        """`HttpError` for what is no schema, or refers to what is not there.

        References are meant as `subject`, whose schema it is, means them.

        `as_new`: all that can be checked is checked, and not what readers need.
        """
        if len(schema.text) > CHARACTERS_MAX:
            text = f"The schema has {len(schema.text)} characters, and may have {CHARACTERS_MAX}"
            raise refuse(Refusal.TOO_LARGE, text)
        context = context_of(subject) if schema.references else ""
        key = (context, schema.kind, schema.text, *map(str, schema.references))
        if not as_new and key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        try:
            texts = self._texts(state, schema, subject)
            found = language_of(schema.kind).parse(schema.text, texts, as_new=as_new)
        except InvalidSchemaError as error:
            raise refuse(Refusal.INVALID_SCHEMA, f"Invalid schema: {error}") from None
        except RecursionError:
            text = "Invalid schema: it is nested too deep"
            raise refuse(Refusal.INVALID_SCHEMA, text) from None
        self._known[key] = found
        if len(self._known) > CACHED_MAX:
            self._known.popitem(last=False)
        return found

    def _texts(self, state: RegistryState, schema: SchemaText, subject: str) -> dict[str, str]:
        """The texts of all that it refers to, each after what it refers to itself."""
        found: dict[str, str] = {}
        for reference in schema.references:
            self._collect(state, subject, reference, schema.kind, found, ())
        return found

    def _collect(
        self,
        state: RegistryState,
        referring: str,
        reference: Reference,
        kind: str,
        found: dict[str, str],
        above: tuple[Reference, ...],
    ) -> None:
        if reference in above:
            raise InvalidSchemaError(f"{reference.name} refers to itself")
        if reference.name in found:
            return
        if len(found) + len(above) >= REFERENCES_MAX:
            raise InvalidSchemaError(f"it has more than {REFERENCES_MAX} references")
        subject = resolved(state, referenced(referring, reference.subject))
        stored = need_version(state, subject, reference.version, deleted=True)
        if stored.schema.kind != kind:
            raise InvalidSchemaError(f"the reference {reference.name} is {stored.schema.kind}")
        for below in stored.schema.references:
            self._collect(state, subject, below, kind, found, (*above, reference))
        found[reference.name] = stored.schema.text
