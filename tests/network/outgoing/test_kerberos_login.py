"""Logins by GSSAPI on outgoing connections; tickets are real in tests/interop/security."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.errors import KerberosError, NetworkError
from moldau.network.outgoing.kerberos_login import kerberos_login
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import parse_jaas
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from tests.network.sasl.test_gssapi import TICKET, Context

KAFKA = BrokerSettings({"sasl.kerberos.service.name": "kafka"})
LOGIN = parse_jaas('Krb5 required keyTab="k" principal="alice@OURS";')


class Centre:
    """Knows one service."""

    def initiator(self, options, service, host):
        assert options["keyTab"] == "k"

        def begin():
            if service != "kafka":
                raise KerberosError("no such service")
            return Context({b"": (TICKET + b" for " + host.encode(), False)})

        return begin


def first_token(settings, login=LOGIN):
    async def main(tasks):
        centre: Any = Centre()
        asking = kerberos_login(settings, login, centre, tasks)
        return next(await asking.begin(Address("b1", 9092)))

    return run(main, SimulatedClock())


def test_the_ticket_is_for_the_host_that_is_reached():
    assert first_token(KAFKA) == TICKET + b" for b1"
    named = parse_jaas('Krb5 required keyTab="k" serviceName="kafka";')
    assert first_token(BrokerSettings(), named) == TICKET + b" for b1"


def test_a_service_without_tickets_is_named():
    with pytest.raises(NetworkError, match="no ticket for mail@b1: no such service"):
        first_token(BrokerSettings({"sasl.kerberos.service.name": "mail"}))


def test_what_is_missing_is_asked_for():
    with pytest.raises(SaslError, match=r"needs sasl\.kerberos\.service\.name"):
        first_token(BrokerSettings())
    with pytest.raises(SaslError, match="no Kerberos here"):
        kerberos_login(KAFKA, LOGIN, None, None)  # type: ignore[arg-type]
