"""`moldau lag` at a real node."""

import json


def test_the_lag_of_a_group_is_shown_in_offsets_and_seconds(call, group, topic):
    code, (head, *lines) = call(f"lag --group {group}")
    assert (code, head.split()) == (
        0,
        ["GROUP", "TOPIC", "PARTITION", "COMMITTED", "END", "LAG", "SECONDS"],
    )
    assert [line.split()[:6] for line in lines] == [
        [group, topic, "0", "1", "2", "1"],
        [group, topic, "1", "0", "1", "1"],
    ]
    assert all(float(line.split()[6]) > 1e9 for line in lines)


def test_where_there_is_nothing_to_show_the_groups_are_named(call, group, topic, errors):
    assert call("lag --group absent --group gone") == (0, ["absent, gone: no committed offsets."])
    words = f"--group {group} --topic {topic} --reset-offsets --to-latest --execute"
    assert call(f"consumer-groups {words}")[0] == 0
    assert call(f"lag --group {group} --behind") == (0, [f"{group}: not behind."])


def test_scripts_get_objects_and_an_exit_code(call, group):
    code, lines = call(f"lag --group {group} --json --max-lag 0")
    assert code == 1
    assert [json.loads(line)["lag"] for line in lines] == [1, 1]
    assert call(f"lag --group {group} --max-lag 1")[0] == 0
    assert call(f"lag --group {group} --max-seconds 60")[0] == 1
