"""Rules in Google's Common Expression Language, for values (`CEL`) and their fields (`CEL_FIELD`).

An expression may have a guard in front, `guard ; expression`: where that does not hold, the value
passes. It sees the value as `message`, and one of a field as `value`, with its `name`, `fullName`,
`typeName`, `tags`, and its record as `message`; `now` is the time. A condition refuses what is
false; of a transformation the result is taken.

It needs `moldau[rules]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from moldau.client.schemas.rules import CONDITION, Rule, Run, Scene
from moldau.errors import MissingExtraError
from moldau.platform.ports.clock import Clock
from moldau.platform.system.clock import SystemClock
from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import Field, ParsedSchema

try:
    import celpy
    from celpy import celtypes

    from moldau.schemas.cel_functions import FUNCTIONS
    from moldau.schemas.cel_values import from_cel, moment_to_cel, to_cel
except ImportError:
    raise MissingExtraError("rules in CEL need cel-python: pip install 'moldau[rules]'") from None

__all__ = ["CelRules"]

OF_FIELDS: Final = "CEL_FIELD"
GUARD_END: Final = ";"
SCALARS: Final = frozenset(("STRING", "BYTES", "INT", "LONG", "FLOAT", "DOUBLE", "BOOLEAN", "NULL"))
Names = Mapping[str, Any]
Evaluate = Callable[[Names], Any]


class CelRules:
    """For `rules` of serializers and deserializers."""

    types = ("CEL", OF_FIELDS)

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()

    def __repr__(self) -> str:
        return "<CelRules>"

    def runner(self, rule: Rule, scene: Scene) -> Run:
        if not rule.expression.strip():
            raise DataError(f"the rule {rule.name!r} has no expression")
        expression = _Expression(rule.expression, self._clock)
        if rule.type == OF_FIELDS:
            return _of_fields(rule, scene.parsed, expression)
        return _of_values(rule, scene.parsed, expression)


class _Expression:
    """With its guard; made once for each schema."""

    def __init__(self, text: str, clock: Clock) -> None:
        guard, found, rest = text.partition(GUARD_END)
        self._guard = _program(guard) if found and guard.strip() else None
        self._run = _program(rest if found else text)
        self._has_now = "now" in text
        self.has_message = "message" in text
        self._clock = clock

    def holds(self, names: Names) -> bool:
        """As a condition; also where it does not apply."""
        names = self._with_time(names)
        return not self._applies(names) or bool(self._run(names))

    def changed(self, value: Any, names: Names) -> Any:  # noqa: ANN401
        names = self._with_time(names)
        return from_cel(self._run(names)) if self._applies(names) else value

    def _applies(self, names: Names) -> bool:
        return self._guard is None or bool(self._guard(names))

    def _with_time(self, names: Names) -> Names:
        if not self._has_now:
            return names
        return {**names, "now": moment_to_cel(self._clock.now_ms())}


def _of_values(rule: Rule, parsed: ParsedSchema, expression: _Expression) -> Run:
    def run(value: Any) -> Any:  # noqa: ANN401
        whole = _shaped(parsed, value)
        names = {"message": to_cel(whole)}
        if rule.kind == CONDITION:
            return expression.holds(names)
        return _shaped(parsed, expression.changed(value, names))

    return run


def _of_fields(rule: Rule, parsed: ParsedSchema, expression: _Expression) -> Run:
    is_condition = rule.kind == CONDITION

    def change(field: Field, value: Any) -> Any:  # noqa: ANN401
        if field.kind not in SCALARS or not rule.wants(field.name, field.tags):
            return value
        names = _names_of(field, value, has_message=expression.has_message)
        if not is_condition:
            return expression.changed(value, names)
        if not expression.holds(names):
            raise DataError(f"{field.name} does not have {rule.expression}")
        return value

    def run(value: Any) -> Any:  # noqa: ANN401
        found = parsed.changed(value, change)
        return is_condition or found

    return run


def _names_of(field: Field, value: Any, *, has_message: bool) -> Names:  # noqa: ANN401
    return {
        "value": to_cel(value),
        "name": celtypes.StringType(field.name.rpartition(".")[2]),
        "fullName": celtypes.StringType(field.name),
        "typeName": celtypes.StringType(field.kind),
        "tags": celtypes.ListType([celtypes.StringType(tag) for tag in sorted(field.tags)]),
        "message": to_cel(field.holder) if has_message else None,
    }


def _shaped(parsed: ParsedSchema, value: Any) -> Any:  # noqa: ANN401
    """Of Protobuf as a message, so that fields with their default are there."""
    return parsed.changed(value, lambda _, one: one) if parsed.has_indexes else value


def _program(text: str) -> Evaluate:
    try:
        environment = celpy.Environment()
        program = environment.program(environment.compile(text), functions=FUNCTIONS)
    except celpy.CELParseError as error:
        raise DataError(f"{text.strip()!r} is no expression of CEL: {error}") from None

    def evaluate(names: Names) -> Any:  # noqa: ANN401
        try:
            return program.evaluate(dict(names))
        except (celpy.CELEvalError, TypeError, ValueError, LookupError, ArithmeticError) as error:
            raise DataError(f"{text.strip()!r} cannot be evaluated: {error}") from None

    return evaluate
