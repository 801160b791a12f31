"""Keys and values that are packed numbers."""

import pytest

from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_packed import packed_by

DATA = b"\xff\x02\x03\x04rest"


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        ("b B", b"-1 2"),
        ("<h h", b"767 1027"),
        (">H", b"65282"),
        ("i", b"-16645372"),
        ("I s", b"4278321924 rest"),
        ("q$", b"-71491326450502796"),
        ("Q", b"18375252747259048820"),
        ("bbbbcc", b"-1234re"),
    ],
)
def test_each_token_takes_its_bytes(tokens, shown):
    assert packed_by([tokens])["value"].text(DATA) == shown


def test_keys_and_values_may_have_their_own():
    found = packed_by(["s", "key=b"])
    assert (found["key"].text(DATA), found["value"].text(DATA)) == (b"-1", DATA)


@pytest.mark.parametrize(
    ("tokens", "why"), [("qb", "is cut short: 1 bytes"), ("b$", "has 7 bytes more")]
)
def test_bytes_that_are_not_packed_so_are_named(tokens, why):
    with pytest.raises(MoldauError, match=why):
        packed_by([tokens])["key"].text(DATA)


@pytest.mark.parametrize(
    ("given", "why"),
    [("z", "'z' is no token"), ("body=b", "write key=… or value=…"), ("avro", "moldau schema")],
)
def test_what_is_no_format_is_refused(given, why):
    with pytest.raises(MoldauError, match=why):
        packed_by([given])
