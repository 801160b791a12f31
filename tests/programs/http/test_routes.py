"""Which route answers a path, decoded after it was cut."""

import pytest

from moldau.programs.http.json_bodies import error_response
from moldau.programs.http.messages import HttpError, MethodError, PathError, Request, Response
from moldau.programs.http.routes import Route, Router


def handler(name):
    return lambda _request: Response(name.encode())


TABLE = (
    ("GET", "/"),
    ("GET", "/subjects"),
    ("GET", "/subjects/{subject}/versions/{version}"),
    ("GET", "/subjects/{subject}/versions/latest"),
    ("POST", "/subjects/{subject}"),
    ("GET", "/{other}/x"),
)
ROUTER = Router(Route(method, path, handler(f"{method} {path}")) for method, path in TABLE)


def found(method, path):
    answer, names = ROUTER.find(method, path)
    response = answer(Request(method, path))
    assert isinstance(response, Response)
    return response.body.decode(), names


def test_a_slash_in_a_name_is_part_of_it():
    assert found("GET", "/subjects/a%2Fb%20c/versions/3") == (
        "GET /subjects/{subject}/versions/{version}",
        {"subject": "a/b c", "version": "3"},
    )


def test_a_word_is_preferred_to_a_name():
    assert found("GET", "/subjects/s/versions/latest")[0].endswith("/latest")


def test_a_name_is_tried_where_the_word_leads_nowhere():
    assert found("GET", "/subjects/x") == ("GET /{other}/x", {"other": "subjects"})


def test_head_is_answered_as_get_and_a_last_slash_is_nothing():
    assert found("HEAD", "/subjects/")[0] == "GET /subjects"
    assert found("GET", "/")[0] == "GET /"


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "/nowhere", 404, PathError),
        ("DELETE", "/subjects", 405, MethodError),
        ("GET", "/subjects/a/b/c/d", 404, PathError),
    ],
)
def test_what_is_not_there_is_refused(method, path, status, kind):
    with pytest.raises(HttpError) as refused:
        ROUTER.find(method, path)
    assert (refused.value.status, type(refused.value)) == (status, kind)


def test_the_methods_of_a_path_are_named_to_who_asks_and_to_who_uses_another():
    with pytest.raises(MethodError) as refused:
        ROUTER.find("DELETE", "/subjects")
    named = error_response(refused.value, "application/json").headers
    assert named == {"Allow": "GET,HEAD,OPTIONS"}
    handler, _ = ROUTER.find("OPTIONS", "/subjects")
    answer = handler(Request("OPTIONS", "/subjects"))
    assert isinstance(answer, Response)
    assert (answer.status, answer.headers) == (200, {"Allow": "GET,HEAD,OPTIONS"})
    with pytest.raises(HttpError, match="404"):
        ROUTER.find("OPTIONS", "/nowhere")
