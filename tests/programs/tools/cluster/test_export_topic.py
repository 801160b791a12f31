"""`moldau export` at a real node."""

import json

import pytest

from moldau.client import Consumer


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


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_an_export_that_is_interrupted_leaves_no_file_that_looks_whole(
    call, topic, tmp_path, monkeypatch, name
):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / f"{name}.part").write_text("of an export that was killed")
    for reading in ("consume", "arrow"):
        monkeypatch.setattr(Consumer, reading, interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(f"export --topic {topic} {tmp_path}/{name}")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert call(f"export --topic {topic} {tmp_path}/{name}")[0] == 0
    assert [one.name for one in tmp_path.iterdir()] == [name]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_file_that_exists_stays_as_it_is(call, topic, tmp_path, errors):
    path = tmp_path / "kept.jsonl"
    path.write_text("kept")
    assert call(f"export --topic {topic} {path}")[0] == 1
    assert (path.read_text(), "exists" in errors.getvalue()) == ("kept", True)
