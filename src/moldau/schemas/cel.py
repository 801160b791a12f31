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

from moldau.errors import MissingExtraError
from moldau.platform.ports.clock import Clock
from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import Field, ParsedSchema
from moldau.schemas.rules import CONDITION, Rule, Run, Scene

try:
    import celpy
    from celpy import celtypes

    from moldau.schemas.cel_functions import FUNCTIONS
    from moldau.schemas.cel_values import from_cel, moment_to_cel, to_cel
except ImportError:
    raise MissingExtraError("rules in CEL need cel-python: pip install 'moldau[rules]'") from None

__all__ = ["CelRules", "ensure_expression"]

OF_FIELDS: Final = "CEL_FIELD"
GUARD_END: Final = ";"
SCALARS: Final = frozenset(("STRING", "BYTES", "INT", "LONG", "FLOAT", "DOUBLE", "BOOLEAN", "NULL"))
FAILURES: Final = (
    celpy.CELEvalError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError,
    DataError,
)  # fmt: skip
"""Of an expression for one value; the last are ours."""
Names = Mapping[str, Any]
Evaluate = Callable[[Names], Any]


def ensure_expression(text: str) -> None:
    """`DataError` for what cannot be read."""
    _parts_of(text, None)


class CelRules:
    """Runs rules of both types, with the time of a clock."""

    types = ("CEL", OF_FIELDS)

    def __init__(self, clock: Clock, *, steps_max: int | None = None) -> None:
        """One evaluation fails after so many steps, for servers that run a stranger's rule."""
        self._clock = clock
        self._steps_max = steps_max

    def __repr__(self) -> str:
        return "<CelRules>"

    def runner(self, rule: Rule, scene: Scene) -> Run:
        if not rule.expression.strip():
            raise DataError(f"the rule {rule.name!r} has no expression")
        expression = _Expression(rule.expression, self._clock, self._steps_max)
        if rule.type == OF_FIELDS:
            return _of_fields(rule, scene.parsed, expression)
        return _of_values(rule, scene.parsed, expression)


class _Expression:
    """With its guard; made once for each schema."""

    def __init__(self, text: str, clock: Clock, steps_max: int | None) -> None:
        self._guard, self._run = _parts_of(text, steps_max)
        self._has_now = "now" in text
        self.has_message = "message" in text
        self._clock = clock

    def holds(self, names: Names) -> bool:
        """As a condition; also where it does not apply."""
        names = self._with_time(names)
        return not self._applies(names) or bool(self._run(names))

    def changed(self, value: Any, names: Names) -> Any:
        names = self._with_time(names)
        return from_cel(self._run(names)) if self._applies(names) else value

    def _applies(self, names: Names) -> bool:
        return self._guard is None or bool(self._guard(names))

    def _with_time(self, names: Names) -> Names:
        if not self._has_now:
            return names
        return {**names, "now": moment_to_cel(self._clock.now_ms())}


def _parts_of(text: str, steps_max: int | None) -> tuple[Evaluate | None, Evaluate]:
    """Its guard and what is behind it."""
    guard, found, rest = text.partition(GUARD_END)
    guarded = _program(guard, steps_max) if found and guard.strip() else None
    return guarded, _program(rest if found else text, steps_max)


def _of_values(rule: Rule, parsed: ParsedSchema, expression: _Expression) -> Run:
    def run(value: Any) -> Any:
        whole = _shaped(parsed, value)
        names = {"message": to_cel(whole)}
        if rule.kind == CONDITION:
            return expression.holds(names)
        return _shaped(parsed, expression.changed(value, names))

    return run


def _of_fields(rule: Rule, parsed: ParsedSchema, expression: _Expression) -> Run:
    is_condition = rule.kind == CONDITION

    def change(field: Field, value: Any) -> Any:
        if field.kind not in SCALARS or not rule.wants(field.name, field.tags):
            return value
        names = _names_of(field, value, has_message=expression.has_message)
        if not is_condition:
            return expression.changed(value, names)
        if not expression.holds(names):
            raise DataError(f"{field.name} does not have {rule.expression}")
        return value

    def run(value: Any) -> Any:
        found = parsed.changed(value, change)
        return is_condition or found

    return run


def _names_of(field: Field, value: Any, *, has_message: bool) -> Names:
    return {
        "value": to_cel(value),
        "name": celtypes.StringType(field.name.rpartition(".")[2]),
        "fullName": celtypes.StringType(field.name),
        "typeName": celtypes.StringType(field.kind),
        "tags": celtypes.ListType([celtypes.StringType(tag) for tag in sorted(field.tags)]),
        "message": to_cel(field.holder) if has_message else None,
    }


def _shaped(parsed: ParsedSchema, value: Any) -> Any:
    """Of Protobuf as a message, so that fields with their default are there."""
    return parsed.changed(value, lambda _, one: one) if parsed.has_indexes else value


class _Steps:
    """How many parts of an expression may still be looked at."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise DataError("it takes too many steps")


class _Bounded(celpy.evaluation.Evaluator):  # type: ignore[misc]
    """Takes a step for each part, also in the macros that go over a list."""

    def __init__(self, ast: Any, activation: Any, steps: _Steps) -> None:
        super().__init__(ast, activation)
        self._steps = steps

    def sub_evaluator(self, ast: Any) -> _Bounded:
        return _Bounded(ast, self.activation, self._steps)

    def visit(self, tree: Any) -> Any:
        self._steps.take()
        return super().visit(tree)

    def visit_children(self, tree: Any) -> Any:
        self._steps.take()
        return super().visit_children(tree)


def _program(text: str, steps_max: int | None) -> Evaluate:
    try:
        environment = celpy.Environment()
        program = environment.program(environment.compile(text), functions=FUNCTIONS)
    except celpy.CELParseError as error:
        raise DataError(f"{text.strip()!r} is no expression of CEL: {error}") from None

    def evaluate(names: Names) -> Any:
        try:
            if steps_max is None:
                return program.evaluate(dict(names))
            bounded = _Bounded(program.ast, program.new_activation(), _Steps(steps_max))
            return bounded.evaluate(dict(names))
        except FAILURES as error:
            raise DataError(f"{text.strip()!r} cannot be evaluated: {error}") from None

    return evaluate
