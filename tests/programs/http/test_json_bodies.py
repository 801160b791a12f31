"""JSON that is taken, and JSON that is not."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.programs.http.json_bodies import (
    compact_encoder,
    ensure_shallow,
    error_response,
    json_body,
    json_text,
)
from moldau.programs.http.messages import HttpError, Request


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[1]", b"null", b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"]
)
def test_what_is_no_object_of_json_is_refused(body):
    with pytest.raises(HttpError) as refused:
        json_body(Request("POST", "/", body=body))
    assert refused.value.status == 400


def test_brackets_inside_of_texts_are_not_depth():
    ensure_shallow(json.dumps(["[" * 500, '"{' * 500, "\\" * 7 + "["]))
    with pytest.raises(ValueError, match="nested more than 200 deep"):
        ensure_shallow("[" * 201 + "]" * 201)


@settings(max_examples=60, deadline=None)
@given(st.text('[{"\\\\a', max_size=6), st.sampled_from([150, 200, 201, 250]), st.integers(1, 60))
def test_depth_is_that_of_the_document_whatever_its_texts_are(text, depth, count):
    document = "[" * depth + ",".join([json.dumps(text)] * count) + "]" * depth
    pair = f"[{json.dumps(text)},{document}]"
    if depth < 200:
        ensure_shallow(pair)
    else:
        with pytest.raises(ValueError, match="nested more than 200 deep"):
            ensure_shallow(pair)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_texts_of_json_are_what_python_writes(value):
    assert json_text(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_a_python_without_the_quick_encoder_writes_the_same(monkeypatch):
    monkeypatch.setattr(json.encoder, "c_make_encoder", None)
    assert compact_encoder()({"a": [1, "ä"]}) == '{"a":[1,"ä"]}' == json_text({"a": [1, "ä"]})


def test_an_error_is_a_body_with_its_code():
    response = error_response(HttpError(404, "gone", 40401), "text/json")
    assert (response.status, response.media_type) == (404, "text/json")
    assert json.loads(response.body) == {"error_code": 40401, "message": "gone"}
