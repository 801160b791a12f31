"""Settings as a program gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.config.given import refuse_unknown, texts
from moldau.config.refusals import InvalidSettingError, SettingError, UnknownSettingError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is", "as it is"),
        (3, "3"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (Path("/data"), "/data"),
        (["one:1", "two:2"], "one:1,two:2"),
        ((1, True), "1,true"),
        ([], ""),
    ],
)
def test_a_value_of_python_becomes_what_a_file_would_have(value, text):
    assert texts({"name": value}) == {"name": text}


def test_none_leaves_the_default():
    assert texts({"a": None, "b": 1}) == {"b": "1"}


@pytest.mark.parametrize("value", [b"bytes", {"a": 1}, object, [None]])
def test_what_no_setting_can_be_is_refused_with_its_name(value):
    with pytest.raises(InvalidSettingError, match="for configuration a: it has to be text"):
        texts({"a": value})


@pytest.mark.parametrize("given", ["num.partitions=3", 3, ["a"]])
def test_settings_that_are_no_mapping_are_refused(given):
    with pytest.raises(SettingError, match="settings are a mapping"):
        texts(given)


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(SettingError, match="text, and not 3"):
        texts({3: "a"})


def test_the_first_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(UnknownSettingError, match=r"^bbbb is no setting \(did you mean bbbbc\?\)$"):
        refuse_unknown(["bbbb", "c"], ["aa", "bbbbc"])
    refuse_unknown([], ["aa"])
