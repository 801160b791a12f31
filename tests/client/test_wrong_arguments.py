"""Every public call of every client, with arguments of wrong kinds, drawn from the run's seed.

What comes is an answer, or an error of the client's tree with a sentence of its own: never what
Python happens to say about an attribute that a number has not.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

import moldau.client
from moldau.client import ClosedError, PreparedTransaction, Topic
from moldau.errors import MoldauError
from tests.client.around import AroundNode

DRAWN = 4
"""Values for each argument: all of them take a minute."""
SOON = {"default_api_timeout_ms": 400, "request_timeout_ms": 400}
FACES: dict[str, dict[str, Any]] = {
    "Producer": {**SOON, "max_block_ms": 300},
    "Consumer": {**SOON, "group_id": "wrong", "enable_auto_commit": False},
    "ShareConsumer": {**SOON, "group_id": "wrong-share"},
    "Admin": SOON,
    "Transactions": SOON,
}
NO_CALLS = {"start", "begin_in", "wait", "transaction", "send_each"}
"""What has no arguments of a user's: the last is for servers, which pack what they were sent."""
PART = ("here", 0)
PREPARED = PreparedTransaction("t", 1, 0)
FIT: dict[str, Any] = {
    "before": {}, "changes": {}, "commits": True, "coordinator_epoch": 0, "count": 1, "counts": {},
    "directory_id": "A" * 22, "endpoints": [], "filters": [], "group": "wrong", "groups": "wrong",
    "hmac": b"1", "ids": [], "name": "n", "names": "here", "node_id": 1, "offset": 0,
    "offsets": {PART: 0}, "part": PART, "partitions": 1, "parts": [PART], "paths": {},
    "prepared": PREPARED, "producer_epoch": 0, "producer_id": 1, "record": ("here", 0, 0),
    "replicas": {}, "resources": [], "rules": [], "seconds": 1.0, "table": None,
    "time": 0, "topic": "here", "topics": "here", "transactional_id": "t", "updates": {},
    "records": [], "voter_id": 5, "wanted": {},
}  # fmt: skip
"""What stands at the other arguments of a call."""
PYTHONS_OWN = ("object has no attribute", "is not iterable", "required argument is", "NoneType' ")


class Thing:
    """Of no use to any call."""

    def __repr__(self) -> str:
        return "<thing>"


WRONG: list[Any] = [
    None, -1, 2**70, math.nan, True, b"x", "", "é", Thing(), Topic("here", int), [], [None], [7],
    [b"x"], {"x": 1}, {None: None}, {7: 7}, {PART: None}, {PART: "x"}, (1, 2, 3), ("t", -1), int,
    len,
]  # fmt: skip


class Case(NamedTuple):
    """One call with one wrong argument."""

    call: Callable[..., Any]
    argument: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.call.__name__}({self.argument}={self.arguments[self.argument]!r})"


def cases(client: object, values: Callable[[str], list[Any]]) -> Iterator[Case]:
    for name, function in inspect.getmembers(type(client), inspect.isfunction):
        if name.startswith("_") or name in NO_CALLS:
            continue
        parameters = list(inspect.signature(function).parameters.values())[1:]
        needed = [one.name for one in parameters if one.default is one.empty]
        for parameter in parameters:
            for value in values(parameter.name):
                arguments = {one: FIT[one] for one in needed if one in FIT}
                arguments[parameter.name] = value
                yield Case(getattr(client, name), parameter.name, arguments)


def complaint(case: Case, error: BaseException | None) -> str:
    """What is wrong about this outcome; nothing, where it is as promised."""
    if error is None:
        return ""
    if not isinstance(error, MoldauError):
        return f"{case}: {error!r}"
    if any(words in str(error) for words in PYTHONS_OWN):
        return f"{case}: {error}"
    return ""


def outcome(case: Case) -> BaseException | None:
    try:
        found = case.call(**case.arguments)
        if isinstance(found, Iterator):
            next(found, None)
    except Exception as error:  # noqa: BLE001 - what it is, is what is tested
        return error
    return None


async def outcome_on_loop(case: Case) -> BaseException | None:
    try:
        found = case.call(**case.arguments)
        if isinstance(found, AsyncIterator):
            await anext(found, None)
        elif isinstance(found, Awaitable):
            await found
    except Exception as error:  # noqa: BLE001 - the same
        return error
    return None


def made(name: str, bootstrap: str) -> Any:
    settings = FACES[name.removeprefix("Async")]
    return getattr(moldau.client, name)(bootstrap, **settings)


def drawn(seed: int) -> Callable[[str], list[Any]]:
    """A number of seconds is waited for: none of those."""
    random = Random(seed)
    fits_time = [value for value in WRONG if value != 2**70]
    return lambda name: random.sample(fits_time if name == "timeout" else WRONG, DRAWN)


@pytest.mark.parametrize("name", FACES)
def test_wrong_arguments_get_a_sentence_of_the_client(name, our_node: AroundNode, seed):
    with made(name, our_node.bootstrap) as client:
        tried = [(case, outcome(case)) for case in cases(client, drawn(seed)) if _may_be(case)]
    assert [found for case, error in tried if (found := complaint(case, error))] == []


@pytest.mark.parametrize("name", FACES)
def test_wrong_arguments_get_a_sentence_on_a_loop_too(name, our_node: AroundNode, seed):
    async def walk() -> list[str]:
        async with made(f"Async{name}", our_node.bootstrap) as client:
            chosen = [case for case in cases(client, drawn(seed)) if _may_be(case)]
            return [complaint(case, await outcome_on_loop(case)) for case in chosen]

    assert [found for found in asyncio.run(walk()) if found] == []


@pytest.mark.parametrize("name", FACES)
def test_what_is_of_no_kind_at_all_is_refused_everywhere(name, our_node: AroundNode):
    with made(name, our_node.bootstrap) as client:
        taken = [str(case) for case in cases(client, lambda _: [Thing()]) if outcome(case) is None]
    assert taken == []


SAYS_WITHOUT = {"within", "close", "wait", "start", "begin_in", "arrow", "transaction"}
"""What needs no loop, and what begins with its first step."""


@pytest.mark.parametrize("name", FACES)
def test_a_client_that_has_not_begun_says_how_it_begins(name):
    async def walk() -> list[str]:
        client, silent = made(f"Async{name}", "localhost:9092"), []
        for call, function in inspect.getmembers(type(client), inspect.isfunction):
            if call.startswith("_") or call in SAYS_WITHOUT:
                continue
            parameters = list(inspect.signature(function).parameters.values())[1:]
            needed = {one.name: FIT[one.name] for one in parameters if one.default is one.empty}
            needed |= {one.name: FIT[one.name] for one in parameters if one.name == "topics"}
            error = await outcome_on_loop(Case(getattr(client, call), "", needed))
            if not isinstance(error, ClosedError) or "has not begun" not in str(error):
                silent.append(f"{call}: {error!r}")
        return silent

    assert asyncio.run(walk()) == []


def _may_be(case: Case) -> bool:
    """Without those that end the client, or call a function of the user's that is none of ours."""
    value = case.arguments[case.argument]
    if case.call.__name__ == "close" and (value is None or value == {}):
        return False
    return not (callable(value) and case.argument in ("on_commit", "on_delivery"))
