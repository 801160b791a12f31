"""A pattern of topics is a regular expression in which a comma is an alternative."""

import pytest

from moldau.programs.tools.kafka.topic_names import InvalidPatternError, TopicFilter


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("a", ["a"]), ("a,b", ["a", "b"]), ("a.*", ["a", "a1"]), ("'a| b'", ["a", "b"]), ("x", [])],
)
def test_the_whole_name_has_to_match(pattern, found):
    assert TopicFilter(pattern).of(["a", "a1", "b"]) == found


def test_internal_topics_may_be_left_out():
    assert TopicFilter(".*").of(["__consumer_offsets", "a"], internal=False) == ["a"]


def test_what_is_no_pattern_is_named():
    with pytest.raises(InvalidPatternError, match="invalid regex"):
        TopicFilter("a(")
