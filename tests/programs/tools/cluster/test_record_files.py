"""Records as lines of JSON, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.client import ConsumerRecord
from moldau.programs.tools.cluster.record_files import (
    BadRecordLineError,
    record_line,
    record_of_line,
)

BYTES = st.none() | st.binary(max_size=20)
HEADERS = st.lists(st.tuples(st.text(max_size=5), BYTES), max_size=3)


@given(BYTES, BYTES, HEADERS)
def test_a_record_comes_back_as_it_was(key, value, headers):
    record = ConsumerRecord("t", 3, 7, 99, key, value, tuple(headers))
    assert record_of_line(record_line(record).encode(), 1) == (3, 7, 99, key, value, tuple(headers))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 5: it is no JSON: Expecting property name enclosed in double quotes at"),
        (b"[]", "line 5: it is no JSON object"),
        (b"\xff", "line 5: it is not text in UTF-8"),
        (b'{"vaule":""}', "line 5: 'vaule' is no field of a record"),
        (b'{"partition":-1}', "line 5: partition is -1, and no whole number from 0"),
        (b'{"key":1}', "line 5: key is neither text, nor null, nor"),
        (b'{"key":{"base64":"#"}}', "line 5: key is no Base64"),
        (b'{"headers":[["a"]]}', "line 5: headers are no list of pairs"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(line, message):
    with pytest.raises(BadRecordLineError) as caught:
        record_of_line(line, 5)
    assert str(caught.value).startswith(message)
