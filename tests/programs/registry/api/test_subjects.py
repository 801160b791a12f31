"""`/subjects`, as clients ask it."""

from tests.programs.registry.asked import record


def test_subjects_are_listed_by_prefix_and_by_what_is_deleted(ask):
    for name in ("a", "b", ":.x:a"):
        ask.register(name, record("a"))
    ask("DELETE", "/subjects/b")
    assert ask("GET", "/subjects") == (200, [":.x:a", "a"])
    assert ask("GET", "/subjects?deleted=true") == (200, [":.x:a", "a", "b"])
    assert ask("GET", "/subjects?deletedOnly=true") == (200, ["b"])
    assert ask("GET", "/subjects?subjectPrefix=:.x:") == (200, [":.x:a"])
    assert ask("GET", "/subjects?subjectPrefix=:*:") == (200, [":.x:a", "a"])
    assert ask("GET", "/contexts/.x/subjects") == (200, [":.x:a"])


def test_a_schema_is_looked_up_in_its_subject(ask):
    body = {"schema": record("a")}
    assert ask.code("POST", "/subjects/s", body) == 40401
    ask.register("s", record("a"))
    found = ask("POST", "/subjects/s", body)[1]
    assert (found["subject"], found["version"], found["id"]) == ("s", 1, 1)
    assert ask.code("POST", "/subjects/s", {"schema": record("z")}) == 40403
    assert ask.code("POST", "/subjects/s", {"schema": "{"}) == 42201


def test_the_latest_version_with_some_properties_is_found(ask):
    ask.register("s", record("a"), metadata={"properties": {"v": "1"}})
    ask.register("s", record("a", "b="), metadata={"properties": {"v": "2"}})
    assert ask("GET", "/subjects/s/metadata?key=v&value=1")[1]["version"] == 1
    assert ask.code("GET", "/subjects/s/metadata?key=v&value=3") == 40403
