"""Associations by HTTP: one topic's, a subject's, and those of several topics at once."""

from uuid import RFC_4122, UUID

import pytest

from tests.programs.registry.asked import record


def weak(subject="s", kind="value", **more):
    return {"associationType": kind, "subject": subject, "lifecycle": "WEAK", **more}


def resource(number, *associations, name="orders"):
    names = {"resourceName": name, "resourceNamespace": "lkc-1", "resourceId": number}
    return {**names, "associations": list(associations)}


@pytest.fixture
def filled(ask):
    ask.register("s", record("a"))
    ask("POST", "/associations", resource("id-1", weak(), weak(kind="key")))
    return ask


def kinds(answer):
    status, found = answer
    assert status == 200
    return [one["associationType"] for one in found]


def test_they_are_shown_with_all_that_is_known(filled):
    status, (key, value) = filled("GET", "/associations/resources/lkc-1/orders")
    assert status == 200
    guid = UUID(key.pop("guid"))
    assert (guid.version, guid.variant) == (4, RFC_4122)
    assert key == {
        "subject": "s",
        "resourceName": "orders",
        "resourceNamespace": "lkc-1",
        "resourceId": "id-1",
        "resourceType": "topic",
        "associationType": "key",
        "lifecycle": "WEAK",
        "createTs": 0,
        "updateTs": 0,
    }
    assert value["associationType"] == "value"


@pytest.mark.parametrize(
    "path", ["subjects/s", "resources/id-1", "resources/lkc-1/orders", "resources/-/orders"]
)
def test_each_way_to_them_chooses_and_pages(filled, path):
    path = f"/associations/{path}"
    assert kinds(filled("GET", path)) == ["key", "value"]
    assert kinds(filled("GET", f"{path}?associationType=value")) == ["value"]
    assert kinds(filled("GET", f"{path}?lifecycle=STRONG")) == []
    assert kinds(filled("GET", f"{path}?resourceType=cluster")) == []
    assert kinds(filled("GET", f"{path}?offset=1&limit=1")) == ["value"]
    assert filled("GET", f"{path}?lifecycle=SOME")[0] == 404


def test_where_there_is_none_the_topic_is_read_again(ask):
    assert ask("GET", "/associations/resources/lkc-1/orders") == (200, [])
    assert ask.store.looks == 1


def test_a_path_and_a_body_name_one_resource(filled):
    body = {**resource("id-2", weak()), "resourceId": "id-2"}
    assert filled.code("PUT", "/associations/resources/id-1", body) == 42212
    del body["resourceId"]
    assert filled("PUT", "/associations/resources/id-1", body)[0] == 200


def test_several_are_read_at_once(filled):
    asked = [
        {"resourceId": "id-1", "associationTypes": ["key"]},
        {"resourceName": "orders", "resourceNamespace": "lkc-1"},
        {"resourceName": "orders"},
        {"resourceId": "none"},
    ]
    status, answer = filled(
        "POST", "/associations:batchGet?includeSchemas=true", {"requests": asked}
    )
    one, both, refused, nothing = answer["results"]
    assert status == 207
    assert [part["schema"]["version"] for part in one["result"]["associations"]] == [1]
    assert one["result"]["resourceName"] == "orders"
    assert len(both["result"]["associations"]) == 2
    assert "resourceNamespace is required" in refused["error"]["message"]
    assert nothing == {"result": {"resourceId": "none", "resourceType": "topic"}}
    assert filled.code("POST", "/associations:batchGet", {}) == 42212


def test_several_are_changed_at_once_each_for_itself(filled):
    filled.register("t", record("a"))
    asked = [
        resource(
            "id-1",
            {"opType": "DELETE", "associationType": "key"},
            {"opType": "UPSERT", **weak()},
        ),
        resource("id-2", {"opType": "CREATE", **weak("nowhere")}, name="other"),
        resource("id-3", {"opType": "CREATE", **weak("t")}, name="third"),
        resource("id-3", {"opType": "SOME"}, name="third"),
        resource("id-3", {"opType": "CREATE", **weak("t")}, {"opType": "DELETE"}, name="third"),
    ]
    status, answer = filled("POST", "/associations:batchMutate", {"requests": asked})
    assert status == 207
    first, second, third, *wrong = answer["results"]
    assert [part["associationType"] for part in first["result"]["associations"]] == ["value"]
    assert second["error"]["error_code"] == 40907
    assert third["result"]["associations"][0]["subject"] == "t"
    assert [one["error"]["error_code"] for one in wrong] == [42212, 42212]


def test_a_dry_run_of_several_writes_nothing(filled):
    count = len(filled.store.records)
    asked = resource("id-1", {"opType": "DELETE", "associationType": "key"})
    path = "/associations:batchMutate?dryRun=true"
    _, answer = filled("POST", path, {"requests": [asked]})
    assert "associations" not in answer["results"][0]["result"]
    assert len(filled.store.records) == count


def test_a_context_may_stand_in_the_path(ask):
    ask.register(":.team:s", record("a"))
    assert ask("POST", "/contexts/.team/associations", resource("id-1", weak()))[0] == 200
    assert kinds(ask("GET", "/associations/subjects/:.team:s")) == ["value"]
