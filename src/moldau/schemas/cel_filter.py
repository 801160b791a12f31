"""Conditions in CEL on records, as kafbat UI's filters are written.

    record.value.amount > 100 && record.headers['source'] == 'shop'

A record has `key` and `value` (of a JSON object its members, or else the text), `keyAsText` and
`valueAsText`, `headers`, `partition`, `offset` and `timestampMs`; of a key or a value that is null
there is none, which `has(record.key)` asks. Numbers of different types are compared by what they
are, and texts have the functions of CEL's extension for them.

It needs `moldau[rules]`.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from moldau.errors import MissingExtraError
from moldau.schemas.data_errors import DataError

try:
    import celpy
    from celpy import celtypes

    from moldau.schemas.cel_values import to_cel
except ImportError:
    raise MissingExtraError("filters in CEL need cel-python: pip install 'moldau[rules]'") from None

__all__ = ["FilteredRecord", "RecordFilter", "UnfitFilterError"]

FAILURES: Final = (
    celpy.CELEvalError, TypeError, ValueError, LookupError, ArithmeticError,
)  # fmt: skip
"""Of an expression for one record."""
MISSING: Final = "no such member in mapping:"
UNDECLARED: Final = "undeclared reference to "
NUMBERS: Final = (celtypes.IntType, celtypes.UintType, celtypes.DoubleType)
REASON_LETTERS: Final = 200
TOO_DEEP: Final = "The filter is nested too deeply"


class UnfitFilterError(DataError):
    """The expression is none, or fits no record at all."""


class FilteredRecord(NamedTuple):
    """What a filter sees of a record; texts, or None for null."""

    partition: int
    offset: int
    timestamp_ms: int
    key: str | None
    value: str | None
    headers: Mapping[str, str | None]


class RecordFilter:
    """One expression, for many records."""

    def __init__(self, text: str) -> None:
        """`UnfitFilterError` for what cannot be read."""
        self._text = text.strip()
        try:
            environment = celpy.Environment()
            tree = environment.compile(self._text)
            self._program = environment.program(tree, functions=FUNCTIONS)
        except celpy.CELParseError as error:
            place = "" if error.line is None else f" at line {error.line}, column {error.column}"
            raise UnfitFilterError(f"The filter is no expression of CEL{place}") from None
        except RecursionError:
            raise UnfitFilterError(TOO_DEEP) from None

    def __repr__(self) -> str:
        return f"<RecordFilter {self._text!r}>"

    def holds(self, record: FilteredRecord) -> bool:
        """`DataError` where it cannot be evaluated for this one, as where a member is missing."""
        try:
            found = self._program.evaluate({"record": _shown(record)})
        except RecursionError:
            raise UnfitFilterError(TOO_DEEP) from None
        except FAILURES as error:
            reason = str(error.args[0] if error.args else error)
            if UNDECLARED in reason:
                name = reason.partition(UNDECLARED)[2].partition(" (")[0]
                raise UnfitFilterError(f"The filter has {name}, which there is not") from None
            raise DataError(_plain(reason)) from None
        if not isinstance(found, celtypes.BoolType):
            raise UnfitFilterError(
                f"The filter gives a {type(found).__name__.removesuffix('Type')}, and has to be "
                "true or false: compare it with something"
            )
        return bool(found)


def _plain(reason: str) -> str:
    """Without names of the evaluator's own classes."""
    if "overload" in reason:
        return "its members or their types are others than the filter asks for"
    return reason.replace(MISSING, "it has no member")[:REASON_LETTERS]


def _shown(record: FilteredRecord) -> Any:  # CEL's own types
    headers = {name: text for name, text in record.headers.items() if text is not None}
    found: dict[str, object] = {
        "partition": record.partition,
        "offset": record.offset,
        "timestampMs": record.timestamp_ms,
        "headers": headers,
    }
    for name, text in (("key", record.key), ("value", record.value)):
        if text is not None:
            found |= {name: _members(text), f"{name}AsText": text}
    return to_cel(found)


def _members(text: str) -> object:
    """Of a JSON object; anything else is text."""
    if text.lstrip()[:1] != "{":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _compared(
    compare: Callable[[Any, Any], Any], usual: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    """Numbers by what they are, whatever their types; the rest as CEL does."""

    def answer(one: Any, other: Any) -> Any:
        if isinstance(one, NUMBERS) and isinstance(other, NUMBERS):
            plain = [float(x) if isinstance(x, float) else int(x) for x in (one, other)]
            return celtypes.BoolType(compare(*plain))
        return usual(one, other)

    return answer


def _alike(usual: Callable[[Any, Any], Any], *, where_not: bool) -> Callable[[Any, Any], Any]:
    """Values of types that cannot be compared differ."""

    def answer(one: Any, other: Any) -> Any:
        try:
            return usual(one, other)
        except TypeError:
            return celtypes.BoolType(where_not)

    return answer


def _text(value: object) -> Any:
    if not isinstance(value, str):
        raise TypeError("it is asked of a text")
    return str(value)


def _of_text(made: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a text and of what stands between its brackets."""

    def answer(text: object, *given: Any) -> Any:
        return to_cel(made(_text(text), *given))

    return answer


def _ascii(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "".join(change(one) if one.isascii() else one for one in text)


BASE: Final = celpy.evaluation.base_functions
FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "_<_": _compared(operator.lt, BASE["_<_"]),
    "_<=_": _compared(operator.le, BASE["_<=_"]),
    "_>_": _compared(operator.gt, BASE["_>_"]),
    "_>=_": _compared(operator.ge, BASE["_>=_"]),
    "_==_": _compared(operator.eq, _alike(BASE["_==_"], where_not=False)),
    "_!=_": _compared(operator.ne, _alike(BASE["_!=_"], where_not=True)),
    "charAt": _of_text(lambda text, at: text[at : at + 1]),
    "indexOf": _of_text(lambda text, part, *start: text.find(part, *start)),
    "lastIndexOf": _of_text(lambda text, part: text.rfind(part)),
    "lowerAscii": _of_text(_ascii(str.lower)),
    "upperAscii": _of_text(_ascii(str.upper)),
    "replace": _of_text(lambda text, old, new, *most: text.replace(old, new, *most)),
    "split": _of_text(lambda text, sign, *most: text.split(sign, *(n - 1 for n in most))),
    "substring": _of_text(lambda text, start, *end: text[start : end[0] if end else None]),
    "trim": _of_text(str.strip),
    "reverse": _of_text(lambda text: text[::-1]),
    "join": lambda texts, *sign: to_cel((_text(sign[0]) if sign else "").join(map(_text, texts))),
}
