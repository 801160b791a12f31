"""Java's hash of texts."""

from __future__ import annotations

import pytest

from moldau.platform.java_hash import java_hash

KNOWN = {"": 0, "a": 97, "hello": 99162322, "my-group": -1906497762, "\U0001f600": 1772899}


@pytest.mark.parametrize(("text", "number"), KNOWN.items())
def test_a_hash_is_that_of_java(text, number):
    assert java_hash(text) == number
