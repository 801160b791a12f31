"""Choose the SASL mechanism; the first request after ApiVersions on a SASL listener.

After version 1 the tokens travel in SaslAuthenticate (KIP-152), after version 0 as bare frames.
Never became flexible: old clients negotiate it wrongly.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Int16, String


class SaslHandshakeRequest(Request, key=17, versions="0-1", listeners=("broker", "controller")):
    """Names the mechanism that the client chooses."""

    mechanism: String
    """Such as `PLAIN` or `SCRAM-SHA-512`."""


class SaslHandshakeResponse(Response, key=17, versions="0-1"):
    """Answers with the mechanisms this listener accepts."""

    error_code: Int16
    mechanisms: list[String]
    """Sent in any case, so that the client can try again."""
