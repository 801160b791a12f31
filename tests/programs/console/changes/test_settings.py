"""Settings, and taking a change of them back."""

import pytest

NAME = "log.cleaner.backoff.ms"


def value(console, topic, name):
    entries = {one["name"]: one for one in console.get(f"/topics/{topic}/configs")}
    return entries[name]["value"], entries[name]["source"]


def test_a_setting_is_set_and_its_undo_restores_what_was(console, topic):
    done = console.run("alter-configs", of="topic", name=topic, set={"retention.ms": "5000"})
    assert f"configs --bootstrap-server {console.bootstrap} --alter" in done["command"]
    assert value(console, topic, "retention.ms") == ("5000", "topic")
    kind, body = done["undo"]
    console.run(kind, **body)
    assert value(console, topic, "retention.ms")[1] == "default"


def test_a_list_is_written_in_brackets(console, topic):
    given = {"cleanup.policy": "compact,delete"}
    command = console.plan("alter-configs", of="topic", name=topic, set=given)["command"]
    assert "cleanup.policy=[compact,delete]" in command


def test_a_value_that_cannot_be_is_refused_before_it_is_shown(console, topic):
    body = {"of": "topic", "name": topic, "set": {"retention.ms": "soon"}}
    assert console.refusal("POST", "/changes/alter-configs/plan", body)[0] == 400
    body = {"of": "moon", "name": topic, "set": {"a": "b"}}
    assert console.refusal("POST", "/changes/alter-configs/plan", body)[0] == 400


def test_a_setting_of_all_brokers_is_set_and_taken_back(console):
    def found():
        (one,) = [one for one in console.get("/brokers/1/configs") if one["name"] == NAME]
        return one["value"], one["source"]

    before = found()
    done = console.run("alter-configs", of="broker", name="", set={NAME: "77"})
    assert f"--alter --broker-defaults --add-config {NAME}=77" in done["command"]
    assert found()[0] == "77" != before[0]
    later = console.run("alter-configs", of="broker", name="", set={NAME: "79"})
    kind, body = later["undo"]
    console.run(kind, **body)
    assert found()[0] == "77"
    kind, body = done["undo"]
    console.run(kind, **body)
    assert found() == before


@pytest.mark.parametrize(
    "name",
    ["ssl.keystore.password", "listener.name.external.ssl.key.password", "ssl.truststore.password"],
)
def test_no_secret_stands_in_a_command_a_difference_or_the_list_of_changes(console, name):
    given = {"of": "broker", "name": "1", "set": {name: "hunter2", NAME: "78"}}
    plan = console.plan("alter-configs", **given)
    assert "hunter2" not in str(plan)
    variable = name.upper().replace(".", "_")
    assert plan["command"].startswith(f"read -rs {variable} && moldau configs")
    assert f"""'{name}='"${variable}"',{NAME}=78'""" in plan["command"]
    assert plan["undo"] is None, "its former value is not known"
    console.run("alter-configs", **given)
    assert "hunter2" not in str(console.get("/audit"))
    console.run("alter-configs", of="broker", name="1", delete=[name, NAME])
