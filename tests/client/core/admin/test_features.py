"""Features, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.choices import UpgradeType
from moldau.client.core.admin.features import FeatureUpdate, describe_features, update_features
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, talk


def updated(code: ErrorCode = ErrorCode.NONE) -> UpdateFeaturesResponse:
    return UpdateFeaturesResponse(
        throttle_time_ms=0, error_code=code, error_message=None, results=[]
    )


def test_features_are_those_of_the_node_that_is_asked():
    held = talk(describe_features(call(), 2)).receives(cluster(1, 2))
    assert held.asked[-1][0] == 2
    row = ApiVersionsResponse.FinalizedFeatureKey(
        name="f", max_version_level=3, min_version_level=3
    )
    held.receives(ApiVersionsResponse(error_code=0, api_keys=[], finalized_features=[row]))
    assert (held.result.finalized, held.result.epoch) == ({"f": 3}, None)


def test_a_level_may_be_lowered_by_a_safe_downgrade():
    updates: dict[str, FeatureUpdate | int] = {
        "f": FeatureUpdate(1, UpgradeType.SAFE_DOWNGRADE),
        "g": 2,
    }
    held = talk(update_features(call(), updates))
    rows = held.asked[0][1].feature_updates
    assert [(row.max_version_level, row.upgrade_type) for row in rows] == [(1, 2), (2, 1)]
    assert held.receives(updated()).result.all() == {"f": None, "g": None}


def test_one_error_is_every_features():
    held = talk(update_features(call(), {"f": 1, "g": 2}))
    held.receives(updated(ErrorCode.FEATURE_UPDATE_FAILED))
    assert set(held.result.errors) == {"f", "g"}
