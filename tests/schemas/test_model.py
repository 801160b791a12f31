"""What makes two schemas the same."""

from moldau.schemas.model import Reference, SchemaText, guid_of


def test_a_guid_is_the_same_for_the_same_schema_alone():
    plain = SchemaText('"int"')
    assert guid_of(plain) == guid_of(SchemaText('"int"', metadata={}))
    others = [
        SchemaText('"int"', "JSON"),
        SchemaText('"int"', references=(Reference("a", "b", 1),)),
        SchemaText('"int"', metadata={"tags": {}}),
        SchemaText('"int"', rule_set={"domainRules": []}),
    ]
    assert len({guid_of(one) for one in (plain, *others)}) == 5


def test_the_order_inside_of_metadata_does_not_matter():
    one = SchemaText("{}", metadata={"a": 1, "b": 2})
    assert one.key == SchemaText("{}", metadata={"b": 2, "a": 1}).key
