"""Levels of a broker's loggers are set, shown, undone, and set by the command as well."""

from tests.programs.console.shell import pasted

ROOT = "root"


def level(console, logger):
    found = console.get("/brokers/1/loggers")
    return {one["logger"]: one["level"] for one in found}[logger]


def test_a_level_is_set_shown_and_undone_as_the_command_does(console, tmp_path):
    before = level(console, ROOT)
    wanted = "DEBUG" if before != "DEBUG" else "WARN"
    given = {"broker": 1, "logger": ROOT, "level": wanted}
    plan = console.plan("set-log-level", **given)
    assert plan["differences"] == [[f"{ROOT} of broker 1", before, wanted]]
    done = console.run("set-log-level", **given)
    assert level(console, ROOT) == wanted
    assert console.get("/audit")[0]["command"] == plan["command"]
    kind, body = done["undo"]
    console.run(kind, **body)
    assert level(console, ROOT) == before
    pasted(plan["command"], tmp_path)
    assert level(console, ROOT) == wanted
    console.run(kind, **body)


def test_what_cannot_be_set_is_refused_with_what_can(console):
    body = {"broker": 1, "logger": ROOT, "level": level(console, ROOT)}
    status, sentence = console.refusal("POST", "/changes/set-log-level/plan", body)
    assert (status, "already" in sentence) == (409, True)
    status, sentence = console.refusal(
        "POST", "/changes/set-log-level/plan", {**body, "level": "LOUD"}
    )
    assert (status, "TRACE, DEBUG" in sentence) == (400, True)
    status, sentence = console.refusal(
        "POST", "/changes/set-log-level/plan", {**body, "logger": "no.such"}
    )
    assert (status, "no logger no.such" in sentence) == (404, True)


def test_the_root_has_no_level_of_a_parent_and_the_refusal_names_those_that_it_can_have(console):
    body = {"broker": 1, "logger": ROOT}
    status, sentence = console.refusal("POST", "/changes/set-log-level/plan", body)
    assert (status, "root has no parent; choose one of TRACE, DEBUG" in sentence) == (400, True)
