"""Tokens without a signature, both sides."""

from __future__ import annotations

import pytest

from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.unsecured import (
    InsufficientScopeError,
    check_unsecured,
    make_unsecured,
)
from tests.judges.identity_provider import new_key, signed, unsigned

NOW_MS = 1_800_000_000_000
ALICE = {"unsecuredLoginStringClaim_sub": "alice"}


def test_what_a_login_makes_is_accepted_until_it_expires():
    token = make_unsecured({**ALICE, "unsecuredLoginLifetimeSeconds": "10"}, NOW_MS)
    found = check_unsecured(token, {}, NOW_MS)
    assert (found.name, found.expires_at_ms) == ("alice", NOW_MS + 10_000)
    with pytest.raises(JwtError, match="expired"):
        check_unsecured(token, {}, NOW_MS + 10_000)
    skewed = {"unsecuredValidatorAllowableClockSkewMs": "1000"}
    assert check_unsecured(token, skewed, NOW_MS + 10_000).name == "alice"


def test_options_name_other_claims():
    login = {
        "unsecuredLoginPrincipalClaimName": "who",
        "unsecuredLoginStringClaim_who": "bob",
        "unsecuredLoginNumberClaim_level": "3",
        "unsecuredLoginListClaim_may": "|read|write",
    }
    looked = {
        "unsecuredValidatorPrincipalClaimName": "who",
        "unsecuredValidatorScopeClaimName": "may",
        "unsecuredValidatorRequiredScope": "write",
    }
    found = check_unsecured(make_unsecured(login, NOW_MS), looked, NOW_MS)
    assert (found.name, found.scopes) == ("bob", frozenset({"read", "write"}))
    with pytest.raises(InsufficientScopeError) as refused:
        check_unsecured(
            make_unsecured(login, NOW_MS),
            {**looked, "unsecuredValidatorRequiredScope": "x y"},
            NOW_MS,
        )
    assert refused.value.scope == "[x, y]"


def test_a_login_that_names_no_one_makes_no_token():
    assert make_unsecured({}, NOW_MS) == ""


@pytest.mark.parametrize(
    ("token", "clause"),
    [
        (signed(new_key(), {"sub": "alice", "exp": 1 << 33}), "is signed"),
        (unsigned({"sub": "alice", "exp": 1 << 33}) + "AA", "is signed"),
        (unsigned({"sub": "alice"}), "no claim exp"),
        (unsigned({"exp": 1 << 33}), "no text in the claim sub"),
        (unsigned({"sub": "a", "exp": 1 << 33, "iat": 1 << 34}), "in the future"),
    ],
)
def test_a_token_that_is_not_right_is_refused(token, clause):
    with pytest.raises(JwtError, match=clause):
        check_unsecured(token, {}, NOW_MS)
    with pytest.raises(JwtError, match="is not a number"):
        check_unsecured(
            make_unsecured(ALICE, NOW_MS), {"unsecuredValidatorAllowableClockSkewMs": "-1"}, NOW_MS
        )
