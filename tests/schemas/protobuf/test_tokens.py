"""Words of a text."""

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.tokens import tokens_of


def test_comments_and_spaces_are_left_out_and_lines_are_counted():
    found = tokens_of("a /* b\n */ // c\n.d.e = 'f\\'' 1.5e3;")
    assert [token.text for token in found] == ["a", ".d.e", "=", "'f\\''", "1.5e3", ";"]
    assert found[1].line == 3


@pytest.mark.parametrize("text", ["?", "/* open", '"open', "a \x00"])
def test_what_is_no_word_is_refused(text):
    with pytest.raises(InvalidSchemaError, match="means nothing here"):
        tokens_of(text)
