"""The rules that a schema has for its data, and how they are run before bytes and after them.

A schema's `ruleSet` has domain rules, for values, and encoding rules, for their bytes. Each has a
type, which names what runs it, and a mode: when values are written, when they are read, or both;
what is read is undone in the reverse order. What a rule does when it fails is its `onFailure`: the
record is refused (`ERROR`, which is the default), or passed as it is (`NONE`).

Who writes has to be able to run every rule: what ought to be encrypted would be in the open
otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from moldau.platform.quick_dataclass import dataclass
from moldau.schemas.data_errors import DataError
from moldau.schemas.model import SchemaText
from moldau.schemas.parsed import ParsedSchema
from moldau.schemas.tags import matches

__all__ = ["READ", "WRITE", "Rule", "RuleExecutor", "Rules", "Run", "Scene", "rules_of"]

WRITE: Final = "WRITE"
READ: Final = "READ"
BOTH: Final = "WRITEREAD"
DOMAIN: Final = "domainRules"
ENCODING: Final = "encodingRules"
CONDITION: Final = "CONDITION"
PASSES: Final = "NONE"
REFUSES: Final = "ERROR"
HERE: Final = (None, "", "ALL", "CLIENT")
"""Values of `enableAt` with which clients run the rules."""
Run = Callable[[Any], Any]
"""Of a value, or of its bytes; `DataError` where it fails."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, and what its parameters are where it has none itself."""

    name: str
    type: str
    kind: str
    mode: str
    tags: frozenset[str]
    expression: str
    parameters: Mapping[str, str]
    on_failure: str
    field_tags: Mapping[str, tuple[str, ...]]
    """Of the schema's metadata: patterns of field names, and their tags."""

    def applies(self, mode: str) -> bool:
        return self.mode in (mode, BOTH)

    def is_passed(self, mode: str) -> bool:
        """Whether data go on as they are where it fails; it may differ for writing and reading."""
        actions = [one.strip() for one in self.on_failure.split(",")]
        return actions[-1 if mode == READ else 0] == PASSES

    def wants(self, field: str, inline: Iterable[str]) -> bool:
        """Whether it is about this field; a rule without tags is about all."""
        if not self.tags or not self.tags.isdisjoint(inline):
            return True
        return any(
            not self.tags.isdisjoint(names) and matches(pattern, field)
            for pattern, names in self.field_tags.items()
        )


class Scene(NamedTuple):
    """What a rule is run for."""

    parsed: ParsedSchema
    subject: str
    mode: str


class RuleExecutor(Protocol):
    """Runs the rules of one type."""

    @property
    def types(self) -> tuple[str, ...]: ...

    def runner(self, rule: Rule, scene: Scene) -> Run:
        """Made once for each schema; `DataError` for a rule that means nothing."""
        ...


class Rules(NamedTuple):
    """What is run for one schema and subject."""

    on_values: Run | None = None
    on_bytes: Run | None = None


def rules_of(schema: SchemaText, scene: Scene, executors: Iterable[RuleExecutor]) -> Rules:
    """`DataError` where what a rule needs is missing."""
    if not schema.rule_set:
        return Rules()
    if schema.rule_set.get("enableAt") not in HERE:
        return Rules()
    known = {name: one for one in executors for name in one.types}
    return Rules(*(_chain(schema, scene, known, phase) for phase in (DOMAIN, ENCODING)))


def _chain(
    schema: SchemaText, scene: Scene, known: Mapping[str, RuleExecutor], phase: str
) -> Run | None:
    given = (schema.rule_set or {}).get(phase) or []
    rules = [_rule(one, schema) for one in given if not one.get("disabled")]
    chosen = [rule for rule in rules if rule.applies(scene.mode)]
    if not chosen:
        return None
    if scene.mode == READ:
        chosen.reverse()
    runs = [_guarded(rule, known, scene) for rule in chosen]

    def run(value: Any) -> Any:  # noqa: ANN401
        for one in runs:
            value = one(value)
        return value

    return run


def _guarded(rule: Rule, known: Mapping[str, RuleExecutor], scene: Scene) -> Run:
    """What the rule does, and what happens where it fails."""
    passes = rule.is_passed(scene.mode)
    executor = known.get(rule.type)
    if executor is None:
        if passes:
            return _same
        raise DataError(
            f"its rule {rule.name!r} is of the type {rule.type}, which nothing here runs: "
            "give what does in `rules`"
        )
    run = executor.runner(rule, scene)

    def guarded(value: Any) -> Any:  # noqa: ANN401
        try:
            found = run(value)
            if rule.kind == CONDITION:
                if found is False:
                    raise DataError(rule.expression or "the condition does not hold")
                return value
        except DataError as error:
            if passes:
                return value
            raise DataError(f"by the rule {rule.name!r}: {error}") from None
        return found

    return guarded


def _same(value: Any) -> Any:  # noqa: ANN401
    return value


def _rule(given: Mapping[str, Any], schema: SchemaText) -> Rule:
    metadata = schema.metadata or {}
    tags = metadata.get("tags") or {}
    return Rule(
        str(given.get("name", "")),
        str(given.get("type", "")).upper(),
        str(given.get("kind") or "TRANSFORM").upper(),
        str(given.get("mode") or BOTH).upper(),
        frozenset(given.get("tags") or ()),
        str(given.get("expr") or ""),
        {**(metadata.get("properties") or {}), **(given.get("params") or {})},
        str(given.get("onFailure") or REFUSES).upper(),
        {pattern: tuple(names) for pattern, names in tags.items()},
    )
