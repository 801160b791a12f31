"""What `$ref` leads to."""

import pytest

from moldau.schemas.json_schema.pointers import Document, nodes_of
from moldau.schemas.model import InvalidSchemaError

ROOT = {
    "$id": "http://shop/order",
    "$defs": {"a/b": {"type": "string"}, "named": {"$anchor": "here", "type": "null"}},
    "allOf": [{"type": "object"}],
}
MONEY = {"definitions": {"amount": {"type": "number"}}, "$id": "money-id"}


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ("#/$defs/a~1b", "string"),
        ("#here", "null"),
        ("#/allOf/0", "object"),
        ("money.json#/definitions/amount", "number"),
        ("money-id#/definitions/amount", "number"),
        ("http://shop/order#/$defs/a~1b", "string"),
    ],
)
def test_a_reference_leads_into_the_document_or_into_its_references(reference, kind):
    document = Document(ROOT, {"money.json": MONEY})
    assert document.follow({"$ref": reference})["type"] == kind


@pytest.mark.parametrize(
    "reference", ["other.json", "#nowhere", "#/$defs/none", "#/allOf/7", "http://127.0.0.1/x"]
)
def test_a_reference_that_leads_nowhere_is_refused(reference):
    with pytest.raises(InvalidSchemaError):
        Document({"properties": {"x": {"$ref": reference}}}, {}).check()


def test_a_reference_to_itself_is_refused():
    with pytest.raises(InvalidSchemaError, match="leads to itself"):
        Document({"$ref": "#"}, {}).check()


def test_values_are_no_schemas():
    assert list(nodes_of({"const": {"$ref": "x"}, "enum": [{}], "default": {}})) == [
        {"const": {"$ref": "x"}, "enum": [{}], "default": {}}
    ]


@pytest.mark.parametrize("index", ["1", "9" * 5000, "²"])
def test_an_index_that_is_not_there_leads_nowhere(index):
    with pytest.raises(InvalidSchemaError, match="leads nowhere"):
        Document(ROOT, {}).follow({"$ref": f"#/allOf/{index}"})
