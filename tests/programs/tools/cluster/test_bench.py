"""`moldau bench` at a real node."""

import json


def test_load_is_counted_and_its_latencies_are_shown(call, topic):
    code, lines = call(f"bench --topic {topic} --records 200 --rate 2000 --keys 3")
    assert code == 0
    assert lines[0].startswith("200 records in ")
    assert lines[1].startswith("latency in ms: mean ")
    assert sum(int(line.split()[1]) for line in lines[3:]) == 200


def test_scripts_get_one_object(call, topic):
    code, lines = call(f"bench --topic {topic} --records 50 --json")
    found = json.loads(lines[0])
    assert (code, found["records"], found["failed"]) == (0, 50, 0)
    shown = call(f"bench --topic {topic} --records 50 --output json")[1]
    row = json.loads("\n".join(shown))[0]
    assert (row["records"], row["p50_ms"] <= row["p99_9_ms"]) == (50, True)
    assert found["p50_ms"] <= found["p99_ms"] <= found["max_ms"]
