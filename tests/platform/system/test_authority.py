"""What the authority signs is taken by OpenSSL, and its stores by Java."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from moldau.errors import MoldauError
from moldau.platform.system.authority import Authority
from tests.judges.certificates import now_ms

PASSWORD = "of the store"


@pytest.fixture(scope="module")
def authority():
    return Authority.made("Ours", now_ms(), 30)


def test_openssl_verifies_a_node_by_its_names(authority, tmp_path):
    node = authority.issue("kafka-1", ["kafka-1", "10.0.0.5", "::1"], now_ms(), 10)
    (tmp_path / "ca.pem").write_text(authority.certificate_pem)
    (tmp_path / "node.pem").write_text(node.pem)
    for check in (["-verify_hostname", "kafka-1"], ["-verify_ip", "10.0.0.5"]):
        command = ["openssl", "verify", "-x509_strict", "-CAfile", "ca.pem", *check, "node.pem"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.stdout == "node.pem: OK\n", done.stderr


@pytest.mark.judge
@pytest.mark.parametrize(("kind", "entry"), [("key", "PrivateKeyEntry"), ("trust", "trustedCert")])
def test_java_reads_the_stores(authority, tmp_path, kind, entry):
    issued = authority.issue("node", ["localhost"], now_ms(), 10)
    stores = {"key": issued.pkcs12(PASSWORD), "trust": authority.trust_store(PASSWORD)}
    (tmp_path / "store").write_bytes(stores[kind])
    command = ["keytool", "-list", "-keystore", "store", "-storepass", PASSWORD]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert entry in done.stdout


def test_an_authority_that_was_written_signs_again(authority):
    again = Authority.read(authority.pem)
    assert again.certificate == authority.certificate
    assert again.issue("one", (), now_ms(), 1).authority == authority.certificate
    assert repr(again) == "Authority(CN=Ours)"


def test_names_may_have_several_parts_and_days_are_counted(authority):
    issued = authority.issue("CN=alice,O=Company", (), now_ms(), 3)
    assert issued.subject == "CN=alice,O=Company"
    assert timedelta(days=2) < issued.ends - datetime.now(UTC) <= timedelta(days=3)


@pytest.mark.parametrize("text", ["CN=", "=x", "nö=1"])
def test_a_name_that_cannot_be_is_refused(authority, text):
    with pytest.raises(MoldauError, match="cannot be a name"):
        authority.issue(text, (), now_ms(), 1)


def test_a_host_that_cannot_be_is_refused(authority):
    with pytest.raises(MoldauError, match="cannot be a host"):
        authority.issue("node", ["bücher.example"], now_ms(), 1)


@pytest.mark.parametrize("pem", ["", "nothing"])
def test_what_is_no_authority_is_refused(pem):
    with pytest.raises(MoldauError, match="no authority that moldau certs has made"):
        Authority.read(pem)
