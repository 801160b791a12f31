"""Names resolved: a descriptor among the files that it imports, checked by Google's package."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message import DecodeError

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.declarations import read_text
from moldau.schemas.protobuf.known_files import known_file
from moldau.schemas.protobuf.numbering import ensure_numbering

__all__ = ["Resolved", "read", "resolved"]

Proto = Any
OWN_NAME: Final = "default"
_BASE64: Final = re.compile(r"[A-Za-z0-9+/\s]+={0,2}\s*")


class Resolved(NamedTuple):
    """A file among those that it imports."""

    file: Proto
    """With whole names."""
    pool: Proto
    has_others: bool
    """Whether there are options that a descriptor does not have."""


def resolved(text: str, references: Mapping[str, str]) -> Resolved:
    """The descriptor of the text, or `InvalidSchemaError`."""
    files = {name: read(other, name)[0] for name, other in references.items()}
    file, has_others = read(text, OWN_NAME)
    file.name = OWN_NAME
    pool = descriptor_pool.DescriptorPool()
    added: set[str] = set()
    try:
        for dependency in file.dependency:
            _add(pool, dependency, files, added, ())
        pool.Add(file)
        found = descriptor_pb2.FileDescriptorProto()
        pool.FindFileByName(OWN_NAME).CopyToProto(found)
    except (TypeError, ValueError, KeyError) as error:
        raise InvalidSchemaError(_reason(error)) from None
    ensure_numbering(found)
    return Resolved(found, pool, has_others)


def read(text: str, name: str) -> tuple[Proto, bool]:
    """A text of the language, or a descriptor in base64."""
    if not text.strip() or not _BASE64.fullmatch(text):
        return read_text(text, name)
    found = descriptor_pb2.FileDescriptorProto()
    try:
        found.ParseFromString(base64.b64decode(text, validate=False))
    except (binascii.Error, ValueError, DecodeError):
        raise InvalidSchemaError("it is neither a .proto text nor a descriptor") from None
    found.name = name
    return found, False


def _add(
    pool: Proto, name: str, files: Mapping[str, Proto], added: set[str], above: tuple[str, ...]
) -> None:
    """What it imports comes first."""
    if name in added:
        return
    if name in above:
        raise InvalidSchemaError(f"{name} imports itself")
    file = files.get(name) or known_file(name)
    if file is None:
        raise InvalidSchemaError(f'the import "{name}" is not among the references')
    for dependency in file.dependency:
        _add(pool, dependency, files, added, (*above, name))
    file.name = name
    pool.Add(file)
    added.add(name)


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.removeprefix("Couldn't build proto file into descriptor pool: ") or "it is wrong"
