"""Judge: of stores that are drawn Java shows the same keys, and trusts the same certificates."""

from __future__ import annotations

import shutil
import subprocess
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from moldau.platform.ports.tls import KeyStore, TlsError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.tls.stores import (
    first_certificate,
    read_certificates,
    read_identity,
    read_store,
)
from tests.judges.certificates import Certificates
from tests.judges.java_programs import compiled
from tests.platform.system.tls.java_stores import keytool

pytestmark = pytest.mark.judge

PASSWORD = "of-the-store"
TIMEOUT_S = 120
KEYS_MAX = 16
RSA_KEYS = (3, 5)
"""Which of them are; all others are of a curve."""
DRAWN, DRAWN_LONG = 24, 300
LETTERS = "abcdXYZ-_.0123456789é"


def java(lines):
    if shutil.which("java") is None:
        pytest.skip("Java cannot be asked: this machine has none")
    done = subprocess.run(
        compiled(["java", "-cp", ""], "JudgeStores"),
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def certified(number):
    """A key, and a certificate that it signs itself, as the judge is given them."""
    is_rsa = number in RSA_KEYS
    key = (
        rsa.generate_private_key(65537, 2048) if is_rsa else ec.generate_private_key(ec.SECP256R1())
    )
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"key-{number}")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), number + 1)
    builder = builder.not_valid_before(now)
    certificate = builder.not_valid_after(now + timedelta(days=1)).sign(key, SHA256())
    packed = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    words = map(encoded, (packed, certificate.public_bytes(Encoding.DER)))
    return " ".join(["key", "RSA" if is_rsa else "EC", *words])


def encoded(data):
    return b64encode(data).decode()


def subject(certificate):
    return x509.load_der_x509_certificate(certificate).subject.rfc4514_string()


def shown_by_ours(kind, path):
    """What ours shows of this store, in the words of the judge."""
    store = KeyStore(kind, str(path), PASSWORD)
    identity = read_identity(store, read_store(store))
    shown = {"RSA": "-", "EC": "-"}
    for pem in (identity.pem, *identity.others):
        certificate = first_certificate(identity._replace(pem=pem))
        assert certificate is not None
        key = x509.load_der_x509_certificate(certificate).public_key()
        shown["RSA" if isinstance(key, rsa.RSAPublicKey) else "EC"] = subject(certificate)
    return f"RSA {shown['RSA']} EC {shown['EC']}"


def trusted_by_ours(kind, path):
    store = KeyStore(kind, str(path), PASSWORD)
    try:
        text = read_certificates(store, read_store(store))
    except TlsError:
        return ""
    found = x509.load_pem_x509_certificates(text.encode())
    return " ".join(sorted(one.subject.rfc4514_string() for one in found))


def test_the_same_keys_are_shown_and_trusted(tmp_path, seed, volume):
    random = SeededRandom(seed)
    makes = [drawn_store(random, tmp_path, number) for number in range(volume(DRAWN, DRAWN_LONG))]
    lines = [certified(number) for number in range(KEYS_MAX)]
    lines += [" ".join(("make", kind, str(path), PASSWORD, *names)) for kind, path, names in makes]
    theirs = java(lines)
    found = [
        f"{shown_by_ours(kind, path)} trusts {trusted_by_ours(kind, path)}"
        for kind, path, _ in makes
    ]
    assert [case for case in zip(makes, found, theirs, strict=True) if case[1] != case[2]] == []


def drawn_store(random, folder, number):
    kind = ("PKCS12", "JKS", "PKCS12", "JKS", "JCEKS")[number % 5]
    most = 4 if kind == "JCEKS" else KEYS_MAX  # whose keys take a while to open
    names = dict.fromkeys(drawn_alias(random).lower() for _ in range(random.randint(2, most)))
    return kind, folder / str(number), list(names)


def drawn_alias(random):
    return "".join(random.choices(LETTERS, k=random.randint(1, 8)))


def openssl(*words):
    command = ["openssl", "pkcs12", "-export", "-passout", f"pass:{PASSWORD}", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT_S)


def test_a_certificate_without_the_mark_of_java_is_trusted_by_neither(tmp_path):
    certificates = Certificates(tmp_path)
    node = certificates.issue("node")
    bare, chained, marked = (tmp_path / name for name in ("bare", "chained", "marked"))
    openssl("-nokeys", "-in", certificates.trusted, "-name", "ca", "-out", bare)
    openssl("-in", node, "-name", "node", "-out", chained)
    words = ("-importcert", "-alias", "ca", "-file", str(certificates.trusted))
    keytool(marked, "PKCS12", *words, password=PASSWORD)
    stores = (bare, chained, marked)
    theirs = java([f"open PKCS12 {path} {PASSWORD}" for path in stores])
    assert [line.partition(" trusts ")[2] for line in theirs] == [
        "",
        "CN=node",
        "CN=Tests,O=Moldau",
    ]
    assert [trusted_by_ours("PKCS12", path) for path in stores] == [
        line.partition(" trusts ")[2] for line in theirs
    ]
