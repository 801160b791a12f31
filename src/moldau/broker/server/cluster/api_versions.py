"""ApiVersions: what this listener speaks, and the features of the cluster.

Versions 0-4. An unknown version never gets here: `server.dispatch` answers it (KIP-511). From
version 3 on a client names its software; a name that is no plain word is INVALID_REQUEST.

As Kafka does, Produce is shown to begin at version 0 although nothing below 3 is served: old
librdkafka gives up otherwise (KAFKA-18659). Features whose lowest level is 0 are left out below
version 4, whose clients could not read them (KAFKA-17011).

Versions and levels that may still change are shown by two switches, `unstable.api.versions.enable`
and `unstable.feature.versions.enable`.

The two APIs of client metrics are served always, and shown only where the metrics are read, or
every client would send them for nothing: with Kafka that is a plug-in, with us the Prometheus page.
"""

from __future__ import annotations

import re
from functools import cache

from moldau.broker.metadata.features import supported_levels
from moldau.broker.server.apis import apis_of, serves_unstable, versions_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.wire.error_codes import ErrorCode

TELEMETRY = frozenset({ApiKey.GET_TELEMETRY_SUBSCRIPTIONS, ApiKey.PUSH_TELEMETRY})
SOFTWARE_SINCE = 3
ALL_FEATURES_SINCE = 4
SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")
"""KIP-511's rule for the name of a client and its version."""


def handle(call: Call[ApiVersionsRequest], broker: Broker) -> ApiVersionsResponse:
    request = call.request
    software = (request.client_software_name, request.client_software_version)
    if call.version >= SOFTWARE_SINCE and not all(map(SOFTWARE.fullmatch, software)):
        return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST, api_keys=[])
    if call.version >= SOFTWARE_SINCE:
        call.software.name, call.software.version = software
    image = broker.metadata.image
    return ApiVersionsResponse(
        error_code=ErrorCode.NONE,
        api_keys=_ranges(
            broker.serves_controllers(call.listener),
            broker.shows_metrics,
            serves_unstable(broker),
        ),
        supported_features=[
            ApiVersionsResponse.SupportedFeatureKey(name=name, min_version=low, max_version=high)
            for name, (low, high) in supported_levels(unstable=_runs_unstable(call, broker)).items()
            if low > 0 or call.version >= ALL_FEATURES_SINCE
        ],
        finalized_features_epoch=image.offset,
        finalized_features=[
            ApiVersionsResponse.FinalizedFeatureKey(
                name=name, max_version_level=level, min_version_level=level
            )
            for name, level in image.features.levels.items()
        ],
    )


def _runs_unstable(call: Call, broker: Broker) -> bool:
    """Apache Kafka's controllers show their levels by the switch that is for APIs."""
    settings = broker.settings
    if broker.serves_controllers(call.listener):
        return bool(settings.unstable_api_versions_enable)
    return bool(settings.unstable_feature_versions_enable)


@cache
def _ranges(
    is_controller: bool, shows_metrics: bool, unstable: bool
) -> list[ApiVersionsResponse.ApiVersion]:
    return [
        ApiVersionsResponse.ApiVersion(
            api_key=key,
            min_version=0 if key == ApiKey.PRODUCE else versions_of(key)[0],
            max_version=versions_of(key, unstable=unstable)[-1],
        )
        for key in sorted(apis_of(is_controller))
        if shows_metrics or key not in TELEMETRY
    ]
