"""Whether a set of rules is one: looked at before it is kept, since clients run what they get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.http.messages import HttpError
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = ["ensure_rules"]

NAME_MAX: Final = 64
PAIRS: Final = ("WRITEREAD", "UPDOWN")
"""Modes that are two, and may have two actions."""
IN_DATA: Final = ("WRITE", "READ", "WRITEREAD")
MODES: Final[Mapping[str, tuple[str, ...]]] = {
    "migrationRules": ("UPGRADE", "DOWNGRADE", "UPDOWN"),
    "domainRules": IN_DATA,
    "encodingRules": IN_DATA,
}
KINDS: Final = (None, "TRANSFORM", "CONDITION")


def ensure_rules(rule_set: Mapping[str, Any] | None) -> None:
    """Return where clients can run them, as far as a registry knows; 42210 otherwise."""
    names: set[str] = set()
    for phase, modes in MODES.items():
        rules = (rule_set or {}).get(phase) or []
        if not isinstance(rules, list):
            raise _invalid(f"{phase} is no list")
        for rule in rules:
            name = _ensure_rule(rule, phase, modes)
            if name in names:
                raise _invalid(f"Found rule with duplicate name '{name}'")
            names.add(name)


def _ensure_rule(rule: object, phase: str, modes: tuple[str, ...]) -> str:
    if not isinstance(rule, dict):
        raise _invalid(f"{phase} has what is no rule")
    name = _name_of(rule)
    if not isinstance(rule.get("type"), str):
        raise _invalid(f"Missing rule type of '{name}'")
    if rule.get("kind") not in KINDS:
        raise _invalid(f"The kind of '{name}' is TRANSFORM or CONDITION")
    mode = rule.get("mode") or PAIRS[0]
    if mode not in modes:
        raise _invalid(f"{phase} can only be {', '.join(modes)}, and '{name}' is {mode}")
    for action in (rule.get("onSuccess"), rule.get("onFailure")):
        if mode not in PAIRS and "," in str(action):
            raise _invalid(f"Multiple actions only valid with WRITEREAD and UPDOWN: '{name}'")
    return name


def _name_of(rule: Mapping[str, Any]) -> str:
    name = rule.get("name")
    if not isinstance(name, str) or not name:
        raise _invalid("Missing rule name")
    if len(name) > NAME_MAX:
        raise _invalid(f"Rule name too long: {name[:NAME_MAX]}…")
    is_letter = name[0].isalpha() or name[0] == "_"
    if not is_letter or not all(one.isalnum() or one in "_-" for one in name):
        raise _invalid(f"Illegal character in rule name: {name}")
    return name


def _invalid(text: str) -> HttpError:
    return refuse(Refusal.INVALID_RULES, f"Invalid rule set: {text}")
