"""OpenSSL's contexts, made of terms and of what the stores hold.

OpenSSL takes a key from a file only, so it is given one that has no name and lives in memory.
"""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import NamedTemporaryFile

from moldau.platform.ports.tls import ClientCertificates, TlsError, TlsTerms
from moldau.platform.system.tls.ciphers import chosen_suites
from moldau.platform.system.tls.stores import Identity

__all__ = ["make_context"]

log = logging.getLogger(__name__)

VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
BROKEN = frozenset({"SSLv2Hello", "SSLv3", "TLSv1", "TLSv1.1"})
"""Versions that old settings still name, and that current Java has switched off, too: left out."""
MODES = {
    ClientCertificates.IGNORED: ssl.CERT_NONE,
    ClientCertificates.REQUESTED: ssl.CERT_OPTIONAL,
    ClientCertificates.REQUIRED: ssl.CERT_REQUIRED,
}
TOO_WEAK = ("_TOO_WEAK", "_TOO_SMALL")
"""How the reasons end for which OpenSSL's security level refuses what Java may take."""
TICKETS = 0
"""For later sessions of TLS 1.3: connections of Kafka's clients last for hours. A client that
closes with a ticket unread would reset the connection, and with it bytes that are under way."""


def make_context(
    terms: TlsTerms, identity: Identity | None, trusted: str | None, *, is_server: bool
) -> ssl.SSLContext:
    """A context of OpenSSL for these terms, or `TlsError`."""
    side = ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT
    context = ssl.SSLContext(side)
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    if is_server:
        context.num_tickets = TICKETS
        context.verify_mode = MODES[terms.client_certificates]
    else:
        context.check_hostname = terms.checks_name
    _choose(context, terms)
    if identity is not None:
        _show(context, identity)
    if context.verify_mode is not ssl.CERT_NONE:
        _trust(context, trusted, is_server=is_server)
    return context


def _choose(context: ssl.SSLContext, terms: TlsTerms) -> None:
    versions = [VERSIONS[version] for version in terms.versions if version in VERSIONS]
    unknown = [one for one in terms.versions if one not in VERSIONS and one not in BROKEN]
    if unknown or not versions:
        named = ", ".join(unknown or terms.versions) or "none"
        raise TlsError(f"the versions of TLS are {' and '.join(VERSIONS)}, and {named} is chosen")
    if terms.ciphers:
        suites = chosen_suites(terms.ciphers)
        versions = [
            version
            for version in versions
            if (suites.has_1_3 if version is ssl.TLSVersion.TLSv1_3 else suites.before_1_3)
        ]
        if not versions:
            raise TlsError("no chosen cipher suite belongs to a chosen version of TLS")
        if suites.before_1_3:
            _choose_ciphers(context, ":".join(suites.before_1_3))
    context.minimum_version, context.maximum_version = min(versions), max(versions)


def _choose_ciphers(context: ssl.SSLContext, names: str) -> None:
    try:
        context.set_ciphers(names)
    except ssl.SSLError:
        raise TlsError(f"OpenSSL has none of the chosen cipher suites: {names}") from None


def _show(context: ssl.SSLContext, identity: Identity) -> None:
    """Every key of it; OpenSSL keeps one of each sort."""
    # Without a password OpenSSL would ask for one at the terminal.
    password = identity.password or ""
    for pem in (identity.pem, *identity.others):
        _load(context, pem, password, identity)


def _load(context: ssl.SSLContext, pem: str, password: str, identity: Identity) -> None:
    with _file_of(pem) as path:
        try:
            context.load_cert_chain(path, password=lambda: password)
        except (ssl.SSLError, ValueError, OSError) as error:
            code = getattr(error, "reason", None) or ""
            if code.endswith(TOO_WEAK) and context.security_level:
                _accept_weak(context, code.lower().replace("_", " "))
                _load(context, pem, password, identity)
            else:
                raise TlsError(_complaint(error, identity)) from None


def _accept_weak(context: ssl.SSLContext, found: str) -> None:
    """As Java, which shows any certificate that its owner chose, such as one signed with SHA-1.

    OpenSSL has the level beside the suites before TLS 1.3; those stay as they were.
    """
    log.warning(
        "An own certificate is weak (%s), and many clients will refuse it: have it issued"
        " with SHA-256 and 2048 bits or more",
        found,
    )
    names = [one["name"] for one in context.get_ciphers() if one["protocol"] != "TLSv1.3"]
    context.set_ciphers(":".join([*names, "@SECLEVEL=0"]))


def _complaint(error: Exception, identity: Identity) -> str:
    code = getattr(error, "reason", None) or ""
    if code == "KEY_VALUES_MISMATCH":
        return "the private key is not that of the first certificate"
    if "ENCRYPTED" in identity.pem and code != "PEM lib":
        need = "wrong" if identity.password else "needed, and ssl.key.password is not set"
        return f"the private key is locked, and its password is {need}"
    return "it has no certificate with its private key in PEM"


@contextmanager
def _file_of(text: str) -> Iterator[str]:
    """The path of a file that is gone when the block ends."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("pem")
        try:
            with open(descriptor, "w", closefd=False) as file:
                file.write(text)
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        with NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(text)
            file.flush()
            yield file.name


def _trust(context: ssl.SSLContext, trusted: str | None, *, is_server: bool) -> None:
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # any certificate in it is an anchor
    if trusted is None:
        whom = ssl.Purpose.CLIENT_AUTH if is_server else ssl.Purpose.SERVER_AUTH
        context.load_default_certs(whom)
        return
    try:
        context.load_verify_locations(cadata=trusted)
    except ssl.SSLError as error:
        raise TlsError(f"the trusted certificates cannot be read: {error.reason}") from None
