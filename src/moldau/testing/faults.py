"""Faults of a node on request: requests of one API are delayed, refused, or cut off.

    node.faults.error("Produce", "NOT_LEADER_OR_FOLLOWER", times=2)
    with node.faults.drop("Metadata"):
        my_program(node.bootstrap)

A fault lasts until it has met `times` requests, its `with` or `end()` ends it, or `clear()` ends
all. Several for one API meet a request in the order in which they were made: a delay lets it go on
to the next one, anything else is the end of it. With `client_id` requests of other clients pass.

Whatever client a program uses, it sees what it would see of a broker in trouble: answers with an
error wherever Kafka puts it, late answers, connections that end. Logins, and requests to
controllers, are never met. Without a fault a request costs one call of a function more than in a
node of `moldau start`, where nothing of this exists.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import error as StructError
from typing import TYPE_CHECKING, TypeAlias, cast

from moldau.broker.server.apis import BROKER
from moldau.broker.server.dispatch import Dispatcher
from moldau.broker.server.routes import NAME_AT, START
from moldau.config.nearest import nearest
from moldau.errors import DecodeError, KafkaError
from moldau.network.connection import Connection, FrameHandler
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.testing.lasting import LastingFault, LastingFaults, UnknownFaultError, seconds_of

if TYPE_CHECKING:
    from moldau.protocol.messages.data.produce import ProduceRequest

__all__ = ["Fault", "Faults"]

MS_PER_SECOND = 1000

End: TypeAlias = Callable[[Dispatcher, Connection, memoryview], None]
"""What becomes of a request in place of its answer."""


class Fault(LastingFault):
    """One of the faults of a node; it meets requests of one API."""

    def __init__(
        self,
        api_key: int,
        client_id: str | None,
        times: int | None,
        *,
        delay_ms: float = 0,
        end: End | None = None,
    ) -> None:
        super().__init__()
        if times is not None and (not isinstance(times, int) or times < 1):
            raise UnknownFaultError(f"a fault meets one request or more, and not {times!r}")
        self._api_key = api_key
        self._client_id = client_id
        self._times = times
        self._delay_ms = delay_ms
        self._end = end

    def __repr__(self) -> str:
        of = "" if self._times is None else f" of {self._times}"
        return f"<Fault of {BY_KEY[self._api_key].name}: met {self.met}{of}>"

    @property
    def is_over(self) -> bool:
        return self._times is not None and self.met >= self._times

    def end(self) -> None:
        """Requests pass from now on."""
        self._times = self.met

    def meets(self, api_key: int, client_id: str | None) -> bool:
        """Whether it is for this request; if so, it has met it."""
        is_other = self._client_id is not None and self._client_id != client_id
        if self.is_over or api_key != self._api_key or is_other:
            return False
        self.met += 1
        return True


class Faults(LastingFaults[Fault]):
    """All of a node; none at first."""

    def error(
        self,
        api: str | ApiKey,
        error: str | ErrorCode,
        *,
        times: int | None = None,
        client_id: str | None = None,
    ) -> Fault:
        """Refuse requests with this error, for everything that they ask; nothing of it is done."""
        api_key = _api_key(api)
        refusal = KafkaError(_error_code(error), "a test wants this error")

        def refuse(dispatcher: Dispatcher, connection: Connection, frame: memoryview) -> None:
            call, route = dispatcher.read(connection, frame)
            if api_key == ApiKey.PRODUCE and cast("ProduceRequest", call.request).acks == 0:
                connection.abort()  # the only way to say so to a client that waits for no answer
            else:
                dispatcher.finish(connection, call, route, dispatcher.refuse(call, refusal))

        return self._add(Fault(api_key, client_id, times, end=refuse))

    def delay(
        self,
        api: str | ApiKey,
        seconds: float,
        *,
        times: int | None = None,
        client_id: str | None = None,
    ) -> Fault:
        """Take requests so much later; what a client sends behind them waits too."""
        delay_ms = seconds_of(seconds, "a delay has") * MS_PER_SECOND
        return self._add(Fault(_api_key(api), client_id, times, delay_ms=delay_ms))

    def drop(
        self, api: str | ApiKey, *, times: int | None = None, client_id: str | None = None
    ) -> Fault:
        """End the connection in place of an answer; nothing of the request is done."""
        return self._add(Fault(_api_key(api), client_id, times, end=_drop))

    def drop_answer(
        self, api: str | ApiKey, *, times: int | None = None, client_id: str | None = None
    ) -> Fault:
        """Do what is asked for, and then end the connection in place of the answer."""
        return self._add(Fault(_api_key(api), client_id, times, end=_drop_answer))

    def before(self, dispatcher: Dispatcher) -> FrameHandler:
        """What takes the frames of a listener in the place of its dispatcher."""

        def handle(connection: Connection, frame: memoryview) -> None:
            if self._faults:
                self._meet(dispatcher, connection, frame)
            else:
                dispatcher.handle(connection, frame)

        return handle

    def _meet(self, dispatcher: Dispatcher, connection: Connection, frame: memoryview) -> None:
        """Find what is to become of the request."""
        end, delay_ms = self._next(frame)
        if delay_ms:
            work = _later(dispatcher, connection, bytes(frame), end, delay_ms)
            dispatcher.broker.tasks.spawn(f"delay of {connection.number}", work)
        else:
            _end(dispatcher, connection, frame, end)

    def _next(self, frame: memoryview) -> tuple[End | None, float]:
        delay_ms = 0.0
        try:
            api_key, _, _, name_size = START.unpack_from(frame)
        except StructError:
            return None, 0  # the dispatcher refuses it with the reason
        name = None
        if name_size >= 0:
            name = str(frame[NAME_AT : NAME_AT + name_size], "utf-8", "replace")
        for fault in self._faults:
            if fault.meets(api_key, name):
                delay_ms += fault._delay_ms
                if fault._end is not None:
                    return fault._end, delay_ms
        return None, delay_ms


async def _later(
    dispatcher: Dispatcher, connection: Connection, frame: bytes, end: End | None, delay_ms: float
) -> None:
    await dispatcher.broker.tasks.sleep(delay_ms)
    if not connection.is_over:
        _end(dispatcher, connection, memoryview(frame), end)


def _end(
    dispatcher: Dispatcher, connection: Connection, frame: memoryview, end: End | None
) -> None:
    try:
        (end or Dispatcher.handle)(dispatcher, connection, frame)
    except (DecodeError, StructError, IndexError):
        dispatcher.handle(connection, frame)


def _drop(dispatcher: Dispatcher, connection: Connection, frame: memoryview) -> None:
    connection.end_in_turn(is_abrupt=True)


def _drop_answer(dispatcher: Dispatcher, connection: Connection, frame: memoryview) -> None:
    connection.is_over = True  # for which no answer is sent
    dispatcher.handle(connection, frame)
    connection.abort()


def _api_key(api: str | ApiKey) -> int:
    """Of the name that Kafka's documents have, such as ListOffsets."""
    if isinstance(api, ApiKey) and api in BROKER:
        return api
    by_name = {BY_KEY[key].name: key for key in BROKER}
    if api not in by_name:
        raise UnknownFaultError(_unknown("API of a broker", str(api), list(by_name)))
    return by_name[str(api)]


def _error_code(error: str | ErrorCode) -> ErrorCode:
    if isinstance(error, ErrorCode):
        return error
    if error not in ErrorCode.__members__:
        raise UnknownFaultError(_unknown("error of Kafka", error, list(ErrorCode.__members__)))
    return ErrorCode[error]


def _unknown(what: str, name: str, names: list[str]) -> str:
    meant = nearest(name, names)
    return f"{name!r} is no {what}" + (f": did you mean {meant!r}?" if meant else "")
