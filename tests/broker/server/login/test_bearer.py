"""A listener's tokens: what it accepts, and what it is refused for."""

from __future__ import annotations

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.server_properties import node_settings
from moldau.broker.server.login.bearer import NoTokens, file_of
from moldau.config.refusals import SettingError
from moldau.network.sasl.oauth.bearer import ask_bearer
from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.unsecured import make_unsecured
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run
from tests.broker.server.login.dialogue import PREFIX, SETTINGS, authenticate, handshake

JAVA = "org.apache.kafka.common.security.oauthbearer"
URL = "sasl.oauthbearer.jwks.endpoint.url"
HANDLER = f"{PREFIX}oauthbearer.sasl.server.callback.handler.class"
LOGIN = f"{PREFIX}oauthbearer.sasl.jaas.config"
BEARER = {
    **SETTINGS,
    "sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
    LOGIN: f"{JAVA}.OAuthBearerLoginModule required;",
}
SCOPED = f'{JAVA}.OAuthBearerLoginModule required unsecuredValidatorRequiredScope="write";'
UNSECURED = {
    **BEARER,
    HANDLER: f"{JAVA}.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler",
}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"sasl.enabled.mechanisms": "OAUTHBEARER"},
            f"has no keys to verify tokens with: set {URL}",
        ),
        ({HANDLER: "com.example.Validator"}, "no class of Java can run here"),
        ({LOGIN: None, URL: "file:///keys"}, f"has no login for it: set {LOGIN}; '{JAVA}"),
        ({LOGIN: SCOPED, HANDLER: f"{JAVA}.OAuthBearerValidatorCallbackHandler"}, "has no keys"),
        ({URL: "provider/keys"}, "neither file:///PATH nor an address"),
        ({URL: "file://keys"}, "neither file:///PATH nor an address"),
        ({f"{PREFIX}{URL}": "https://"}, "neither file:///PATH nor an address"),
    ],
)
def test_a_listener_that_could_verify_no_token_is_refused(more, sentence):
    given = {name: text for name, text in {**BEARER, **more}.items() if text is not None}
    with pytest.raises(SettingError, match=sentence):
        refuse_what_is_not_there(node_settings(alone(), given))


@pytest.mark.parametrize(
    "more",
    [
        {URL: "https://provider/keys"},
        {f"{PREFIX}oauthbearer.{URL}": "file:///keys.json"},
        {URL: "http://[::1]:8080/", HANDLER: f"{JAVA}.OAuthBearerValidatorCallbackHandler"},
        {HANDLER: UNSECURED[HANDLER]},
        {LOGIN: SCOPED},
    ],
)
def test_keys_or_kafkas_handler_for_unsecured_tokens_are_enough(more):
    refuse_what_is_not_there(node_settings(alone(), {**BEARER, **more}))


def test_a_listener_with_other_mechanisms_starts_without_keys_and_refuses_every_token(caplog):
    refuse_what_is_not_there(node_settings(alone(), BEARER))
    assert f"has no keys to verify tokens with: set {URL}" in caplog.text
    assert "until then every token is refused" in caplog.text
    answer = log_in(BEARER)
    assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED


def test_a_url_of_a_file_has_its_path():
    assert file_of("file:///etc/keys.json") == "/etc/keys.json"
    assert file_of("file://localhost/etc/keys.json") == "/etc/keys.json"
    assert file_of("https://etc/keys.json") is None


def log_in(settings, lifetime_s="60", name="alice"):
    async def main(machine):
        served = machine.node(**settings)
        await served.start()
        client = await machine.connect(served)
        assert (await handshake(machine, client, "OAUTHBEARER")).error_code == 0
        login = {
            "unsecuredLoginStringClaim_sub": name,
            "unsecuredLoginLifetimeSeconds": lifetime_s,
        }
        token = make_unsecured(login, machine.clock.now_ms())
        answer = await authenticate(machine, client, next(ask_bearer(token)))
        if answer.auth_bytes:
            answer = await authenticate(machine, client, b"\x01")
        await served.stop()
        return answer

    return run(main)


def test_a_session_ends_with_its_token():
    answer = log_in(UNSECURED)
    assert answer.error_code == ErrorCode.NONE
    assert 59_000 < answer.session_lifetime_ms <= 60_000
    ten_s = {f"{PREFIX}oauthbearer.connections.max.reauth.ms": "10000"}
    assert log_in({**UNSECURED, **ten_s}).session_lifetime_ms == 10_000


@pytest.mark.parametrize(
    ("settings", "lifetime_s"),
    [(UNSECURED, "-1"), ({**BEARER, URL: "file:///no/keys.json"}, "60")],
)
def test_a_token_that_is_not_valid_is_refused_in_two_steps(settings, lifetime_s):
    answer = log_in(settings, lifetime_s)
    assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
    assert answer.error_message == '{"status":"invalid_token"}'


def test_a_listener_without_keys_accepts_nothing():
    with pytest.raises(JwtError, match="none are set"):
        NoTokens("none are set").validate("token")
