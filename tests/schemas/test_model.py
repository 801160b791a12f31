"""What makes two schemas the same."""

import pytest

from moldau.schemas.model import Reference, SchemaText, guid_of


def test_a_guid_is_the_same_for_the_same_schema_alone():
    plain = SchemaText('"int"')
    assert guid_of(plain) == guid_of(SchemaText('"int"', metadata={}))
    assert guid_of(plain) == guid_of(SchemaText('"int"', "JSON"))  # as Confluent's registry
    others = [
        SchemaText('"int"', references=(Reference("a", "b", 1),)),
        SchemaText('"int"', metadata={"tags": {}}),
        SchemaText('"int"', rule_set={"domainRules": [{"name": "r"}]}),
    ]
    assert len({guid_of(one) for one in (plain, *others)}) == 4


def test_the_order_inside_of_metadata_does_not_matter():
    one = SchemaText("{}", metadata={"a": 1, "b": 2})
    assert one.key == SchemaText("{}", metadata={"b": 2, "a": 1}).key


def test_a_phase_without_rules_may_be_an_empty_list():
    rules = {"domainRules": [{"name": "r"}]}
    padded = {**rules, "migrationRules": [], "encodingRules": None}
    assert SchemaText("{}", rule_set=padded).key == SchemaText("{}", rule_set=rules).key
    assert guid_of(SchemaText("{}", rule_set={"domainRules": []})) == guid_of(SchemaText("{}"))
    assert guid_of(SchemaText("{}"), has_rules=True) != guid_of(SchemaText("{}"))


def test_a_schema_as_json_is_the_same_one_again():
    whole = SchemaText(
        "{}", "JSON", (Reference("a", "b", 1),), {"tags": {}}, {"domainRules": [{"name": "r"}]}
    )
    assert list(whole.as_json()) == ["schemaType", "references", "metadata", "ruleSet", "schema"]
    assert SchemaText.of_json(whole.as_json()) == whole
    assert SchemaText("{}").as_json("text") == {"schema": "text"}
    for broken in ({}, {"schema": "{}", "references": [{"name": "a"}]}):
        with pytest.raises(KeyError):
            SchemaText.of_json(broken)
