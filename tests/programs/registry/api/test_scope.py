"""Names in paths, and looking once more."""

from tests.programs.registry.asked import record


def test_what_is_not_there_is_looked_for_once_more_in_the_topic(ask):
    async def arrive():
        ask.store.looks += 1
        answer, records = ask.scope.registrar.register(asked)
        for one in records:
            ask.state.apply(*one)
        return answer

    from moldau.programs.registry.registering import Registration
    from moldau.schemas.model import SchemaText

    asked = Registration("s", SchemaText(record("a")))
    ask.store.read_to_end = arrive
    assert ask("GET", "/schemas/ids/1")[0] == 200
    assert ask("GET", "/schemas/ids/1")[0] == 200
    assert ask.store.looks == 1


def test_subjects_with_slashes_and_colons_are_one_segment(ask):
    ask.register("a/b:c d", record("a"))
    assert ask("GET", "/subjects") == (200, ["a/b:c d"])
    assert ask("GET", "/subjects/a%2Fb%3Ac%20d/versions/1")[1]["subject"] == "a/b:c d"


def test_a_context_may_stand_before_the_path(ask):
    ask("POST", "/contexts/.x/subjects/s/versions", {"schema": record("a")})
    assert ask("GET", "/subjects") == (200, [":.x:s"])
    assert ask("GET", "/contexts/:.x:/subjects/s/versions/1")[1]["id"] == 1
    assert ask("GET", "/contexts/.x/schemas/ids/1")[0] == 200
    assert ask.code("GET", "/schemas/ids/1") == 40403
    assert ask("GET", "/schemas/ids/1?subject=:.x:s")[0] == 200
