"""The tree of errors is the one that is drawn."""

import re

import pytest

from moldau import errors
from moldau.errors import MoldauError, NetworkError, StorageError


def test_the_tree_in_the_docstring_is_the_tree_in_the_code():
    drawn = set(re.findall(r"\w+Error", errors.__doc__ or ""))
    defined = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert drawn == defined


@pytest.mark.parametrize(
    "error", [StorageError("a/b", "it is full"), NetworkError("a/b", "it is full")]
)
def test_an_error_of_the_world_names_the_thing_and_the_cause(error):
    assert str(error) == "a/b: it is full"
    assert error.reason == "it is full"
    assert isinstance(error, MoldauError)
