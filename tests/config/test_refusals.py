"""A refusal names the setting, its value, what is wrong, and what to do."""

from moldau.config.refusals import (
    InvalidSettingError,
    MissingSettingError,
    SettingError,
    UnknownSettingError,
)


def test_an_impossible_value_is_named_with_its_setting():
    error = InvalidSettingError("num.partitions", "0", "Value must be at least 1")
    text = "Invalid value 0 for configuration num.partitions: Value must be at least 1"
    assert str(error) == text
    assert error.name == "num.partitions"
    assert isinstance(error, SettingError)


def test_what_is_missing_is_named_in_the_words_of_kafka():
    error = MissingSettingError("node.id")
    assert str(error) == 'Missing required configuration "node.id" which has no default value'
    assert error.name == "node.id"


def test_an_unknown_name_comes_with_the_nearest_one_if_there_is_one():
    error = UnknownSettingError("num.partition", "num.partitions")
    assert str(error) == "num.partition is no setting (did you mean num.partitions?)"
    assert str(UnknownSettingError("x", None)) == "x is no setting"
    assert str(UnknownSettingError("x", None, " of a client")) == "x is no setting of a client"
