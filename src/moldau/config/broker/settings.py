"""All settings of a node, with what follows from several of them."""

from __future__ import annotations

from functools import cached_property

from moldau.config.broker.groups import GroupKeys
from moldau.config.broker.listeners import Listener, parse_listeners, parse_protocols
from moldau.config.broker.logs import LogKeys
from moldau.config.broker.network import NetworkKeys
from moldau.config.broker.node import NodeKeys
from moldau.config.broker.oauth import OauthKeys
from moldau.config.broker.quorum import QuorumKeys
from moldau.config.broker.remote import RemoteKeys
from moldau.config.broker.replication import ReplicationKeys
from moldau.config.broker.schemas import SchemaKeys
from moldau.config.broker.security import SecurityKeys
from moldau.config.broker.shares import DEFAULT_PERSISTER, ShareKeys
from moldau.config.broker.tls import TlsKeys
from moldau.config.broker.transactions import TransactionKeys
from moldau.config.broker.watching import WatchingKeys
from moldau.config.own import OwnSettings
from moldau.config.prefixes import ALLOW_WITHOUT_RULES, LISTENER_PREFIX, SUPER_USERS, is_known

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
UNLIMITED = -1


class BrokerSettings(
    NodeKeys,
    QuorumKeys,
    NetworkKeys,
    LogKeys,
    ReplicationKeys,
    GroupKeys,
    ShareKeys,
    TransactionKeys,
    WatchingKeys,
    SecurityKeys,
    OauthKeys,
    TlsKeys,
    RemoteKeys,
    SchemaKeys,
):
    """The settings of a broker, a controller, or both in one."""

    REQUIRED = ("process.roles", "controller.listener.names", "node.id")

    @cached_property
    def is_broker(self) -> bool:
        return "broker" in self.process_roles

    @cached_property
    def is_controller(self) -> bool:
        return "controller" in self.process_roles

    @cached_property
    def directories(self) -> tuple[str, ...]:
        return self.log_dirs or self.log_dir

    @cached_property
    def metadata_directory(self) -> str:
        return self.metadata_log_dir or self.directories[0]

    @cached_property
    def retention_ms(self) -> int:
        """`log.retention`, by the finest unit that is given; any negative time is for ever."""
        found = self.log_retention_ms
        if found is None and self.log_retention_minutes is not None:
            found = self.log_retention_minutes * MINUTE_MS
        if found is None:
            found = self.log_retention_hours * HOUR_MS
        return found if found >= 0 else UNLIMITED

    @cached_property
    def roll_ms(self) -> int:
        return self.log_roll_hours * HOUR_MS if self.log_roll_ms is None else self.log_roll_ms

    @cached_property
    def roll_jitter_ms(self) -> int:
        if self.log_roll_jitter_ms is None:
            return self.log_roll_jitter_hours * HOUR_MS
        return self.log_roll_jitter_ms

    @cached_property
    def flush_ms(self) -> int:
        if self.log_flush_interval_ms is None:
            return self.log_flush_scheduler_interval_ms
        return self.log_flush_interval_ms

    @cached_property
    def own(self) -> OwnSettings:
        """What was given of the settings that Kafka does not have."""
        return OwnSettings(self.all_given)

    @cached_property
    def persists_share_state(self) -> bool:
        """Whether what share groups have acknowledged survives its leader."""
        return self.group_share_persister_class_name == DEFAULT_PERSISTER

    @cached_property
    def protocols(self) -> dict[str, str]:
        """Listener's name to security protocol."""
        return parse_protocols(self.listener_security_protocol_map, self)

    @cached_property
    def listener_list(self) -> tuple[Listener, ...]:
        """Those of the broker and of the controller, in the order given."""
        return parse_listeners("listeners", self.listeners, self.protocols)

    @cached_property
    def controller_listeners(self) -> tuple[Listener, ...]:
        names = self.controller_listener_names
        return tuple(listener for listener in self.listener_list if listener.name in names)

    @cached_property
    def broker_listeners(self) -> tuple[Listener, ...]:
        names = self.controller_listener_names
        return tuple(listener for listener in self.listener_list if listener.name not in names)

    @cached_property
    def advertised(self) -> tuple[Listener, ...]:
        """The advertised listeners; an address of 0 or `0.0.0.0` still has to be filled in."""
        if self.advertised_listeners is None:
            return self.broker_listeners
        given = parse_listeners("advertised.listeners", self.advertised_listeners, self.protocols)
        names = self.controller_listener_names
        return tuple(listener for listener in given if listener.name not in names)

    @cached_property
    def inter_broker_listener(self) -> str:
        return self.inter_broker_listener_name or self.security_inter_broker_protocol

    @cached_property
    def super_users(self) -> tuple[str, ...]:
        """Principals that may do everything; of the authorizer's own settings, as the next one."""
        users = self.all_given.get(SUPER_USERS, "").split(";")
        return tuple(user.strip() for user in users if user.strip())

    @cached_property
    def allows_without_rules(self) -> bool:
        """Whether all principals may do everything to a resource without access rules."""
        return self.all_given.get(ALLOW_WITHOUT_RULES, "").strip().lower() == "true"

    def for_listener(self, name: str) -> BrokerSettings:
        """As this listener sees them: `listener.name.<name>.` before a key overrides it."""
        prefix = f"{LISTENER_PREFIX}{name.lower()}."
        found = {
            key.removeprefix(prefix): value
            for key, value in self.prefixed.items()
            if key.startswith(prefix)
        }
        return self.changed({**found}) if found else self

    @cached_property
    def prefixed(self) -> dict[str, str]:
        """What was given for single listeners."""
        return {name: text for name, text in self.all_given.items() if name not in self.KEYS}

    def unrecognised(self) -> list[str]:
        """Names that were given and mean nothing."""
        known = {*self.KEYS, *OwnSettings.KEYS}
        return sorted(name for name in self.all_given if not is_known(name, known))
