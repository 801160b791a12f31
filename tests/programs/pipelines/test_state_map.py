"""Covers moldau.programs.pipelines.state_map."""

from __future__ import annotations

import pickle
import socket
import threading
from contextlib import contextmanager
from struct import Struct
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql.streaming.proto import StateMessage_pb2 as messages

from moldau.programs.pipelines.state_map import TOGETHER, StateMap

pytestmark = pytest.mark.timeout(30)
HEAD, LENGTH = Struct(">ii"), Struct(">i")
REFUSED = "poison"


class Java:
    """Keeps the map at the other end of a connection, as Spark's server of states does."""

    def __init__(self, connection):
        self.file = connection.makefile("rwb")
        self.kept: dict[bytes, bytes] = {}
        self.names = set()

    def run(self):
        while head := self.file.read(HEAD.size):
            version, size = HEAD.unpack(head)
            assert version == 0
            request = messages.StateRequest.FromString(self.file.read(size))
            answer = self.answer(request.stateVariableRequest.mapStateCall).SerializeToString()
            self.file.write(LENGTH.pack(len(answer)) + answer)
            self.file.flush()

    def answer(self, call):
        self.names.add(call.stateName)
        method = call.WhichOneof("method")
        asked = getattr(call, method)
        if pickle.loads(asked.userKey)[0] == REFUSED:
            return messages.StateResponse(statusCode=1, errorMessage="no such state")
        if method == "getValue":
            return messages.StateResponse(value=self.kept.get(asked.userKey, b""))
        if method == "updateValue":
            self.kept[asked.userKey] = asked.value
        else:
            self.kept.pop(asked.userKey, None)
        return messages.StateResponse()


@contextmanager
def a_map():
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    with ours, theirs, ours.makefile("rwb") as file:
        java = Java(theirs)
        thread = threading.Thread(target=java.run)
        thread.start()
        client = SimpleNamespace(_stateful_processor_api_client=SimpleNamespace(sockfile=file))
        state = SimpleNamespace(_mapStateClient=client, _stateName="kept")
        yield StateMap(cast(Any, state)), java
        ours.shutdown(socket.SHUT_WR)
        thread.join(10)


def test_many_keys_are_written_and_read_in_their_order():
    items = [((f"k{number}",), (number, "x" * number)) for number in range(3 * TOGETHER + 1)]
    with a_map() as (state, java):
        state.put(items)
        assert len(java.kept) == len(items)
        assert java.names == {"kept"}
        keys = [key for key, _ in reversed(items)]
        assert state.get([*keys, ("none",)]) == [value for _, value in reversed(items)] + [None]
        assert state.get([]) == []


def test_removed_keys_are_gone_and_the_others_stay():
    with a_map() as (state, _):
        state.put([(("a",), (1,)), (("b",), (2,))])
        state.remove([("a",), ("never there",)])
        assert state.get([("a",), ("b",)]) == [None, (2,)]


def test_a_refusal_leaves_no_answer_behind_for_the_next_call():
    with a_map() as (state, _):
        state.put([(("a",), (1,))])
        with pytest.raises(PySparkRuntimeError, match="no such state"):
            state.get([(REFUSED,), ("a",), ("a",)])
        assert state.get([("none",), ("a",)]) == [None, (1,)]
