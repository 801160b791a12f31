"""What requests bring, looked at."""

import pytest

from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.bodies import (
    ensure_known,
    field_of,
    maybe_field,
    number_in_path,
    object_body,
    objects_of,
)

BODY = {"n": 1, "t": "x", "b": True, "l": [{}], "none": None}


def status_of(call):
    with pytest.raises(HttpError) as error:
        call()
    return error.value.status


def test_fields_have_their_types():
    assert (field_of(BODY, "n", int), field_of(BODY, "b", bool)) == (1, True)
    assert (maybe_field(BODY, "none", int), maybe_field(BODY, "no", str)) == (None, None)
    assert (objects_of(BODY, "l"), objects_of(BODY, "no", may_lack=True)) == ([{}], [])


@pytest.mark.parametrize(("name", "kind"), [("b", int), ("n", str), ("n", bool), ("no", int)])
def test_a_field_of_another_type_is_refused(name, kind):
    assert status_of(lambda: field_of(BODY, name, kind)) == 400


def test_a_number_without_end_and_a_list_of_no_objects_are_refused():
    assert status_of(lambda: field_of({"n": 2**63}, "n", int)) == 400
    assert status_of(lambda: objects_of({"l": [1]}, "l")) == 400


def test_a_body_is_an_object_of_json():
    typed = {"content-type": "application/json; charset=utf-8"}
    assert object_body(Request("POST", "/", headers=typed, body=b'{"a":1}')) == {"a": 1}
    assert status_of(lambda: object_body(Request("POST", "/", body=b"[]"))) == 400
    other = Request("POST", "/", headers={"content-type": "text/plain"}, body=b"{}")
    assert status_of(lambda: object_body(other)) == 415
    assert status_of(lambda: object_body(Request("POST", "/", body=b" "))) == 422


def test_a_field_that_there_is_not_is_refused_by_its_name():
    ensure_known({"a": 1}, frozenset("ab"))
    with pytest.raises(HttpError, match="Unrecognized field: c") as error:
        ensure_known({"a": 1, "d": 1, "c": 1}, frozenset("ab"))
    assert error.value.code == 422


@pytest.mark.parametrize("text", ["x", "-1", "4294967296", "\u0663"])
def test_what_is_no_number_in_a_path_is_not_there(text):
    request = Request("GET", "/", parameters={"id": text})
    assert status_of(lambda: number_in_path(request, "id", "Broker")) == 404
