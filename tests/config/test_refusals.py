"""A refusal names the setting, its value, what is wrong, and what to do."""

from moldau.config.refusals import InvalidSettingError, MissingSettingError, SettingError


def test_an_impossible_value_is_named_with_its_setting():
    error = InvalidSettingError("num.partitions", "0", "Value must be at least 1")
    text = "Invalid value 0 for configuration num.partitions: Value must be at least 1"
    assert str(error) == text
    assert error.name == "num.partitions"
    assert isinstance(error, SettingError)


def test_what_is_missing_is_asked_for_in_both_ways_of_giving_it():
    text = str(MissingSettingError("node.id"))
    assert "node.id=..." in text
    assert "--set node.id=..." in text
