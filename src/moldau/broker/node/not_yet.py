"""What the settings may ask for and no node does yet: refused, rather than half done.

A listener without a certificate or without users would serve no client, and a voter that waits for
others who can never come would wait for ever. Such a setting is refused at once, before a directory
is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError

__all__ = ["refuse_what_is_not_there"]

TLS = frozenset({"SSL", "SASL_SSL"})
SASL = "SASL_"
STANDARD_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
RACK_AWARE_SELECTOR = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
KAFKAS_BUILDER = BrokerSettings.KEYS["principal.builder.class"].default


def refuse_what_is_not_there(settings: BrokerSettings) -> None:
    """Raise `SettingError` for the first thing that is asked for and not there."""
    for rule in RULES:
        for complaint in rule(settings):
            raise SettingError(complaint)


def _possible_listeners(settings: BrokerSettings) -> Iterator[str]:
    """What the parts for TLS and logins refuse, they refuse themselves."""
    for listener in settings.listener_list:
        if listener.protocol in TLS:
            from moldau.broker.node.tls_listeners import listener_terms

            listener_terms(settings, listener.name)
        if listener.protocol.startswith(SASL):
            from moldau.broker.server.login.listener import check_mechanisms

            check_mechanisms(settings, listener.name)
    yield from ()


def _known_authorizer(settings: BrokerSettings) -> Iterator[str]:
    if settings.authorizer_class_name not in ("", STANDARD_AUTHORIZER):
        yield (
            f"authorizer.class.name is {settings.authorizer_class_name}, and no class of Java can "
            f"run here; what is there is {STANDARD_AUTHORIZER}, by this name"
        )


def _known_principal_builders(settings: BrokerSettings) -> Iterator[str]:
    """The function of a listener refuses itself where it cannot be had."""
    for listener in settings.listener_list:
        own = settings.for_listener(listener.name)
        if own.principal_builder_class != KAFKAS_BUILDER:
            from moldau.broker.server.login.own_principals import check_builder

            check_builder(settings, listener.name)
    yield from ()


def _known_replica_selector(settings: BrokerSettings) -> Iterator[str]:
    if settings.replica_selector_class not in (None, RACK_AWARE_SELECTOR):
        yield (
            f"replica.selector.class is {settings.replica_selector_class}, and no class of Java "
            f"can run here; what is there is {RACK_AWARE_SELECTOR}, by this name"
        )


def _local_storage(settings: BrokerSettings) -> Iterator[str]:
    if settings.remote_log_storage_system_enable:
        yield (
            "remote.log.storage.system.enable is true, and tiered storage is not there yet; leave "
            "it out, and let log.retention.ms and log.retention.bytes say what is kept here"
        )


RULES: tuple[Callable[[BrokerSettings], Iterator[str]], ...] = (
    _possible_listeners,
    _known_authorizer,
    _known_principal_builders,
    _known_replica_selector,
    _local_storage,
)
