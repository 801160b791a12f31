"""What is registered: a text in a language, with references, metadata and rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["AVRO", "InvalidSchemaError", "JsonObject", "Reference", "SchemaText", "guid_of"]

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


def guid_of(schema: SchemaText) -> str:
    """The same wherever this schema is registered."""
    digest = hashlib.md5("\1".join(schema.key).encode(), usedforsecurity=False).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


def _ordered(value: Mapping[str, Any] | None) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":")) if value else ""
