"""The options of the lake's formats, read once and kept typed.

`path` and `checkpointLocation` are Spark's, `mergeSchema`, `txnAppId` and `txnVersion` are named
and meant as in Delta's own format. Spark hands `partitionBy(…)` of a stream to no Python sink, so
partitions are an option here: `.option("partitionBy", "day,country")`. Everything that begins with
`storage.` is for the object store, without that prefix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError

MIB = 1024 * 1024
FILE_SIZE = 128 * MIB
"""Where a file ends by default: large enough to read well, small enough to skip."""
FILE_SIZE_MIN = 64 * 1024
"""Below this a footer costs as much as the rows."""
STORAGE = "storage."
COMPRESSIONS = ("none", "snappy", "gzip", "lz4", "zstd")
SPARKS_OWN = ("checkpointlocation", "queryname")
NAMES = (
    "path",
    "partitionBy",
    "mergeSchema",
    "targetFileSize",
    "compression",
    "txnAppId",
    "txnVersion",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LakeOptions:
    """The options of a sink."""

    path: str
    partition_by: tuple[str, ...] = ()
    merge_schema: bool = True
    """Whether new columns of the stream become columns of the table."""
    file_size: int = FILE_SIZE
    compression: str = "zstd"
    application: str | None = None
    """Who writes, for the table's log; without one, a stream takes the id of its query."""
    version: int | None = None
    """Which of the application's writes this is; a stream counts its batches itself."""
    storage: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """The options of a reader."""

    path: str
    version: int | None = None
    timestamp: str | None = None
    starting_version: int | None = None
    skips_changes: bool = False
    storage: Mapping[str, str] = field(default_factory=dict)


READING_NAMES = ("path", "versionAsOf", "timestampAsOf", "startingVersion", "skipChangeCommits")


def reading_options(given: Mapping[str, str], *, streaming: bool) -> ReadingOptions:
    """The options of a reader, as Spark hands them over."""
    lower = {name.lower(): text for name, text in given.items()}
    _refuse_unknown(lower, READING_NAMES)
    of_batches = [name for name in READING_NAMES[1:3] if name.lower() in lower]
    if len(of_batches) > (0 if streaming else 1):
        raise OptionError(
            f"{of_batches[0]} is for batch reads: a stream has startingVersion"
            if streaming
            else "versionAsOf and timestampAsOf are two ways to say one thing: set one of them"
        )
    return ReadingOptions(
        path=_path(lower.get("path")),
        version=_version("versionAsOf", lower),
        timestamp=lower.get("timestampasof"),
        starting_version=_version("startingVersion", lower),
        skips_changes=_truth("skipChangeCommits", lower.get("skipchangecommits", "false")),
        storage=_storage(given),
    )


def _version(name: str, lower: Mapping[str, str]) -> int | None:
    text = lower.get(name.lower())
    return None if text is None else _number(name, text, 0)


def lake_options(given: Mapping[str, str]) -> LakeOptions:
    """The options as Spark hands them over: strings, with names in any case."""
    lower = {name.lower(): text for name, text in given.items()}
    _refuse_unknown(lower, NAMES)
    application, version = lower.get("txnappid"), lower.get("txnversion")
    if version is not None and application is None:
        raise OptionError("txnVersion means nothing without txnAppId: set both, or neither")
    return LakeOptions(
        path=_path(lower.get("path")),
        partition_by=_columns(lower.get("partitionby", "")),
        merge_schema=_truth("mergeSchema", lower.get("mergeschema", "true")),
        file_size=_number("targetFileSize", lower.get("targetfilesize", FILE_SIZE), FILE_SIZE_MIN),
        compression=_compression(lower.get("compression", "zstd")),
        application=application,
        version=None if version is None else _number("txnVersion", version, 0),
        storage=_storage(given),
    )


def _refuse_unknown(lower: Mapping[str, str], names: Sequence[str]) -> None:
    known = {name.lower() for name in names} | set(SPARKS_OWN)
    for name in lower:
        if name not in known and not name.startswith(STORAGE):
            raise OptionError(
                f"{name} is no option of a lake's table: known are {', '.join(names)}, and for the"
                f" object store those that begin with {STORAGE}"
            )


def _storage(given: Mapping[str, str]) -> dict[str, str]:
    named = ((name, text) for name, text in given.items() if name.lower().startswith(STORAGE))
    return {name[len(STORAGE) :]: text for name, text in named}


def _path(given: str | None) -> str:
    if not given:
        raise OptionError("a table needs a place: give its folder to start(…) or save(…)")
    return given.removeprefix("file://").rstrip("/") or "/"


def _columns(given: str) -> tuple[str, ...]:
    return tuple(name for part in given.split(",") if (name := part.strip()))


def _truth(name: str, given: str) -> bool:
    if given.lower() not in ("true", "false"):
        raise OptionError(f"{name} is true or false, and not {given!r}")
    return given.lower() == "true"


def _number(name: str, given: str | int, least: int) -> int:
    try:
        number = int(given)
    except ValueError:
        number = -1
    if number < least:
        raise OptionError(f"{name} is a whole number from {least} on, and not {given!r}")
    return number


def _compression(given: str) -> str:
    if given.lower() not in COMPRESSIONS:
        raise OptionError(f"compression is one of {', '.join(COMPRESSIONS)}, and not {given!r}")
    return given.lower()
