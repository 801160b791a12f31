"""Facts of a group, and the cause that is named."""

import pytest

from moldau.programs.console.groups.diagnosis import RULES, diagnose
from moldau.programs.console.groups.lag_facts import GroupFacts, PartitionFacts


def part(number, lag, into, out, member="a", topic="t"):
    """`lag` records behind, with rates in and out."""
    client = member and f"client-{member}"
    return PartitionFacts(topic, number, 100, 100 + lag, into, out, client, member)


def facts(*parts, members=2, **more):
    return GroupFacts(
        "g", **{"state": "Stable", "members": members, "seconds": 20} | more, partitions=parts
    )


NEVER = PartitionFacts("t", 0, None, 50, 5.0, None, "client-a", "a")
HOT = (part(0, 900, 90.0, 50.0, "a"), *(part(n, 10, 5.0, 5.0, "b") for n in (1, 2, 3)))
SLOW = (part(0, 500, 50.0, 10.0, "a"), part(1, 0, 50.0, 50.0, "b"))
UNREAD = NEVER._replace(partition=2, rate_in=60.0)
ONE_BY_ONE = (part(0, 5000, 70.0, 2.0), part(1, 2600, 60.0, 0.0), UNREAD)
"""A member that is so slow that it has not come to all of its partitions yet."""
EVEN = tuple(part(n, 500, 50.0, 20.0, "ab"[n % 2]) for n in range(8))
CASES = [
    ("no_offsets", "warn", facts()),
    ("never_commits", "warn", facts(NEVER)),
    ("nothing_behind", "good", facts(part(0, 0, 5.0, 5.0))),
    ("nothing_behind", "good", facts(part(0, 20, 5.0, 5.0))),
    ("no_members", "bad", facts(part(0, 9, 0.0, 0.0, None), members=0, state="Empty")),
    ("rebalancing", "warn", facts(part(0, 9, 0.0, 0.0), state="PreparingRebalance")),
    ("no_owner", "bad", facts(part(0, 9, 0.0, 0.0, None), part(1, 0, 1.0, 1.0))),
    ("looking", "warn", facts(part(0, 9, 0.0, 0.0), seconds=2)),
    ("looking", "warn", facts(part(0, 9, 0.0, None))),
    ("stalled_owner", "bad", facts(part(0, 500, 5.0, 0.0), part(1, 0, 5.0, 5.0, "b"))),
    ("catching_up", "warn", facts(part(0, 500, 5.0, 50.0))),
    ("hot_partition", "bad", facts(*HOT)),
    ("slow_owner", "bad", facts(*SLOW)),
    ("too_few_members", "bad", facts(*EVEN)),
    ("too_few_partitions", "bad", facts(*EVEN[:3])),
    ("too_few_partitions", "bad", facts(*EVEN[:2])),
    ("too_few_members", "bad", facts(*EVEN[:2], has_owners=False)),
    ("too_few_partitions", "bad", facts(*ONE_BY_ONE, members=1)),
    ("too_few_members", "bad", facts(*EVEN, part(8, 500, 50.0, None))),
    ("never_commits", "warn", facts(part(1, 0, 5.0, 5.0), NEVER)),
    ("stalled_owner", "bad", facts(part(0, 500, 5.0, 0.0), part(1, 0, 5.0, 5.0))),
    ("stalled_owner", "bad", facts(part(0, 9, 0.0, 0.0, None), has_owners=False)),
]


@pytest.mark.parametrize(("cause", "level", "given"), CASES)
def test_the_likeliest_cause_is_named(cause, level, given):
    found = diagnose(given)
    assert (found.cause, found.level) == (cause, level), found.sentence
    assert found.sentence.endswith(".")


def test_each_rule_decides_a_case():
    firsts = {next(rule for rule in RULES if rule(given)) for _, _, given in CASES}
    assert firsts == set(RULES)


def test_the_sentence_has_what_the_remedy_needs():
    stalled = diagnose(facts(part(0, 500, 5.0, 0.0), part(1, 0, 5.0, 5.0, "b")))
    assert stalled.sentence.startswith("client-a has committed nothing of t-0 for 20 seconds")
    assert "the offset 100" in stalled.sentence
    assert diagnose(facts(*EVEN)).sentence == (
        "g reads 160 of 400 records a second with 2 members: start members until there are 5, or "
        "make the work on a record faster."
    )
    assert "start 1 more, and add partitions" in diagnose(facts(*EVEN[:3])).sentence
    assert "t-0 receives 86% of the records of t" in diagnose(facts(*HOT)).sentence
    assert "about 12 seconds" in diagnose(facts(part(0, 500, 5.0, 50.0))).sentence
