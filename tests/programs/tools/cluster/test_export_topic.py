"""`moldau export` at a real node."""

import json


def test_records_keep_all_they_have(call, topic):
    code, lines = call(f"export --topic {topic} -")
    found = sorted(map(json.loads, lines), key=lambda one: (one["partition"], one["offset"]))
    assert code == 0
    assert found == [
        {"partition": 0, "offset": 0, "timestamp": 1000, "key": "k", "value": "one", "headers": []},
        {"partition": 0, "offset": 1, "timestamp": 2000, "key": "k", "value": None, "headers": []},
        {
            "partition": 1,
            "offset": 0,
            "timestamp": 3000,
            "key": None,
            "value": {"base64": "/w=="},
            "headers": [["h", "1"]],
        },
    ]


def test_one_partition_alone_and_none_that_is_not_there(call, topic, errors):
    assert len(call(f"export --topic {topic} --partition 1 -")[1]) == 1
    assert call(f"export --topic {topic} --partition 7 -")[0] == 1
    assert "has no partition 7" in errors.getvalue()


def test_a_file_that_exists_stays_as_it_is(call, topic, tmp_path, errors):
    path = tmp_path / "kept.jsonl"
    path.write_text("kept")
    assert call(f"export --topic {topic} {path}")[0] == 1
    assert (path.read_text(), "exists" in errors.getvalue()) == ("kept", True)
