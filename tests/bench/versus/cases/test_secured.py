"""Rules for as many users, half of them on prefixes of different lengths."""

from __future__ import annotations

from bench.versus.cases.secured import LITERAL, PREFIXED, RULES, rule


def test_rules_are_unlike_and_half_of_them_are_on_prefixes():
    rules = [rule(number) for number in range(RULES)]
    assert len({(one.resource_name, one.principal) for one in rules}) == RULES
    patterns = [one.resource_pattern_type for one in rules]
    assert patterns.count(LITERAL) == patterns.count(PREFIXED) == RULES // 2
    lengths = {len(one.resource_name) for one in rules if one.resource_pattern_type == PREFIXED}
    assert lengths == set(range(4, 11))
