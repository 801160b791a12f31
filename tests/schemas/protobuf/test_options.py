"""Options that are known have to have a value of their type."""

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.declarations import read_text


@pytest.mark.parametrize("option", ["optimize_for = FAST", "java_multiple_files = 'x'", "a"])
def test_a_value_of_another_type_is_refused(option):
    with pytest.raises(InvalidSchemaError):
        read_text(f"option {option};", "x")


def test_known_options_are_in_the_descriptor():
    file, _ = read_text("option optimize_for = CODE_SIZE; option java_package = 'a.b';", "x")
    assert (file.options.optimize_for, file.options.java_package) == (2, "a.b")
