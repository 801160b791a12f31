"""Ids as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.log.uuid_text import uuid_from_text, uuid_to_text


def test_an_id_is_22_characters_of_base64url():
    assert uuid_to_text(bytes(15) + b"\1") == "AAAAAAAAAAAAAAAAAAAAAQ"
    assert uuid_from_text("AAAAAAAAAAAAAAAAAAAAAQ") == bytes(15) + b"\1"
    assert uuid_from_text("_" * 21 + "w") == b"\xff" * 16


@given(st.binary(min_size=16, max_size=16))
def test_what_is_written_is_read(identity):
    text = uuid_to_text(identity)
    assert len(text) == 22
    assert uuid_from_text(text) == identity


@pytest.mark.parametrize(
    "text",
    ["", "AAAA", "A" * 23, "A" * 22 + "==", "AAAAAAAAAAAAAAAAAAAA A", "A" * 21 + "B", "ä" * 22],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="is no id"):
        uuid_from_text(text)
