"""JSON that is taken, and JSON that is not."""

import json

import pytest

from moldau.programs.http.json_bodies import ensure_shallow, error_response, json_body
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


def test_an_error_is_a_body_with_its_code():
    response = error_response(HttpError(404, "gone", 40401), "text/json")
    assert (response.status, response.media_type) == (404, "text/json")
    assert json.loads(response.body) == {"error_code": 40401, "message": "gone"}
