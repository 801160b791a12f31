"""A descriptor's text means the descriptor."""

import pytest

from moldau.schemas.protobuf.pools import resolved
from moldau.schemas.protobuf.printing import proto_text
from tests.schemas.protobuf.sources import MONEY, SOURCES


@pytest.mark.parametrize("text", SOURCES, ids=range(len(SOURCES)))
def test_what_is_printed_is_read_as_the_same(text):
    references = {"money.proto": MONEY}
    file = resolved(text, references).file
    printed = proto_text(file)
    again = resolved(printed, references).file
    assert proto_text(again) == printed
    assert again == file
