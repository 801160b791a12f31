"""Keys and values between JSON and bytes."""

import json
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.formats import READERS, WRITERS

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.binary())
def test_bytes_are_base64(data):
    text = b64encode(data).decode()
    assert (WRITERS["BINARY"](text), READERS["BINARY"](data)) == (data, text)


@given(ANY_JSON)
def test_json_is_its_own_text(value):
    data = WRITERS["JSON"](value)
    assert READERS["JSON"](data) == value == json.loads(data)


@pytest.mark.parametrize(
    ("kind", "data"), [("BINARY", "a"), ("BINARY", 1), ("STRING", 1), ("JSON", "\ud800")]
)
def test_data_of_another_kind_is_refused(kind, data):
    with pytest.raises(HttpError) as error:
        WRITERS[kind](data)
    assert error.value.code == 400


def test_a_record_that_is_not_json_does_not_fit_its_reader():
    with pytest.raises(HttpError) as error:
        READERS["JSON"](b"{")
    assert (error.value.status, error.value.code) == (406, 40601)
