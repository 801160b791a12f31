"""The subject of a certificate names the client, and who has none is anonymous."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from moldau.broker.server.login.certificate import CertificateAuthenticator
from moldau.network.principal import ANONYMOUS
from moldau.platform.ports.network import Address
from tests.judges.certificates import Certificates


class Connection:
    def __init__(self, certificate):
        self.link = SimpleNamespace(peer_certificate=certificate)
        self.principal = ANONYMOUS
        self.listener, self.peer = "CERTIFICATES", Address("client", 1)
        self.is_aborted = False
        self.handle = None

    def hand_over(self, handle):
        self.handle = handle

    def abort(self):
        self.is_aborted = True


@pytest.fixture
def shown(tmp_path):
    certificates = Certificates(tmp_path)
    issued = certificates.authority.issue("CN=alice,O=Company", (), 1_800_000_000_000, 1)
    return issued.certificate.public_bytes(Encoding.DER)


def greeted(rules, certificate, note=None):
    frames: list[bytes] = []
    connection = Connection(certificate)
    authenticator = CertificateAuthenticator(
        rules, lambda _, frame: frames.append(bytes(frame)), note
    )
    authenticator.handle(cast(Any, connection), memoryview(b"first"))
    return connection, frames


def test_the_whole_name_is_the_principal_and_the_frame_goes_on(shown):
    connection, frames = greeted("DEFAULT", shown)
    assert str(connection.principal) == "User:CN=alice,O=Company"
    assert frames == [b"first"]
    assert connection.handle is not None


def test_a_rule_makes_the_principal(shown):
    connection, _ = greeted("RULE:^CN=(.*?),.*$/$1/U", shown)
    assert str(connection.principal) == "User:ALICE"


def test_without_a_certificate_it_is_anonymous():
    connection, frames = greeted("DEFAULT", None)
    assert connection.principal is ANONYMOUS
    assert frames == [b"first"]


@pytest.mark.parametrize("certificate", [b"no certificate", None])
def test_one_that_no_rule_fits_is_sent_away(shown, certificate):
    connection, frames = greeted("RULE:^CN=bob.*$/bob/", certificate or shown)
    assert connection.is_aborted
    assert frames == []


def test_an_audit_gets_who_it_is_or_why_it_is_refused(shown):
    noted: list[tuple[object, ...]] = []
    for rules in ("DEFAULT", "RULE:^absent$/x/"):
        greeted(rules, shown, lambda *login: noted.append(login[2:]))
    good, bad = noted
    assert good == ("SSL", "User:CN=alice,O=Company", None)
    assert bad[:2] == ("SSL", None)
    assert "no rule" in str(bad[2])
