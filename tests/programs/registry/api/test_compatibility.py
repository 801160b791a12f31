"""`/compatibility`, as clients ask it."""

from tests.programs.registry.asked import record

ALL = "/compatibility/subjects/s/versions"


def test_a_schema_is_compared_and_nothing_is_registered(ask):
    ask.register("s", record("a"))
    good, bad = {"schema": record("a", "b=")}, {"schema": record("a", "b")}
    for path in (ALL, f"{ALL}/latest", f"{ALL}/1"):
        assert ask("POST", path, good) == (200, {"is_compatible": True})
        assert ask("POST", path, bad) == (200, {"is_compatible": False})
    _, body = ask("POST", f"{ALL}/latest?verbose=true", bad)
    assert "READER_FIELD_MISSING_DEFAULT_VALUE" in body["messages"][0]
    assert len(ask.store.records) == 1


def test_a_subject_without_versions_fits_everything_but_its_numbers_are_not_there(ask):
    body = {"schema": record("a")}
    assert ask("POST", f"{ALL}/latest", body)[1] == {"is_compatible": True}
    assert ask.code("POST", f"{ALL}/1", body) == 40402


def test_what_is_no_schema_is_an_error_or_a_message(ask):
    assert ask.code("POST", ALL, {"schema": "{"}) == 42201
    assert ask("POST", f"{ALL}?verbose=true", {"schema": "{"})[1]["is_compatible"] is False
