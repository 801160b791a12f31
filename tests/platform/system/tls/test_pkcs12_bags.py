"""Bags come with their names, and with the mark that Java gives to what it trusts."""

import pytest

from moldau.platform.system.tls.pkcs12_bags import CERTIFICATE_BAG, LOCKED_KEY_BAG, read_bags
from tests.judges.certificates import PASSWORD, Certificates
from tests.platform.system.tls.java_stores import keytool


def bags(path, password=PASSWORD):
    return list(read_bags(path.read_bytes(), password))


def test_keys_and_certificates_are_there_by_their_names_and_without_a_mark(tmp_path):
    store = Certificates(tmp_path).issue("node").with_suffix(".p12")
    found = [(bag.kind, bag.name, bag.is_trusted) for bag in bags(store)]
    assert (LOCKED_KEY_BAG, "key", False) in found
    assert found.count((CERTIFICATE_BAG, "key", False)) == 1
    assert len(found) == 3


def test_without_a_password_what_is_locked_is_left_out(tmp_path):
    store = Certificates(tmp_path).issue("node").with_suffix(".p12")
    assert [bag.kind for bag in bags(store, None)] == [LOCKED_KEY_BAG]


@pytest.mark.judge
def test_what_keytool_imports_has_the_mark_as_ours_has_it(tmp_path):
    certificates = Certificates(tmp_path)
    words = ("-importcert", "-alias", "ca", "-file", str(certificates.trusted))
    keytool(tmp_path / "theirs", "PKCS12", *words, password=PASSWORD)
    for path in (tmp_path / "theirs", tmp_path / "truststore.p12"):
        (bag,) = bags(path)
        assert (bag.name, bag.is_trusted) == ("ca", True)
