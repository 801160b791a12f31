"""Whether the expressions of rules can be read: looked at where `validateRules` is set.

Confluent's registry keeps that setting and leaves expressions to its clients, which find out with
the first record. Here what cannot be read is refused with the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from moldau.errors import MissingExtraError
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.schemas.data_errors import DataError

__all__ = ["ensure_expressions"]

PHASES: Final = ("migrationRules", "domainRules", "encodingRules")
READERS: Final[Mapping[str, str]] = {
    "CEL": "moldau.schemas.cel",
    "CEL_FIELD": "moldau.schemas.cel",
    "JSONATA": "moldau.client.schemas.jsonata",
}
"""Imported with the first such rule: they need packages that a registry may be without."""
CHARACTERS_MAX: Final = 4096
"""Of one expression: it is compiled while others wait."""


def ensure_expressions(rule_set: Mapping[str, Any] | None) -> None:
    """Return where all of a set that is one can be read; 42210 otherwise."""
    for phase in PHASES:
        for rule in (rule_set or {}).get(phase) or ():
            reader = READERS.get(str(rule.get("type")))
            if reader is not None:
                _ensure(rule, reader)


def _ensure(rule: Mapping[str, Any], reader: str) -> None:
    text = rule.get("expr")
    if not isinstance(text, str) or not text.strip():
        raise _invalid(rule, "it has no expression")
    if len(text) > CHARACTERS_MAX:
        raise _invalid(rule, f"its expression has more than {CHARACTERS_MAX} characters")
    try:
        import_module(reader).ensure_expression(text)
    except (DataError, MissingExtraError) as error:
        raise _invalid(rule, str(error)) from None
    except RecursionError:
        raise _invalid(rule, "its expression is nested too deep") from None


def _invalid(rule: Mapping[str, Any], text: str) -> HttpError:
    return refuse(Refusal.INVALID_RULES, f"Invalid rule set: rule '{rule.get('name')}': {text}")
