"""Who may see and change which subjects a topic has: by the rights on both."""

from __future__ import annotations

import json

import pytest

from moldau.programs.http.messages import Request
from moldau.programs.registry.association_needs import association_needs
from moldau.programs.registry.needs import Need, Operation
from tests.programs.registry.api.test_associations import resource, weak
from tests.programs.registry.asked import Asked, record
from tests.programs.registry.test_access import KnownRights, asking

DESCRIBE, WRITE = Operation.DESCRIBE, Operation.WRITE
DELETE, ALTER = Operation.DELETE, Operation.ALTER
STRONG = {"associationType": "value", "schema": {"schema": '"int"'}}


@pytest.fixture
def shared(ask):
    """`mine` and `secret` share the subject `common-value`."""
    ask.register("common-value", record("a"))
    for name in ("mine", "secret"):
        ask("POST", "/associations", resource(f"id-{name}", weak("common-value"), name=name))
    return ask


def names(found):
    return [one["resourceName"] for one in found]


def test_of_the_topics_of_a_subject_those_are_shown_that_may_be_described(shared):
    rights = KnownRights(common=[DESCRIBE], mine=[DESCRIBE], secret=())
    asked = asking(shared, rights)
    assert names(asked("GET", "/associations/subjects/common-value")) == ["mine"]
    rights.topics["secret"] = frozenset([DESCRIBE])
    again = asking(shared, rights)
    assert names(again("GET", "/associations/subjects/common-value")) == ["mine", "secret"]
    nothing = asking(shared, KnownRights(common=(), mine=[DESCRIBE]))
    assert nothing("GET", "/associations/subjects/common-value") == 40301


@pytest.mark.parametrize("path", ["id-{}", "lkc-1/{}", "-/{}"])
def test_the_subjects_of_a_topic_are_for_who_may_describe_it(shared, path):
    asked = asking(shared, KnownRights(mine=[DESCRIBE], secret=()))
    path = f"/associations/resources/{path}"
    assert names(asked("GET", path.format("mine"))) == ["mine"]
    assert asked("GET", path.format("secret")) == 40301


def batch(*items):
    return {"requests": list(items)}


def named(name):
    return {"resourceName": name, "resourceNamespace": "lkc-1"}


def test_several_are_read_by_who_may_describe_each_of_them(shared):
    asked = asking(shared, KnownRights(mine=[DESCRIBE], secret=(), common=()))
    get = "/associations:batchGet"
    mine = batch(named("mine"))
    assert names(one["result"] for one in asked("POST", get, mine)["results"]) == ["mine"]
    for hidden in (named("secret"), {"resourceId": "id-secret"}):
        assert asked("POST", get, batch(named("mine"), hidden)) == 40301
    assert asked("POST", get, mine, includeSchemas=["true"]) == 40301
    more = asking(shared, KnownRights(mine=[DESCRIBE], common=[DESCRIBE]))
    found = more("POST", get, mine, includeSchemas=["true"])["results"][0]["result"]
    assert found["associations"][0]["schema"]["version"] == 1


def test_an_association_that_comes_in_while_it_is_looked_for_is_behind_its_rights(ask):
    other = Asked()
    for asked in (ask, other):
        asked.register("common-value", record("a"))
    other("POST", "/associations", resource("id-1", weak("common-value"), name="secret"))
    key, value = map(json.loads, other.store.records[-1])

    async def read_to_end():
        ask.state.apply(key, value)

    ask.store.read_to_end = read_to_end
    asked = asking(ask, KnownRights(common=[DESCRIBE], secret=()))
    assert asked("GET", "/associations/resources/id-1") == []
    assert asked("GET", "/associations/subjects/common-value") == []
    assert len(ask.state.associations) == 1


@pytest.mark.parametrize(
    ("rights", "is_done"),
    [
        ({"mine": [WRITE], "common": [DESCRIBE]}, True),
        ({"mine": [DESCRIBE], "common": [DESCRIBE]}, False),
        ({"mine": [WRITE], "common": []}, False),
        ({"common": [DESCRIBE, WRITE]}, False),
    ],
)
def test_a_topic_is_given_a_subject_by_who_may_write_it_and_describe_that(ask, rights, is_done):
    ask.register("common-value", record("a"))
    asked = asking(ask, KnownRights(**rights))
    answer = asked("POST", "/associations", resource("id-1", weak("common-value"), name="mine"))
    assert (answer != 40301) == is_done
    assert len(ask.state.associations) == is_done


def test_a_subject_of_its_own_with_a_schema_is_for_who_may_write_the_topic(ask):
    body = resource("id-1", STRONG, name="mine")
    assert asking(ask, KnownRights(mine=[DESCRIBE]))("POST", "/associations", body) == 40301
    asked = asking(ask, KnownRights(mine=[WRITE, DESCRIBE]))
    assert asked("POST", "/associations", body)["associations"][0]["lifecycle"] == "STRONG"


def test_a_topic_of_another_is_not_changed_by_its_id(shared):
    rights = KnownRights(mine=[WRITE, DELETE], common=[WRITE, DESCRIBE], secret=[DESCRIBE])
    asked = asking(shared, rights)
    own = resource("id-secret", weak("common-value", kind="key"), name="mine")
    assert asked("PUT", "/associations/resources/id-secret", own) == 40301
    assert asked("POST", "/associations", own) == 40301
    assert asked("DELETE", "/associations/resources/id-secret") == 40301
    assert asked("DELETE", "/associations/resources/nobodys") == 40301
    away = {"associationType": "value", "opType": "DELETE"}
    assert asked("POST", "/associations:batchMutate", batch(resource("id-secret", away))) == 40301
    assert len(shared.state.associations) == 2


def test_what_a_batch_takes_away_is_of_the_topic_that_has_the_id(shared):
    rights = KnownRights(mine=[DELETE], secret=(), common=[DESCRIBE])
    asked = asking(shared, rights)
    away = {"associationType": "value", "opType": "DELETE"}
    hidden = batch(resource("id-secret", away, name="mine"))
    assert asked("POST", "/associations:batchMutate", hidden) == 40301
    whole = batch(resource("id-mine", {**away, "cascadeLifecycle": True}, name="mine"))
    assert asked("POST", "/associations:batchMutate", whole) == 40301
    assert len(shared.state.associations) == 2


def test_what_is_taken_away_needs_delete_of_the_topic(shared):
    rights = KnownRights(mine=[WRITE], secret=())
    path = "/associations/resources/id-mine"
    assert asking(shared, rights)("DELETE", path) == 40301
    request = Request("DELETE", path, parameters={"resourceId": "id-mine"})
    assert association_needs(shared.scope, request) == [Need(DELETE, ("mine-value",))]
    request.query = {"cascadeLifecycle": ["true"]}
    assert association_needs(shared.scope, request) == [
        Need(DELETE, ("mine-value",)),
        Need(DELETE, ("common-value",)),
    ]


def test_several_changes_are_all_allowed_or_none_is_made(shared):
    asked = asking(shared, KnownRights(mine=[WRITE, DELETE], common=[DESCRIBE], secret=[DESCRIBE]))
    create = {**weak("common-value", kind="key"), "opType": "CREATE"}
    path = "/associations:batchMutate"
    mine, secret = resource("id-mine", create, name="mine"), resource("x", create, name="secret")
    assert asked("POST", path, batch(mine, secret)) == 40301
    assert len(shared.state.associations) == 2
    assert "result" in asked("POST", path, batch(mine))["results"][0]
    away = {"associationType": "key", "opType": "DELETE"}
    assert (
        "result" in asked("POST", path, batch(resource("id-mine", away, name="mine")))["results"][0]
    )
    assert len(shared.state.associations) == 2


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"7", b'{"requests": [7]}', b'{"associations": [7]}']
)
def test_what_names_no_topic_is_for_who_may_alter_the_cluster(ask, body):
    for path in ("/associations", "/associations:batchMutate"):
        assert association_needs(ask.scope, Request("POST", path, body=body)) == [Need(ALTER)]


def test_a_schema_of_an_association_refers_to_what_may_be_described(ask):
    schema = {"schema": '"int"', "references": [{"name": "S", "subject": "s-value", "version": 1}]}
    body = resource("id-1", {**STRONG, "schema": schema}, name="mine")
    request = Request("POST", "/associations", body=json.dumps(body).encode())
    found = association_needs(ask.scope, request)
    assert found == [Need(WRITE, ("mine-value",)), Need(DESCRIBE, ("s-value",))]


def test_a_weak_subject_that_becomes_the_topics_own_is_written(shared):
    body = resource("id-mine", {"associationType": "value", "lifecycle": "STRONG"}, name="mine")
    names = {"resourceId": "id-mine"}
    path = "/associations/resources/id-mine"
    request = Request("PUT", path, body=json.dumps(body).encode(), parameters=names)
    found = association_needs(shared.scope, request)
    assert found == [Need(WRITE, ("mine-value",)), Need(WRITE, ("common-value",))]
