"""Why a handshake, or a protected connection, came to nothing: one clause for a log.

OpenSSL reports codes, and an alert from the other end has that one's reason: both are
named, because the remedy is at the end that refused.
"""

from __future__ import annotations

import ssl

__all__ = ["PLAIN_CLIENT", "PLAIN_LISTENER", "reason_of"]

PLAIN_CLIENT = "what came is no TLS; set security.protocol to SSL or SASL_SSL at that client"
PLAIN_LISTENER = "what came is no TLS; that listener is plain"
THEIRS = {
    "UNKNOWN_CA": "it does not trust the authority of the certificate that was shown to it",
    "BAD_CERTIFICATE": "it refuses the certificate that was shown to it",
    "CERTIFICATE_UNKNOWN": "it refuses the certificate that was shown to it",
    "CERTIFICATE_EXPIRED": "the certificate that was shown to it has expired",
    "CERTIFICATE_REQUIRED": "it wants a certificate, and none was shown",
    "HANDSHAKE_FAILURE": "it found no version, cipher or certificate in common",
    "PROTOCOL_VERSION": "it speaks none of the versions of TLS that are enabled here",
    "ACCESS_DENIED": "it denies access",
    "DECRYPT_ERROR": "it could not check the signature of the certificate",
}
"""Alerts, by the end of their names."""
OURS = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "it showed no certificate, and one is required",
    "NO_SHARED_CIPHER": "no cipher in common",
    "UNSUPPORTED_PROTOCOL": "it speaks none of the versions of TLS that are enabled",
    "NO_PROTOCOLS_AVAILABLE": "no version of TLS is enabled",
    "WRONG_VERSION_NUMBER": "what came is no TLS: a listener without it?",
    "HTTP_REQUEST": "what came is a request of HTTP",
    "NO_RENEGOTIATION": "it wants to renegotiate, which is not allowed",
    "NO_SUITABLE_SIGNATURE_ALGORITHM": "no way to sign in common",
}
ALERT = "ALERT_"
UNTRUSTED = (18, 19, 20, 21)
"""OpenSSL's numbers for chains that lead to no authority that is known, by how they end."""


def reason_of(error: Exception) -> str:
    """One clause, without OpenSSL's numbers."""
    if isinstance(error, ssl.SSLCertVerificationError):
        is_foreign = error.verify_code in UNTRUSTED
        why = "no trusted authority has signed it" if is_foreign else error.verify_message
        return f"its certificate is refused: {_lower_first(why)}"
    if not isinstance(error, ssl.SSLError):
        return str(error)
    code = error.reason or ""
    if ALERT in code:
        alert = code.partition(ALERT)[2]
        return THEIRS.get(alert, f"it ended the handshake with {_words(alert)}")
    return OURS.get(code, _words(code) or str(error))


def _words(code: str) -> str:
    return code.replace("_", " ").lower()


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")
