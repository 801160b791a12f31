"""Agree on versions and features; the first request on most connections, answered before SASL.

Every listener answers for itself. An unknown version gets the body of version 0 with
UNSUPPORTED_VERSION and our range for this key, after which the client tries again; the answer's
header is always version 0. Versions of forwarded APIs are intersected with the controller's.

Versions: 1 throttle time, 3 flexible, client software (KIP-511) and features (KIP-584), 4 features
whose lowest level is 0 are no longer left out (KAFKA-17011).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int16, Int32, Int64, String


class ApiVersionsRequest(
    Request, key=18, versions="0-4", flexible="3+", listeners=("broker", "controller")
):
    """Asks for the APIs of this node, and names the client's software."""

    client_software_name: String = at("3+", ignorable=True)
    """Letters, digits, dots and dashes, or the request is invalid."""
    client_software_version: String = at("3+", ignorable=True)
    """Letters, digits, dots and dashes, or the request is invalid."""


class ApiVersionsResponse(Response, key=18, versions="0-4", flexible="3+"):
    """Answers with a version range per API, and feature levels."""

    error_code: Int16
    """Beside UNSUPPORTED_VERSION only our own key is listed."""
    api_keys: list[ApiVersion]
    throttle_time_ms: Int32 = at("1+", ignorable=True)
    supported_features: list[SupportedFeatureKey] = at("3+", tag=0, ignorable=True)
    """Below version 4, features whose lowest level is 0 are left out."""
    finalized_features_epoch: Int64 = at("3+", default=-1, tag=1, ignorable=True)
    """Metadata offset at which they held; -1 if not known."""
    finalized_features: list[FinalizedFeatureKey] = at("3+", tag=2, ignorable=True)
    zk_migration_ready: Bool = at("3+", default=False, tag=3, ignorable=True)
    """Never true any more."""

    class ApiVersion(Struct):
        api_key: Int16 = at(map_key=True)
        min_version: Int16
        max_version: Int16

    class SupportedFeatureKey(Struct):
        """A feature this node knows, with the levels it could run."""

        name: String = at(map_key=True)
        min_version: Int16
        max_version: Int16

    class FinalizedFeatureKey(Struct):
        """A feature in force in the cluster."""

        name: String = at(map_key=True)
        max_version_level: Int16
        """The level in force."""
        min_version_level: Int16
        """The same again."""
