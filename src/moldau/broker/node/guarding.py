"""What stands at each listener of a node: its dispatcher, and before that a login, and TLS.

What a test puts before the dispatchers of a broker's listeners stands between login and dispatcher.
Each of the others is imported where a listener has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from moldau.broker.node.world import NodeWorld
from moldau.broker.server.apis import apis_of, handler_of
from moldau.broker.server.dispatch import Dispatcher
from moldau.broker.server.login.counting import FAILED, SUCCEEDED, SUCCEEDED_ONCE, count_login
from moldau.config.broker.settings import BrokerSettings
from moldau.network.connection import FrameHandler
from moldau.platform.ports.network import Address, TakeOver

if TYPE_CHECKING:
    from moldau.broker.metrics.registry import Registry
    from moldau.broker.node.tls_listeners import TlsListeners
    from moldau.broker.server.audit.audit import Audit
    from moldau.broker.server.broker import Broker
    from moldau.broker.server.login.own_principals import OwnPrincipals
    from moldau.broker.server.login.providers import Providers

__all__ = ["Guarding"]

SASL = "SASL_"
SSL, SASL_SSL = "SSL", "SASL_SSL"


class Guarding:
    """Made of the settings that a node starts with."""

    def __init__(
        self,
        settings: BrokerSettings,
        world: NodeWorld,
        before: Callable[[Dispatcher], FrameHandler] | None = None,
    ) -> None:
        self.dispatchers: dict[str, Dispatcher] = {}
        """By listener."""
        self._settings = settings
        self._world = world
        self._before = before
        self._tls: TlsListeners | None = None
        self._providers: Providers | None = None
        """Where a listener requires a login."""
        self._metrics: Registry | None = None
        """Once there is a broker."""
        self.audit: Audit | None = self._make_audit()

    def __repr__(self) -> str:
        return f"Guarding({', '.join(self.dispatchers)})"

    def handler_for(self, listener: str) -> FrameHandler:
        """Takes the first frame of each connection, and hands over to the dispatcher."""
        settings = self._settings
        find = handler_of if self.audit is None else self.audit.handlers.find
        is_controllers = listener in settings.controller_listener_names
        dispatcher = Dispatcher(apis_of(is_controllers), find)
        self.dispatchers[listener] = dispatcher
        handle: FrameHandler = dispatcher.handle
        if self._before is not None and not is_controllers:
            handle = self._before(dispatcher)
        protocol, own = self._protocol_of(listener), self._own_principals(listener)
        if protocol.startswith(SASL):
            return self._behind_login(listener, dispatcher, handle, own)
        if protocol != SSL and own is None:
            return handle
        from moldau.broker.server.login.certificate import CertificateAuthenticator

        rules = settings.for_listener(listener).ssl_principal_mapping_rules
        note = self._note_certificate if protocol == SSL else None
        return CertificateAuthenticator(rules, handle, note, own).handle

    def _own_principals(self, listener: str) -> OwnPrincipals | None:
        """None where principals are those of Kafka."""
        if ":" not in (self._settings.for_listener(listener).principal_builder_class or ""):
            return None
        from moldau.broker.server.login.own_principals import own_principals

        return own_principals(self._settings, listener, self._protocol_of(listener))

    def _note_certificate(
        self, listener: str, peer: Address, kind: str, principal: str | None, reason: str | None
    ) -> None:
        """A connection of SSL has a principal, or has been refused one."""
        self._count(listener, *((FAILED,) if reason else (SUCCEEDED, SUCCEEDED_ONCE)))
        if self.audit is not None:
            self.audit.logged_in(listener, peer, kind, principal, reason)

    def _count(self, listener: str, *outcomes: str) -> None:
        if self._metrics is not None:
            for outcome in outcomes:
                count_login(self._metrics, listener, outcome)

    def protect(self, listener: str) -> Callable[[TakeOver], TakeOver] | None:
        """None for a listener whose links are plain."""
        if self._protocol_of(listener) not in (SSL, SASL_SSL):
            return None
        if self._tls is None:
            from moldau.broker.node.tls_listeners import TlsListeners

            self._tls = TlsListeners(self._settings, self._world)
        note = None if self.audit is None else self.audit.handshakes_of(listener)

        def failed(peer: Address, reason: str) -> None:
            self._count(listener, FAILED)
            if note is not None:
                note(peer, reason)

        return self._tls.protect(listener, failed)

    def take_settings(self, settings: BrokerSettings) -> None:
        """Those of TLS; a login looks at its own when it begins."""
        if self._tls is not None:
            self._tls.take_settings(settings)

    def serve(self, broker: Broker) -> None:
        """There is a broker, whose decisions and changes may be of interest."""
        self._metrics = broker.metrics
        if self._tls is not None:
            broker.check_tls = self._tls.check
        if self.audit is not None:
            self.audit.serve(broker)

    async def leave(self) -> None:
        """Write what an audit still holds, as long as logs are open."""
        if self.audit is not None:
            await self.audit.close()

    def close(self) -> None:
        if self._providers is not None:
            self._providers.close()

    def _make_audit(self) -> Audit | None:
        own, world = self._settings.own, self._world
        if not own.moldau_audit_file and not own.moldau_audit_topic:
            return None
        from moldau.broker.server.audit.audit import Audit

        return Audit(
            own,
            self._settings.node_id,
            files=world.files,
            clock=world.clock,
            random=world.random,
            tasks=world.tasks,
        )

    def _behind_login(
        self,
        listener: str,
        dispatcher: Dispatcher,
        handle: FrameHandler,
        own: OwnPrincipals | None,
    ) -> FrameHandler:
        from moldau.broker.node.outgoing import identity_providers
        from moldau.broker.server.login.authenticator import SaslAuthenticator

        if self._providers is None:
            self._providers = identity_providers(self._world)
        made = SaslAuthenticator(
            listener, dispatcher, handle, self._world.random, self._providers, own
        )
        made.begin(self._settings)
        return made.handle

    def _protocol_of(self, listener: str) -> str:
        return next(one.protocol for one in self._settings.listener_list if one.name == listener)
