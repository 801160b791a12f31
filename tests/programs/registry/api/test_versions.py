"""`/subjects/{subject}/versions`, as clients ask it."""

import asyncio
import json

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
    assert ask("GET", f"{place}/schema?format=moon")[1]["type"] == "record"


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


def tags(path, *names, kind="sr_field"):
    return [{"schemaEntity": {"entityType": kind, "entityPath": path}, "tags": list(names)}]


def test_tags_make_a_next_version_of_the_same_schema(ask):
    ask.register("s", record("a"))
    body = {"tagsToAdd": tags("R.a", "PII"), "newVersion": 2}
    assert ask("POST", "/subjects/s/versions/1/tags", body)[0] == 200
    found = ask("GET", "/subjects/s/versions/2")[1]
    assert json.loads(found["schema"])["fields"][0]["confluent:tags"] == ["PII"]
    assert found["metadata"]["properties"] == {"confluent:version": "2"}
    assert ask.code("POST", "/subjects/s/versions/1/tags", body) == 42201
    assert ask.code("POST", "/subjects/s/versions/1/tags", {"tagsToAdd": [1]}) == 42201
    body = {"tagsToAdd": tags("R.z", "PII")}
    assert ask.code("POST", "/subjects/s/versions/2/tags", body) == 42201
    body = {"tagsToRemove": tags("R.a", "PII")}
    assert ask("POST", "/subjects/s/versions/2/tags", body)[1]["version"] == 1  # is that again
    body["tagsToAdd"] = tags("R.a", "OTHER")
    assert ask("POST", "/subjects/s/versions/2/tags", body)[1]["version"] == 3
    assert "PII" not in ask("GET", "/subjects/s/versions/3")[1]["schema"]


def test_tags_of_protobuf_are_kept_in_the_metadata(ask):
    ask.register("p", 'syntax = "proto3"; message M { string a = 1; }', schemaType="PROTOBUF")
    body = {"tagsToAdd": tags(".M.a", "PII", "X")}
    assert ask("POST", "/subjects/p/versions/latest/tags", body)[1]["version"] == 2
    body = {"tagsToRemove": tags(".M.a", "X")}
    assert ask("POST", "/subjects/p/versions/latest/tags", body)[1]["version"] == 3
    assert ask("GET", "/subjects/p/versions/3")[1]["metadata"]["tags"] == {"M.a": ["PII"]}


def test_tags_come_with_a_schema_and_are_found_in_it(ask):
    both = {"schemaTagsToAdd": tags("R.a", "PII") + tags("R", "TOP", kind="sr_record")}
    ask.register("s", record("a", "b="), **both)
    for path in ("/subjects/s/versions/1", "/schemas/ids/1"):
        assert "schemaTags" not in ask("GET", path)[1]
        assert ask("GET", f"{path}?findTags=PII")[1]["schemaTags"] == tags("R.a", "PII")
        assert len(ask("GET", f"{path}?findTags=*")[1]["schemaTags"]) == 2
        assert ask("GET", f"{path}?findTags=NONE")[1]["schemaTags"] == []


def test_rules_are_merged_and_removed_beside_tags(ask):
    rules = [{"name": name, "type": "CEL", "mode": "WRITE", "expr": "true"} for name in "abc"]
    ask.register("s", record("a"), ruleSet={"domainRules": rules[:2]})
    body = {"rulesToMerge": {"domainRules": rules[2:]}, "rulesToRemove": ["a"]}
    place = "/subjects/s/versions/1/tags"
    assert ask("POST", place, body)[1]["version"] == 2
    found = ask("GET", "/subjects/s/versions/2")[1]["ruleSet"]
    assert found == {"domainRules": rules[1:]}
    assert ask.code("POST", place, {**body, "ruleSet": found}) == 42210


def test_a_subject_that_names_no_context_may_be_in_any(ask):
    ask.register("a", record(name="A"))
    ask.register(":.x:a", record(name="A"))
    user = '{"type":"record","name":"B","fields":[{"name":"a","type":"A"}]}'
    reference = [{"name": "A", "subject": "a", "version": 1}]
    ask.register(":.x:s", user, references=reference)
    found = ask("GET", "/subjects/s/versions/1?referenceFormat=qualified")[1]
    assert (found["subject"], found["references"][0]["subject"]) == (":.x:s", ":.x:a")
    assert ask("GET", "/subjects/s/versions/latest")[1]["references"] == reference
    body = {"schema": user, "references": reference}
    assert ask("POST", "/subjects/s", body)[1]["subject"] == ":.x:s"
    assert ask.code("GET", "/subjects/.y:s/versions/1") == 40401


def test_deleted_versions_are_listed_where_they_are_asked_for(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    ask("DELETE", "/subjects/s/versions/1")
    assert ask("GET", "/subjects/s/versions") == (200, [2])
    assert ask("GET", "/subjects/s/versions?deleted=true") == (200, [1, 2])
    for name in ("deletedOnly", "deleted_only"):
        assert ask("GET", f"/subjects/s/versions?{name}=true") == (200, [1])
    assert ask("GET", "/subjects/s/versions/1?deleted=true")[0] == 200


def test_what_is_registered_is_answered_in_a_form_that_is_asked_for(ask):
    body = {"schema": record("a")}
    answer = ask("POST", "/subjects/s/versions?format=spark", body)[1]
    assert answer["schema"] == "a INT NOT NULL"
    assert "schema" not in ask("POST", "/subjects/s/versions", body)[1]
