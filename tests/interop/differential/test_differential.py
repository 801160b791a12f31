"""Judge: asked the same, Kafka and Moldau answer the same.

Generated questions go over every API and version that a client can ask without waiting; dialogues
go where one question rests on the answer before. What differs is reported by kind, with an example.
`allowed.py` lists, with reasons, where it may.
"""

from __future__ import annotations

import pytest

from moldau.simulated.randomness import SeededRandom
from tests.interop.differential.cluster_dialogues import cluster_dialogues
from tests.interop.differential.dialogues import hold
from tests.interop.differential.group_dialogues import group_dialogues
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
}
"""What a node sweeps, and when, is a matter of chance."""
QUESTIONS = 1_500
QUESTIONS_LONG = 50_000
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
def sides(new_kafka_node, new_moldau_node):
    """Ours, and Kafka's, with the same in both."""
    both = []
    for name, node in (("ours", new_moldau_node(SETTINGS)), ("kafka", new_kafka_node(SETTINGS))):
        node.start()
        both.append(Side(name, node.client_port))
        prepare(both[-1])
    yield both
    for side in both:
        side.close()


def test_the_same_questions_get_the_same_answers(sides, seed, volume):
    print(f"seed {seed}")
    outcome = Outcome()
    ours, theirs = sides
    for request, version in questions(SeededRandom(seed), volume(QUESTIONS, QUESTIONS_LONG)):
        exchange(ours, theirs, request, version, outcome)
    assert not outcome.kinds, outcome.report()


@pytest.mark.parametrize("about", DIALOGUES)
def test_the_same_dialogues_go_the_same_way(sides, about):
    outcome = Outcome()
    ours, theirs = sides
    for dialogue in DIALOGUES[about]():
        hold(ours, theirs, dialogue, outcome)
    assert not outcome.kinds, outcome.report()
