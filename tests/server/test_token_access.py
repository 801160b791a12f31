"""Only a real login is good enough for tokens."""

import pytest

from moldau.errors import KafkaError
from moldau.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from moldau.security.principal import ANONYMOUS, Principal
from moldau.server.token_access import require_login
from tests.server.asking import broker_with, call_of

PROTOCOLS = {"IN": "SASL_SSL", "OUT": "PLAINTEXT"}
ALICE = Principal("User", "alice")


def ask(listener, principal):
    call = call_of(RenewDelegationTokenRequest(hmac=b"", renew_period_ms=0), 2, listener)
    call.principal = principal
    require_login(call, broker_with(protocols=PROTOCOLS))


def test_who_has_proved_to_be_somebody_may_ask():
    ask("IN", ALICE)


@pytest.mark.parametrize(
    ("listener", "principal"),
    [("OUT", ALICE), ("IN", ANONYMOUS), ("IN", Principal("User", "alice", True))],
)
def test_nobody_else_may(listener, principal):
    with pytest.raises(KafkaError):
        ask(listener, principal)
