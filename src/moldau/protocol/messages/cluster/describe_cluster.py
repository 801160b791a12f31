"""Ask for the cluster's id and nodes; admin clients call it of brokers and controllers (KIP-700).

Versions: 1 which kind of endpoint is meant, so that tools can bootstrap from controllers (KIP-919;
the wrong kind is MISMATCHED_ENDPOINT_TYPE), 2 fenced brokers on demand (KIP-1073).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int8, Int16, Int32, String


class DescribeClusterRequest(
    Request, key=60, versions="0-2", flexible="0+", listeners=("broker", "controller")
):
    """Asks which nodes make up the cluster."""

    include_cluster_authorized_operations: Bool
    endpoint_type: Int8 = at("1+", default=1)
    """1 brokers, 2 controllers."""
    include_fenced_brokers: Bool = at("2+")


class DescribeClusterResponse(Response, key=60, versions="0-2", flexible="0+"):
    """Answers with cluster id, controller and nodes."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    endpoint_type: Int8 = at("1+", default=1)
    """1 brokers, 2 controllers."""
    cluster_id: String
    controller_id: BrokerId = -1
    """From a broker: some live broker. From a controller: the active one."""
    brokers: list[DescribeClusterBroker]
    cluster_authorized_operations: Int32 = -2_147_483_648
    """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
    for.
    """

    class DescribeClusterBroker(Struct):
        """A node of the kind asked for."""

        broker_id: BrokerId = at(map_key=True)
        host: String
        port: Int32
        rack: String | None = None
        is_fenced: Bool = at("2+")
