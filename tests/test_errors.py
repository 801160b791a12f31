"""The tree of errors: every one of them is a sentence for people."""

from __future__ import annotations

import re

import pytest

import moldau.errors as errors
from moldau.errors import MoldauError, StorageError


def all_errors() -> list[type[MoldauError]]:
    return [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, MoldauError)
    ]


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: error.__name__)
def test_every_error_stands_in_the_drawn_tree_and_says_when_it_happens(error):
    assert error.__doc__
    assert re.search(rf"\b{error.__name__}\b", errors.__doc__ or "")


def test_a_storage_error_names_the_file_and_the_reason():
    error = StorageError("data/meta.properties", "it is gone")
    assert str(error) == "data/meta.properties: it is gone"
    assert (error.path, error.reason) == ("data/meta.properties", "it is gone")
