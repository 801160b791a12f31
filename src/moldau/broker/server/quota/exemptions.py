"""Which requests the quota of requests leaves alone: those that nodes of the cluster depend on.

A broker that is throttled would fall behind, and all its clients with it. So no node is charged for
what it does for the cluster: followers that fetch, markers of transactions, the quorum's own talk,
changes of in-sync replicas. Heartbeats and registrations are charged, as in Kafka, and so is
a connection that is refused because it is no node of the cluster.

Produce without an answer (acks 0) is left alone because there is no answer that could be late;
its bytes count all the same.
"""

from __future__ import annotations

from typing import Any

from moldau.broker.server.call import Call
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["IN_THE_QUORUM", "is_exempt"]

IN_THE_QUORUM = frozenset(
    {
        "AddRaftVoter", "AlterPartition", "BeginQuorumEpoch", "DescribeQuorum", "EndQuorumEpoch",
        "Fetch", "FetchSnapshot", "RemoveRaftVoter", "UpdateRaftVoter", "Vote",
    }
)  # fmt: skip
"""What a controller answers for nothing. A broker that passes it on charges for it."""
_KEYS = {api.name: api.key for api in APIS}
_IN_THE_QUORUM = frozenset(key for name, key in _KEYS.items() if name in IN_THE_QUORUM)
_PRODUCE, _FETCH, _MARKERS = _KEYS["Produce"], _KEYS["Fetch"], _KEYS["WriteTxnMarkers"]
_PRODUCER_IDS = _KEYS["AllocateProducerIds"]
"""The one action of the cluster that is charged when it is done, and not when it is refused."""


def is_exempt(call: Call, *, by_controller: bool, error: int | None = None) -> bool:
    """Whether the sender is not charged for the time; `error` is why the whole was refused."""
    if error == ErrorCode.CLUSTER_AUTHORIZATION_FAILED:
        return False
    if by_controller and error is not None and call.api_key == _PRODUCER_IDS:
        return True
    if by_controller:
        return call.api_key in _IN_THE_QUORUM
    request: Any = call.request
    if call.api_key == _PRODUCE:
        return bool(request.acks == 0)
    if call.api_key == _FETCH:
        return bool(request.replica_id >= 0 or request.replica_state.replica_id >= 0)
    return call.api_key == _MARKERS
