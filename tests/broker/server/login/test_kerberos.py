"""GSSAPI at a listener: what it needs, and whom it makes of a ticket."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.server.login.kerberos import KerberosService, check_kerberos
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import KerberosError
from moldau.network.sasl.jaas import parse_jaas
from tests.network.sasl.test_gssapi import PROOF, TICKET, Context

LOGIN = parse_jaas('Krb5 required keyTab="k" principal="kafka/b1@OURS.ORG";')
RULES = "sasl.kerberos.principal.to.local.rules"


class Keys:
    """Of one service."""

    def acceptor(self, options):
        if options["keyTab"] != "k":
            raise KerberosError("no such file")
        return lambda: Context({TICKET: (PROOF, True)})


KEYS: Any = Keys


def test_a_ticket_is_a_login_under_its_short_name():
    service = KerberosService(BrokerSettings({RULES: "RULE:[1:$1]/U"}), LOGIN, KEYS)
    service.begin()
    serving = service.serve()
    next(serving)
    assert (serving.send(TICKET), serving.send(b"")) == (PROOF, b"w\1\0\0\0")
    with pytest.raises(StopIteration) as end:
        serving.send(b"w\1\0\0\0")
    assert end.value.value.name == "ALICE"


def test_keys_that_cannot_be_read_stop_the_start():
    login = parse_jaas('Krb5 required keyTab="other" principal="kafka/b1@OURS.ORG";')
    with pytest.raises(SettingError, match=r"keys of kafka/b1@OURS\.ORG cannot be read: no such"):
        KerberosService(BrokerSettings(), login, KEYS).begin()
    with pytest.raises(SettingError, match="there is no Kerberos here"):
        KerberosService(BrokerSettings(), LOGIN, None).begin()


@pytest.mark.parametrize(
    ("login", "rules", "clause"),
    [
        (None, "DEFAULT", "has no name in Kerberos"),
        (parse_jaas("Krb5 required principal=kafka;"), "DEFAULT", "has no name in Kerberos"),
        (LOGIN, "RULE:[", "neither DEFAULT nor"),
    ],
)
def test_a_listener_that_could_read_no_ticket_is_refused(login, rules, clause):
    with pytest.raises(SettingError, match=clause):
        check_kerberos(BrokerSettings({RULES: rules}), login, "CLIENTS")


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("moldau.broker.server.login.kerberos.find_spec", lambda name: None)
    with pytest.raises(SettingError, match=r"pip install 'moldau\[kerberos\]'"):
        check_kerberos(BrokerSettings(), LOGIN, "CLIENTS")
