"""Patterns match whole names, in time that cannot run away."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.group.consumer.patterns import Pattern, parse_pattern
from moldau.errors import KafkaError

NAMES = ["", "a", "ab", "aab", "b", "abab", "a.b", "A", "topic-1", "topic-22", "_x", "a_b", "1"]


@pytest.mark.parametrize(
    "text",
    ["a", "a|b", "a*", "a+b", "(ab)+", "a?b", "a{2}b", "a{1,2}b", "(?i)a", "[a-c]+", "[^a]", ".*",
     r"topic-\d+", r"\w+", "^a$", r"a\.b", "(a|ab)(b|)", r"a\b.*", r"a\B.*", "a{0}", "(?:a|b){2,}"],
)  # fmt: skip
def test_names_are_matched_as_pythons_engine_does(text):
    pattern, judge = Pattern(text), re.compile(text)
    for name in NAMES:
        assert pattern.matches(name) == (judge.fullmatch(name) is not None), (text, name)


@given(st.text("ab|*+?().[]^-{}1,\\d$", max_size=12), st.text("ab1.-", max_size=8))
def test_any_pattern_is_refused_or_matches_quickly(text, name):
    with suppress(KafkaError):
        assert parse_pattern(text).matches(name) in (True, False)


def test_a_pattern_that_takes_others_ages_is_nothing_special():
    assert not Pattern("(a+)+$").matches("a" * 240 + "b")


def test_a_pattern_that_is_too_large_is_refused():
    with pytest.raises(KafkaError):
        parse_pattern("((a{100}){100}){100}")
