"""kcat's format strings."""

import pytest

from moldau.client import ConsumerRecord
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_format import Format, unescaped

RECORD = ConsumerRecord("t", 1, 2, 3, b"k", b"v\xff", (("a", b"1"), ("b", None)))


def test_every_token_is_replaced():
    shown = Format(r"%t %p %o %T %k %K %s %S %h %% \x41\t\n").line(RECORD)
    assert shown == b"t 1 2 3 k 1 v\xff 2 a=1,b=NULL % A\t\n"


def test_nulls_have_no_size():
    assert Format("%s|%S", b"NULL").line(RECORD._replace(value=None)) == b"NULL|-1"


def test_a_token_that_is_none_is_refused():
    with pytest.raises(MoldauError, match="%z is no token"):
        Format("%z")


def test_delimiters_are_typed_with_escapes():
    assert [unescaped(text) for text in (r"\t", r"\x0a", "ž")] == [b"\t", b"\n", "ž".encode()]
