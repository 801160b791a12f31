"""Levels and modes: the nearest scope has the word."""

import pytest

from moldau.programs.registry.settings import config_of, level_of, mode_of
from moldau.schemas.levels import Level
from tests.programs.registry.asked import record


def test_a_subject_has_the_level_of_its_nearest_scope(ask):
    def level(subject):
        return level_of(ask.state, subject, Level.BACKWARD)

    assert level("s") is Level.BACKWARD
    ask("PUT", "/config", {"compatibility": "full"})
    ask("PUT", "/config/:.x:", {"compatibility": "NONE"})
    ask("PUT", "/config/:.x:s", {"compatibility": "FORWARD"})
    assert [level(name) for name in ("s", ":.x:t", ":.x:s")] == ["FULL", "NONE", "FORWARD"]


def test_what_is_not_given_stays_as_it_is(ask):
    ask("PUT", "/config/s", {"compatibility": "FULL", "normalize": True})
    ask("PUT", "/config/s", {"compatibilityGroup": "major"})
    found = config_of(ask.state, "s", Level.BACKWARD)
    assert found == {
        "compatibilityLevel": "FULL",
        "normalize": True,
        "compatibilityGroup": "major",
    }
    ask("PUT", "/config/s", {"normalize": None})
    assert "normalize" not in config_of(ask.state, "s", Level.BACKWARD)


@pytest.mark.parametrize(
    "body", [{"compatibility": "SOME"}, {"compatibility": 1}, {"normalize": 1}]
)
def test_what_is_no_level_is_refused(ask, body):
    assert ask.code("PUT", "/config", body) == 42203
    assert ask.store.records == []


def test_a_subject_that_is_read_only_takes_no_versions(ask):
    ask("PUT", "/mode/s", {"mode": "READONLY"})
    assert ask.register("s", record("a"))[1]["error_code"] == 42205
    assert ask.register("t", record("a"))[0] == 200
    assert ask.code("DELETE", "/subjects/s") == 42205


def test_a_mode_that_overrides_holds_for_all(ask):
    ask("PUT", "/mode/s", {"mode": "READWRITE"})
    ask("PUT", "/mode", {"mode": "READONLY_OVERRIDE"})
    assert mode_of(ask.state, "s") == "READONLY_OVERRIDE"


def test_importing_begins_where_nothing_is_unless_it_is_forced(ask):
    ask.register("s", record("a"))
    assert ask.code("PUT", "/mode", {"mode": "IMPORT"}) == 42205
    assert ask.code("PUT", "/mode/s", {"mode": "IMPORT"}) == 42205
    assert ask("PUT", "/mode/t", {"mode": "IMPORT"}) == (200, {"mode": "IMPORT"})
    assert ask("PUT", "/mode?force=true", {"mode": "import"}) == (200, {"mode": "IMPORT"})
    assert ask.code("PUT", "/mode", {"mode": "SIDEWAYS"}) == 42204
