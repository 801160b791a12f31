"""`/schemas`, by id and by GUID."""

from tests.programs.registry.api.test_associations import resource, weak
from tests.programs.registry.asked import record


def test_an_id_leads_to_the_schema_and_to_all_that_have_it(ask):
    for subject in ("s", "t"):
        ask.register(subject, record("a"))
    assert ask("GET", "/schemas/ids/1/subjects") == (200, ["s", "t"])
    assert ask("GET", "/schemas/ids/1/versions") == (
        200,
        [{"subject": "s", "version": 1}, {"subject": "t", "version": 1}],
    )
    assert ask("GET", "/schemas/ids/1/versions?subject=t")[1] == [{"subject": "t", "version": 1}]
    assert ask("GET", "/schemas/ids/1/schema")[1]["name"] == "R"
    assert ask("GET", "/schemas/ids/1?fetchMaxId=true")[1]["maxId"] == 1


def test_ids_that_are_not_there_have_their_code(ask):
    assert ask.code("GET", "/schemas/ids/1/subjects") == 40403
    assert ask.code("GET", "/schemas/ids/99999999999") == 40403
    assert ask.code("GET", "/schemas/ids/x") == 404


def test_a_guid_is_the_same_in_every_context(ask):
    guid = ask.register("s", record("a"))[1]["guid"]
    assert ask.register(":.x:s", record("a"))[1]["guid"] == guid
    assert ask("GET", f"/schemas/guids/{guid}")[1]["guid"] == guid
    assert len(ask("GET", f"/schemas/guids/{guid}/ids")[1]) == 2
    assert ask.code("GET", "/schemas/guids/none") == 40403


def test_all_schemas_are_listed_or_the_latest_of_each_subject(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    assert [one["version"] for one in ask("GET", "/schemas")[1]] == [1, 2]
    assert [one["version"] for one in ask("GET", "/schemas?latestOnly=true")[1]] == [2]
    assert ask("GET", "/schemas?subjectPrefix=x")[1] == []
    assert "AVRO" in ask("GET", "/schemas/types")[1]


def test_an_id_is_looked_for_where_its_subject_is(ask):
    ask.register(":.x:s", record("a"))
    ask.register(":.x:s", record("a", "b="))
    assert ask.code("GET", "/schemas/ids/2") == 40403
    for path in ("/schemas/ids/2?subject=s", "/contexts/.x/schemas/ids/2?subject="):
        found = ask("GET", path)[1]
        assert (found["subject"], found["version"]) == (":.x:s", 2)
    assert ask("GET", "/schemas/ids/2/versions?subject=s")[1] == [
        {"subject": ":.x:s", "version": 2}
    ]


def test_schemas_are_listed_by_their_rules_and_with_their_aliases(ask):
    rules = {"domainRules": [{"name": "r", "type": "CEL", "mode": "WRITE", "expr": "true"}]}
    ask.register("s", record("a"), ruleSet=rules)
    ask.register(":.x:sub", record("b"))
    ask("PUT", "/config/other", {"alias": "s"})
    assert [one["subject"] for one in ask("GET", "/schemas?ruleType=CEL")[1]] == ["s"]
    assert ask("GET", "/schemas?ruleType=JSONATA")[1] == []
    found = ask("GET", "/schemas?subjectPrefix=:*:s&aliases=true")[1]
    assert [one.get("aliases") for one in found] == [None, ["other"]]
    assert len(ask("GET", "/schemas?limit=0")[1]) == 2


PROTO = """syntax = "proto2";
message Order {
  optional int64 id = 1 [(note) = "n"];
  extensions 100 to 199;
}
extend Order {
  optional string more = 100;
}
"""


def test_a_form_that_is_not_known_is_the_text_itself(ask):
    ask.register("s", record("a"))
    text = ask("GET", "/schemas/ids/1")[1]["schema"]
    for name in ("other", "serialized", "resolved", "RESOLVED", "default", "ignore_extensions"):
        assert ask("GET", f"/schemas/ids/1?format={name}")[1]["schema"] == text
    assert ask("GET", "/schemas/ids/1?format=SPARK")[1]["schema"].startswith("a ")


def test_extensions_are_left_out_where_that_is_asked_for(ask):
    ask.register("p", PROTO, schemaType="PROTOBUF")
    text = ask("GET", "/subjects/p/versions/1?format=ignore_extensions")[1]["schema"]
    assert " ".join(text.split()) == 'syntax = "proto2"; message Order { optional int64 id = 1; }'
    assert "extend Order" in ask("GET", "/subjects/p/versions/1")[1]["schema"]


def test_schemas_are_found_by_what_topics_have_of_them(ask):
    for name in ("a", "b", "c"):
        ask.register(name, record(name))
    ask("POST", "/associations", resource("id-1", weak("a"), weak("b", kind="key")))
    strong = {"associationType": "value", "schema": {"schema": record("s")}}
    ask("POST", "/associations", resource("id-2", strong, name="own"))

    def found(query):
        return [one["subject"] for one in ask("GET", f"/schemas?subjectPrefix=:*:&{query}")[1]]

    own = ":.lkc-1:own-value"
    assert found("") == [own, "a", "b", "c"]
    assert found("resourceType=topic") == [own, "a", "b"]
    assert found("associationType=value") == [own, "a"]
    assert found("lifecycle=WEAK") == ["a", "b"]
    assert found("lifecycle=NONE") == ["c"]
    assert found("lifecycle=NONE&lifecycle=STRONG") == [own, "c"]
    assert found("resourceType=cluster") == []
    assert ask.code("GET", "/schemas?lifecycle=SOME") == 404
    shown = ask("GET", "/schemas?associationType=key")[1][0]
    assert [one["resourceName"] for one in shown["associations"]] == ["orders"]
