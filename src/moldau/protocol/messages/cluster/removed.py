"""Four APIs that went with ZooKeeper and are not called any more.

A controller sent brokers by LeaderAndIsr, StopReplica and UpdateMetadata what brokers now read from
the metadata log; a broker asked by ControlledShutdown what BrokerHeartbeat now asks. They stay
declared, with no versions and no fields, because their keys 4 to 7 stay reserved.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response


class LeaderAndIsrRequest(Request, key=4, versions="none"):
    """Reserves key 4; with it a broker got the partitions to lead or follow."""


class LeaderAndIsrResponse(Response, key=4, versions="none"):
    """Reserves key 4."""


class StopReplicaRequest(Request, key=5, versions="none"):
    """Reserves key 5; with it a broker had to give up replicas."""


class StopReplicaResponse(Response, key=5, versions="none"):
    """Reserves key 5."""


class UpdateMetadataRequest(Request, key=6, versions="none"):
    """Reserves key 6; with it a broker got the state of the cluster."""


class UpdateMetadataResponse(Response, key=6, versions="none"):
    """Reserves key 6."""


class ControlledShutdownRequest(Request, key=7, versions="none"):
    """Reserves key 7; a broker asked by it to be relieved of its leaders."""


class ControlledShutdownResponse(Response, key=7, versions="none"):
    """Reserves key 7."""
