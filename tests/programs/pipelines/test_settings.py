"""Settings are read by their types, and refused in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.landing_settings import BatchSettings
from moldau.programs.pipelines.settings import described, read_settings, setting


@dataclass(frozen=True, kw_only=True)
class Example:
    form: str = setting("json", "what values are", among=("json", "csv"))
    size_max: int = setting(1_000, "how large they may be", least=1)
    strict: bool = setting(False, "whether it matters")
    note: str = setting("", "anything")


@dataclass(frozen=True, kw_only=True)
class Own(BatchSettings):
    """As a file of a user has them: by the decorator of Python's own library."""

    window: str = setting("1 minute", "anything")


def test_settings_of_a_user_have_those_that_all_pipelines_share():
    read = read_settings(Own, ["window=1 hour", "letters=dead"])
    assert (read.window, read.letters, read.compact_every) == ("1 hour", "dead", 100)


def test_what_is_not_set_has_its_default():
    assert read_settings(Example, []) == Example()


def test_pairs_are_read_by_the_type_of_their_field():
    given = ["size_max=2_000", "strict=true", "form=csv", "note=a=b"]
    wanted = Example(size_max=2_000, strict=True, form="csv", note="a=b")
    assert read_settings(Example, given) == wanted


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("size_max", "--set takes NAME=VALUE"),
        ("q=1", "there is no setting q: known are form, size_max, strict, note"),
        ("sizemax=1", r"there is no setting sizemax: did you mean size_max\? known are form"),
        ("size_max=many", "size_max is a whole number from 1 to 2147483647, and not 'many'"),
        ("size_max=-1", "size_max is a whole number from 1 to 2147483647, and not '-1'"),
        ("size_max=0", "size_max is a whole number from 1 to 2147483647, and not '0'"),
        ("size_max=2147483648", "size_max is a whole number from 1 to 2147483647, and not"),
        ("strict=yes", "strict is true or false, and not 'yes'"),
        ("form=xml", "form is one of json, csv, and not 'xml'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(SettingError, match=sentence):
        read_settings(Example, [given])


def test_each_setting_says_its_name_its_default_and_its_meaning():
    assert list(described(Example)) == [
        ("form", "json", "what values are"),
        ("size_max", "1000", "how large they may be"),
        ("strict", "false", "whether it matters"),
        ("note", "(nothing)", "anything"),
    ]


@dataclass(frozen=True, kw_only=True)
class Larger(Example):
    size_max: int = setting(5, "how large they may be here")
    more: str = setting("", "what only this one has")


def test_what_a_pipeline_shares_with_others_comes_last():
    found = list(described(Larger))
    assert [name for name, _, _ in found] == ["size_max", "more", "form", "strict", "note"]
    assert found[0] == ("size_max", "5", "how large they may be here")
