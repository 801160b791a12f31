"""Rules in JSONata, which make a new value of a whole one: migrations between versions, mostly.

Values of Avro and JSON Schema are as they are, those of Protobuf in their form as JSON.

A rule comes from any client that may register a schema, so it has an end here: an expression that
takes longer than its time refuses the record, and regular expressions are matched by RE2, in a time
that grows with the text alone. So those with look-ahead and back-references are refused.

It needs `moldau[rules]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.errors import MissingExtraError
from moldau.schemas.data_errors import DataError
from moldau.schemas.rules import Rule, Run, Scene

try:
    import re2
    from jsonata import JException, Jsonata
except ImportError:
    raise MissingExtraError(
        "rules in JSONata need jsonata-python: pip install 'moldau[rules]'"
    ) from None

__all__ = ["JsonataRules", "ensure_expression"]

TIME_MS_MAX: Final = 1_000
"""Of one value; thousands of steps take a few milliseconds."""


class JsonataRules:
    """For `rules` of serializers and deserializers."""

    types = ("JSONATA",)

    def __init__(self, timeout_ms: int = TIME_MS_MAX) -> None:
        """How long an expression may take for one value."""
        self._timeout_ms = timeout_ms

    def __repr__(self) -> str:
        return "<JsonataRules>"

    def runner(self, rule: Rule, scene: Scene) -> Run:
        expression = _read(rule.expression)

        def run(value: object) -> object:
            frame = expression.create_frame(expression.environment)
            frame.set_runtime_bounds(self._timeout_ms, None)  # from now on
            try:
                return _plain(expression.evaluate(value, frame))
            except FAILURES as error:
                raise DataError(f"{rule.expression!r} fails: {error}") from None

        return run


def ensure_expression(text: str) -> None:
    """`DataError` for what cannot be read."""
    _read(text)


def _read(text: str) -> Jsonata:
    try:
        return Jsonata(text, _matcher)
    except (JException, re2.error, ValueError, LookupError) as error:
        raise DataError(f"{text!r} is no expression of JSONata: {error}") from None


FAILURES: Final = (JException, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)


def _matcher(pattern: str, flags: Any) -> object:  # noqa: ANN401  # of packages without types
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not flags.case_insensitive
    return re2.compile(f"(?m){pattern}" if flags.multiline else pattern, options)


def _plain(value: object) -> object:
    """Without JSONata's own kind of lists."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value
