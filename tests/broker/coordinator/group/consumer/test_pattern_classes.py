"""Classes of characters, as far as names of topics have them."""

from __future__ import annotations

import re

import pytest

from moldau.broker.coordinator.group.consumer.pattern_classes import (
    ALPHABET,
    PERL,
    POSIX,
    category,
    in_both_cases,
    within,
)


@pytest.mark.parametrize("letter", "dDsSwW")
def test_perls_classes_are_pythons(letter):
    judge = re.compile(f"\\{letter}", re.ASCII)
    assert PERL[letter] == {char for char in ALPHABET if judge.match(char)}


def test_posix_has_its_classes():
    assert POSIX["alnum"] | {"."} == POSIX["graph"] - {"-", "_"}
    assert (len(POSIX["xdigit"]), len(POSIX["space"])) == (22, 0)


def test_categories_are_known_or_not():
    assert category("Lu") == POSIX["upper"]
    assert (category("Greek"), category("Klingon")) == (frozenset(), None)


def test_ranges_and_cases():
    assert within(ord("a"), ord("c")) == {"a", "b", "c"}
    assert in_both_cases(frozenset("a.")) == {"a", "A", "."}
