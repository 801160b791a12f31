"""Handlers of what changes something, each with an event when its answer is known.

A request that only validates changes nothing. One that another broker forwards in an envelope was
an event there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import iscoroutinefunction
from typing import Any

from moldau.broker.server.answering import error_of
from moldau.broker.server.apis import Handler, handler_of
from moldau.broker.server.audit.things import CHANGES
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import LATER, Call, Slices
from moldau.errors import MoldauError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message, Struct

__all__ = ["AuditedHandlers"]

Changed = Callable[[Call, list[str], set[str]], None]

ROWS_MAX = 1_000
"""Of an answer: those that are looked at for errors."""


class AuditedHandlers:
    """Finds handlers as `handler_of` does."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed

    def find(self, api_key: int, module: str) -> Handler:
        handle = handler_of(api_key, module)
        if api_key not in CHANGES:
            return handle
        return self._later(handle) if iscoroutinefunction(handle) else self._at_once(handle)

    def _later(self, handle: Handler) -> Handler:
        async def audited(call: Call, broker: Broker) -> Any:  # noqa: ANN401  # as a handler's
            things = _things(call)
            try:
                answer = await handle(call, broker)
            except MoldauError as error:
                self._refused(call, things, error)
                raise
            self._note(call, things, answer)
            return answer

        return audited

    def _at_once(self, handle: Handler) -> Handler:
        def audited(call: Call, broker: Broker) -> Any:  # noqa: ANN401  # as a handler's
            things = _things(call)

            def answer_later(answer: Any) -> None:  # noqa: ANN401  # as a handler's
                self._note(call, things, answer)
                call.answer(answer)

            call.divert(answer_later)
            try:
                answer = handle(call, broker)
            except MoldauError as error:
                self._refused(call, things, error)
                raise
            if isinstance(answer, Slices):
                return self._in_slices(call, things, answer)
            if answer is not LATER:
                self._note(call, things, answer)
            return answer

        return audited

    def _in_slices(
        self, call: Call, things: list[str] | None, work: Slices[None, None, Any]
    ) -> Slices[None, None, Any]:
        try:
            answer = yield from work
        except MoldauError as error:
            self._refused(call, things, error)
            raise
        if answer is not LATER:
            self._note(call, things, answer)
        return answer

    def _refused(self, call: Call, things: list[str] | None, error: MoldauError) -> None:
        if things is not None:
            self._changed(call, things, {ErrorCode.read(error_of(error)[0]).name})

    def _note(self, call: Call, things: list[str] | None, answer: object) -> None:
        if things is not None:
            errors = _errors(answer) if isinstance(answer, Message) else set()
            self._changed(call, things, errors)


def _things(call: Call) -> list[str] | None:
    """What the request names; None where it only asks what would be."""
    request: Any = call.request
    if getattr(request, "validate_only", False):
        return None
    return list(CHANGES[call.api_key](request))


def _errors(answer: Message) -> set[str]:
    """The errors of the whole answer and of its rows."""
    codes = {code for row in _rows(answer) if (code := getattr(row, "error_code", 0))}
    return {ErrorCode.read(code).name for code in codes}


def _rows(answer: Message) -> Iterator[Struct]:
    """The answer and all that is in it, as far as is looked at."""
    rows: list[Struct] = [answer]
    for row in rows:
        yield row
        for name in row.DECLARED:
            value = getattr(row, name)
            if isinstance(value, list) and len(rows) < ROWS_MAX:
                rows += [one for one in value[:ROWS_MAX] if isinstance(one, Struct)]
