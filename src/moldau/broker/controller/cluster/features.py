"""Feature levels are raised and lowered, all that a request names or none (KIP-584, KIP-778).

A level must be supported by every registered node, and by what it depends on. Going down has to be
reported, and where a metadata.version changed the form of records there is no way back past it.
`kraft.version` is the quorum's own and only rises: the quorum writes it down itself, and a
NoOpRecord behind it has the caller wait until that is committed (KIP-853). Version 0 of the request
has no kind of update; its `allow_downgrade` counts for nothing, as in Kafka.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.controller.configs.min_isr import elr_safety_records
from moldau.broker.controller.decision import Call, Decision, RaisedVersion
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import SupportedLevels
from moldau.broker.metadata.features import (
    ELR_VERSION,
    FEATURES,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSIONS,
    supported_levels,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.cluster.update_features import (
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import (
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
)
from moldau.protocol.wire.error_codes import ErrorCode

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
EACH_ANSWERED_UP_TO_VERSION = 1

Update = UpdateFeaturesRequest.FeatureUpdateKey
Record = FeatureLevelRecord | ConfigRecord | NoOpRecord


def update_features(request: UpdateFeaturesRequest, situation: Situation, call: Call) -> Decision:
    """Write the levels that change, if all of them may."""
    wanted = {update.feature: update.max_version_level for update in request.feature_updates}
    records: list[Record] = []
    raised = None
    for update in request.feature_updates:
        _check(update, update.upgrade_type, wanted, situation)
        records += _records(update, records, situation)
        if _raises_quorum(update, situation):
            raised = RaisedVersion(update.max_version_level, only_checks=request.validate_only)
    results = [
        UpdateFeaturesResponse.UpdatableFeatureResult(
            feature=update.feature, error_code=ErrorCode.NONE, error_message=ErrorCode.NONE.name
        )
        for update in request.feature_updates
        if call.version <= EACH_ANSWERED_UP_TO_VERSION
    ]
    reply = UpdateFeaturesResponse(
        throttle_time_ms=0, error_code=0, error_message=None, results=results
    )
    return Decision([] if request.validate_only else records, reply, kraft_version=raised)


def _raises_quorum(update: Update, situation: Situation) -> bool:
    present = situation.image.features.level(KRAFT_VERSION)
    return update.feature == KRAFT_VERSION and update.max_version_level > present


def _records(update: Update, before: list[Record], situation: Situation) -> list[Record]:
    name, level = update.feature, update.max_version_level
    if level == situation.image.features.level(name):
        return []
    if name == KRAFT_VERSION:
        return [NoOpRecord()]
    record = FeatureLevelRecord(name=name, feature_level=level)
    if record in before:
        return []
    safety = elr_safety_records(situation) if name == ELR_VERSION and level else []
    return [record, *safety]


def _check(update: Update, kind: int, wanted: Mapping[str, int], situation: Situation) -> None:
    name, level = update.feature, update.max_version_level
    present = situation.image.features.level(name)
    if kind not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        _refuse(name, level, f"{kind} is no kind of update; 1 upgrades, 2 and 3 downgrade")
    if level < 0:
        _refuse(name, level, "a level is 0 or more")
    _check_support(name, level, situation)
    if level < present and kind == UPGRADE:
        _refuse(name, level, f"it is {present}, and the request does not allow a downgrade")
    if level > present and kind != UPGRADE:
        _refuse(name, level, f"it is {present}, so that would be no downgrade")
    if name == METADATA_VERSION and level < present:
        _check_way_back(level, present, kind)
    if name == KRAFT_VERSION and level < present:
        _refuse(name, level, "there is no way back to voters that stand in the configuration")
    _check_needs(name, level, wanted, situation)


def _check_support(name: str, level: int, situation: Situation) -> None:
    own = supported_levels(unstable=situation.settings.unstable_feature_versions_enable)
    if name not in own:
        _refuse(name, level, "the feature is unknown to this controller")
    low, high = own[name]
    if not low <= level <= high:
        _refuse(name, level, f"this controller supports {low} to {high}")
    cluster = situation.image.cluster
    nodes: list[tuple[str, Mapping[str, SupportedLevels]]] = [
        *((f"broker {node}", state.features) for node, state in cluster.brokers.items()),
        *((f"controller {node}", state.features) for node, state in cluster.controllers.items()),
    ]
    for node, features in nodes:
        low, high = features.get(name, (0, 0))
        if not low <= level <= high:
            _refuse(name, level, f"{node} supports {low} to {high}")


def _check_way_back(level: int, present: int, kind: int) -> None:
    passed = range(level + 1, present + 1)
    if any(METADATA_VERSIONS[version].changes_metadata for version in passed):
        if kind == SAFE_DOWNGRADE:
            _refuse(METADATA_VERSION, level, "metadata that is there would be lost")
        _refuse(METADATA_VERSION, level, "no way back past a change of records is supported")


def _check_needs(name: str, level: int, wanted: Mapping[str, int], situation: Situation) -> None:
    """What the level depends on must be there after the update, and what depends on it stay so."""
    after = {**situation.image.features.levels, **wanted}
    for feature in FEATURES.values():
        for needing, needs in feature.needs.items():
            if after.get(feature.name, 0) < needing:
                continue
            for needed, least in needs.items():
                if name in (needed, feature.name) and after.get(needed, 0) < least:
                    reason = f"{feature.name} {needing} needs {needed} {least} or more"
                    _refuse(name, level, reason)


def _refuse(name: str, level: int, reason: str) -> None:
    text = f"{name} cannot become {level}: {reason}; nothing was changed"
    raise KafkaError(ErrorCode.INVALID_UPDATE_VERSION, text)
