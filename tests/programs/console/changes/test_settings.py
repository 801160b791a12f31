"""Settings, and taking a change of them back."""


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
