"""Levels of compatibility and modes: of a subject, of its context, or of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.registry.names import DEFAULT_CONTEXT, WHOLE_GLOBAL, context_of
from moldau.programs.registry.records import (
    MODE,
    StoreRecord,
    clear_subject_record,
    mode_record,
    tombstone,
    without_setting,
)
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.rule_sets import ensure_rules
from moldau.programs.registry.state import RegistryState
from moldau.schemas.levels import Level
from moldau.schemas.model import JsonObject

__all__ = [
    "FIELDS",
    "LENIENT",
    "MODES",
    "POLICY",
    "changed_config",
    "config_of",
    "ensure_writable",
    "imports",
    "level_of",
    "mode_of",
    "set_mode",
]

MODES: Final = ("READWRITE", "READONLY", "READONLY_OVERRIDE", "IMPORT", "FORWARD")
IMPORT: Final = "IMPORT"
FORWARD: Final = "FORWARD"
READ_ONLY: Final = ("READONLY", "READONLY_OVERRIDE")
LEVEL: Final = "compatibilityLevel"
POLICY: Final = "compatibilityPolicy"
LENIENT: Final = "LENIENT"
"""Of JSON Schema: a property that is added to an open object breaks nothing."""
FIELDS: Final[Mapping[str, type]] = {
    "alias": str,
    "aliasForDeks": str,
    "normalize": bool,
    "validateFields": bool,
    "validateNewSchemas": bool,
    "validateRules": bool,
    LEVEL: str,
    POLICY: str,
    "compatibilityGroup": str,
    "defaultMetadata": dict,
    "overrideMetadata": dict,
    "defaultRuleSet": dict,
    "overrideRuleSet": dict,
}
"""What a config may have, in the order in which it is stored and shown."""
POLICIES: Final = ("LOGICAL", "STRICT", LENIENT)


def _scopes(subject: str | None) -> tuple[str | None, ...]:
    """Where a setting of a subject is looked for, nearest first."""
    if subject is None:
        return (None, WHOLE_GLOBAL)
    context = context_of(subject)
    whole = f":{context}:"
    if context == DEFAULT_CONTEXT or subject == whole:
        return (subject, None, WHOLE_GLOBAL)
    return (subject, whole, None, WHOLE_GLOBAL)


def config_of(state: RegistryState, subject: str | None, default: Level) -> JsonObject:
    """What holds for a subject, from all of its scopes."""
    found: JsonObject = {LEVEL: default.value}
    for scope in reversed(_scopes(subject)):
        found |= state.configs.get(scope, {})
    return found


def level_of(state: RegistryState, subject: str, default: Level) -> Level:
    return Level(config_of(state, subject, default)[LEVEL])


def mode_of(state: RegistryState, subject: str | None) -> str:
    if state.modes.get(None) == "READONLY_OVERRIDE":
        return "READONLY_OVERRIDE"
    return next(
        (state.modes[scope] for scope in _scopes(subject) if scope in state.modes), MODES[0]
    )


def imports(mode: str) -> bool:
    """Whether ids come from outside: of an import, or of the registry that forwards to this one."""
    return mode in (IMPORT, FORWARD)


def ensure_writable(state: RegistryState, subject: str | None) -> None:
    if mode_of(state, subject) in READ_ONLY:
        shown = "The registry" if subject is None else f"Subject {subject}"
        raise refuse(Refusal.NOT_PERMITTED, f"{shown} is in read-only mode")


def changed_config(
    state: RegistryState, subject: str | None, given: Mapping[str, Any]
) -> JsonObject:
    """What is configured with what is given, and the rest as it is."""
    ensure_writable(state, subject)
    asked = {name: given[name] for name in FIELDS if name in given}
    if "compatibility" in given:
        asked[LEVEL] = given["compatibility"]
    changed = {
        **state.configs.get(subject, {}),
        **{name: _set(name, asked[name]) for name in asked},
    }
    for name in ("defaultRuleSet", "overrideRuleSet"):
        ensure_rules(changed.get(name))
    return {name: changed[name] for name in FIELDS if changed.get(name) is not None}


def _set(name: str, value: object) -> object:
    """None is no setting of its own any more."""
    if value is None:
        return None
    if name == LEVEL:
        return _level(value)
    if not isinstance(value, FIELDS[name]):
        raise refuse(Refusal.INVALID_LEVEL, f"{name} is no {FIELDS[name].__name__}: {value!r}")
    if name == POLICY:
        policy = str(value).upper()
        return policy if policy in POLICIES else None
    return value


def _level(text: object) -> str:
    if isinstance(text, str) and text.upper() in Level.__members__:
        return text.upper()
    levels = ", ".join(level.lower() for level in Level)
    raise refuse(Refusal.INVALID_LEVEL, f"Invalid compatibility level. Valid values are {levels}")


def set_mode(
    state: RegistryState, subject: str | None, mode: object, *, force: bool
) -> list[StoreRecord]:
    """IMPORT lets ids come from outside, so it begins where there are none.

    What is deleted softly there is deleted for good then. None is no mode of its own any more.
    """
    if mode is None:
        return without_setting(MODE, subject)
    if not isinstance(mode, str) or mode.upper() not in MODES:
        raise refuse(Refusal.INVALID_MODE, "Invalid mode. Valid values are " + ", ".join(MODES))
    name = mode.upper()
    if name == FORWARD and subject not in (None, WHOLE_GLOBAL):
        raise refuse(Refusal.INVALID_MODE, "Forward mode only supported on global level")
    if name != IMPORT or force or mode_of(state, subject) == IMPORT:
        return [mode_record(subject, name)]
    found = [one for one in state.all_schemas() if _is_below(one.subject, subject)]
    if any(not one.is_deleted for one in found):
        raise refuse(Refusal.NOT_PERMITTED, "Cannot import since found existing subjects")
    leaving = [tombstone(*one.place) for one in found]
    cleared = [clear_subject_record(subject)] if leaving else []
    return [*leaving, *cleared, mode_record(subject, name)]


def _is_below(subject: str, scope: str | None) -> bool:
    return scope is None or subject == scope or (scope.endswith(":") and subject.startswith(scope))
