"""The life of a broker in its cluster: registered, fenced, serving, leaving (KIP-500, KIP-631).

    register ──► fenced ──► has applied its own registration, logs open ──► unfenced: serves
                   ▲                                                            │ wants to leave
                   └── 9 s without a heartbeat                                  ▼
                                                           leads nothing any more ──► may go

The broker's epoch is the offset of its registration. Every heartbeat has how far it has applied
the metadata, and asks for a state: to be fenced while it starts, to be let go when it stops.
Whatever a heartbeat changes comes back as metadata, like all other changes.

A broker that an administrator unregisters (UnregisterBroker) stays out of its cluster, as Apache
Kafka's does, until it is started anew. Any other stale epoch is that of a registration which was
sent twice: the broker introduces itself once more, when two heartbeats in a row have shown it,
for the metadata here may be older than the first.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.metadata.cluster import BrokerState, Endpoint, sent_endpoints, sent_features
from moldau.broker.metadata.features import supported_levels
from moldau.broker.server.broker import Metadata
from moldau.errors import KafkaError, MoldauError
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.broker.broker_heartbeat import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
)
from moldau.protocol.messages.broker.broker_registration import (
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["Incarnation", "Lifecycle", "RegistrationFailedError"]

log = logging.getLogger(__name__)

REGISTRATION_VERSION = 4
HEARTBEAT_VERSION = 2
RETRY_MS = 100
"""Between two tries while there is no controller, or it refuses us as yet."""
UNANSWERED_MS = 5_000
"""How long a broker that leaves waits for one answer: a failover takes less."""
LOOK_MS = 200
"""Between two looks, while a broker leaves, whether a majority of the voters is still there: where
all nodes stop together, the last of them would wait for answers that never come."""


class RegistrationFailedError(MoldauError):
    """The cluster does not take this broker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incarnation:
    """One life of one broker, as it introduces itself."""

    broker_id: int
    cluster_id: str
    incarnation_id: bytes
    """Made up at each start."""
    endpoints: Sequence[Endpoint]
    log_dirs: Sequence[bytes]
    rack: str | None = None
    previous_epoch: int = -1
    """From the marker of a clean stop; -1 without one."""
    runs_unstable: bool = False
    """Whether `unstable.feature.versions.enable` is set."""


class Lifecycle:
    """Registers the broker and keeps it alive in the eyes of the controller."""

    def __init__(
        self,
        incarnation: Incarnation,
        metadata: Metadata,
        tasks: Tasks,
        *,
        heartbeat_ms: int = 2_000,
        session_ms: int = 9_000,
        registration_timeout_ms: int = 60_000,
        when_registered: Callable[[int], None] = lambda epoch: None,
        offline_directories: Callable[[], list[bytes]] = list,
        cordoned_directories: Callable[[], list[bytes]] = list,
        majority_has_ended: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self.epoch = -1
        self.is_fenced = True
        self._incarnation = incarnation
        self._metadata = metadata
        self._tasks = tasks
        self._heartbeat_ms = heartbeat_ms
        self._session_ms = session_ms
        """The controller is asked anew without an answer for so long, as by Apache Kafka."""
        self._registration_timeout_ms = registration_timeout_ms
        self._when_registered = when_registered
        """Called with the new epoch, also when the broker registers again."""
        self._offline_directories = offline_directories
        self._cordoned_directories = cordoned_directories
        self._majority_has_ended = majority_has_ended
        """Whether so many voters' processes have ended that nothing can be decided."""
        self._is_leaving = False
        self._refusal = ""
        """What the controller answered last, and the log has."""
        self._is_stale = False
        """Whether the last heartbeat had an epoch that is over."""
        self._may_go: Promise[bool] = tasks.promise()
        """Whether it was let go; or it goes without."""

    def __repr__(self) -> str:
        state = "leaving" if self._is_leaving else "fenced" if self.is_fenced else "serving"
        return f"Lifecycle(broker {self._incarnation.broker_id}, epoch {self.epoch}, {state})"

    async def register(self) -> int:
        """Introduce the broker until it is taken; its epoch."""
        try:
            async with self._tasks.deadline(self._registration_timeout_ms):
                await self._introduce()
        except TimeoutError:
            cause = self._refusal or "see whether the controllers are running"
            raise RegistrationFailedError(
                f"broker {self._incarnation.broker_id} could not register with its controller in "
                f"{self._registration_timeout_ms} ms; {cause}"
            ) from None
        log.info("Broker %d registered with epoch %d", self._incarnation.broker_id, self.epoch)
        return self.epoch

    async def unfence(self) -> None:
        """Ask to serve until the controller agrees; then go on with heartbeats."""
        while self.is_fenced:
            await self._beat()
            if self.is_fenced:
                await self._tasks.sleep(RETRY_MS)
        log.info("Broker %d is unfenced", self._incarnation.broker_id)
        self._tasks.spawn("heartbeats", self._go_on())

    def send_heartbeat_now(self) -> None:
        """Something is news that the next heartbeat would bring too late: a directory failed."""
        if not self._is_leaving and self.epoch >= 0:
            self._tasks.spawn("a heartbeat with news", self._beat_once())

    def brokers_changed(self, changed: Mapping[int, BrokerState | None]) -> None:
        """A broker that leaves waits until all others report that they know it; and who is fenced
        by mistake should not stay so until its next heartbeat."""
        own = self._incarnation.broker_id
        for broker_id, state in changed.items():
            if state is None or self.is_fenced:
                continue
            if state.in_controlled_shutdown or (state.fenced and broker_id == own):
                self.send_heartbeat_now()
                return

    async def _beat_once(self) -> None:
        await self._beat()

    async def leave(self, timeout_ms: int) -> bool:
        """Hand over what the broker leads, and return when it may go; whether it was let go."""
        self._is_leaving = True
        if self.epoch < 0 or self._is_unregistered:
            return False
        waiting = [self._tasks.spawn("asking to leave", self._ask_to_go())]
        if self._majority_has_ended is not None:
            looking = self._look_for_voters(self._majority_has_ended)
            waiting.append(self._tasks.spawn("looking for voters", looking))
        try:
            async with self._tasks.deadline(timeout_ms):
                is_let_go = await self._may_go.wait()
        except TimeoutError:
            is_let_go = False
        for task in waiting:
            task.cancel()
        if not is_let_go:
            log.warning("No controller let the broker go in time; stopping")
        return is_let_go

    async def _ask_to_go(self) -> None:
        may_go = False
        try:
            while not may_go and not self._is_unregistered:
                async with self._tasks.deadline(UNANSWERED_MS):
                    may_go = await self._beat()
                if not may_go:
                    await self._tasks.sleep(RETRY_MS)
        except TimeoutError:
            log.info("No controller answered in %d ms", UNANSWERED_MS)
        self._may_go.keep(may_go)

    async def _look_for_voters(self, majority_has_ended: Callable[[], Awaitable[bool]]) -> None:
        while not await majority_has_ended():
            await self._tasks.sleep(LOOK_MS)
        log.info("A majority of the quorum's voters has ended, so no controller can answer")
        self._may_go.keep(False)

    async def _introduce(self) -> None:
        me = self._incarnation
        request = BrokerRegistrationRequest(
            broker_id=me.broker_id,
            cluster_id=me.cluster_id,
            incarnation_id=me.incarnation_id,
            listeners=sent_endpoints(BrokerRegistrationRequest.Listener, me.endpoints),
            features=sent_features(
                BrokerRegistrationRequest.Feature, supported_levels(unstable=me.runs_unstable)
            ),
            rack=me.rack,
            log_dirs=list(me.log_dirs),
            previous_broker_epoch=me.previous_epoch,
        )
        while True:
            answer = cast(
                "BrokerRegistrationResponse | None",
                await self._ask(request, REGISTRATION_VERSION),
            )
            if answer is not None and answer.error_code == ErrorCode.NONE:
                self.epoch = answer.broker_epoch
                self._when_registered(self.epoch)
                return
            await self._tasks.sleep(RETRY_MS)

    async def _beat(self) -> bool:
        """Renew the broker's session, and ask for a state; whether it may go."""
        request = BrokerHeartbeatRequest(
            broker_id=self._incarnation.broker_id,
            broker_epoch=self.epoch,
            current_metadata_offset=self._metadata.image.offset,
            want_fence=False,
            want_shut_down=self._is_leaving,
            offline_log_dirs=self._offline_directories(),
            cordoned_log_dirs=self._cordoned_directories(),
        )
        answer = cast("BrokerHeartbeatResponse | None", await self._ask(request, HEARTBEAT_VERSION))
        if answer is None:
            return False
        if answer.error_code == ErrorCode.STALE_BROKER_EPOCH and not self._is_leaving:
            await self._note_stale_epoch()
            return False
        self._is_stale = False
        self.is_fenced = answer.is_fenced
        return answer.should_shut_down

    @property
    def _is_unregistered(self) -> bool:
        """Whether the metadata have had this registration, and have none of this broker now."""
        image = self._metadata.image
        return (
            0 <= self.epoch <= image.offset
            and self._incarnation.broker_id not in image.cluster.brokers
        )

    async def _note_stale_epoch(self) -> None:
        """The controller has no registration with this epoch."""
        if self._is_unregistered:
            refusal = (
                f"Broker {self._incarnation.broker_id} was unregistered and takes no part in the "
                "cluster any more: stop it, or start it anew to register it again"
            )
            if refusal != self._refusal:
                self._refusal = refusal
                log.warning(refusal)
        elif self._is_stale:
            self._is_stale = False
            await self._introduce()
        else:
            self._is_stale = True

    async def _go_on(self) -> None:
        while not self._is_leaving:
            await self._tasks.sleep(self._heartbeat_ms)
            if not self._is_leaving:
                await self._beat()

    async def _ask(self, request: Message, version: int) -> Message | None:
        """The controller's answer; None where it could not be asked, or refused."""
        try:
            async with self._tasks.deadline(self._session_ms):
                answer = await self._metadata.ask(request, ControllerCall(version=version))
        except TimeoutError:
            log.info("No controller answered %s for a session", type(request).__name__)
            return None
        except KafkaError as error:
            if error.code == ErrorCode.STALE_BROKER_EPOCH and not self._is_leaving:
                await self._note_stale_epoch()
            else:
                self._log_refusal(request, error)
            return None
        self._refusal = ""
        return answer

    def _log_refusal(self, request: Message, error: KafkaError) -> None:
        """Once, however often it comes: what is refused is asked again at every turn."""
        lacking = self._lacking() if error.code == ErrorCode.UNSUPPORTED_VERSION else ""
        refusal = lacking or str(error)
        if refusal == self._refusal:
            return
        self._refusal = refusal
        if error.code == ErrorCode.DUPLICATE_BROKER_REGISTRATION:
            log.warning("Another broker %d is alive: %s", self._incarnation.broker_id, error)
        elif lacking:
            log.warning(
                "Broker %d lacks a feature that the cluster uses, and stays out: %s; start it with "
                "a release or settings that have it (unstable.feature.versions.enable), or lower "
                "the feature with kafka-features",
                self._incarnation.broker_id, lacking,
            )  # fmt: skip
        else:
            log.info("The controller refused %s: %s", type(request).__name__, error)

    def _lacking(self) -> str:
        """What the cluster uses and this release does not know: no response has a text for it."""
        supported = supported_levels(unstable=self._incarnation.runs_unstable)
        lacking: list[str] = []
        for name, level in self._metadata.image.features.levels.items():
            low, high = supported.get(name, (0, 0))
            if not low <= level <= high:
                lacking.append(f"{name} is {level} there, and {low} to {high} are supported here")
        return ", ".join(lacking)
