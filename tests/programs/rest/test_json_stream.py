"""Values one behind the other, in any pieces of space."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.json_stream import json_objects

VALUES = st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5)))


@settings(max_examples=30)
@given(VALUES, st.sampled_from([b"", b" ", b"\r\n"]))
def test_values_behind_each_other_are_read_one_by_one(values, between):
    body = between + between.join(json.dumps(one).encode() for one in values) + between
    assert list(json_objects(body)) == values


@pytest.mark.parametrize("rest", [b"{", b"x", b"\xff", b"[" * 1000])
def test_what_comes_before_a_mistake_is_there(rest):
    objects = json_objects(b'{"a":1}' + rest) if rest != b"\xff" else json_objects(rest)
    if rest != b"\xff":
        assert next(objects) == {"a": 1}
    with pytest.raises(HttpError) as error:
        next(objects)
    assert error.value.status == 400
