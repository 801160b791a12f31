"""What a new version is, and when there is none."""

from unittest.mock import ANY

from tests.programs.registry.asked import record

INT = {"schema": '"int"'}


def test_versions_count_in_a_subject_and_ids_over_all(ask):
    assert ask.register("s", record("a"))[1]["id"] == 1
    assert ask.register("s", record("a", "b="))[1]["id"] == 2
    assert ask.register("t", record("a"))[1]["id"] == 1
    assert ask("GET", "/subjects/s/versions") == (200, [1, 2])
    assert ask("GET", "/subjects/t/versions") == (200, [1])


def test_the_same_schema_is_the_same_version_however_it_is_written(ask):
    first = ask.register("s", record("a"))
    count = len(ask.store.records)
    assert ask.register("s", record("a").replace(",", " ,\n")) == first
    assert len(ask.store.records) == count


def test_an_incompatible_version_is_refused_by_rule_and_path(ask):
    ask.register("s", record("a"))
    status, body = ask.register("s", record("a", "b"))
    assert (status, body["error_code"]) == (409, 40901)
    for text in ("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/1", "oldSchemaVersion: 1"):
        assert text in body["message"]
    ask("PUT", "/config/s", {"compatibility": "FORWARD"})
    assert ask.register("s", record("a", "b"))[0] == 200


def test_a_version_that_was_deleted_softly_comes_back_with_its_id(ask):
    ask.register("s", record("a"))
    ask("DELETE", "/subjects/s")
    assert ask.register("s", record("a"))[1]["id"] == 1
    assert ask("GET", "/subjects/s/versions?deleted=true") == (200, [2])


def test_one_that_others_refer_to_stays_beside_the_one_that_comes_back(ask):
    ask.register("a", record(name="A"))
    user = '{"type":"record","name":"B","fields":[{"name":"a","type":"A"}]}'
    ask.register("b", user, references=[{"name": "A", "subject": "a", "version": 1}])
    ask("DELETE", "/subjects/b")
    ask("DELETE", "/subjects/a")
    assert ask.register("a", record(name="A"))[1] == {"id": 1, "version": 2, "guid": ANY}
    assert ask("GET", "/subjects/a/versions?deleted=true") == (200, [1, 2])
    assert ask("GET", "/subjects/a/versions?deletedAsNegative=true") == (200, [-1, 2])


def test_who_forces_it_is_not_judged(ask):
    ask.register("s", record("a"))
    body = {"schema": record("a", "b")}
    assert ask.code("POST", "/subjects/s/versions", body) == 40901
    assert ask("POST", "/subjects/s/versions?force=true", body)[1]["version"] == 2


def test_a_context_has_a_record_of_its_own(ask):
    ask.register(":.x:s", record("a"))
    ask.register(":.x:t", record("b"))
    found = [pair for pair in ask.store.records if b"CONTEXT" in pair[0]]
    key = b'{"keytype":"CONTEXT","tenant":"default","context":".x","magic":0}'
    assert found == [(key, b'{"tenant":"default","context":".x"}')]


def test_groups_are_compared_among_themselves(ask):
    ask("PUT", "/config/s", {"compatibilityGroup": "major"})
    for major, fields in (("1", "a"), ("2", "b")):
        metadata = {"properties": {"major": major}}
        assert ask.register("s", record(fields), metadata=metadata)[0] == 200
    metadata = {"properties": {"major": "1"}}
    assert ask.register("s", record("a", "c"), metadata=metadata)[0] == 409


def test_metadata_and_rules_make_another_schema_and_none_finds_it(ask):
    rules = {"domainRules": [{"name": "r", "kind": "CONDITION", "type": "CEL", "expr": "true"}]}
    one = ask.register("s", record("a"), ruleSet=rules)[1]
    assert ask.register("s", record("a"))[1]["id"] == one["id"]
    assert ask.register("s", record("a"), metadata={"properties": {"x": "1"}})[1]["id"] == 2
    assert ask("GET", "/schemas/ids/1")[1]["ruleSet"] == rules


def test_an_import_keeps_ids_and_versions_and_is_not_judged(ask):
    assert ask.register("s", record("a"), id=9)[1]["error_code"] == 42205
    ask("PUT", "/mode/s", {"mode": "IMPORT"})
    assert ask.register("s", record("a"))[1]["error_code"] == 42205
    assert ask.register("s", record("a"), id=9, version=4)[1]["id"] == 9
    assert ask.register("s", record("b"), id=10, version=5)[0] == 200
    assert ask.register("s", record("c"), id=9, version=6)[1]["error_code"] == 42205
    assert ask.register("t", record("a"))[1]["id"] == 9
    assert ask.register("t", record("a", "d="))[1]["id"] == 11


def test_an_alias_is_registered_under_its_subject(ask):
    ask("PUT", "/config/other", {"alias": "s"})
    ask.register("other", record("a"))
    assert ask("GET", "/subjects") == (200, ["s"])
