"""What a password locks is opened by it, in every way that stores are locked."""

import subprocess

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from moldau.errors import MoldauError
from moldau.platform.der import read_der
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.pkcs12_bags import CERTIFICATE_BAG, read_bags
from moldau.platform.system.tls.store_locks import unlocked
from tests.judges.certificates import Certificates

PASSWORD = "päss-wörd"
LOCKS = (
    "NONE",
    "AES-128-CBC",
    "AES-192-CBC",
    "AES-256-CBC",
    "DES-EDE3-CBC",
    "PBE-SHA1-3DES",
    "PBE-SHA1-2DES",
    "PBE-SHA1-RC2-128",
    "PBE-SHA1-RC2-40",
)


def exported(tmp_path, lock, *words):
    certificates, out = Certificates(tmp_path), tmp_path / "store.p12"
    command = [
        "openssl",
        "pkcs12",
        "-export",
        "-legacy",
        "-nokeys",
        "-in",
        str(certificates.trusted),
    ]
    command += ["-name", "ca", "-passout", f"pass:{PASSWORD}", "-out", str(out)]
    subprocess.run([*command, "-certpbe", lock, *words], check=True, capture_output=True)
    return out.read_bytes(), certificates


@pytest.mark.judge
@pytest.mark.parametrize("lock", LOCKS)
def test_a_certificate_that_openssl_has_locked_is_there(tmp_path, lock):
    data, certificates = exported(tmp_path, lock)
    (bag,) = read_bags(data, PASSWORD)
    assert bag.kind == CERTIFICATE_BAG
    assert bag.name is None or bag.name == "ca"
    assert certificates.authority.certificate.public_bytes(Encoding.DER) in bag.value.whole
    assert not bag.is_trusted


@pytest.mark.judge
@pytest.mark.parametrize("lock", ["AES-256-CBC", "PBE-SHA1-RC2-40"])
def test_a_wrong_password_opens_nothing(tmp_path, lock):
    data, _ = exported(tmp_path, lock)
    with pytest.raises(MoldauError):  # by its padding, or by what it is then
        list(read_bags(data, "another"))


def der(tag, *parts):
    body = b"".join(parts)
    return bytes([tag, len(body)]) + body


@pytest.mark.parametrize(
    ("name", "count", "sentence"),
    [
        ("2a864886f70d010c0101", b"\x01", "an algorithm that is not known here: 2a864886f7"),
        ("2a864886f70d010c0103", b"\x00\xff\xff\xff\xff", "by 4294967295 iterations; 5000000 are"),
        ("2a864886f70d010c0103", b"\x00", "by 0 iterations"),
    ],
)
def test_what_is_locked_otherwise_or_for_hours_is_refused(name, count, sentence):
    terms = der(0x30, der(0x04, bytes(8)), der(0x02, count))
    algorithm = read_der(der(0x30, der(0x06, bytes.fromhex(name)), terms))
    with pytest.raises(TlsError, match=sentence):
        unlocked(algorithm, bytes(16), PASSWORD)
