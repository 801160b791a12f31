"""`moldau top`, once and for scripts."""

import json


def test_topics_and_groups_are_shown_once(call, group, topic):
    code, lines = call("top --once")
    assert code == 0
    assert lines[0].startswith("cluster ")
    (row,) = (line.split() for line in lines if line.startswith(topic))
    assert row[1:4] == ["2", "-", "3"]
    (row,) = (line.split() for line in lines if line.startswith(group))
    assert row[1:4] == ["Empty", "0", "2"]


def test_scripts_get_one_object(call, group, topic):
    code, lines = call("top --once --json")
    fields = json.loads(lines[0])
    assert (code, len(lines)) == (0, 1)
    (found,) = (one for one in fields["topics"] if one["topic"] == topic)
    assert (found["partitions"], found["records"]) == (2, 3)
    (found,) = (one for one in fields["groups"] if one["group"] == group)
    assert (found["state"], found["lag"]) == ("Empty", 2)
