"""The names of the forms, for those who show none of them themselves."""

from __future__ import annotations

from typing import Final

__all__ = ["FORM_NAMES"]

FORM_NAMES: Final = ("spark", "arrow", "pydantic", "dataclass")
