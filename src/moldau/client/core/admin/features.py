"""Levels of features: what a node could run, and what the cluster runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import UpgradeType
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import AtBroker, ToController
from moldau.client.core.dialogue import Dialogue
from moldau.network.outgoing.versions import versions_request
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.cluster.update_features import (
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.versions import Versions

__all__ = ["FeatureUpdate", "FeaturesView", "describe_features", "update_features"]

NOT_KNOWN = -1
TYPES_SINCE = 1
Update = UpdateFeaturesRequest.FeatureUpdateKey


@dataclass(frozen=True, slots=True)
class FeaturesView:
    """Levels by the names of features."""

    finalized: Mapping[str, int]
    """What the cluster runs."""
    epoch: int | None
    """The metadata offset as of which; None: not known."""
    supported: Mapping[str, Versions]
    """What the node that was asked could run."""


class FeatureUpdate(NamedTuple):
    """The level that a feature shall have; 0 switches it off."""

    level: int
    type: UpgradeType = UpgradeType.UPGRADE


@declared
def describe_features(call: AdminCall, node_id: int | None = None) -> Dialogue[FeaturesView]:
    """The features of any node, or of this one."""
    plan = Plan(
        what="describing features",
        route=AtBroker[None](lambda key: node_id),
        request=lambda keys: versions_request(),
        read=_described,
        noun=lambda key: "features",
    )
    return fulfil_one(call, plan)


@declared
def update_features(
    call: AdminCall, updates: Mapping[str, FeatureUpdate | int], *, validate_only: bool = False
) -> Dialogue[Outcomes[str, None]]:
    """All of them, or none."""

    def request(names: Sequence[str]) -> UpdateFeaturesRequest:
        return UpdateFeaturesRequest(
            timeout_ms=call.request_timeout_ms,
            feature_updates=[_update(name, updates[name]) for name in names],
            validate_only=validate_only,
        )

    plan = Plan(
        what="updating features",
        route=ToController[str](),
        request=request,
        read=_updated,
        noun=lambda name: f"feature {name}",
        oldest=lambda name: TYPES_SINCE,
    )
    return fulfil(call, plan, updates)


def _update(name: str, given: FeatureUpdate | int) -> Update:
    update = FeatureUpdate(given) if isinstance(given, int) else given
    return Update(feature=name, max_version_level=update.level, upgrade_type=update.type)


def _described(
    answer: ApiVersionsResponse, keys: Sequence[None]
) -> Iterator[tuple[None, FeaturesView | Failure]]:
    epoch = answer.finalized_features_epoch
    view = FeaturesView(
        {row.name: row.max_version_level for row in answer.finalized_features},
        None if epoch == NOT_KNOWN else epoch,
        {row.name: Versions(row.min_version, row.max_version) for row in answer.supported_features},
    )
    yield None, failure_or(answer.error_code, None, view)


def _updated(
    answer: UpdateFeaturesResponse, names: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    """Newer brokers answer for all together, older ones for each."""
    if answer.error_code:
        failure = Failure(ErrorCode.read(answer.error_code), answer.error_message)
        yield from ((name, failure) for name in names)
        return
    yield from ((name, None) for name in names)
    for row in answer.results:
        yield row.feature, failure_or(row.error_code, row.error_message, None)
