"""The names of the forms, for modules that need none of their code."""

from __future__ import annotations

from typing import Final

__all__ = ["FORM_NAMES"]

FORM_NAMES: Final = ("spark", "arrow", "pydantic", "dataclass")
