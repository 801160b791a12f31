"""Settings of logins at an identity provider; the logins are in test_sessions.py."""

import pytest

from moldau.config.refusals import SettingError
from moldau.programs.console.serving.oidc import challenge_of, oidc_settings

GIVEN = {
    "issuer": "https://issuer.example",
    "client.id": "console",
    "client.secret": "s3cret",
    "redirect.uri": "https://console.example/login/callback",
}


def test_a_challenge_is_that_of_the_rfc():
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # RFC 7636, appendix B
    assert challenge_of(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_cookies_are_for_https_alone_where_the_console_is_served_by_it():
    assert oidc_settings(GIVEN).is_secure
    local = {**GIVEN, "redirect.uri": "http://localhost:8080/login/callback"}
    assert not oidc_settings(local).is_secure
    assert "s3cret" not in repr(oidc_settings(GIVEN))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"issuer": ""}, "need issuer"),
        ({"issuer": "http://issuer.example"}, "has to begin with https://"),
        ({"issuer": "issuer"}, "issuer is no address"),
        ({"redirect.uri": "http://console.example/login/callback"}, "begin with https://"),
        ({"redirect.uri": "https://console.example/elsewhere"}, "with /login/callback"),
        ({"scope": "profile"}, "has to have openid in it"),
        ({"client": "console"}, "client is no setting of logins"),
    ],
)
def test_settings_that_are_wrong_are_refused(changed, message):
    with pytest.raises(SettingError, match=message) as caught:
        oidc_settings({**GIVEN, **changed})
    assert "s3cret" not in str(caught.value)
