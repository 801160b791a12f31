"""Objects one behind the other, in any pieces."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.json_stream import JsonStream, json_objects

TEXTS = st.text('{}"\\\\[]a\xe4', max_size=5)
OBJECTS = st.lists(
    st.dictionaries(TEXTS, st.integers() | TEXTS | st.lists(st.dictionaries(TEXTS, TEXTS))),
    max_size=4,
)


@settings(max_examples=60)
@given(OBJECTS, st.sampled_from([b"", b" ", b"\r\n"]), st.integers(1, 9))
def test_objects_are_the_same_in_whatever_pieces_they_come(values, between, size):
    body = between + between.join(json.dumps(one).encode() for one in values) + between
    stream = JsonStream()
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    assert [one for piece in pieces for one in stream.feed(piece)] == values
    stream.finish()
    assert list(json_objects(body)) == values


@pytest.mark.parametrize("rest", [b"{", b"x", b"[]", b'{"a" 1}', b'{"\xff":1}', b'{"a":"}'])
def test_what_comes_before_a_mistake_is_there(rest):
    objects = json_objects(b' {"a":1}' + rest)
    assert next(objects) == {"a": 1}
    with pytest.raises(HttpError) as error:
        next(objects)
    assert error.value.status == 400


def test_what_is_nested_without_end_is_refused():
    deep = b'{"a":' * 1000 + b"1" + b"}" * 1000
    with pytest.raises(HttpError, match="nested"):
        list(json_objects(deep))
