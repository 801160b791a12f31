"""A broker in the same process finds what was registered, also by another registry."""

from __future__ import annotations

import asyncio

from moldau.programs.registry.known import RegistrySchemas
from moldau.schemas.model import SchemaText, guid_of
from tests.programs.registry.asked import record


def found(ask, schema):
    return asyncio.run(RegistrySchemas(ask.state, ask.store.read_to_end).find(schema))


def test_a_schema_is_found_with_its_subjects_by_its_id_and_guid(ask):
    text = record("a")
    for subject in ("one", "two", "gone"):
        ask.register(subject, text)
    ask("DELETE", "/subjects/gone")
    known = found(ask, 1)
    assert known.subjects == {"one", "two"}
    assert (known.record_name, known.parsed.canonical) == ("R", text.replace(" ", ""))
    assert found(ask, guid_of(SchemaText(known.parsed.canonical))).subjects == known.subjects
    assert ask.store.looks >= 2


def test_rules_come_with_the_schema(ask):
    rules = {"domainRules": [{"name": "r", "type": "CEL", "kind": "CONDITION", "expr": "true"}]}
    ask.register("one", record("a"), ruleSet=rules)
    assert found(ask, 1).schema.rule_set["domainRules"][0]["expr"] == "true"


def test_what_is_not_there_is_none(ask):
    assert found(ask, 7) is None
    assert found(ask, "0" * 32) is None
