"""A certificate takes the place of another one with the same subject and no fewer names."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from moldau.network.tls.renewal import alternative_names_of, check_renewal
from moldau.platform.ports.tls import TlsError
from tests.judges.certificates import Certificates

HOSTS = ("localhost", "127.0.0.1", "::1")


@pytest.fixture
def issue(tmp_path):
    authority = Certificates(tmp_path).authority

    def made(subject, hosts=HOSTS):
        issued = authority.issue(subject, hosts, 1_800_000_000_000, 1)
        return issued.certificate.public_bytes(Encoding.DER)

    return made


def check(old, new, *, any_subject=False, any_names=False):
    check_renewal(old, new, any_subject=any_subject, any_names=any_names)


def test_names_are_those_in_the_certificate(issue):
    assert alternative_names_of(issue("CN=node")) == {
        "DNS:localhost",
        "IP:127.0.0.1",
        "IP:0000:0000:0000:0000:0000:0000:0000:0001",
    }
    assert alternative_names_of(issue("CN=node", ())) == frozenset()


def test_one_of_the_same_subject_with_more_names_is_a_renewal(issue):
    old = issue("CN=node,O=Company")
    check(old, issue("CN=node,O=Company"))
    check(old, issue("CN=Node,O=COMPANY"))
    check(old, issue("CN=node,O=Company", (*HOSTS, "node")))


def test_another_subject_is_none_unless_it_is_allowed(issue):
    old, new = issue("CN=node"), issue("CN=other")
    with pytest.raises(TlsError, match=r"is that of CN=other, and the former .* CN=node; ssl"):
        check(old, new, any_names=True)
    check(old, new, any_subject=True)


def test_fewer_names_are_none_unless_it_is_allowed(issue):
    old, new = issue("CN=node"), issue("CN=node", ("other", "::1"))
    with pytest.raises(TlsError, match=r"has not DNS:localhost, IP:127\.0\.0\.1 among"):
        check(old, new, any_subject=True)
    check(old, new, any_names=True)
