"""Partitions that come and go count against a quota."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.server.controller.mutations import charge_for, strict_charge_for
from moldau.broker.server.quota.quotas import Quotas
from moldau.errors import KafkaError
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

KNOWN = QuotaImage({(("client-id", None),): {"controller_mutation_rate": 1.0}})
CREATION = CreateTopicsRequest(topics=[], timeout_ms=1)
DELETION = DeleteTopicsRequest(topics=[], topic_names=[], timeout_ms=1)
GROWTH = CreatePartitionsRequest(topics=[], timeout_ms=1, validate_only=False)


def broker_with_quota():
    broker = broker_with()
    broker.quotas = Quotas(broker.clock, lambda: KNOWN)
    return broker


@pytest.mark.parametrize(("request_", "strict_since"), [(CREATION, 6), (DELETION, 5), (GROWTH, 3)])
def test_what_knows_the_error_is_refused_and_what_does_not_is_muted(request_, strict_since):
    broker = broker_with_quota()
    old, new = call_of(request_, strict_since - 1), call_of(request_, strict_since)
    charge_for(new, broker)(20)
    assert new.throttle_ms == 0
    charge_for(old, broker)(1)
    with pytest.raises(KafkaError) as refused:
        charge_for(new, broker)(1)
    assert refused.value.code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert (old.throttle_ms, new.throttle_ms) == (10_000, 10_000)


def test_other_requests_and_unlimited_senders_cost_nothing():
    election = ElectLeadersRequest(election_type=0, topic_partitions=None, timeout_ms=1)
    other, free = call_of(election, 2), call_of(CREATION, 7)
    for call, broker in ((other, broker_with_quota()), (free, broker_with())):
        for _ in range(3):
            charge_for(call, broker)(20)
        assert call.throttle_ms == 0


def test_topics_that_come_by_themselves_are_paid_for_by_a_client_and_by_no_other():
    broker = broker_with_quota()
    caller = call_of(CREATION, 2)
    charge = strict_charge_for(caller, broker)
    charge(20)
    with pytest.raises(KafkaError):
        charge(1)
    for free in (strict_charge_for(None, broker), strict_charge_for(caller, broker_with())):
        free(20)
        free(20)
