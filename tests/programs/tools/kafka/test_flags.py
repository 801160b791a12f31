"""Words of a command line become flags as joptsimple reads them, and wrong ones name the cause."""

from __future__ import annotations

import pytest

from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError, parse

FLAGS = (
    Flag("topic", "", Takes.TEXT),
    Flag("list", ""),
    Flag("state", "", Takes.MAYBE),
    Flag("partitions", "", Takes.INT),
    Flag("time", "", Takes.TEXT, default="latest"),
)


def given(*words: str) -> Given:
    return parse(FLAGS, words)


@pytest.mark.parametrize(
    "words", [("--topic", "a"), ("--topic=a",), ("-topic", "a"), ("-topic=a",)]
)
def test_a_value_is_the_next_word_or_follows_an_equals_sign(words):
    assert given(*words).text("topic") == "a"


def test_a_value_may_look_like_a_flag():
    assert given("--topic", "--list").text("topic") == "--list"


def test_a_value_that_may_be_left_out_is_no_flag():
    found = given("--state", "--list")
    assert found.has("state")
    assert found.has("list")
    assert found.texts("state") == []
    assert given("--state", "Stable").text("state") == "Stable"


def test_words_that_are_no_flags_are_kept():
    assert given("a", "--", "--list").others == ["a", "--list"]


def test_the_default_holds_where_nothing_is_given():
    assert given().text("time") == "latest"
    assert given().text("topic") is None


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("--topics",), "topics is not a recognized option", "Did you mean --topic?"),
        (("--lis",), "lis is not a recognized option", "Did you mean --list?"),
        (("--zzz",), "zzz is not a recognized option", ""),
        (("--topic",), "Option topic requires an argument", ""),
    ],
)
def test_wrong_usage_has_kafkas_words_and_names_the_nearest_flag(words, message, hint):
    with pytest.raises(WrongUsageError) as caught:
        given(*words)
    assert (str(caught.value), caught.value.hint) == (message, hint)


@pytest.mark.parametrize("text", ["x", "", "2147483648", "-2147483649", "1.5", "٣"])
def test_a_number_that_is_none_is_refused(text):
    with pytest.raises(WrongUsageError, match="Cannot parse argument"):
        given("--partitions", text).number("partitions")


def test_a_flag_that_is_given_twice_has_no_single_value():
    found = given("--topic", "a", "--topic", "b")
    assert found.texts("topic") == ["a", "b"]
    with pytest.raises(WrongUsageError, match="multiple arguments for option topic"):
        found.text("topic")
