"""The table of forms that a schema of any language can be shown in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.shapes.classes import Kind, classes_text
from moldau.schemas.shapes.columns import arrow_text, spark_text
from moldau.schemas.shapes.model import Shape

__all__ = ["FORMS", "shown_as"]

FORMS: Final[Mapping[str, Callable[[Sequence[Shape]], str]]] = {
    "spark": lambda shapes: spark_text(shapes[0]),
    "arrow": lambda shapes: arrow_text(shapes[0]),
    "pydantic": lambda shapes: classes_text(shapes, Kind.PYDANTIC),
    "dataclass": lambda shapes: classes_text(shapes, Kind.DATACLASS),
}
"""Columns are those of what a schema describes first; classes are there for all."""


def shown_as(form: str, shapes: Sequence[Shape]) -> str:
    """The shapes in this form, or `InvalidSchemaError` where it cannot have them."""
    if not shapes:
        raise InvalidSchemaError(f"the schema describes no value that {form} could show")
    try:
        return FORMS[form](shapes)
    except RecursionError:
        raise InvalidSchemaError("the schema is nested too deep") from None
