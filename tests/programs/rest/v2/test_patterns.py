"""Patterns that a client sends."""

import pytest

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.v2.patterns import topic_pattern


@pytest.mark.parametrize("text", ["orders.*", "(eu|us)-orders-[0-9]+", r"a\.b\+\(c\)*", "[(a+)+]+"])
def test_a_simple_pattern_is_taken(text):
    assert topic_pattern(text).pattern == text


@pytest.mark.parametrize(
    "text", ["(a+)+b", "(a|aa)*b", r"(a)\1", "a*a*a*a*b", "(?:a+){9}", "(", "x" * 501, "(?=a)"]
)
def test_one_that_may_take_long_is_refused(text):
    with pytest.raises(HttpError) as error:
        topic_pattern(text)
    assert error.value.status == 422
