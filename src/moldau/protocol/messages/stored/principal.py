"""Who a forwarded request comes from, as bytes inside an Envelope (KIP-590).

Kafka's default principal builder writes it, after a two-byte version; another builder may write
anything. Delegation tokens are not stored by it: the flag only marks that one was used to log in.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Data
from moldau.protocol.wire.types import Bool, String


class DefaultPrincipalData(Data, versions="0", flexible="0+"):
    """Names the authenticated client."""

    type: String
    """`User` unless a custom builder sets another."""
    name: String
    token_authenticated: Bool
    """It logged in with a delegation token, so it may not make another."""
