"""Patterns are judged as brokers judge them; the sentences are those of Kafka's tool."""

import pytest

from moldau.programs.tools.kafka.pattern_verdicts import verdict


def test_a_pattern_of_re2_is_valid():
    assert verdict("a.*|(?P<1>b)") == "The regular expression `a.*|(?P<1>b)` is valid."


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a(", "missing closing )"),
        ("a[", "missing closing ]"),
        ("*a", "missing argument to repetition operator"),
        ("a{2,1}", "invalid repeat count"),
        ("a\\", "trailing backslash at end of expression"),
        ("(?P<a", "invalid named capture"),
        ("(?=a)", "invalid or unsupported Perl syntax"),
        (r"\q", "invalid escape sequence"),
    ],
)
def test_what_is_none_has_its_reason(pattern, why):
    assert verdict(pattern) == f"The regular expression `{pattern}` is invalid: {why}."
