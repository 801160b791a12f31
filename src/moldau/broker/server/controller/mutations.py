"""Partitions that come and go count against the quota of the client (KIP-599).

The controller counts, topic by topic, when it has found that the change can be made; so one request
may be let through in part. Versions that know THROTTLING_QUOTA_EXCEEDED are refused as soon as the
quota is exceeded; older ones are done, and their connections muted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest

__all__ = ["charge_for", "strict_charge_for"]

STRICT_SINCE = {
    CreateTopicsRequest.KEY: 6,
    DeleteTopicsRequest.KEY: 5,
    CreatePartitionsRequest.KEY: 3,
}


def charge_for(call: Call, broker: Broker) -> Callable[[int], None]:
    """What counts partitions for this request's sender, or refuses them."""
    strict_since = STRICT_SINCE.get(call.api_key)
    quotas = broker.quotas
    if strict_since is None or quotas is None or not quotas.are_set:
        return _free
    return partial(quotas.mutated, call, is_strict=call.version >= strict_since)


def strict_charge_for(call: Call | None, broker: Broker) -> Callable[[int], None]:
    """The same where a client's request of another kind makes topics; our own are free."""
    quotas = broker.quotas
    if call is None or quotas is None or not quotas.are_set:
        return _free
    return partial(quotas.mutated, call, is_strict=True)


def _free(count: int) -> None:
    """Nothing is counted."""
