"""`moldau cat -P` at a real node."""


def test_lines_become_records_with_keys_nulls_and_headers(call, topic):
    typed = b"a:1\nb:\n:c\nd\n"
    assert call(f"cat -P -t {topic} -p 1 -K: -Z -H h=1 -z gzip -T", typed) == (
        0,
        typed.decode().splitlines(),
    )
    _, lines = call(f"cat -C -t {topic} -p 1 -o 1 -e -q -f '%k|%K|%s|%S|%h\\n' -Z")
    assert lines == ["a|1|1|1|h=1", "b|1|NULL|-1|h=1", "NULL|-1|c|1|h=1", "NULL|-1|d|1|h=1"]


def test_files_are_records_as_a_whole_or_by_lines(call, topic, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x\ny\n")
    assert call(f"cat -P -t {topic} -p 0 {path}")[0] == 0
    assert call(f"cat -P -t {topic} -p 0 -l -k key -c 1 {path}")[0] == 0
    _, lines = call(f"cat -C -t {topic} -p 0 -o 2 -e -q -f '%k=%s;\\n'")
    assert lines == ["=x", "y", ";", "key=x;"]
