"""Dialogues about levels of features in a cluster of three: up, down, too far, dry and for real.

At the end of each of them every level is what it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from moldau.broker.metadata.features import (
    ELR_VERSION,
    GROUP_VERSION,
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSION_LATEST,
    SHARE_VERSION,
    STREAMS_VERSION,
    TRANSACTION_VERSION,
)
from moldau.broker.server.apis import versions_of
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from tests.interop.differential.dialogues import Dialogue, Step

UPGRADE, SAFE, UNSAFE, UNKNOWN_KIND = 1, 2, 3, 9
DRY_SINCE = 1
TIMEOUT_MS = 5_000
IN_USE = {
    TRANSACTION_VERSION: 2,
    GROUP_VERSION: 1,
    SHARE_VERSION: 1,
    STREAMS_VERSION: 1,
    ELR_VERSION: 1,
}
"""What a new cluster has, beside `metadata.version`."""
WHO_I_AM = ApiVersionsRequest(client_software_name="a", client_software_version="1")
Change = tuple[str, int, int]
"""A feature, the level that is wanted, and which way."""


def feature_dialogues() -> Iterator[Dialogue]:
    for version in versions_of(UpdateFeaturesRequest.KEY):
        if version >= DRY_SINCE:
            yield _tried(version, dry=True)
        yield _tried(version, dry=False)


def _tried(version: int, *, dry: bool) -> Dialogue:
    for name, level in IN_USE.items():
        for wanted, kind in (
            (level - 1, UPGRADE),
            (level - 1, SAFE),
            (level + 1, UPGRADE),
            (level, UPGRADE),
            (level - 1, UNSAFE),
            (level, UPGRADE),
            (0, UNSAFE),
            (level, UPGRADE),
        ):
            yield from _asked(version, [(name, wanted, kind)], dry=dry)
    for level in range(METADATA_VERSION_LATEST + 3):
        for kind in (UPGRADE, SAFE, UNSAFE):
            yield from _asked(version, [(METADATA_VERSION, level, kind)], dry=dry)
    for level in (0, 1, 2):
        for kind in (SAFE, UNSAFE):
            yield from _asked(version, [(KRAFT_VERSION, level, kind)], dry=dry)
    yield from _several(version, dry=dry)


def _several(version: int, *, dry: bool) -> Dialogue:
    """Several at once, where one of them or none is possible."""
    lowered = [(STREAMS_VERSION, 0, UNSAFE), (SHARE_VERSION, 0, UNSAFE)]
    raised = [(STREAMS_VERSION, 1, UPGRADE), (SHARE_VERSION, 1, UPGRADE)]
    changes: list[list[Change]] = [
        lowered,
        raised,
        [*lowered, (METADATA_VERSION, 1, SAFE)],
        [*lowered, ("nonsense", 1, UPGRADE)],
        raised,
        [(TRANSACTION_VERSION, 0, SAFE), (TRANSACTION_VERSION, 1, SAFE)],
        [(TRANSACTION_VERSION, IN_USE[TRANSACTION_VERSION], UPGRADE)],
        [(GROUP_VERSION, 0, UNKNOWN_KIND)],
        [(GROUP_VERSION, -1, SAFE)],
        [(GROUP_VERSION, 1, UPGRADE)],
    ]
    for one in changes:
        yield from _asked(version, one, dry=dry)


def _asked(version: int, changes: list[Change], *, dry: bool) -> Dialogue:
    of = UpdateFeaturesRequest.FeatureUpdateKey
    updates = [
        of(
            feature=name,
            max_version_level=level,
            upgrade_type=kind if version >= DRY_SINCE else UPGRADE,
            allow_downgrade=version < DRY_SINCE and kind != UPGRADE,
        )
        for name, level, kind in changes
    ]
    request = UpdateFeaturesRequest(
        timeout_ms=TIMEOUT_MS, feature_updates=updates, validate_only=dry
    )
    yield Step(request, version)
    yield Step(WHO_I_AM, 4, shows=_levels)


def _levels(tree: Any) -> Any:
    return tree["finalized_features"]
