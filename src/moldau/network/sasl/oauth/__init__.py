"""OAUTHBEARER: a client logs in by a token that an identity provider has issued (KIP-255, KIP-768).

    bearer      the dialogue, both sides
    jwt         a token in three parts, taken apart: nothing of it is verified yet
    keys        the provider's public keys (JWKS), and the signatures that they verify
    rules       what has to stand in a signed token: when, by whom, for whom, about whom
    signing     tokens that are signed here, for an identity provider
    unsecured   tokens without a signature, for tests, and only where a setting names them

Signatures are made and checked by the package `cryptography`, which takes a while to import: `keys`
and `signing` alone do it. Nothing here has a clock or a connection: the time is an
argument, and keys and tokens are fetched elsewhere.

Reading order: jwt, keys, rules, signing, unsecured, bearer.
"""

from typing import Final

OAUTHBEARER: Final = "OAUTHBEARER"
"""Here, so that a comparison of a mechanism's name imports no more than that."""
GIVEN: Final = "oauth.access.token"
"""The option of a login that is the token itself, as Strimzi's library calls it."""
