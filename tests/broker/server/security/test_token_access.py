"""Only a real login is good enough for tokens."""

import pytest

from moldau.broker.server.security.token_access import require_login
from moldau.errors import KafkaError
from moldau.network.principal import ANONYMOUS, Principal
from moldau.protocol.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from tests.broker.server.asking import broker_with, call_of

PROTOCOLS = {"IN": "SASL_SSL", "OUT": "PLAINTEXT"}
ALICE = Principal("User", "alice")


def ask(listener, principal):
    call = call_of(RenewDelegationTokenRequest(hmac=b"", renew_period_ms=0), 2, listener)
    call.principal = principal
    require_login(call, broker_with(protocols=PROTOCOLS))


def test_a_client_that_has_logged_in_may_ask():
    ask("IN", ALICE)


@pytest.mark.parametrize(
    ("listener", "principal"),
    [("OUT", ALICE), ("IN", ANONYMOUS), ("IN", Principal("User", "alice", True))],
)
def test_no_other_client_may(listener, principal):
    with pytest.raises(KafkaError):
        ask(listener, principal)
