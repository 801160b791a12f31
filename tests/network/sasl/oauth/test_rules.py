"""What a signed token has to hold; Apache Kafka is asked the same in tests/interop/security."""

from __future__ import annotations

import pytest

from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.rules import Bearer, TokenRules, check_claims

NOW_S = 1_800_000_000
RULES = TokenRules("https://issuer.example", ("cluster", "other"))


def claims(**more):
    given = {
        "sub": "alice",
        "iss": RULES.issuer,
        "aud": "cluster",
        "exp": NOW_S + 60,
        "iat": NOW_S,
        **more,
    }
    return {name: value for name, value in given.items() if value is not None}


def check(given, rules=RULES, now_ms=NOW_S * 1000):
    return check_claims(given, rules, now_ms)


def test_whom_a_valid_token_names_and_until_when():
    ends_ms = (NOW_S + 60) * 1000
    assert check(claims(scope=["a", "b"])) == Bearer("alice", ends_ms, frozenset({"a", "b"}))
    assert check(claims(aud=["x", "other"], exp=NOW_S + 60.5)).expires_at_ms == ends_ms + 500


@pytest.mark.parametrize(
    ("more", "clause"),
    [
        ({"exp": None}, "no claim exp"),
        ({"exp": "soon"}, "exp is not a number"),
        ({"exp": True}, "exp is not a number"),
        ({"exp": 1 << 60}, "exp is not a time"),
        ({"exp": -1}, "exp is not a time"),
        ({"exp": NOW_S - 30}, "has expired"),
        ({"iat": None}, "no claim iat"),
        ({"iat": NOW_S + 61}, "expires before it begins"),
        ({"nbf": NOW_S + 31}, "not valid before"),
        ({"iss": None}, "issuer"),
        ({"iss": "https://evil.example"}, "issuer"),
        ({"aud": None}, "audience"),
        ({"aud": []}, "audience"),
        ({"aud": {"cluster": 1}}, "audience"),
        ({"aud": [["cluster"]]}, "audience"),
        ({"sub": None}, "no text in the claim sub"),
        ({"sub": " "}, "no text in the claim sub"),
        ({"scope": ["a", "a"]}, "scope twice"),
        ({"scope": ""}, "scope that is empty"),
    ],
)
def test_a_claim_that_is_not_right_is_named(more, clause):
    with pytest.raises(JwtError, match=clause):
        check(claims(**more))


def test_clocks_may_differ_by_the_skew():
    assert check(claims(exp=NOW_S - 29, iat=5)).name == "alice"
    assert check(claims(nbf=NOW_S + 30)).name == "alice"
    with pytest.raises(JwtError):
        check(claims(exp=NOW_S - 29, iat=5), RULES._replace(skew_s=0))


def test_a_token_for_an_audience_is_not_for_a_listener_without_one():
    rules = TokenRules(name_claim="who")
    assert check(claims(aud=None, who="bob"), rules).name == "bob"
    with pytest.raises(JwtError, match="audience"):
        check(claims(who="bob"), rules)
