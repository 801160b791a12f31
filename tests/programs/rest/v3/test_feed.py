"""Places at which a stream begins: offsets and times."""

from __future__ import annotations

import json

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.v3.feed import chosen, read_vector, vector_text
from tests.programs.rest.v3.test_sockets import opened, record, texts


def test_places_are_read_as_they_are_written():
    assert read_vector(vector_text({0: 13, 12: 7})) == {0: 13, 12: 7}
    assert read_vector("") == {}
    for text in ("0", "0:", ":1", "a:b", "0:1,", "0:1;1:2", "0:" + "9" * 30):
        with pytest.raises(HttpError):
            read_vector(text)


def test_partitions_are_chosen_by_numbers_that_there_are():
    assert chosen(["1", "0", "1"], 3) == [0, 1]
    assert chosen((), 3) == [0, 1, 2]
    for text in ("3", "-1", "٣", "", "9" * 5000):
        with pytest.raises(HttpError):
            chosen([text], 3)


def test_it_begins_at_a_time(rest, made):
    for text, at in (("old", 1000), ("new", 3000)):
        line = json.dumps(record(text, partition_id=0, timestamp=at)).encode()
        assert rest.reports(made, line)[0]["error_code"] == 200
    for begin in ("2000", "1970-01-01T00:00:02Z"):
        with opened(rest, made, f"stream?from={begin}&format=string") as client:
            assert client.next()["id"] == "0:1,1:0"
            assert texts(client, 1) == [(0, "new")]
    with opened(rest, made, "stream?from=4000") as client:
        assert client.next()["id"] == "0:2,1:0"
