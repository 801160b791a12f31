"""Softly first, then for good; and nothing that others refer to."""

import pytest

from tests.programs.registry.asked import record


def test_a_subject_is_deleted_in_two_steps(ask):
    assert ask.code("DELETE", "/subjects/s") == 40401
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    assert ask.code("DELETE", "/subjects/s?permanent=true") == 40405
    assert ask("DELETE", "/subjects/s") == (200, [1, 2])
    assert ask.code("DELETE", "/subjects/s") == 40404
    assert ask("DELETE", "/subjects/s?permanent=true") == (200, [1, 2])
    assert ask.code("GET", "/schemas/ids/1") == 40403


def test_a_version_is_deleted_in_two_steps(ask):
    ask.register("s", record("a"))
    ask.register("s", record("a", "b="))
    assert ask.code("DELETE", "/subjects/s/versions/2?permanent=true") == 40407
    assert ask("DELETE", "/subjects/s/versions/latest") == (200, 2)
    assert ask.code("DELETE", "/subjects/s/versions/2") == 40406
    assert ask("DELETE", "/subjects/s/versions/2?permanent=true") == (200, 2)
    assert ask.code("DELETE", "/subjects/s/versions/2") == 40402
    assert ask("GET", "/subjects/s/versions?deleted=true") == (200, [1])


@pytest.mark.parametrize("place", ["/subjects/s", "/subjects/s/versions/1"])
def test_settings_of_a_subject_go_with_the_last_of_it(ask, place):
    ask.register("s", record("a"))
    ask("PUT", "/config/s", {"compatibility": "NONE"})
    ask("PUT", "/mode/s", {"mode": "READWRITE"})
    ask("DELETE", place)
    assert ask("GET", "/config/s")[1] == {"compatibilityLevel": "NONE"}
    ask("DELETE", f"{place}?permanent=true")
    assert ask.code("GET", "/config/s") == 40408
    assert ask.code("GET", "/mode/s") == 40409


def test_what_others_refer_to_is_kept(ask):
    ask.register("a", record(name="A"))
    user = '{"type":"record","name":"B","fields":[{"name":"a","type":"A"}]}'
    ask.register("b", user, references=[{"name": "A", "subject": "a", "version": 1}])
    assert ask.code("DELETE", "/subjects/a/versions/1") == 42206
    assert ask.code("DELETE", "/subjects/a") == 42206
    assert ask("GET", "/subjects/a/versions/1/referencedby") == (200, [2])
    ask("DELETE", "/subjects/b")
    assert ask("DELETE", "/subjects/a") == (200, [1])
    assert ask.code("DELETE", "/subjects/a?permanent=true") == 42206  # b may come back
    ask("DELETE", "/subjects/b?permanent=true")
    assert ask("DELETE", "/subjects/a?permanent=true") == (200, [1])


def test_the_latest_version_is_none_that_is_deleted(ask):
    ask.register("s", record("a"))
    ask("DELETE", "/subjects/s")
    assert ask.code("DELETE", "/subjects/s/versions/latest") == 40402
    assert ask.code("GET", "/subjects/s/versions/latest?deleted=true") == 40402
    assert ask("GET", "/subjects/s/versions/1?deleted=true")[1]["deleted"] is True
