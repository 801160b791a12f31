"""Bodies and media types of requests."""

import pytest

from tests.programs.registry.asked import record


def test_the_media_types_of_registries_are_taken_and_no_other(ask):
    body = {"schema": record("a")}
    path = "/subjects/s/versions"
    for media in (
        "application/vnd.schemaregistry.v1+json; charset=utf-8",
        "application/octet-stream",
        "",
    ):
        assert ask("POST", path, body, media)[0] == 200
    assert ask("POST", path, body, "text/plain") == (
        415,
        {"error_code": 415, "message": "HTTP 415 Unsupported Media Type"},
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", 400),
        (b"[]", 400),
        ({"schema": ""}, 42201),
        ({"schema": 1}, 42201),
        ({}, 42201),
        ({"schema": '"int"', "schemaType": "XML"}, 42201),
        ({"schema": '"int"', "metadata": [1]}, 422),
        ({"schema": '"int"', "id": "x"}, 42202),
    ],
)
def test_what_is_no_schema_has_its_code(ask, body, code):
    assert ask.code("POST", "/subjects/s/versions", body) == code
    assert ask.store.records == []


def test_pages_are_cut_out_of_lists(ask):
    for name in "abcd":
        ask.register(name, record("a"))
    assert ask("GET", "/subjects?offset=1&limit=2") == (200, ["b", "c"])
    assert ask("GET", "/subjects?offset=9") == (200, [])
    assert ask("GET", "/subjects?limit=x")[0] == 404
