"""Which associations a resource may come to have, and what becomes of its subjects."""

import json

import pytest

from tests.programs.registry.asked import record

OWN = ":.lkc-1:orders-value"
OWN_KEY = ":.lkc-1:orders-key"


@pytest.fixture
def orders(ask):
    """Asks for the associations of one topic: by POST, or by PUT."""

    def asked(*associations, method="POST", query="", number="id-1", name="orders"):
        body = {"resourceName": name, "resourceNamespace": "lkc-1", "resourceId": number}
        path = "/associations" if method == "POST" else f"/associations/resources/{number}"
        return ask(method, path + query, {**body, "associations": list(associations)})

    return asked


def strong(kind="value", schema=None, **more):
    text = schema or record("a", name=f"Of{kind}")
    return {"associationType": kind, "schema": {"schema": text}, **more}


def weak(subject="s", kind="value", **more):
    return {"associationType": kind, "subject": subject, **more}


def code(answer):
    return answer[1]["error_code"]


def of(ask, number="id-1"):
    return ask("GET", f"/associations/resources/{number}")[1]


def test_a_topic_gets_its_own_subjects_with_their_schemas(ask, orders):
    status, answer = orders(strong("key"), strong())
    assert status == 200
    assert [one["subject"] for one in answer["associations"]] == [OWN_KEY, OWN]
    assert [one["schema"]["id"] for one in answer["associations"]] == [1, 2]
    assert ask("GET", f"/subjects/{OWN}/versions") == (200, [1])
    assert [one["lifecycle"] for one in of(ask)] == ["STRONG", "STRONG"]


def test_two_schemas_of_one_text_have_one_id(ask, orders):
    _, answer = orders(strong("key", record("a")), strong("value", record("a")))
    assert [one["schema"]["id"] for one in answer["associations"]] == [1, 1]
    contexts = [json.loads(key)["keytype"] for key, _ in ask.store.records]
    assert contexts == ["CONTEXT", "SCHEMA", "SCHEMA", "ASSOC", "ASSOC"]


def test_the_same_request_again_changes_nothing(ask, orders):
    orders(strong())
    count = len(ask.store.records)
    assert orders(strong())[0] == 200
    assert len(ask.store.records) == count
    assert code(orders(strong(schema=record("b")))) == 40903


def test_a_dry_run_writes_nothing_and_finds_the_same_faults(ask, orders):
    status, answer = orders(strong(), query="?dryRun=true")
    assert (status, "associations" in answer) == (200, False)
    assert ask.store.records == []
    assert code(orders(weak(), query="?dryRun=true")) == 40907


def test_a_weak_one_is_of_a_subject_that_has_a_schema(ask, orders):
    assert code(orders(weak())) == 40907
    ask.register("s", record("a"))
    assert orders(weak())[0] == 200
    assert orders(weak(), number="id-2", name="other")[0] == 200  # and of several topics
    assert [one["resourceName"] for one in ask("GET", "/associations/subjects/s")[1]] == [
        "orders",
        "other",
    ]


def test_a_subject_of_one_topic_alone_is_of_no_other(ask, orders):
    orders(strong())
    assert code(orders(weak(OWN), number="id-2", name="other")) == 40905
    ask.register(":.lkc-1:third-value", record("a"))
    orders(weak(":.lkc-1:third-value"), number="id-2", name="other")
    body = strong(schema=record("a"))
    assert code(orders(body, number="id-3", name="third")) == 40904


def test_all_of_a_resource_have_one_lifecycle(ask, orders):
    ask.register("s", record("a"))
    assert code(orders(strong("key"), weak())) == 42212
    assert ask.state.subjects.keys() == {"s"}
    orders(strong("key"))
    assert code(orders(weak())) == 42212


def test_a_strong_one_is_only_made_with_its_topic(ask, orders):
    ask.register(OWN, record("a"))
    put = {"method": "PUT"}
    assert code(orders({"lifecycle": "STRONG"}, **put)) == 42212
    assert code(orders(strong(), **put)) == 42212
    assert code(orders({"lifecycle": "STRONG"})) == 42212  # without its schema
    ask.register(OWN, record("a", "b="))
    assert code(orders(strong(schema=record("a")))) == 42212  # it has two versions
    ask.register("s", record("a"))
    assert orders(weak(), **put)[0] == 200


def test_what_is_frozen_is_not_changed(ask, orders):
    orders(strong())
    put = {"method": "PUT"}
    assert orders({}, **put)[0] == 200  # nothing is asked for
    assert code(orders({"frozen": False}, **put)) == 42212
    assert code(orders({"lifecycle": "WEAK"}, **put)) == 42212
    assert code(orders({"subject": "t"}, **put)) == 42212


def test_another_subject_is_another_association(ask, orders):
    for subject in ("s", "t"):
        ask.register(subject, record("a"))
    orders(weak())
    assert code(orders(weak("t"), method="PUT")) == 42212
    assert code(orders(weak("t"))) == 40903
    text = {"lifecycle": "WEAK", "schema": {"schema": record("a")}}
    assert code(orders(text, method="PUT")) == 42212
    assert code(orders({"lifecycle": "STRONG"}, method="PUT")) == 42212


def test_a_subject_with_associations_is_not_deleted(ask, orders):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    orders(weak())
    assert ask.code("DELETE", "/subjects/s") == 40904
    assert ask("DELETE", "/subjects/s/versions/1") == (200, 1)
    assert ask.code("DELETE", "/subjects/s/versions/2") == 40907
    assert ask("DELETE", "/subjects/s/versions/1?permanent=true") == (200, 1)


def test_what_is_a_topics_own_and_what_others_refer_to_exclude_each_other(ask, orders):
    user = '{"type":"record","name":"B","fields":[{"name":"a","type":"A"}]}'
    named = [{"name": "A", "subject": OWN, "version": 1}]
    orders(strong(schema=record("x", name="A")))
    assert ask.register(":.lkc-1:b", user, references=named)[1]["error_code"] == 42205
    ask.register(":.lkc-1:t-value", record("x", name="A"))
    used = [{"name": "A", "subject": ":.lkc-1:t-value", "version": 1}]
    ask.register(":.lkc-1:b", user, references=used)
    body = strong(schema=record("x", name="A"))
    assert code(orders(body, number="id-2", name="t")) == 42206
    ask("DELETE", "/subjects/:.lkc-1:b")  # softly: it may come back
    assert code(orders(body, number="id-2", name="t")) == 42206


def test_subjects_refer_to_none_that_becomes_a_topics_own_beside_them(ask, orders):
    user = '{"type":"record","name":"B","fields":[{"name":"a","type":"A"}]}'
    named = [{"name": "A", "subject": OWN_KEY, "version": 1}]
    value = strong(schema=user)
    value["schema"]["references"] = named
    assert code(orders(strong("key", record("x", name="A")), value)) == 42206
    assert ask.store.records == []


def test_associations_end_alone_or_with_the_subject(ask, orders):
    ask.register("s", record("a"))
    orders(weak())
    orders(strong(), number="id-2", name="orders")
    assert ask("DELETE", "/associations/resources/id-1") == (204, None)
    assert ask.code("DELETE", "/associations/resources/id-1") == 40410
    assert ask("GET", "/subjects/s/versions") == (200, [1])
    assert ask.code("DELETE", "/associations/resources/id-2") == 40908
    path = "/associations/resources/id-2?cascadeLifecycle=true"
    assert ask("DELETE", f"{path}&dryRun=true") == (204, None)
    assert ask("DELETE", path) == (204, None)
    assert ask.code("GET", f"/subjects/{OWN}/versions?deleted=true") == 40401
    assert ask("GET", f"/associations/subjects/{OWN}") == (200, [])


def test_nothing_of_a_request_is_written_if_part_of_it_is_refused(ask, orders):
    ask.register(OWN, record("a", name="Ofvalue"))
    ask.register(OWN, record("a", "b=", name="Ofvalue"))
    count = len(ask.store.records)
    assert code(orders(strong("key"), strong())) == 42212
    assert len(ask.store.records) == count


def test_an_import_has_its_associations_without_schemas(ask, orders):
    ask("PUT", "/mode/:.lkc-1:", {"mode": "IMPORT"})
    own = {"lifecycle": "STRONG"}
    assert code(orders(own)) == 40907
    assert code(orders(strong())) == 42212
    ask.register(OWN, record("a"), id=7, version=3)
    assert orders(own, method="PUT")[0] == 200
    assert [one["subject"] for one in of(ask)] == [OWN]


def test_a_subject_that_may_not_be_written_gets_no_association(ask, orders):
    ask.register("s", record("a"))
    ask("PUT", "/mode/s", {"mode": "READONLY"})
    assert code(orders(weak())) == 42205


def test_a_context_and_an_alias_are_looked_through(ask, orders):
    ask.register(":.team:s", record("a"))
    ask("PUT", "/config/:.team:other", {"alias": ":.team:s"})
    assert orders(weak("other"), query="?context=.team")[0] == 200
    assert [one["subject"] for one in of(ask)] == [":.team:s"]
