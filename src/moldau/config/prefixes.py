"""Names with a prefix: settings of one listener, and of plug-ins, whose names are open."""

from __future__ import annotations

from collections.abc import Container

LISTENER_PREFIX = "listener.name."
PLUGIN_PREFIXES = ("config.providers.", "rlmm.config.", "rsm.config.", "reporters.")
SUPER_USERS = "super.users"
ALLOW_WITHOUT_RULES = "allow.everyone.if.no.acl.found"
OF_AUTHORIZER = frozenset({SUPER_USERS, ALLOW_WITHOUT_RULES})
"""Settings of Kafka's authorizer, which are not among those of the broker itself."""
OF_MECHANISMS = (
    "sasl.jaas.config",
    "sasl.login.callback.handler.class",
    "sasl.login.class",
    "sasl.server.callback.handler.class",
    "connections.max.reauth.ms",
)
"""Settings in front of which Kafka expects the name of a mechanism, behind that of a listener."""
FOR_OTHERS = frozenset({"zookeeper.connect", "zookeeper.session.timeout.ms"})
"""Of older Kafka: Kafka 4 warns about them like about any unknown name."""


def base_name(name: str) -> str | None:
    """The setting behind a listener's prefix and, with those that have one, a mechanism's."""
    if not name.startswith(LISTENER_PREFIX):
        return None
    rest = name.removeprefix(LISTENER_PREFIX).partition(".")[2]
    return next((one for one in OF_MECHANISMS if rest.endswith(one)), rest or None)


def is_known(name: str, keys: Container[str]) -> bool:
    """Whether `name` is a setting, as it stands or behind a prefix."""
    if name in keys or name in OF_AUTHORIZER or name.startswith(PLUGIN_PREFIXES):
        return True
    base = base_name(name)
    return base is not None and (base in keys or base.partition(".")[2] in keys)
