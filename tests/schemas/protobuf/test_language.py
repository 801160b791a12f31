"""Protobuf, as the table of languages has it."""

import base64

import pytest
from google.protobuf import descriptor_pb2

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.language import PROTOBUF_LANGUAGE
from tests.schemas.protobuf.sources import MONEY, ORDER

REFERENCES = {"money.proto": MONEY}


def test_a_text_and_its_descriptor_are_the_same_schema():
    schema = PROTOBUF_LANGUAGE.parse(ORDER, REFERENCES)
    serialized = schema.formatted("serialized")
    file = descriptor_pb2.FileDescriptorProto.FromString(base64.b64decode(serialized))
    assert file.message_type[0].name == "Order"
    assert PROTOBUF_LANGUAGE.parse(serialized, REFERENCES).canonical == schema.canonical
    assert repr(schema) == "ProtobufSchema(Order)"


def test_a_text_with_options_of_its_own_is_stored_as_it_is():
    text = "message A { option (mine) = 1; }"
    schema = PROTOBUF_LANGUAGE.parse(text, {})
    assert schema.canonical == text
    assert "mine" not in schema.normalized
    with pytest.raises(InvalidSchemaError, match="has no format"):
        schema.formatted("resolved")
