"""From the version that a value was written with to the one that it is read with, by their rules.

Each version's migration rules are about the step to it from the version before: `UPGRADE` on the
way up, `DOWNGRADE` on the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moldau.client.schemas.calls import RegisteredSchema, RegistryError
from moldau.client.schemas.registry import RegistryClient
from moldau.schemas.model import SchemaText
from moldau.schemas.rules import (
    DOWNGRADE,
    UPGRADE,
    Record,
    RuleAction,
    RuleExecutor,
    RunFor,
    Scene,
    migration_of,
)

__all__ = ["find_migration"]

NOT_THERE = 404


def find_migration(
    registry: RegistryClient,
    subject: str,
    written: SchemaText,
    wanted: RegisteredSchema,
    executors: Iterable[RuleExecutor],
    actions: Iterable[RuleAction] = (),
) -> RunFor | None:
    """None where no step has rules; `DataError` for a rule that means nothing."""
    first = registry.ask(lambda calls: calls.look_up(subject, written, deleted=True))
    mode = UPGRADE if first.version < wanted.version else DOWNGRADE
    scene = Scene(registry.parsed(wanted.schema), subject, mode)
    given = tuple(executors), tuple(actions)
    found = [
        migration_of(schema, scene, *given)
        for schema in _steps(registry, subject, first.version, wanted.version)
    ]
    steps = [step for step in found if step is not None]
    if not steps:
        return None

    def run(value: object, record: Record) -> object:
        for step in steps:
            value = step(value, record)
        return value

    return run


def _steps(registry: RegistryClient, subject: str, first: int, last: int) -> Iterator[SchemaText]:
    """The schemas whose rules hold on the way; versions that are gone for good have none."""
    numbers = range(first + 1, last + 1) if first < last else range(first, last, -1)
    for number in numbers:
        try:
            yield registry.version(subject, number).schema
        except RegistryError as error:
            if error.status != NOT_THERE:
                raise
