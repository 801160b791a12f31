"""What is wrong in a file of JSON is named with its place."""

import re

import pytest

from moldau.platform.simulated.files import SimulatedFiles
from moldau.programs.tools.kafka.json_files import (
    field_of,
    long_in,
    number_in,
    object_of,
    read_json,
    rows_in,
)
from moldau.programs.tools.kafka.tool import ToolFailedError


def files_with(data: bytes) -> SimulatedFiles:
    files = SimulatedFiles()
    written = files.open("/a.json", create=True)
    written.append(data)
    written.close()
    return files


def test_a_file_is_read():
    assert read_json(files_with(b'{"a": [1]}'), "/a.json") == {"a": [1]}


@pytest.mark.parametrize(
    ("data", "place"),
    [(b'{"a":\n [1,}', "line 2, column 5"), (b"", "line 1, column 1"), (b"\xff", "line 1")],
)
def test_what_is_no_json_is_named_with_line_and_column(data, place):
    with pytest.raises(ToolFailedError, match=place):
        read_json(files_with(data), "/a.json")


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ToolFailedError, match=r"Unable to read file /b\.json"):
        read_json(SimulatedFiles(), "/b.json")


def test_fields_are_there_and_of_their_kind():
    row = object_of({"topic": "a", "partition": 3, "rows": [{}]})
    assert (field_of(row, "topic", str), number_in(row, "partition")) == ("a", 3)
    assert rows_in(row, "rows") == [{}]
    with pytest.raises(ToolFailedError, match="No such field exists: `offset`"):
        number_in(row, "offset")
    with pytest.raises(ToolFailedError, match="received"):
        number_in({"offset": True}, "offset")
    with pytest.raises(ToolFailedError, match="Expected JSON object, received \\[\\]"):
        object_of([])


def test_numbers_beyond_an_integer_of_java_are_for_offsets_alone():
    row = {"partition": 2**31}
    assert long_in(row, "partition") == 2**31
    with pytest.raises(ToolFailedError, match="Expected `Integer` value, received 2147483648"):
        number_in(row, "partition")


def test_what_is_no_list_of_rows_is_shown_as_java_writes_it():
    with pytest.raises(ToolFailedError, match=re.escape('received {"a":"\xfc"}')):
        rows_in({"rows": {"a": "\xfc"}}, "rows")
