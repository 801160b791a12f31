"""The rules of a schema that a broker judges itself: conditions in CEL, of what has been written.

A producer runs the rules of a schema before it writes, or does not. A broker sees what came of it:
it judges the conditions that no changing rule stands behind (`written_conditions`), of the types
`CEL` and `CEL_FIELD`. What else there is, encryption, JSONata and types of one's own, is left to
clients, and so is a payload that an encoding rule has changed.

An evaluation is bounded by its steps, for schemas are registered by strangers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.broker.server.produce.schemas.frames import (
    ERRORS_MAX,
    UNREADABLE,
    Records,
    payloads_of,
)
from moldau.platform.ports.clock import Clock
from moldau.protocol.records.refusals import RecordError
from moldau.schemas.data_errors import DataError
from moldau.schemas.known import KnownSchema
from moldau.schemas.parsed import Decode
from moldau.schemas.rules import WRITE, Rule, Run, Scene, written_conditions

__all__ = ["Check", "Reader", "broken", "check_of"]

CEL: Final = "moldau.schemas.cel"
"""It needs an extra, and is imported with the first rule."""
TYPES: Final = frozenset(("CEL", "CEL_FIELD"))
STEPS_MAX: Final = 2_000
"""Of one rule and one record: tens of milliseconds; a comparison takes a hundredth of them."""
Check: TypeAlias = Callable[[Any], None]
"""`DataError` for a value that breaks a rule."""


class Reader(NamedTuple):
    """What values of one schema are read and checked with."""

    decode: Decode
    check: Check | None


def check_of(known: KnownSchema, clock: Clock) -> Check | None:
    """None where there is nothing to check; `MissingExtraError` where CEL cannot be run here."""
    schema, parsed = known.schema, known.parsed
    if schema is None or parsed is None:
        return None
    rules = [rule for rule in written_conditions(schema) if rule.type in TYPES]
    if not rules:
        return None
    executor = import_module(CEL).CelRules(clock, steps_max=STEPS_MAX)
    scene = Scene(parsed, "", WRITE)
    runs = [(rule, _runner(executor.runner, rule, scene)) for rule in rules]

    def check(value: object) -> None:
        for rule, run in runs:
            try:
                holds = run(value)
            except DataError as error:
                raise DataError(f"breaks the rule {rule.name!r}: {error}") from None
            if holds is False:
                raise DataError(f"breaks the rule {rule.name!r}: {rule.expression}")

    return check


def _runner(make: Callable[[Rule, Scene], Run], rule: Rule, scene: Scene) -> Run:
    try:
        return make(rule, scene)
    except DataError as error:
        reason = error.reason

    def refuse(value: object) -> None:
        raise DataError(reason)

    return refuse


def broken(
    records: Records, keys: Mapping[bytes, Reader], values: Mapping[bytes, Reader]
) -> Generator[None, None, list[RecordError]]:
    """The first records that cannot be read or break a rule, with others between records."""
    found: list[RecordError] = []
    for part in payloads_of(records, keys, values):
        reason = _reason((keys if part.is_key else values)[part.prefix], part.payload)
        if reason:
            found.append(
                RecordError(part.record_index, f"the {'key' if part.is_key else 'value'} {reason}")
            )
            if len(found) == ERRORS_MAX:
                break
        yield
    return found


def _reason(reader: Reader, payload: bytes) -> str:
    try:
        value = reader.decode(payload)
    except UNREADABLE as error:
        return f"cannot be read by its schema: {error}"
    try:
        if reader.check is not None:
            reader.check(value)
    except DataError as error:
        return str(error)
    return ""
