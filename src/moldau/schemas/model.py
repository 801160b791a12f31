"""What is registered: a text in a language, with references, metadata and rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = [
    "AVRO",
    "InvalidSchemaError",
    "JsonObject",
    "Reference",
    "SchemaText",
    "guid_of",
    "guid_text",
]

JsonObject: TypeAlias = dict[str, Any]
AVRO: Final = "AVRO"


class InvalidSchemaError(MoldauError):
    """It is no schema of its language."""


class Reference(NamedTuple):
    """Another schema that this one uses, under a name of its own."""

    name: str
    subject: str
    version: int

    @classmethod
    def of_json(cls, found: Mapping[str, Any]) -> Reference:
        return cls(str(found["name"]), str(found["subject"]), int(found["version"]))

    def as_json(self) -> JsonObject:
        return {"name": self.name, "subject": self.subject, "version": self.version}


@dataclass(frozen=True, slots=True)
class SchemaText:
    """As clients give it, and as it is stored."""

    text: str
    kind: str = AVRO
    references: tuple[Reference, ...] = ()
    metadata: Mapping[str, Any] | None = None
    """Tags, properties, and which of those are secret."""
    rule_set: Mapping[str, Any] | None = None

    @classmethod
    def of_json(cls, found: Mapping[str, Any]) -> SchemaText:
        """As a registry writes it; `KeyError`, `TypeError` or `ValueError` where it is none."""
        return cls(
            str(found["schema"]),
            str(found.get("schemaType") or AVRO),
            tuple(Reference.of_json(one) for one in found.get("references") or ()),
            found.get("metadata") or None,
            found.get("ruleSet") or None,
        )

    def as_json(self, text: str | None = None) -> JsonObject:
        """As the topic and HTTP have it; `text` stands in place of its own."""
        found: JsonObject = {}
        if self.kind != AVRO:
            found["schemaType"] = self.kind
        if self.references:
            found["references"] = [one.as_json() for one in self.references]
        if self.metadata:
            found["metadata"] = dict(self.metadata)
        if self.rule_set:
            found["ruleSet"] = dict(self.rule_set)
        found["schema"] = self.text if text is None else text
        return found

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for what is the same schema."""
        return (
            self.kind,
            self.text,
            *(f"{name}\0{subject}\0{version}" for name, subject, version in self.references),
            _ordered(self.metadata),
            _ordered(_filled(self.rule_set)),
        )


def _filled(rule_set: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Clients send empty lists for phases without rules, or leave them out."""
    found = {name: rules for name, rules in (rule_set or {}).items() if rules not in ([], None)}
    return found or None


def guid_of(schema: SchemaText, *, has_metadata: bool = False, has_rules: bool = False) -> str:
    """The same wherever this schema is registered, by Confluent's registry, too.

    So a registry that takes over another's topic finds what headers of records name. There it
    counts whether there is metadata, and a set of rules, which are both empty.
    """
    parts = _hashed(schema, has_metadata=has_metadata, has_rules=has_rules)
    return guid_text(hashlib.md5(b"".join(parts), usedforsecurity=False).digest())


def guid_text(data: bytes) -> str:
    """Of 16 bytes."""
    digits = data.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _hashed(schema: SchemaText, *, has_metadata: bool, has_rules: bool) -> Iterator[bytes]:
    yield _bytes(schema.text)
    for name, subject, version in schema.references:
        yield _bytes(name) + _bytes(subject) + (version & 0xFFFF_FFFF).to_bytes(4, "big")
    if schema.metadata or has_metadata:
        yield b"\1"
        yield from _hashed_metadata(schema.metadata or {})
    rule_set = _filled(schema.rule_set)
    if rule_set or has_rules:
        yield b"\1"
        yield from _hashed_rules(rule_set or {})


def _hashed_metadata(metadata: Mapping[str, Any]) -> Iterator[bytes]:
    for name, tags in sorted((metadata.get("tags") or {}).items()):
        yield _bytes(name)
        yield from map(_bytes, sorted(set(tags)))
    for name, value in sorted((metadata.get("properties") or {}).items()):
        yield _bytes(name) + _bytes(value)
    yield from map(_bytes, sorted(set(metadata.get("sensitive") or ())))


def _hashed_rules(rule_set: Mapping[str, Any]) -> Iterator[bytes]:
    for phase in ("migrationRules", "domainRules", "encodingRules"):
        for rule in rule_set.get(phase) or ():
            yield from _hashed_rule(rule)
    yield _bytes(rule_set.get("enableAt"))


def _hashed_rule(rule: Mapping[str, Any]) -> Iterator[bytes]:
    given = {"kind": "TRANSFORM", "mode": "WRITEREAD"} | {
        name: value for name, value in rule.items() if value is not None
    }
    yield from (_bytes(given.get(name)) for name in ("name", "doc", "kind", "mode", "type"))
    yield from map(_bytes, sorted(set(given.get("tags") or ())))
    for name, value in sorted((given.get("params") or {}).items()):
        yield _bytes(name) + _bytes(value)
    yield from (_bytes(given.get(name)) for name in ("expr", "onSuccess", "onFailure"))
    if given.get("disabled"):
        yield b"\1"


def _bytes(value: object) -> bytes:
    """As Java has it; what is no text is what JSON makes of it."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value)
    return text.encode("utf-8", "replace")


def _ordered(value: Mapping[str, Any] | None) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":")) if value else ""
