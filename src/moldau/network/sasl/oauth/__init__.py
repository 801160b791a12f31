"""OAUTHBEARER: a client logs in by a token that an identity provider has issued (KIP-255, KIP-768).

    bearer      the dialogue, both sides
    jwt         a token in three parts, taken apart: nothing of it is verified yet
    keys        the provider's public keys (JWKS), and the signatures that they verify
    rules       what has to stand in a signed token: when, by whom, for whom, about whom
    unsecured   tokens without a signature, for tests, and only where a setting names them

A signature is checked by the package `cryptography`, which takes a while to import: `keys` alone
does it, where tokens are verified. Nothing here has a clock or a connection: the time is an
argument, and keys and tokens are fetched elsewhere.

Reading order: jwt, keys, rules, unsecured, bearer.
"""

from typing import Final

OAUTHBEARER: Final = "OAUTHBEARER"
"""Here, so that a comparison of a mechanism's name imports no more than that."""
