"""The audit of one node: where events come in, and the trails that they leave by."""

from __future__ import annotations

from functools import partial

from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.authorizer import Caller
from moldau.broker.server.audit.changes import AuditedHandlers
from moldau.broker.server.audit.events import Events
from moldau.broker.server.audit.file_sink import FileSink
from moldau.broker.server.audit.judging import AuditedAuthorizer
from moldau.broker.server.audit.topic_sink import TopicSink
from moldau.broker.server.audit.trail import Trail
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.config.own import OwnSettings
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.network import Address
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks

__all__ = ["Audit"]

CLOSE_MS_MAX = 2_000
"""What a node that stops may wait for its last events to be written."""


class Audit:
    """Made where the settings name a file or a topic."""

    def __init__(
        self,
        settings: OwnSettings,
        node_id: int,
        *,
        files: Files,
        clock: Clock,
        random: Random,
        tasks: Tasks,
    ) -> None:
        self.trails: list[Trail] = []
        self.handlers = AuditedHandlers(self._changed)
        self._events = Events(node_id, clock, random)
        self._broker: Broker | None = None
        path, topic = settings.moldau_audit_file, settings.moldau_audit_topic
        room = settings.moldau_audit_queue_events
        if path:
            size, kept = settings.moldau_audit_file_max_bytes, settings.moldau_audit_file_kept
            to_file = FileSink(files, tasks, path, size, kept)
            self.trails.append(Trail("file", to_file, tasks, room, self._events.dropped))
        if topic:
            to_topic = TopicSink(
                lambda: self._broker,
                clock,
                topic,
                settings.moldau_audit_topic_partitions,
                settings.moldau_audit_topic_replication_factor,
            )
            self.trails.append(Trail("topic", to_topic, tasks, room, self._events.dropped))

    def __repr__(self) -> str:
        return f"Audit({self.trails})"

    def serve(self, broker: Broker) -> None:
        """From now on events can be written to a topic, and decisions are looked at."""
        self._broker = broker
        self._events.cluster_id = broker.cluster_id
        broker.audit = self
        broker.authorizer = AuditedAuthorizer(broker.authorizer, self._denied)

    def logged_in(
        self,
        listener: str,
        peer: Address,
        mechanism: str,
        principal: str | None,
        reason: str | None = None,
    ) -> None:
        """A login, or one that was refused for this reason."""
        event = self._events.login(listener, peer, mechanism, principal, reason)
        self._put(event, is_cheap=reason is not None)

    def handshake_failed(self, listener: str, peer: Address, reason: str) -> None:
        self.logged_in(listener, peer, "SSL", None, reason)

    def handshakes_of(self, listener: str) -> partial[None]:
        return partial(self.handshake_failed, listener)

    async def close(self) -> None:
        for trail in self.trails:
            await trail.close(CLOSE_MS_MAX)

    def _denied(self, caller: Caller, operation: Operation, resource: Resource, name: str) -> None:
        self._put(self._events.denied(caller, operation, resource, name), is_cheap=True)

    def _changed(self, call: Call, things: list[str], errors: set[str]) -> None:
        has_changed_nothing = bool(errors) and len(things) <= 1
        for event in self._events.changes(call, things, errors):
            self._put(event, is_cheap=has_changed_nothing)

    def _put(self, line: bytes, *, is_cheap: bool) -> None:
        for trail in self.trails:
            trail.put(line, is_cheap=is_cheap)
