"""How much is written of one schema, which may double at each level when it is spelled out."""

from __future__ import annotations

from typing import Final

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.shapes.model import Struct

__all__ = ["Budget"]

SHAPES_MAX: Final = 20_000
"""A table has some hundred columns; a text of this many is about a megabyte."""
DEPTH_MAX: Final = 200


class Budget:
    """How much the text of one schema may grow into."""

    def __init__(self) -> None:
        self._left = SHAPES_MAX
        self._above: list[Struct] = []

    def take(self, depth: int) -> None:
        """One more shape, so deep below the first."""
        self._left -= 1
        if self._left < 0:
            raise InvalidSchemaError(f"the schema has more than {SHAPES_MAX} parts")
        if depth > DEPTH_MAX:
            raise InvalidSchemaError(f"the schema is nested more than {DEPTH_MAX} deep")

    def enter(self, struct: Struct) -> None:
        """Where a struct is written inside what holds it."""
        if struct in self._above:
            text = f"{struct.name} holds itself, which columns cannot: take dataclass or pydantic"
            raise InvalidSchemaError(text)
        self._above.append(struct)

    def leave(self) -> None:
        self._above.pop()
