"""A small authority: it makes certificates for nodes and clients, for development and tests.

Keys are of the curve P-256: a handshake with one costs a fraction of what it costs with RSA, and
every client of Kafka knows them. What it signs is short-lived on purpose; a company's own authority
belongs before what others can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass

__all__ = ["Authority", "Issued"]

EARLIER = timedelta(minutes=5)
"""Clocks differ; a certificate holds from a little before it was made."""
USES = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)
"""Nodes are servers and, to each other, clients."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A key with the certificate for it, and that of the authority."""

    key: EllipticCurvePrivateKey
    certificate: x509.Certificate
    authority: x509.Certificate

    @property
    def pem(self) -> str:
        """The key and both certificates, as a key store of the type PEM has them."""
        return _key_pem(self.key) + _pem(self.certificate) + _pem(self.authority)

    def pkcs12(self, password: str) -> bytes:
        """The same as a key store of the type PKCS12."""
        lock = BestAvailableEncryption(password.encode())
        return pkcs12.serialize_key_and_certificates(
            b"key", self.key, self.certificate, [self.authority], lock
        )

    @property
    def subject(self) -> str:
        return self.certificate.subject.rfc4514_string()

    @property
    def ends(self) -> datetime:
        return self.certificate.not_valid_after_utc


class Authority:
    """A key that signs, and the certificate that is trusted."""

    def __init__(self, key: EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self.key = key
        self.certificate = certificate

    def __repr__(self) -> str:
        return f"Authority({self.certificate.subject.rfc4514_string()})"

    @classmethod
    def made(cls, name: str, now_ms: int, days: int) -> Authority:
        """A fresh one, which has signed itself."""
        key = generate_private_key(SECP256R1())
        subject = _name(name)
        builder = _builder(subject, subject, key, now_ms, days)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        builder = builder.add_extension(_uses(signs_certificates=True), True)
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
        )
        return cls(key, builder.sign(key, hashes.SHA256()))

    @classmethod
    def read(cls, pem: str) -> Authority:
        """What `pem` has written; or `MoldauError`."""
        try:
            key = load_pem_private_key(pem.encode(), None)
            certificate = x509.load_pem_x509_certificate(pem.encode())
        except (ValueError, TypeError) as error:
            raise MoldauError(f"it is no authority that moldau certs has made: {error}") from None
        if not isinstance(key, EllipticCurvePrivateKey):
            raise MoldauError("it is no authority that moldau certs has made: not its kind of key")
        return cls(key, certificate)

    @property
    def pem(self) -> str:
        """With the key, which makes certificates."""
        return _key_pem(self.key) + self.certificate_pem

    @property
    def certificate_pem(self) -> str:
        return _pem(self.certificate)

    def trust_store(self, password: str) -> bytes:
        """Its certificate as a trust store of the type PKCS12 that Java reads."""
        trusted = [pkcs12.PKCS12Certificate(self.certificate, b"ca")]
        lock = BestAvailableEncryption(password.encode())
        return pkcs12.serialize_java_truststore(trusted, lock)

    def issue(self, name: str, hosts: Sequence[str], now_ms: int, days: int) -> Issued:
        """For a node that is reached under `hosts`, or for a client with none."""
        key = generate_private_key(SECP256R1())
        builder = _builder(_name(name), self.certificate.subject, key, now_ms, days)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        builder = builder.add_extension(_uses(signs_certificates=False), True)
        builder = builder.add_extension(x509.ExtendedKeyUsage(USES), False)
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False
        )
        if hosts:
            names = x509.SubjectAlternativeName([_host(host) for host in hosts])
            builder = builder.add_extension(names, False)
        certificate = builder.sign(self.key, hashes.SHA256())
        return Issued(key, certificate, self.certificate)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: EllipticCurvePrivateKey,
    now_ms: int,
    days: int,
) -> x509.CertificateBuilder:
    now = datetime.fromtimestamp(now_ms // 1000, UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + timedelta(days=days))
    )


def _uses(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    """`alice`, or a whole name like `CN=alice,O=Company`."""
    try:
        if "=" in text:
            return x509.Name.from_rfc4514_string(text)
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
    except ValueError as error:
        raise MoldauError(f"{text!r} cannot be a name in a certificate: {error}") from None


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        pass
    try:
        return x509.DNSName(text)
    except ValueError as error:
        raise MoldauError(f"{text!r} cannot be a host in a certificate: {error}") from None


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _key_pem(key: EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
