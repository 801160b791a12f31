"""`/subjects/{subject}/versions`, as clients ask it."""

import asyncio

import pytest

from moldau.programs.http.messages import Request
from tests.programs.registry.asked import record


def test_a_version_is_got_by_its_number_or_as_the_latest(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    assert ask("GET", "/subjects/s/versions/latest") == ask("GET", "/subjects/s/versions/2")
    assert ask("GET", "/subjects/s/versions/1/schema")[1]["name"] == "R"


@pytest.mark.parametrize(
    ("form", "start", "media_type"),
    [
        ("spark", b"a INT NOT NULL", "text/plain; charset=utf-8"),
        ("arrow", b"pa.schema([", "text/plain; charset=utf-8"),
        ("dataclass", b"from __future__", "text/plain; charset=utf-8"),
        ("resolved", b'{"type":"record"', "application/json"),
        ("", b'{"type":"record"', "application/json"),
    ],
)
@pytest.mark.parametrize("place", ["/subjects/s/versions/1", "/schemas/ids/1"])
def test_a_text_is_given_in_the_form_that_is_asked_for(ask, place, form, start, media_type):
    ask.register("s", record("a"))
    asked = {"format": [form]} if form else {}
    answer = asyncio.run(ask._answer(Request("GET", f"{place}/schema", asked, {}, b"")))
    assert (answer.body[: len(start)], answer.media_type) == (start, media_type)
    assert ask.code("GET", f"{place}/schema?format=moon") == 42201


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/subjects/none/versions", 40401),
        ("/subjects/none/versions/1", 40401),
        ("/subjects/s/versions/2", 40402),
        ("/subjects/s/versions/0", 42202),
        ("/subjects/s/versions/first", 42202),
        ("/subjects/s/versions/1/nothing", 404),
    ],
)
def test_what_is_not_there_has_its_code(ask, path, code):
    ask.register("s", record("a"))
    assert ask.code("GET", path) == code


def test_tags_make_a_next_version_of_the_same_text(ask):
    ask.register("s", record("a"))
    entity = {"entityType": "sr_field", "entityPath": "R.a"}
    body = {"tagsToAdd": [{"schemaEntity": entity, "tags": ["PII"]}], "newVersion": 2}
    assert ask("POST", "/subjects/s/versions/1/tags", body)[0] == 200
    assert ask("GET", "/subjects/s/versions/2")[1]["metadata"] == {"tags": {"R.a": ["PII"]}}
    assert ask.code("POST", "/subjects/s/versions/1/tags", body) == 42202
    assert ask.code("POST", "/subjects/s/versions/1/tags", {"tagsToAdd": [1]}) == 42201


def test_deleted_versions_are_listed_where_they_are_asked_for(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    ask("DELETE", "/subjects/s/versions/1")
    assert ask("GET", "/subjects/s/versions") == (200, [2])
    assert ask("GET", "/subjects/s/versions?deleted=true") == (200, [1, 2])
    assert ask("GET", "/subjects/s/versions?deletedOnly=true") == (200, [1])
    assert ask("GET", "/subjects/s/versions/1?deleted=true")[0] == 200
