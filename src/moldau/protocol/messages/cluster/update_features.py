"""Raise or lower finalized feature levels; called by admin clients (KIP-584).

A broker forwards it to the active controller, which checks that every registered node supports the
new level. `kraft.version` goes this way too, but ends in a control record.

Versions: 1 dry runs, and kinds of upgrade in place of a flag (KIP-778), 2 one answer for all
instead of one per feature: all succeed or none does.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, String


class UpdateFeaturesRequest(
    Request, key=57, versions="0-2", flexible="0+", listeners=("broker", "controller")
):
    """Asks for new levels of features."""

    timeout_ms: Int32 = 60000
    feature_updates: list[FeatureUpdateKey]
    validate_only: Bool = at("1+", default=False)
    """Check everything, change nothing."""

    class FeatureUpdateKey(Struct):
        feature: String = at(map_key=True)
        max_version_level: Int16
        """Below 1 the feature is switched off."""
        allow_downgrade: Bool = at("-0")
        """Version 0 only."""
        upgrade_type: Int8 = at("1+", default=1)
        """1 upgrade, 2 downgrade that loses nothing, 3 downgrade that may."""


class UpdateFeaturesResponse(Response, key=57, versions="0-2", flexible="0+"):
    """Answers for the request, up to version 1 for each feature."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    results: list[UpdatableFeatureResult] = at("-1", ignorable=True)

    class UpdatableFeatureResult(Struct):
        feature: String = at(map_key=True)
        error_code: Int16
        error_message: String | None
