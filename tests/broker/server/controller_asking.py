"""Handlers that ask the controller, asked themselves."""

from __future__ import annotations

import asyncio
from importlib import import_module

from moldau.broker.server.call import Slices
from moldau.errors import KafkaError
from moldau.platform.slices import at_once
from tests.broker.server.asking import broker_with, call_of


class Judge:
    """Allows what it was given, as `(operation, resource, name)` with None for anything."""

    def __init__(self, *allowed):
        self._allowed = allowed

    def allows(self, caller, operation, resource, name):
        return any(
            all(wanted in (None, given) for wanted, given in zip(rule, asked, strict=False))
            for rule in self._allowed
            for asked in [(operation, resource, name)]
        )

    def allows_any(self, caller, operation, resource):
        return False

    def allowed(self, caller, resource, name):
        return 1


def handled(module, request, *, version=None, answers=("the controller's answer",), **given):
    """What the handler answers, or the code with which it refuses; and what it asked."""
    judge = given.pop("judge", None)
    broker = broker_with(given.pop("image", None), answers, **given)
    if judge is not None:
        broker.authorizer = judge
    highest = type(request).VERSIONS.each()[-1] if version is None else version
    handle = import_module(f"moldau.broker.server.{module}").handle
    try:
        answer = handle(call_of(request, highest), broker)
        if asyncio.iscoroutine(answer):
            answer = asyncio.run(answer)
        elif isinstance(answer, Slices):
            answer = at_once(answer)
    except KafkaError as error:
        return error.code, broker.metadata.asked
    return answer, broker.metadata.asked


def passes_on(module, request, operation):
    """Whether the request goes to the controller for who may do this, and for no other caller."""
    answer, asked = handled(module, request, judge=Judge((operation,)))
    refused, not_asked = handled(module, request, judge=Judge())
    return (answer, asked) == ("the controller's answer", [request]) and not_asked == [] and refused
