"""Takes the first frame of each connection on a listener that requires a login.

Settings may change while the node runs: those of the mechanisms are read again when they have.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from moldau.broker.server.answering import Answering
from moldau.broker.server.login.counting import SUCCEEDED, SUCCEEDED_AGAIN, count_login
from moldau.broker.server.login.listener import SaslListener, fetch_early
from moldau.broker.server.login.login import Login
from moldau.broker.server.login.providers import Providers
from moldau.broker.server.login.session import Session
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import MoldauError
from moldau.network.connection import Connection, FrameHandler
from moldau.network.principal import Principal
from moldau.network.sasl.dialogue import Identity, SaslError
from moldau.network.sasl.scram import Decoys
from moldau.platform.ports.randomness import Random

if TYPE_CHECKING:
    from moldau.broker.server.login.own_principals import OwnPrincipals

__all__ = ["SaslAuthenticator"]


class SaslAuthenticator:
    """Begins a login with the first frame of each connection."""

    def __init__(
        self,
        listener: str,
        dispatcher: Answering,
        handle: FrameHandler,
        random: Random,
        providers: Providers,
        own: OwnPrincipals | None = None,
    ) -> None:
        self._name = listener
        self._dispatcher = dispatcher
        self._handle = handle
        self._decoys = Decoys(random)
        self._providers = providers
        self._own = own
        self._listener: SaslListener | None = None
        self._settings: object = None

    def begin(self, settings: BrokerSettings) -> None:
        """Fetch early what logins will need."""
        fetch_early(settings, self._name, self._providers)

    def handle(self, connection: Connection, frame: memoryview) -> None:
        """The first frame; those after it go to the login."""
        login = self._login(connection, None)
        connection.hand_over(login.handle)
        login.handle(connection, frame)

    def _offer(self) -> SaslListener:
        """The mechanisms, as the settings are now."""
        broker = self._dispatcher.broker
        if self._listener is None or self._settings is not broker.settings:
            self._settings = broker.settings
            self._listener = SaslListener(
                self._name, broker.settings, broker, self._decoys, self._providers
            )
        return self._listener

    def _login(self, connection: Connection, session: Session | None) -> Login:
        login = Login(
            connection,
            self._offer(),
            self._dispatcher.broker,
            self._handle,
            partial(self._logged_in, session),
            again=None if session is None else (session.mechanism, session.name),
        )
        if self._own is not None:
            login.principal_of = partial(self._own_principal, self._own, login)
        login.lifetime_ms = lambda identity: self._lifetime_ms(login, identity) or 0
        return login

    def _begin_again(self, connection: Connection, session: Session) -> FrameHandler:
        return self._login(connection, session).handle

    def _own_principal(self, own: OwnPrincipals, login: Login, identity: Identity) -> Principal:
        try:
            found = own.principal_of(login.connection, login.mechanism, identity.name)
        except MoldauError as error:
            raise SaslError(str(error)) from None
        return Principal(found.kind, found.name, identity.is_by_token)

    def _logged_in(self, session: Session | None, login: Login, identity: Identity) -> None:
        connection = login.connection
        principal = login.principal
        assert principal is not None, "the login has succeeded"
        outcome = SUCCEEDED if session is None else SUCCEEDED_AGAIN
        count_login(self._dispatcher.broker.metrics, connection.listener, outcome)
        audit = self._dispatcher.broker.audit
        if audit is not None:
            audit.logged_in(connection.listener, connection.peer, login.mechanism, str(principal))
        lifetime_ms = self._lifetime_ms(login, identity)
        if session is None:
            connection.principal = principal
            connection.frame_bytes_max = self._dispatcher.broker.settings.socket_request_max_bytes
        if session is None and lifetime_ms is not None:
            session = Session(
                login.mechanism,
                identity.name,
                lifetime_ms,
                self._dispatcher.broker.clock,
                self._handle,
                self._begin_again,
            )
        elif session is not None:
            session.extend(lifetime_ms or 0)
        connection.hand_over(self._handle if session is None else session.handle)

    def _lifetime_ms(self, login: Login, identity: Identity) -> int | None:
        """None where the session never ends."""
        most_ms = self._offer().session_ms_max(login.mechanism)
        ends = [] if most_ms <= 0 else [most_ms]
        if identity.expires_at_ms is not None:
            ends.append(identity.expires_at_ms - self._dispatcher.broker.clock.now_ms())
        return max(min(ends), 0) if ends else None
