"""`moldau import` at a real node, of what `moldau export` has written."""

from moldau.client.admin import Admin, NewTopic


def test_what_was_exported_is_there_again(call, node, topic, tmp_path):
    path, again = tmp_path / "a.jsonl", f"{topic}-again"
    assert call(f"export --topic {topic} {path}")[1] == [
        f"3 records of {topic} exported to {path}."
    ]
    with Admin(node) as admin:
        admin.create_topics([NewTopic(again, partitions=2, replication_factor=1)]).all()
    assert call(f"import --topic {again} {path} --dry-run")[1] == [
        f"3 records would be sent to {again}."
    ]
    assert call(f"import --topic {again} {path}") == (0, [f"3 records sent to {again}."])
    _, lines = call(f"export --topic {again} -")
    assert sorted(lines) == sorted(path.read_text().splitlines())
    assert call(f"import --topic {again} {path}")[1][-1] == (
        "3 of them have another offset than in the file."
    )


def test_of_a_file_with_a_bad_line_nothing_is_sent(call, topic, tmp_path, errors):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"value":"a"}\n{"value":\n')
    assert call(f"import --topic {topic} {path}") == (1, [])
    assert "line 2: it is no JSON" in errors.getvalue()


def test_of_a_file_with_a_strange_partition_nothing_is_sent(call, topic, tmp_path, errors):
    path = tmp_path / "far.jsonl"
    path.write_text('{"value":"a"}\n{"value":"b","partition":9}\n')
    assert call(f"import --topic {topic} {path}") == (1, [])
    assert "has no partition 9" in errors.getvalue()


def test_a_bad_line_of_standard_input_is_named_and_what_was_sent_is_counted(call, topic, errors):
    code, lines = call(f"import --topic {topic} -", b'{"value":"a"}\n{"value":\n')
    assert (code, lines) == (1, [f"1 record sent to {topic}."])
    assert "line 2: it is no JSON" in errors.getvalue()


def test_a_partition_that_is_not_there_is_refused(call, topic, errors):
    assert call(f"import --topic {topic} -", b'{"partition":9,"value":"a"}\n')[0] == 1
    assert "has no partition 9" in errors.getvalue()
    assert call(f"import --topic {topic} - --by-key", b'{"partition":9,"value":"a"}\n')[0] == 0
