"""Reasons are clauses for people, and tell whose opinion they are."""

import ssl

import pytest

from moldau.platform.system.tls.reasons import reason_of


def error(reason):
    found = ssl.SSLError(1, f"[SSL: {reason}] (_ssl.c:1006)")
    found.reason = reason
    return found


@pytest.mark.parametrize(
    ("code", "clause"),
    [
        ("TLSV1_ALERT_UNKNOWN_CA", "it does not trust the authority"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "that was shown to it has expired"),
        ("SSLV3_ALERT_ODD_THING", "it ended the handshake with odd thing"),
        ("PEER_DID_NOT_RETURN_A_CERTIFICATE", "it showed no certificate, and one is required"),
        ("NO_SHARED_CIPHER", "no cipher in common"),
        ("SOMETHING_ELSE", "something else"),
    ],
)
def test_codes_become_clauses(code, clause):
    assert clause in reason_of(error(code))


def test_what_is_no_error_of_openssl_is_left_as_it_is():
    assert reason_of(OSError("the file ended")) == "the file ended"
