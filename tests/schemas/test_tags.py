"""Patterns of field names, with the examples that Confluent's clients document."""

import pytest

from moldau.schemas.tags import matches


@pytest.mark.parametrize(
    ("pattern", "name", "is_match"),
    [
        ("eve*", "eve", True),
        ("a*.bob.e*", "alice.bob.eve", True),
        ("a*", "alice.bob.eve", False),
        ("a**", "alice.bob.eve", True),
        ("alice.bob*", "alice.bob.eve", False),
        ("alice.**.*", "alice.bob.eve", True),
        ("$.ho?e", "$.home", True),
        ("a.b", "axb", False),
    ],
)
def test_a_star_stays_within_a_name_and_two_go_over_dots(pattern, name, is_match):
    assert matches(pattern, name) is is_match
