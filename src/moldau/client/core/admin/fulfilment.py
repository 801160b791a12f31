"""Asking for many keys at once, until each has a value or an error.

A `Plan` is how: which request asks for some keys, how to read its answer, and by which route a
key leads to a broker. Keys with the same broker share a request. A key whose error may pass is
asked for again after a pause; any other error is its outcome. When the call's time is over the
rest of the keys have that as their error, and what succeeded remains: Java's AdminApiDriver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import Route
from moldau.client.core.dialogue import Answer, Ask, Asks, Dialogue
from moldau.client.errors import TimedOutError, UnreachableError, refusal
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Request

__all__ = ["Failure", "Plan", "failure_or", "fulfil", "fulfil_one"]

Key = TypeVar("Key")
Value = TypeVar("Value")

ONE = None
"""The key of a call that is not made for several things."""


class Failure(NamedTuple):
    """An error code of a broker, with what it adds to it."""

    code: ErrorCode
    detail: str | None = None


def failure_or(code: int, detail: str | None, value: Value) -> Value | Failure:
    """What a row of an answer has: its error, or else its value."""
    return Failure(ErrorCode.read(code), detail) if code else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[Key, Value]):
    """How a call is made."""

    what: str
    """As it fits behind `gave up`: `deleting topics`."""
    route: Route[Key]
    request: Callable[[Sequence[Key]], Request]
    read: Callable[[Any, Sequence[Key]], Iterable[tuple[Key, Value | Failure]]]
    """The rows of an answer; keys that are in none of them have failed."""
    noun: Callable[[Key], str]
    """How errors name a key: `topic orders`."""
    retried: frozenset[ErrorCode] = frozenset()
    """Errors that may pass, besides those that the route knows."""
    oldest: Callable[[Key], int] | None = None
    """The earliest version of the request that can ask for a key."""
    newest: int | None = None
    """No later version of the request than this."""
    alone: bool = False
    """Whether a request has room for one key only."""


def fulfil(
    call: AdminCall, plan: Plan[Key, Value], keys: Iterable[Key]
) -> Dialogue[Outcomes[Key, Value]]:
    """A value or an error for each key; they are in the order of `keys`."""
    wanted = list(dict.fromkeys(keys))
    deadline = call.deadline(plan.what)
    outcomes: Outcomes[Key, Value] = Outcomes()
    while left := [key for key in wanted if key not in outcomes]:
        found = yield from plan.route.find(call, left)
        outcomes.errors |= found.errors
        cause = found.cause
        groups = _groups(plan, found.nodes)
        if groups:
            asks = tuple(_ask(plan, group) for group in groups)
            received = yield Asks(asks)
            call.now_ms = received.now_ms
            for group, ask, answer in zip(groups, asks, received.answers, strict=True):
                api_key = ask.request.KEY
                cause = _take(call, plan, group.keys, answer, outcomes, api_key) or cause
        if cause is not None and any(key not in outcomes for key in wanted):
            try:
                pause = deadline.pause(call.now_ms, cause)
            except TimedOutError as error:
                outcomes.errors |= {key: error for key in wanted if key not in outcomes}
                break
            call.now_ms = (yield pause).now_ms
    return outcomes.ordered(wanted)


def fulfil_one(call: AdminCall, plan: Plan[None, Value]) -> Dialogue[Value]:
    """The value of a call that is made for one thing, or its error raised."""
    outcomes = yield from fulfil(call, plan, [ONE])
    return outcomes[ONE]


class _Group(NamedTuple):
    """The keys of one request."""

    node_id: int | None
    oldest: int
    keys: tuple[Any, ...]


def _groups(plan: Plan[Key, Value], nodes: dict[Key, int | None]) -> list[_Group]:
    grouped: dict[tuple[int | None, int, int], list[Key]] = {}
    for number, (key, node_id) in enumerate(nodes.items()):
        oldest = 0 if plan.oldest is None else plan.oldest(key)
        grouped.setdefault((node_id, oldest, number if plan.alone else 0), []).append(key)
    return [_Group(node_id, oldest, tuple(keys)) for (node_id, oldest, _), keys in grouped.items()]


def _ask(plan: Plan[Key, Value], group: _Group) -> Ask:
    return Ask(plan.request(group.keys), group.node_id, plan.newest, oldest=group.oldest)


def _take(
    call: AdminCall,
    plan: Plan[Key, Value],
    keys: Sequence[Key],
    answer: Answer,
    outcomes: Outcomes[Key, Value],
    api_key: int,
) -> MoldauError | None:
    """Keep what can be kept; why some of it has to be asked for again."""
    if isinstance(answer, MoldauError):
        if not isinstance(answer, UnreachableError):
            outcomes.errors |= dict.fromkeys(keys, answer)
            return None
        for key in keys:
            plan.route.lost(call, key)
        return answer
    cause: MoldauError | None = None
    rows = dict(plan.read(answer, keys))
    for key in keys:
        row = rows.get(key, NO_ROW)
        if not isinstance(row, Failure):
            outcomes.values[key] = row
            continue
        error = refusal(plan.noun(key), row.code, row.detail, api_key)
        if row.code in plan.retried or row.code in plan.route.retried:
            plan.route.lost(call, key)
            cause = error
        else:
            outcomes.errors[key] = error
    return cause


NO_ROW = Failure(ErrorCode.UNKNOWN_SERVER_ERROR, "the answer has nothing about it")
