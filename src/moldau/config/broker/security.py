"""Who may come in and what they may do."""

from __future__ import annotations

from moldau.config.key import (
    Rank,
    Scope,
    decimal,
    integer,
    long,
    maybe_text,
    names,
    plugin,
    secret,
    text,
)
from moldau.config.settings import Settings


class SecurityKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    authorizer_class_name = text(
        "", "What decides who may do what; without one everything is allowed.", rank=Rank.LOW
    )
    principal_builder_class = plugin(
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
        "What makes a principal of what a peer has proved: a function of Python as MODULE:NAME, or "
        "Kafka's own class by its name.",
        scope=Scope.BROKER,
    )
    connections_max_reauth_ms = long(
        0, "Peers must prove who they are again after so long; 0 never."
    )
    delegation_token_secret_key = secret("The secret that delegation tokens are signed with.")
    delegation_token_expiry_time_ms = long(
        86_400_000, "How long a token is valid unless it is renewed.", least=1
    )
    delegation_token_max_lifetime_ms = long(
        604_800_000, "How long a token can be kept alive by renewing.", least=1
    )
    delegation_token_expiry_check_interval_ms = long(
        3_600_000, "How often expired ones are removed.", least=1, rank=Rank.LOW
    )
    sasl_enabled_mechanisms = names(
        ("GSSAPI",), "The SASL mechanisms that a listener offers.", scope=Scope.BROKER
    )
    sasl_mechanism_inter_broker_protocol = text(
        "GSSAPI", "The one that brokers use among themselves.", scope=Scope.BROKER
    )
    sasl_mechanism_controller_protocol = text(
        "GSSAPI", "The one that brokers use with controllers.", rank=Rank.HIGH
    )
    sasl_jaas_config = secret(
        "The login of a mechanism, in the form of Java's JAAS.", scope=Scope.BROKER
    )
    sasl_client_callback_handler_class = plugin(None, "A plug-in of the client's side of SASL.")
    sasl_login_class = plugin(None, "A plug-in of the login itself.")
    sasl_server_callback_handler_class = plugin(
        None,
        "Checks passwords of PLAIN and tokens: a function of Python as MODULE:NAME, behind the "
        "prefix of a listener and a mechanism, or a class of Kafka by its name.",
    )
    sasl_server_max_receive_size = integer(524_288, "The largest message of a SASL dialogue.")
    sasl_kerberos_kinit_cmd = text("/usr/bin/kinit", "Where kinit lies.", scope=Scope.BROKER)
    sasl_kerberos_min_time_before_relogin = long(
        60_000, "The shortest time between two logins.", scope=Scope.BROKER
    )
    sasl_kerberos_principal_to_local_rules = names(
        ("DEFAULT",), "How Kerberos names become short ones.", scope=Scope.BROKER
    )
    sasl_kerberos_service_name = maybe_text(
        "The name of the service in Kerberos.", scope=Scope.BROKER
    )
    sasl_kerberos_ticket_renew_jitter = decimal(
        0.05, "How much the moment of renewal varies.", scope=Scope.BROKER
    )
    sasl_kerberos_ticket_renew_window_factor = decimal(
        0.8, "A ticket is renewed when so much of its life is over.", scope=Scope.BROKER
    )
