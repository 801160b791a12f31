"""Users who show a certificate; that the cluster makes tokens for them is tested with REST."""

from __future__ import annotations

import ssl
from typing import Any

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.https import HttpsNetwork
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.delegated import Delegations, delegations
from moldau.programs.registry.logins import Kind, Login
from tests.judges.certificates import Certificates

OWN = {"sasl.jaas.config": "PlainLoginModule required username=rest password=secret;"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    pem = Certificates(tmp_path_factory.mktemp("delegated")).issue("CN=alice").read_text()
    first = pem[pem.index("-----BEGIN CERTIFICATE") :].partition("-----END CERTIFICATE-----")
    return ssl.PEM_cert_to_DER_cert(first[0] + first[1])


def test_the_rules_make_a_user_of_a_certificate(certificate):
    taken = Delegations(OWN, "RULE:^CN=(.*)$/$1/U", SimulatedClock())
    assert taken.shown(certificate) == Login("ALICE", "", Kind.CERTIFICATE)


def test_whose_name_fits_no_rule_is_not_known(certificate):
    taken = Delegations(OWN, "RULE:^CN=(bob)$/$1/", SimulatedClock())
    with pytest.raises(HttpError, match="fits CN=alice"):
        taken.shown(certificate)


def test_certificates_count_where_they_are_checked_and_the_program_can_log_in():
    inner: Any = None
    clock = SimulatedClock()
    checked, unchecked = (HttpsNetwork(inner, inner, clock, rules) for rules in ("DEFAULT", None))
    assert delegations(checked, OWN, clock) is not None
    assert delegations(unchecked, OWN, clock) is None
    assert delegations(checked, {}, clock) is None
    assert delegations(inner, OWN, clock) is None
