"""Parts that are made late."""

from __future__ import annotations

from typing import Any

from moldau.broker.node.when_needed import when_needed


def test_a_part_is_made_by_the_first_look_at_it():
    made = []

    def make():
        made.append("part")
        return "part"

    part = when_needed(make)
    assert not made
    assert part.upper() == "PART"
    assert made


def test_what_is_known_meanwhile_needs_no_part():
    part: Any = when_needed(lambda: 1 // 0, {"knows": lambda index: False})
    assert part.knows(3) is False
