"""Answering a call from a task, for handlers that only sometimes have to wait.

A handler that is `async def` costs a task for every request. One that can mostly answer at once is
a plain function, and hands over to `answer_later` in the rare case. Errors end as they would have
in the dispatcher: refusals become their response, and our own bugs are UNKNOWN_SERVER_ERROR, not
fatal.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

from moldau.broker.server.answering import BUGS, error_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import LATER, Answer, Call, Unanswered
from moldau.broker.server.monitoring.processor_time import charged
from moldau.broker.server.refusing import refusal
from moldau.errors import MoldauError
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.error_codes import ErrorCode

log = logging.getLogger(__name__)


def answer_later(call: Call, broker: Broker, work: Coroutine[Any, Any, Answer]) -> Unanswered:
    """Go on in a task; what the request's bytes held must have been copied before."""
    broker.tasks.spawn(
        f"{BY_KEY[call.api_key].name} of {call.connection_id}",
        _run(call, charged(call, broker, work)),
    )
    return LATER


async def _run(call: Call, work: Coroutine[Any, Any, Answer]) -> None:
    try:
        answer = await work
    except MoldauError as error:
        code, message = error_of(error)
        answer = refusal(call.request, call.version, code, message)
    except BUGS:
        log.exception("A bug met %s of %s", BY_KEY[call.api_key].name, call.client_id)
        answer = refusal(call.request, call.version, ErrorCode.UNKNOWN_SERVER_ERROR, None)
    if answer is not LATER:
        call.answer(answer)
