"""A broker whose quorum answers from memory, and an authorizer that lets one operation pass."""

from __future__ import annotations

import asyncio
from importlib import import_module

from moldau.broker.security.access import CLUSTER_NAME, Resource
from moldau.errors import KafkaError
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.construct import blank
from tests.broker.server.asking import broker_with, call_of


class Only:
    """Allows one operation on the cluster."""

    def __init__(self, operation):
        self.operation = operation

    def allows(self, asker, operation, resource, name):
        assert (resource, name) == (Resource.CLUSTER, CLUSTER_NAME)
        return operation is self.operation


def request_of(api):
    return blank(next(one for one in APIS if one.name == api).request)


def answered(api, module, allowed):
    """What the handler gives back: the quorum's answer, or the code of its refusal."""
    broker = broker_with(answers=["the quorum's answer"])
    broker.authorizer = Only(allowed)
    handle = import_module(f"moldau.broker.server.quorum.{module}").handle
    try:
        return asyncio.run(handle(call_of(request_of(api), 0), broker))
    except KafkaError as error:
        return error.code
