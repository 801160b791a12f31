"""A map of Spark's state whose keys are read and written many at a time.

Each call of Spark's `MapState` is a message to Java and a wait for its answer. Java answers in
order, so here the messages of many keys go out together, and then their answers are read.

Messages and connection are PySpark's own and not public, so they are taken as its pinned version
has them. A map without them, as in PySpark's tester, is read and written key by key.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from struct import Struct
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from pyspark.errors import PySparkRuntimeError
from pyspark.sql.streaming.proto import StateMessage_pb2 as messages

if TYPE_CHECKING:
    from pyspark.sql.streaming.stateful_processor import MapState

__all__ = ["StateMap"]

Columns: TypeAlias = tuple[Any, ...]
TOGETHER = 64
"""So many answers can wait in the connection without holding up Java, or a few of them large."""
HEAD, LENGTH = Struct(">ii"), Struct(">i")
VERSION = 0
"""Of the form of messages; it goes before each."""
OK = 0


class StateMap:
    """A `MapState`; keys and values are tuples of their columns."""

    def __init__(self, state: MapState) -> None:
        self._state = state
        client = getattr(state, "_mapStateClient", None)
        self._calls = None
        if client is not None:
            connection = client._stateful_processor_api_client.sockfile
            self._calls = _Calls(connection, state._stateName)

    def get(self, keys: Sequence[Columns]) -> list[Columns | None]:
        """The values of keys, in their order; None where there is none."""
        if self._calls is None:
            return [self._state.getValue(key) for key in keys]
        gets = [messages.MapStateCall(getValue=messages.GetValue(userKey=_packed(k))) for k in keys]
        return [_unpacked(found) if found else None for found in self._calls.run(gets)]

    def put(self, items: Sequence[tuple[Columns, Columns]]) -> None:
        """A value for each key, which may have had another."""
        if self._calls is None:
            for key, value in items:
                self._state.updateValue(key, value)
            return
        puts = [
            messages.MapStateCall(
                updateValue=messages.UpdateValue(userKey=_packed(key), value=_packed(value))
            )
            for key, value in items
        ]
        self._calls.run(puts)

    def remove(self, keys: Sequence[Columns]) -> None:
        """Keys that may be there."""
        if self._calls is None:
            for key in keys:
                self._state.removeKey(key)
            return
        self._calls.run(
            [messages.MapStateCall(removeKey=messages.RemoveKey(userKey=_packed(k))) for k in keys]
        )


class _Calls:
    """The connection of a task to the state that Java keeps, for one map."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name

    def run(self, calls: Sequence[messages.MapStateCall]) -> list[bytes]:
        """What each was answered with, in their order."""
        found: list[bytes] = []
        for start in range(0, len(calls), TOGETHER):
            some = calls[start : start + TOGETHER]
            for call in some:
                self._send(call)
            self._file.flush()
            # All answers are read before one is looked at: the next call would get what is left.
            answers = [self._answer() for _ in some]
            found += map(_value_of, answers)
        return found

    def _send(self, call: messages.MapStateCall) -> None:
        call.stateName = self._name
        request = messages.StateRequest(
            stateVariableRequest=messages.StateVariableRequest(mapStateCall=call)
        )
        message = request.SerializeToString()
        self._file.write(HEAD.pack(VERSION, len(message)) + message)

    def _answer(self) -> messages.StateResponse:
        (size,) = LENGTH.unpack(self._file.read(LENGTH.size))
        answer = messages.StateResponse()
        answer.ParseFromString(self._file.read(size))
        return answer


def _value_of(answer: messages.StateResponse) -> bytes:
    if answer.statusCode != OK:
        raise PySparkRuntimeError(f"Spark's state could not be used: {answer.errorMessage}")
    value: bytes = answer.value
    return value


def _packed(columns: Columns) -> bytes:
    return pickle.dumps(columns)


def _unpacked(value: bytes) -> Columns:
    columns: Columns = pickle.loads(value)  # noqa: S301 - Spark's Java has written it
    return columns
