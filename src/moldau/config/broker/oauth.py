"""OAUTHBEARER: tokens and those who issue them; a node verifies tokens, and may need its own."""

from __future__ import annotations

from moldau.config.key import (
    Rank,
    Scope,
    decimal,
    flag,
    integer,
    long,
    maybe_integer,
    maybe_text,
    names,
    plugin,
    secret,
    short,
    text,
)
from moldau.config.settings import Settings


class TokenLoginKeys(Settings):
    """How a login gets its token: of clients, and of nodes that log in at others."""

    sasl_oauthbearer_token_endpoint_url = maybe_text("Where tokens are got.")
    sasl_oauthbearer_scope = maybe_text("The scope that is asked for.")
    sasl_oauthbearer_client_credentials_client_id = maybe_text("The id that asks for a token.")
    sasl_oauthbearer_client_credentials_client_secret = secret(
        "The secret of the id that asks for a token."
    )
    sasl_login_callback_handler_class = plugin(
        None,
        "What gets tokens: a function of Python as MODULE:NAME, or a class of Kafka by its name.",
    )
    sasl_login_connect_timeout_ms = maybe_integer(
        "How long it may take to reach an identity provider.", rank=Rank.LOW
    )
    sasl_login_read_timeout_ms = maybe_integer(
        "How long an identity provider's answer may take.", rank=Rank.LOW
    )
    sasl_login_retry_backoff_ms = long(
        100, "The pause before an identity provider is asked again.", rank=Rank.LOW
    )
    sasl_login_retry_backoff_max_ms = long(
        10_000, "How long an identity provider is asked again, at most.", rank=Rank.LOW
    )
    sasl_login_refresh_window_factor = decimal(
        0.8, "A login is refreshed when so much of its life is over.", scope=Scope.BROKER
    )
    sasl_login_refresh_window_jitter = decimal(
        0.05, "How much the moment varies at which a login is refreshed.", scope=Scope.BROKER
    )
    sasl_login_refresh_min_period_seconds = short(
        60, "A login is not refreshed before so long.", scope=Scope.BROKER
    )
    sasl_login_refresh_buffer_seconds = short(
        300, "A login is not refreshed so shortly before its end.", scope=Scope.BROKER
    )
    sasl_oauthbearer_jwt_retriever_class = plugin(
        "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever",
        "How tokens are got: one of Kafka's classes by its name.",
    )
    sasl_oauthbearer_assertion_algorithm = text(
        "RS256", "How an assertion is signed.", choices=("ES256", "RS256"), any_case=True
    )
    sasl_oauthbearer_assertion_claim_aud = maybe_text("The audience of an assertion.")
    sasl_oauthbearer_assertion_claim_exp_seconds = integer(
        300, "How long an assertion is valid.", least=0, most=86_400, rank=Rank.LOW
    )
    sasl_oauthbearer_assertion_claim_iss = maybe_text("Who issues an assertion.")
    sasl_oauthbearer_assertion_claim_jti_include = flag(
        False, "Whether each assertion has an id of its own."
    )
    sasl_oauthbearer_assertion_claim_nbf_seconds = integer(
        60, "How long before its making an assertion is valid.", least=0, most=3600, rank=Rank.LOW
    )
    sasl_oauthbearer_assertion_claim_sub = maybe_text("Who an assertion is about.")
    sasl_oauthbearer_assertion_file = maybe_text("A file with a ready assertion.")
    sasl_oauthbearer_assertion_private_key_file = maybe_text(
        "The key that assertions are signed with."
    )
    sasl_oauthbearer_assertion_private_key_passphrase = secret(
        "What opens the key that assertions are signed with."
    )
    sasl_oauthbearer_assertion_template_file = maybe_text("A file with more claims of assertions.")


class OauthKeys(TokenLoginKeys):
    """Declared by theme; see BrokerSettings."""

    sasl_oauthbearer_jwks_endpoint_url = maybe_text("Where the keys of the issuer are got.")
    sasl_oauthbearer_jwks_endpoint_refresh_ms = long(
        3_600_000, "How often the keys of the issuer are read again.", rank=Rank.LOW
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_ms = long(
        100, "The pause before the keys of the issuer are asked for again.", rank=Rank.LOW
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms = long(
        10_000,
        "The longest pause before the keys of the issuer are asked for again.",
        rank=Rank.LOW,
    )
    sasl_oauthbearer_clock_skew_seconds = integer(
        30, "How far the clocks of issuer and broker may differ.", rank=Rank.LOW
    )
    sasl_oauthbearer_expected_audience = names(
        (), "The audiences of which a token must name one.", rank=Rank.HIGH
    )
    sasl_oauthbearer_expected_issuer = maybe_text(
        "The issuer that a token must name.", rank=Rank.HIGH
    )
    sasl_oauthbearer_scope_claim_name = text(
        "scope", "The claim that holds the scope.", rank=Rank.LOW
    )
    sasl_oauthbearer_sub_claim_name = text(
        "sub", "The claim that holds who it is about.", rank=Rank.LOW
    )
    sasl_oauthbearer_jwt_validator_class = plugin(
        "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator", "What judges tokens."
    )
