"""Offsets as text."""

import pytest

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.programs.console.topics.places import places_of, text_of
from moldau.programs.http.messages import HttpError

ZERO, ONE = TopicPartition("t", 0), TopicPartition("t", 1)
FIRST, LAST = {ZERO: 5, ONE: 0}, {ZERO: 9, ONE: 3}


def test_offsets_are_text_and_offsets_again():
    assert text_of({ONE: 3, ZERO: 7}) == "0:7,1:3"
    assert places_of("0:7,1:3", "t", FIRST, LAST) == {ZERO: 7, ONE: 3}


def test_offsets_beyond_a_log_are_moved_to_its_ends_and_other_partitions_left_out():
    assert places_of("0:1,1:99,7:1", "t", FIRST, LAST) == {ZERO: 5, ONE: 3}


@pytest.mark.parametrize("text", ["", "0", "0:", "a:1", "0:1,", "0:1 1:2", "0:-1"])
def test_what_is_no_offsets_is_refused(text):
    with pytest.raises((HttpError, MoldauError), match="PARTITION:OFFSET"):
        places_of(text, "t", FIRST, LAST)
