"""Quotas belong to users, client ids, both, or addresses, and each kind has its own."""

import pytest

from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation

ENTRY = AlterClientQuotasRequest.EntryData
RATE, CONNECTIONS = "producer_byte_rate", "connection_creation_rate"


def entry(entity, *operations):
    return ENTRY(
        entity=[ENTRY.EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
        ops=[ENTRY.OpData(key=key, value=value or 0, remove=value is None)
             for key, value in operations],
    )  # fmt: skip


def ask(cluster, *entries, validate_only=False):
    request = AlterClientQuotasRequest(entries=list(entries), validate_only=validate_only)
    records, reply = cluster.ask(request)
    return records, [answer.error_code for answer in reply.entries]


def test_a_quota_is_set_once_changed_and_removed():
    cluster, user = Conversation(), (("user", "u"),)
    assert len(ask(cluster, entry(user, (RATE, 10)))[0]) == 1
    assert ask(cluster, entry(user, (RATE, 10))) == ([], [0])
    ask(cluster, entry(user, (RATE, 11)))
    assert cluster.image.quotas.of(user) == {RATE: 11}
    ask(cluster, entry(user, (RATE, None)))
    assert cluster.image.quotas.of(user) == {}
    assert ask(cluster, entry(user, (RATE, None), ("nonsense", None))) == ([], [0])


def test_checking_alone_changes_nothing():
    records, codes = ask(Conversation(), entry((("user", "u"),), (RATE, 10)), validate_only=True)
    assert (records, codes) == ([], [0])


@pytest.mark.parametrize(
    ("entity", "key", "value"),
    [
        ((("user", None),), RATE, 1),
        ((("user", "u"), ("client-id", None)), "request_percentage", 0.5),
        ((("client-id", "c"),), "controller_mutation_rate", 0.5),
        ((("ip", "1.2.3.4"),), CONNECTIONS, 5),
        ((("ip", "localhost"),), CONNECTIONS, 5),
        ((("ip", None),), CONNECTIONS, 5),
    ],
)
def test_what_makes_sense_is_allowed(entity, key, value):
    records, codes = ask(Conversation(), entry(entity, (key, value)))
    assert (len(records), codes) == (1, [0])


@pytest.mark.parametrize(
    ("entity", "key", "value"),
    [
        ((), RATE, 1),
        ((("unknown", "u"),), RATE, 1),
        ((("user", ""),), RATE, 1),
        ((("ip", "1.2.3.4"), ("user", "u")), CONNECTIONS, 1),
        ((("ip", "not an ip"),), CONNECTIONS, 1),
        ((("ip", "1.2.3.4"),), RATE, 1),
        ((("user", "u"),), CONNECTIONS, 1),
        ((("user", "u"),), "nonsense", 1),
        ((("user", "u"),), RATE, -1),
        ((("user", "u"),), RATE, 1.5),
        ((("user", "u"),), RATE, 1e30),
        ((("user", "u"),), RATE, float("nan")),
        ((("user", "u"),), RATE, float("inf")),
    ],
)
def test_what_does_not_is_refused(entity, key, value):
    records, codes = ask(Conversation(), entry(entity, (key, value)))
    assert (records, codes) == ([], [ErrorCode.INVALID_REQUEST])


def test_an_entity_or_a_quota_named_twice_is_refused():
    user = (("user", "u"),)
    one = entry(user, (RATE, 1))
    assert ask(Conversation(), one, one) == ([], [ErrorCode.INVALID_REQUEST])
    twice = entry(user, (RATE, 1), (RATE, 2))
    assert ask(Conversation(), twice) == ([], [ErrorCode.INVALID_REQUEST])
