"""The words of a .proto text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from moldau.schemas.model import InvalidSchemaError

__all__ = ["Token", "tokens_of"]

TOKENS_MAX: Final = 500_000
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?))
    |(?P<name>\.?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<sign>[{}\[\]()<>;:,=+-])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    kind: str
    text: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """All of it but spaces and comments; or `InvalidSchemaError`."""
    found: list[Token] = []
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise InvalidSchemaError(f"line {line}: {text[at : at + 20]!r} means nothing here")
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup or "", match[0], line))
        if len(found) > TOKENS_MAX:
            raise InvalidSchemaError(f"it has more than {TOKENS_MAX} words")
        line += match[0].count("\n")
        at = match.end()
    return found
