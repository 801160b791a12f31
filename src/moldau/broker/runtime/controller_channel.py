"""The way to the active controller, whichever node that is.

    ask ──► does this node lead the quorum? ──► its controller decides
                 │ no: another does ──► what a broker asks for itself is sent as it is,
                 │                      what a client asked is passed on in an Envelope
                 │ none does, it has moved,   the connection was lost
                 └──► after a short wait all over again, until the request's time is over

Handlers see one `ask` and do not know which of these it was. A request whose connection was lost is
sent again, as Kafka's brokers do it: what the first one did may have been done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING

from moldau.broker.controller.decision import Call, Sender
from moldau.broker.metadata.image import Image
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.errors import KafkaError, NetworkError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

if TYPE_CHECKING:
    from moldau.network.outgoing.channel import Channel
    from moldau.network.outgoing.channels import Channels

__all__ = ["ControllerChannel", "HereOnly"]

ENVELOPES = "moldau.broker.runtime.envelopes"
"""Imported when the first request is passed on."""
NS_PER_MS = 1_000_000
RETRY_MS = 50
"""Between two tries: an election takes longer, and no request should wait much longer than it."""
LANES = {
    ApiKey.BROKER_REGISTRATION: "lifecycle",
    ApiKey.BROKER_HEARTBEAT: "lifecycle",
    ApiKey.ALTER_PARTITION: "in-sync replicas",
    ApiKey.ASSIGN_REPLICAS_TO_DIRS: "directories",
    ApiKey.ALLOCATE_PRODUCER_IDS: "producer ids",
}
"""What does not wait behind clients' requests, and they not behind it: connections of their own."""
FORWARDED = "forwarded"
OutgoingRequests = Callable[[Message, Call], Awaitable[Message]]


class HereOnly:
    """What a controller answers on its own listeners: a client that asks there looks for the
    leader."""

    def __init__(self, quorum: MetadataQuorum) -> None:
        self._quorum = quorum
        self.image: Image
        quorum.keep_image_of(self)

    @property
    def leader_id(self) -> int:
        return self._quorum.leader_id

    async def ask(self, request: Message, call: Call) -> Message:
        return await self._quorum.ask(request, call)

    async def answer(self, request: Message, call: Call) -> Message:
        return await self._quorum.answer(request, call)


class ControllerChannel:
    """The metadata as this node knows them, and the active controller's answers."""

    def __init__(
        self,
        quorum: MetadataQuorum,
        node_id: int,
        channels: Channels,
        tasks: Tasks,
        clock: Clock,
        *,
        timeout_ms: int = 30_000,
    ) -> None:
        self._quorum = quorum
        self.image: Image
        """What is committed, as far as it is known here."""
        quorum.keep_image_of(self)
        self._node_id = node_id
        self._channels = channels
        self._tasks = tasks
        self._clock = clock
        self._timeout_ms = timeout_ms

    def __repr__(self) -> str:
        return f"ControllerChannel(of node {self._node_id}, controller {self.leader_id})"

    @property
    def leader_id(self) -> int:
        """The active controller; -1 while there is none."""
        return self._quorum.leader_id

    async def ask(self, request: Message, call: Call) -> Message:
        """The active controller's answer, or `KafkaError`."""
        return await self._ask(self._quorum.ask, request, call)

    async def answer(self, request: Message, call: Call) -> Message:
        """The quorum's log and members, as its leader describes them."""
        if self._leads or call.sender is None:
            return await self._quorum.answer(request, call)
        return await self._ask(self._quorum.answer, request, call)

    async def _ask(self, here: OutgoingRequests, request: Message, call: Call) -> Message:
        """Ask the leader until there is one that answers; `here` asks this node as the leader."""
        deadline_ns = self._now_ns() + self._timeout_ms * NS_PER_MS
        while True:
            left_ms = (deadline_ns - self._now_ns()) / NS_PER_MS
            try:
                if self._leads:
                    return await self._ask_here(here, request, call, left_ms)
                return await self._ask_elsewhere(request, call, left_ms)
            except KafkaError as error:
                if error.code != ErrorCode.NOT_CONTROLLER:
                    raise
                reason: Exception = error
            except (NetworkError, TimeoutError) as error:
                reason = error
            if deadline_ns - self._now_ns() <= RETRY_MS * NS_PER_MS:
                text = f"the active controller did not answer in {self._timeout_ms} ms: {reason}"
                raise KafkaError(ErrorCode.REQUEST_TIMED_OUT, text) from reason
            await self._tasks.sleep(RETRY_MS)

    @property
    def _leads(self) -> bool:
        return self._quorum.leader_id == self._node_id

    async def _ask_here(
        self, here: OutgoingRequests, request: Message, call: Call, left_ms: float
    ) -> Message:
        """A controller here may stop without a word, as one elsewhere may: its disk hangs."""
        async with self._tasks.deadline(left_ms):
            return await here(request, call)

    async def _ask_elsewhere(self, request: Message, call: Call, left_ms: float) -> Message:
        address = self._quorum.leader_address
        if address is None:
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "the quorum has no leader at the moment")
        if call.sender is not None:
            channel = self._channels.to(address, FORWARDED)
            return await _pass_on(channel, request, call, call.sender, left_ms)
        lane = LANES.get(ApiKey(request.KEY), FORWARDED)
        response = await self._channels.to(address, lane).ask(request, left_ms)
        code = ErrorCode.read(getattr(response, "error_code", ErrorCode.NONE))
        if code is not ErrorCode.NONE:
            raise KafkaError(code, getattr(response, "error_message", None) or code.message)
        return response

    def _now_ns(self) -> int:
        return self._clock.monotonic_ns()


async def _pass_on(
    channel: Channel, request: Message, call: Call, sender: Sender, left_ms: float
) -> Message:
    envelopes = import_module(ENVELOPES)
    response = await channel.ask(envelopes.seal(request, call, sender), left_ms)
    answer: Message = envelopes.open_answer(response, request, call.version)
    return answer
