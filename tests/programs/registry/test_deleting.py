"""Softly first, then for good; and nothing that others refer to."""

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


def test_settings_of_a_subject_go_with_it(ask):
    ask.register("s", record("a"))
    ask("PUT", "/config/s", {"compatibility": "NONE"})
    ask("PUT", "/mode/s", {"mode": "READWRITE"})
    ask("DELETE", "/subjects/s")
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
