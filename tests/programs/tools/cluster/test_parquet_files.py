"""A topic as Parquet, read by the library that others read it with, and sent again."""

import pytest

from moldau.client.admin import Admin, NewTopic

pq = pytest.importorskip("pyarrow.parquet")


def test_a_topic_becomes_parquet_and_a_topic_again(call, node, topic, tmp_path):
    path, again = tmp_path / "a.parquet", f"{topic}-again"
    assert call(f"export --topic {topic} {path}")[0] == 0
    rows = pq.read_table(path).sort_by([("partition", "ascending"), ("offset", "ascending")])
    assert rows["value"].to_pylist() == [b"one", None, b"\xff"]
    assert rows["offset"].to_pylist() == [0, 1, 0]
    assert rows["headers"].to_pylist()[2] == [{"key": "h", "value": b"1"}]
    dry = call(f"import --topic {again} --dry-run {path}")
    assert dry == (0, [f"3 records would be sent to {again}."])
    with Admin(node) as admin:
        admin.create_topics([NewTopic(again, partitions=2, replication_factor=1)]).all()
    assert call(f"import --topic {again} {path}") == (0, [f"3 records sent to {again}."])
    first, second = (sorted(call(f"export --topic {name} -")[1]) for name in (topic, again))
    assert first == second


def test_where_no_file_can_be_is_one_sentence(call, topic, tmp_path, errors):
    assert call(f"export --topic {topic} {tmp_path}/absent/a.parquet") == (1, [])
    assert errors.getvalue().endswith("there is no such file or directory\n")
    assert errors.getvalue().count("\n") == 1


def test_what_is_no_parquet_is_refused(call, topic, tmp_path, errors):
    path = tmp_path / "b.parquet"
    path.write_text("no")
    assert call(f"import --topic {topic} {path}")[0] == 1
    assert call(f"import --topic {topic} --dry-run {path}")[0] == 1
    assert errors.getvalue().count("cannot be read as Parquet") == 2
