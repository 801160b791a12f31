"""The table of languages: the type that clients name, and where its language is.

A language is imported when the first schema in it comes: what Protobuf needs is not small.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from moldau.schemas.model import AVRO, InvalidSchemaError
from moldau.schemas.parsed import Language

__all__ = ["KINDS", "language_of"]

_PLACES: Final[Mapping[str, tuple[str, str]]] = {
    AVRO: ("moldau.schemas.avro.language", "AVRO_LANGUAGE"),
    "JSON": ("moldau.schemas.json_schema.language", "JSON_LANGUAGE"),
    "PROTOBUF": ("moldau.schemas.protobuf.language", "PROTOBUF_LANGUAGE"),
}
KINDS: Final = tuple(_PLACES)


def language_of(kind: str) -> Language:
    if kind not in _PLACES:
        raise InvalidSchemaError(f"Invalid schema type {kind}; there are {', '.join(KINDS)}")
    module, name = _PLACES[kind]
    try:
        return cast("Language", getattr(import_module(module), name))
    except ImportError as error:
        raise InvalidSchemaError(
            f"{kind} needs a package that is not installed ({error.name}): install moldau[registry]"
        ) from None
