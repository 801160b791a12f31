"""Judge: asked the same, Kafka and Moldau answer the same.

Generated questions go over every API and version that a client can ask without waiting; those about
groups are put to groups in every state, with features on and off; dialogues go where one question
rests on the answer before. What differs is reported by kind, with an example.
`allowed.py` lists, with reasons, where it may.
"""

from __future__ import annotations

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from tests.interop.differential.cluster_dialogues import cluster_dialogues
from tests.interop.differential.dialogues import hold
from tests.interop.differential.group_dialogues import group_dialogues
from tests.interop.differential.group_refusals import (
    FEATURES,
    ask_about_groups,
    ask_without_coordinator,
    at_levels,
)
from tests.interop.differential.offset_dialogues import offset_dialogues
from tests.interop.differential.producer_dialogues import producer_dialogues
from tests.interop.differential.quota_dialogues import quota_dialogues
from tests.interop.differential.running import Outcome, exchange, questions
from tests.interop.differential.session_dialogues import session_dialogues
from tests.interop.differential.setting_dialogues import setting_dialogues
from tests.interop.differential.share_dialogues import share_dialogues
from tests.interop.differential.side import Side
from tests.interop.differential.transaction_dialogues import transaction_dialogues
from tests.interop.differential.world import prepare

pytestmark = [pytest.mark.judge, pytest.mark.timeout(3600)]

SETTINGS = {
    "log.retention.ms": "-1",
    "offsets.retention.check.interval.ms": "86400000",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "86400000",
}
"""What a node sweeps, and when, is a matter of chance.

Sweeps come every so often since a start, or since there was something to sweep: a transaction that
a dialogue left open is aborted by one node up to ten seconds before the other. That both abort it,
and what they write, is asked in `test_transaction_log_beside_kafka`.
"""
QUESTIONS = 1_500
QUESTIONS_LONG = 50_000
REFUSALS = 60
REFUSALS_LONG = 2_000
"""At each of `LEVELS`."""
ALL_OFF = dict.fromkeys(FEATURES, 0)
LEVELS = ({}, *({name: 0} for name in FEATURES), {"transaction.version": 1}, ALL_OFF)
DIALOGUES = {
    "groups": group_dialogues,
    "offsets": offset_dialogues,
    "transactions": transaction_dialogues,
    "producers": producer_dialogues,
    "sessions": session_dialogues,
    "settings": setting_dialogues,
    "quotas": quota_dialogues,
    "cluster": cluster_dialogues,
    "shares": share_dialogues,
}


@pytest.fixture(scope="module")
def new_sides(new_kafka_node, new_moldau_node):
    """Ours, and Kafka's, as they are when they have just begun."""
    both = []
    for name, node in (("ours", new_moldau_node(SETTINGS)), ("kafka", new_kafka_node(SETTINGS))):
        node.start()
        both.append(Side(name, node.client_port))
    yield both
    for side in both:
        side.close()


@pytest.fixture(scope="module")
def without_coordinator(new_sides, seed):
    """What came of questions about groups before there was `__consumer_offsets`."""
    outcome, random = Outcome(), SeededRandom(seed)
    for levels in ({}, ALL_OFF):
        with at_levels(new_sides, levels):
            ask_without_coordinator(new_sides, random, outcome)
    return outcome


@pytest.fixture(scope="module")
def sides(new_sides, without_coordinator):
    """Both with the same in them."""
    for side in new_sides:
        prepare(side)
    return new_sides


def test_the_same_questions_get_the_same_answers(sides, seed, volume):
    print(f"seed {seed}")
    outcome = Outcome()
    ours, theirs = sides
    for request, version in questions(SeededRandom(seed), volume(QUESTIONS, QUESTIONS_LONG)):
        exchange(ours, theirs, request, version, outcome)
    assert not outcome.kinds, outcome.report()


def test_the_same_is_refused_before_there_is_a_coordinator(without_coordinator):
    assert not without_coordinator.kinds, without_coordinator.report()


@pytest.mark.parametrize("levels", LEVELS, ids=str)
def test_the_same_is_refused_of_groups_in_every_state(sides, levels, seed, volume):
    outcome = Outcome()
    with at_levels(sides, levels):
        random = SeededRandom(seed + LEVELS.index(levels))  # groups of its own
        ask_about_groups(sides, random, volume(REFUSALS, REFUSALS_LONG), outcome)
    assert not outcome.kinds, outcome.report()


@pytest.mark.parametrize("about", DIALOGUES)
def test_the_same_dialogues_go_the_same_way(sides, about):
    outcome = Outcome()
    ours, theirs = sides
    for dialogue in DIALOGUES[about]():
        hold(ours, theirs, dialogue, outcome)
    assert not outcome.kinds, outcome.report()
