"""The rules that a schema has for its data, and how they are run before bytes and after them.

A schema's `ruleSet` has domain rules, for values, and encoding rules, for their bytes. Each has a
type, which names what runs it, and a mode: when values are written, when they are read, or both;
what is read is undone in the reverse order. Migration rules bring values from one version to the
next (`UPGRADE`), or back (`DOWNGRADE`). What happens after a rule stands in its `onSuccess` and
`onFailure`: the record is refused (`ERROR`, after failures unless they say other), passed (`NONE`),
or what an action of that name does.

A writer has to be able to run every rule: what ought to be encrypted would be in the open
otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from moldau.platform.quick_dataclass import dataclass
from moldau.schemas.data_errors import DataError
from moldau.schemas.model import SchemaText
from moldau.schemas.parsed import ParsedSchema
from moldau.schemas.tags import matches

__all__ = [
    "CONDITION",
    "DOWNGRADE",
    "READ",
    "RULE_HEADER",
    "UPGRADE",
    "WRITE",
    "Outcome",
    "Record",
    "Rule",
    "RuleAction",
    "RuleExecutor",
    "Rules",
    "Run",
    "RunFor",
    "Scene",
    "migration_of",
    "rules_of",
    "writes_other_bytes",
    "written_conditions",
]

WRITE: Final = "WRITE"
READ: Final = "READ"
BOTH: Final = "WRITEREAD"
DOMAIN: Final = "domainRules"
ENCODING: Final = "encodingRules"
MIGRATION: Final = "migrationRules"
UPGRADE: Final = "UPGRADE"
DOWNGRADE: Final = "DOWNGRADE"
UP_AND_DOWN: Final = "UPDOWN"
PAIRED: Final[Mapping[str, tuple[str, str]]] = {
    BOTH: (WRITE, READ),
    UP_AND_DOWN: (UPGRADE, DOWNGRADE),
}
"""Modes that are two; their actions may be two, with a comma between."""
BACKWARDS: Final = frozenset((READ, DOWNGRADE))
TRANSFORM: Final = "TRANSFORM"
OF_FIELDS: Final = frozenset(("ENCRYPT", "CEL_FIELD"))
"""Types of which only the first rule for the same tags is run."""
RULE_HEADER: Final = "__rule.name"
"""Of a dead letter: the rule that it failed by, which is not run for it again."""
CONDITION: Final = "CONDITION"
PASSES: Final = "NONE"
REFUSES: Final = "ERROR"
HERE: Final = (None, "", "ALL", "CLIENT")
"""Values of `enableAt` with which clients run the rules, and brokers what is left to check."""
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
    on_success: str
    on_failure: str
    field_tags: Mapping[str, tuple[str, ...]]
    """Of the schema's metadata: patterns of field names, and their tags."""

    def applies(self, mode: str) -> bool:
        return mode in PAIRED.get(self.mode, (self.mode,))

    def action(self, given: str, mode: str) -> str:
        """Of a pair the one for this mode."""
        modes, named = PAIRED.get(self.mode), given.split(",")
        if modes is None or len(named) < len(modes):
            return given.strip()
        return named[modes.index(mode)].strip()

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


class Record(NamedTuple):
    """What rules are run for, as it was before them."""

    topic: str
    data: Any
    """The value that is written, or the bytes that are read."""
    headers: tuple[tuple[str, bytes | None], ...] = ()
    key: object = None
    """Of a value's record, where the serializer is given the key."""

    def failed_by(self, rule: Rule) -> bool:
        """Whether it is a dead letter of this rule."""
        names = [value for name, value in self.headers if name == RULE_HEADER]
        return bool(names) and names[-1] == rule.name.encode()


RunFor = Callable[[Any, Record], Any]
"""The same as `Run`, of a record."""


class Outcome(NamedTuple):
    """How a rule has ended, for the action that follows."""

    rule: Rule
    rules: Sequence[Rule]
    """All that the schema has for its values and their bytes."""
    scene: Scene
    record: Record
    error: DataError | None
    """None after success."""


class RuleAction(Protocol):
    """What `onSuccess` and `onFailure` name beside `ERROR` and `NONE`."""

    @property
    def name(self) -> str: ...

    def run(self, outcome: Outcome) -> None:
        """`DataError` refuses the record; the value goes on as it is otherwise."""
        ...


class Rules(NamedTuple):
    """What is run for one schema and subject."""

    on_values: RunFor | None = None
    on_bytes: RunFor | None = None


def rules_of(
    schema: SchemaText,
    scene: Scene,
    executors: Iterable[RuleExecutor],
    actions: Iterable[RuleAction] = (),
) -> Rules:
    """`DataError` where a rule means nothing."""
    table = _Table(scene, executors, actions)
    return Rules(_chain(schema, table, DOMAIN), _chain(schema, table, ENCODING))


def migration_of(
    schema: SchemaText,
    scene: Scene,
    executors: Iterable[RuleExecutor],
    actions: Iterable[RuleAction] = (),
) -> RunFor | None:
    """To the version with this schema from the one before, or back, by the mode of the scene."""
    return _chain(schema, _Table(scene, executors, actions), MIGRATION)


def writes_other_bytes(schema: SchemaText) -> bool:
    """Whether what is written is no longer what the schema's encoding gives: it is encrypted."""
    return any(rule.applies(WRITE) for rule in _active(schema, ENCODING))


def written_conditions(schema: SchemaText) -> list[Rule]:
    """Those of values that still hold of what has been written.

    A rule that changes values was run by who wrote them, and what was asked before it was asked of
    something else. So of a schema's rules those are left that no such rule stands behind.
    """
    found: list[Rule] = []
    for rule in _active(schema, DOMAIN):
        if not rule.applies(WRITE):
            continue
        if rule.kind == CONDITION:
            found.append(rule)
        else:
            found.clear()
    return [rule for rule in found if rule.action(rule.on_failure or REFUSES, WRITE) != PASSES]


class _Table:
    """What runs the rules, and what acts on what comes of them, by their names."""

    def __init__(
        self, scene: Scene, executors: Iterable[RuleExecutor], actions: Iterable[RuleAction]
    ) -> None:
        self.scene = scene
        self._executors = {name: one for one in executors for name in one.types}
        self._actions = {one.name.upper(): one for one in actions}

    def runner(self, rule: Rule) -> Run:
        executor = self._executors.get(rule.type)
        return _refused if executor is None else executor.runner(rule, self.scene)

    def act(self, name: str, outcome: Outcome) -> None:
        """`DataError` where the record is refused."""
        if name == PASSES:
            return
        action, error = self._actions.get(name), outcome.error
        if action is not None:
            action.run(outcome)
        elif name == REFUSES:
            raise error or DataError("it asks to refuse what succeeds")
        else:
            raise DataError(f"nothing here does its action {name}: give what does in `actions`")


def _chain(schema: SchemaText, table: _Table, phase: str) -> RunFor | None:
    scene = table.scene
    given = {name: _active(schema, name) for name in (DOMAIN, ENCODING, MIGRATION)}
    chosen = _first_of_their_tags([rule for rule in given[phase] if rule.applies(scene.mode)])
    if not chosen:
        return None
    if scene.mode in BACKWARDS:
        chosen.reverse()
    every = [*given[DOMAIN], *given[ENCODING]]
    runs = [_Guarded(rule, every, table) for rule in chosen]

    def run(value: Any, record: Record) -> Any:
        for one in runs:
            value = one(value, record)
        return value

    return run


def _active(schema: SchemaText, phase: str) -> list[Rule]:
    rule_set = schema.rule_set or {}
    if rule_set.get("enableAt") not in HERE:
        return []
    given = rule_set.get(phase) or []
    return [_rule(one, schema) for one in given if not one.get("disabled")]


def _first_of_their_tags(rules: list[Rule]) -> list[Rule]:
    """A field is not changed by two rules for the same tags."""
    seen: set[tuple[str, str, frozenset[str]]] = set()
    found: list[Rule] = []
    for rule in rules:
        place = rule.type, rule.mode, rule.tags
        if rule.kind == TRANSFORM and rule.type in OF_FIELDS and rule.tags:
            if place in seen:
                continue
            seen.add(place)
        found.append(rule)
    return found


class _Guarded:
    """What the rule does, and what happens after it."""

    def __init__(self, rule: Rule, rules: Sequence[Rule], table: _Table) -> None:
        self._rule = rule
        self._rules = rules
        self._table = table
        self._run = table.runner(rule)

    def __call__(self, value: Any, record: Record) -> Any:
        rule = self._rule
        if record.headers and record.failed_by(rule):
            return value
        try:
            found = self._checked(value)
        except DataError as error:
            self._act(rule.on_failure or REFUSES, record, error)
            return value
        self._act(rule.on_success or PASSES, record, None)
        return found

    def _checked(self, value: Any) -> Any:
        if self._run is _refused:
            raise DataError(
                f"it is of the type {self._rule.type}, which nothing here runs: "
                "give what does in `rules`"
            )
        found = self._run(value)
        if self._rule.kind == CONDITION:
            if found is False:
                raise DataError(self._rule.expression or "the condition does not hold")
            return value
        if found is None and value is not None:
            raise DataError("nothing is left of the value")
        return found

    def _act(self, given: str, record: Record, error: DataError | None) -> None:
        scene = self._table.scene
        name = self._rule.action(given, scene.mode)
        try:
            self._table.act(name, Outcome(self._rule, self._rules, scene, record, error))
        except DataError as refusal:
            raise DataError(f"by the rule {self._rule.name!r}: {refusal}") from None


def _refused(value: Any) -> Any:
    """Stands for an executor that is missing."""
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
        str(given.get("onSuccess") or "").upper(),
        str(given.get("onFailure") or "").upper(),
        {pattern: tuple(names) for pattern, names in tags.items()},
    )
