"""Rules in JSONata, which make a new value of a whole one: migrations between versions, mostly.

Values of Avro and JSON Schema are as they are, those of Protobuf in their form as JSON.

It needs `moldau[rules]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moldau.client.schemas.rules import Rule, Run, Scene
from moldau.errors import MissingExtraError
from moldau.schemas.data_errors import DataError

try:
    from jsonata import JException, Jsonata
except ImportError:
    raise MissingExtraError(
        "rules in JSONata need jsonata-python: pip install 'moldau[rules]'"
    ) from None

__all__ = ["JsonataRules"]


class JsonataRules:
    """For `rules` of serializers and deserializers."""

    types = ("JSONATA",)

    def __repr__(self) -> str:
        return "<JsonataRules>"

    def runner(self, rule: Rule, scene: Scene) -> Run:
        try:
            expression = Jsonata(rule.expression)
        except (JException, ValueError, LookupError) as error:
            raise DataError(f"{rule.expression!r} is no expression of JSONata: {error}") from None

        def run(value: Any) -> Any:  # noqa: ANN401
            try:
                return _plain(expression.evaluate(value))
            except (JException, ArithmeticError, TypeError, ValueError, RecursionError) as error:
                raise DataError(f"{rule.expression!r} fails: {error}") from None

        return run


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Without JSONata's own kind of lists."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value
