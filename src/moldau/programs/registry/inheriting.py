"""What a new version takes over: from the version before it, and from the settings of its subject.

A schema that comes without metadata has those of the version before it, and one without rules its
rules; one without a text is that schema itself, with other metadata or rules. Settings may have
defaults, which give way to what is given, and overrides, which do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from moldau.schemas.model import SchemaText

__all__ = [
    "inherited",
    "merged_metadata",
    "merged_rules",
    "reserved_fields",
    "versioned",
    "without_version",
]

Part: TypeAlias = Mapping[str, Any] | None
PROPERTIES: Final = "properties"
SENSITIVE: Final = "sensitive"
VERSION: Final = "confluent:version"
"""The property in which a schema has its own version, where that was asked for."""
RESERVED: Final = "confluent:reserved"
"""The property with the names that no field may have, with commas between them."""
NOTHING: Final = SchemaText("")
PHASES: Final = ("migrationRules", "domainRules", "encodingRules")


def inherited(
    given: SchemaText, former: SchemaText | None, config: Mapping[str, Any]
) -> SchemaText:
    """`former` is the newest version that is there; None for the first one."""
    if former is not None and not given.text.strip():
        given = replace(given, text=former.text, kind=former.kind, references=former.references)
    before = former or NOTHING
    metadata = merged_metadata(config.get("defaultMetadata"), given.metadata or before.metadata)
    rules = merged_rules(config.get("defaultRuleSet"), given.rule_set or before.rule_set)
    return replace(
        given,
        metadata=merged_metadata(metadata, config.get("overrideMetadata")),
        rule_set=merged_rules(rules, config.get("overrideRuleSet")),
    )


def merged_metadata(old: Part, new: Part) -> Part:
    """Both together; of what both have the new one's counts."""
    if not old or not new:
        return new or old
    found: dict[str, Any] = {}
    for name in {**old, **new}:
        if name == SENSITIVE:
            found[name] = sorted({*(old.get(name) or ()), *(new.get(name) or ())})
        else:
            found[name] = dict(sorted({**(old.get(name) or {}), **(new.get(name) or {})}.items()))
    return found


def merged_rules(old: Part, new: Part) -> Part:
    """Both together; of two rules with one name the new one, behind the others."""
    if not old or not new:
        return new or old
    found: dict[str, Any] = {}
    for phase in PHASES:
        newer = new.get(phase) or []
        names = {rule.get("name") for rule in newer}
        kept = [rule for rule in old.get(phase) or [] if rule.get("name") not in names]
        if kept or newer:
            found[phase] = [*kept, *newer]
    enabled = new.get("enableAt") or old.get("enableAt")
    return {**found, "enableAt": enabled} if enabled else found


def versioned(schema: SchemaText, version: int, *, is_wanted: bool) -> SchemaText:
    """With its own version, where that is wanted or was so for the version before."""
    metadata = schema.metadata or {}
    properties = metadata.get(PROPERTIES) or {}
    if not is_wanted and VERSION not in properties:
        return schema
    changed = {**properties, VERSION: str(version)}
    return replace(schema, metadata={**metadata, PROPERTIES: changed})


def without_version(schema: SchemaText) -> SchemaText:
    """As it is compared with others."""
    metadata = schema.metadata or {}
    properties = metadata.get(PROPERTIES) or {}
    if VERSION not in properties:
        return schema
    left = {name: text for name, text in properties.items() if name != VERSION}
    others = {name: part for name, part in metadata.items() if name != PROPERTIES}
    return replace(schema, metadata={**others, PROPERTIES: left} if left else others or None)


def reserved_fields(schema: SchemaText) -> frozenset[str]:
    """Names that its fields may not have, nor those of later versions."""
    text = ((schema.metadata or {}).get(PROPERTIES) or {}).get(RESERVED) or ""
    return frozenset(name.strip() for name in str(text).split(",") if name.strip())
