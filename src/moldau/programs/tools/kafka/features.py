"""`moldau features`: which features a cluster has switched on, and to which level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from moldau.broker.metadata.features import (
    FEATURES,
    METADATA_VERSION,
    METADATA_VERSION_LATEST,
    METADATA_VERSIONS,
    MetadataVersion,
    metadata_version_named,
)
from moldau.client.admin import FeatureUpdate, UpgradeType
from moldau.client.errors import RefusedError, TimedOutError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, CONTROLLERS, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.subcommands import Action, Actions
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin, FeaturesView

__all__ = ["FLAGS", "SUBCOMMANDS", "run"]

LEVEL_MAX = 2**15 - 1

RELEASE = Flag(
    "release-version", "All features as this release has them: 4.3 or 4.3-IV0.", Takes.TEXT, "NAME"
)
METADATA = Flag("metadata", "The same for metadata.version.", Takes.TEXT, "NAME", instead="feature")
FEATURE = Flag("feature", "A level: share.version=1. May be repeated.", Takes.TEXT, "NAME=LEVEL")
UNSAFE = Flag("unsafe", "Even where that may destroy metadata.")
DRY = Flag("dry-run", "Find out whether it could be done.")
FLAGS = (BOOTSTRAP, CONTROLLERS, COMMAND_CONFIG, OUTPUT)
SUBCOMMANDS = Actions(
    (
        Action(
            "describe",
            "Show the level of each feature, and those that a node supports.",
            (Flag("node-id", "The node that is asked.", Takes.INT, "ID"),),
        ),
        Action("upgrade", "Raise levels.", (METADATA, RELEASE, FEATURE, DRY)),
        Action("downgrade", "Lower levels.", (METADATA, RELEASE, FEATURE, UNSAFE, DRY)),
        Action(
            "disable",
            "Switch features off.",
            (Flag("feature", "A feature; may be repeated.", Takes.TEXT, "NAME"), UNSAFE, DRY),
        ),
        Action("version-mapping", "Show the levels that a release has.", (RELEASE,)),
        Action(
            "feature-dependencies",
            "Show which other levels a level needs.",
            (FEATURE,),
            ("feature",),
        ),
    ),
    "Command line error: {}. Type --help for help.",
)
VERBS = {
    "upgrade": ("upgrade", "upgraded to {}"),
    "downgrade": ("downgrade", "downgraded to {}"),
    "disable": ("disable", "disabled"),
}


def run(given: Given, world: World) -> int:
    if given.action == "version-mapping":
        _print_mapping(given, world)
        return 0
    if given.action == "feature-dependencies":
        for text in given.texts("feature"):
            _print_needs(*_level_of(text), world)
        return 0
    if not given.has(BOOTSTRAP.name) and not given.has(CONTROLLERS.name):
        wrong = "You must specify either --bootstrap-controller or --bootstrap-server."
        raise WrongUsageError(SUBCOMMANDS.complaint.format(wrong))
    if given.action == "describe":
        with admin_of(given, world) as admin:
            _describe(given, admin, world)
        return 0
    updates = _updates(given, world)
    with admin_of(given, world) as admin:
        _change(given, updates, admin, world)
    return 0


HEADS = (
    "FEATURE",
    "SUPPORTED-MIN-VERSION",
    "SUPPORTED-MAX-VERSION",
    "FINALIZED-VERSION-LEVEL",
    "EPOCH",
)


def _rows(view: FeaturesView) -> Iterator[tuple[object, ...]]:
    for name, (low, high) in sorted(view.supported.items()):
        levels = (_level_text(name, one) for one in (low, high, view.finalized.get(name, 0)))
        yield name, *levels, view.epoch


def _describe(given: Given, admin: Admin, world: World) -> None:
    node = given.number("node-id")
    if node is not None and node < 0:
        raise ToolFailedError(f"Invalid node id {node}: must be non-negative.")
    try:
        view = admin.describe_features(node)
    except TimedOutError:
        raise ToolFailedError(
            "org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node "
            "assignment. Call: describeFeatures"
        ) from None
    if world.takes(HEADS, _rows(view)):
        return
    epoch = "-" if view.epoch is None else view.epoch
    for name in sorted(view.supported):
        low, high = view.supported[name]
        level = view.finalized.get(name, 0)
        shown = [_level_text(name, one) for one in (low, high, level)]
        print(
            f"Feature: {name:<41} SupportedMinVersion: {shown[0]:<16} SupportedMaxVersion: "
            f"{shown[1]:<16} FinalizedVersionLevel: {shown[2]:<16} Epoch: {epoch}",
            file=world.out,
        )


def _level_text(name: str, level: int) -> str:
    if name != METADATA_VERSION:
        return str(level)
    return METADATA_VERSIONS[level].name if level in METADATA_VERSIONS else f"UNKNOWN [{level}]"


def _release(name: str) -> MetadataVersion:
    found = metadata_version_named(name)
    if found is None:
        known = ", ".join(version.name for version in METADATA_VERSIONS.values())
        raise ToolFailedError(
            f"Unknown metadata.version '{name}'. Supported metadata.version are: {known}"
        )
    return found


def _updates(given: Given, world: World) -> dict[str, int]:
    """Levels by feature, in the order of the answer."""
    if given.action == "disable":
        if not given.has("feature"):
            raise ToolFailedError("You must specify at least one feature to disable")
        return dict.fromkeys(sorted(given.texts("feature")), 0)
    if given.has("release-version"):
        if given.has("metadata") or given.has("feature"):
            raise ToolFailedError("Can not specify `release-version` with other feature flags.")
        levels = _levels_of(_release(given.text("release-version") or ""))
        is_upgrade = given.action == "upgrade"  # which leaves out what the release does not have
        return {name: level for name, level in levels.items() if level or not is_upgrade}
    return dict(sorted(_single_updates(given, world).items()))


def _single_updates(given: Given, world: World) -> dict[str, int]:
    updates = {}
    if given.has("metadata"):
        world.out.write(" `metadata` flag is deprecated and may be removed in a future release.\n")
        updates[METADATA_VERSION] = _release(given.text("metadata") or "").level
    for text in given.texts("feature"):
        name, level = _level_of(text)
        if name in updates:
            raise ToolFailedError(f"Feature {name} was specified more than once.")
        if not name:
            raise ToolFailedError("Provided feature can not be empty.")
        if level < 0:
            raise ToolFailedError("Cannot specify a negative version level.")
        updates[name] = level
    if not updates:
        raise ToolFailedError(f"You must specify at least one feature to {given.action}")
    return updates


def _levels_of(release: MetadataVersion) -> dict[str, int]:
    """Of all features; those that it does not have are 0."""
    levels = {METADATA_VERSION: release.level}
    levels |= {name: one.default_level(release.level) for name, one in FEATURES.items()}
    return {name: levels[name] for name in sorted(levels)}


def _level_of(text: str) -> tuple[str, int]:
    name, equals, level = (part.strip() for part in text.partition("="))
    if not equals:
        raise ToolFailedError(f"Can't parse feature=level string {text}: equals sign not found.")
    if not level.removeprefix("-").isdecimal() or abs(int(level)) > LEVEL_MAX:
        raise ToolFailedError(
            f"Can't parse feature=level string {text}: unable to parse {level} as a short."
        )
    return name, int(level)


def _change(given: Given, levels: Mapping[str, int], admin: Admin, world: World) -> None:
    kind = UpgradeType.UPGRADE
    if given.action != "upgrade":
        kind = UpgradeType.UNSAFE_DOWNGRADE if given.has("unsafe") else UpgradeType.SAFE_DOWNGRADE
    dry_run = given.has("dry-run")
    wanted = {name: FeatureUpdate(level, kind) for name, level in levels.items()}
    outcomes = admin.update_features(wanted, validate_only=dry_run)
    verb, done = VERBS[given.action]
    for name, level in levels.items():
        error = outcomes.errors.get(name)
        if error is None:
            modal = "can be" if dry_run else "was"
            print(f"{name} {modal} {done.format(level)}.", file=world.out)
        else:
            to = "" if given.action == "disable" else f" to {level}"
            print(f"{_modal(dry_run)} {verb} {name}{to}. {_reason(error)}", file=world.out)
    if outcomes.errors:
        raise ToolFailedError(f"{len(outcomes.errors)} out of {len(levels)} operation(s) failed.")


def _modal(dry_run: bool) -> str:
    return "Can not" if dry_run else "Could not"


def _reason(error: MoldauError) -> str:
    return error.detail if isinstance(error, RefusedError) else cause_of(error)


def _print_mapping(given: Given, world: World) -> None:
    text = given.text("release-version")
    latest = METADATA_VERSIONS[METADATA_VERSION_LATEST]
    release = latest if text is None else _release(text)
    print(f"{METADATA_VERSION}={release.level} ({text or latest.name})", file=world.out)
    for name, feature in FEATURES.items():
        print(f"{name}={feature.default_level(release.level)}", file=world.out)


def _print_needs(name: str, level: int, world: World) -> None:
    if name == METADATA_VERSION:
        if level not in METADATA_VERSIONS:
            raise ToolFailedError(f"Unknown metadata.version {level}")
        shown = f"{name}={level} ({METADATA_VERSIONS[level].name})"
        needs: Iterable[tuple[str, int]] = ()
    else:
        if name not in FEATURES:
            raise ToolFailedError(f"Unknown feature: {name}")
        if not 0 <= level <= FEATURES[name].highest:
            raise ToolFailedError(f"No feature:{name} with feature level {level}")
        shown, needs = f"{name}={level}", FEATURES[name].needs.get(level, {}).items()
    needs = list(needs)
    print(f"{shown} requires:" if needs else f"{shown} has no dependencies.", file=world.out)
    for other, least in needs:
        after = f" ({METADATA_VERSIONS[least].name})" if other == METADATA_VERSION else ""
        print(f"    {other}={least}{after}", file=world.out)
