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
    """Of a stream; `NEWEST` is the one that comes next."""
    starting_timestamp: str | None = None
    max_files_per_trigger: int | None = None
    skips_changes: bool = False
    storage: Mapping[str, str] = field(default_factory=dict)

    @property
    def begins_at_a_version(self) -> bool:
        """Whether a stream leaves out what was there before it."""
        return self.starting_version is not None or self.starting_timestamp is not None


NEWEST = -1
LATEST = "latest"
OF_BATCHES = ("versionAsOf", "timestampAsOf")
OF_STREAMS = ("startingVersion", "startingTimestamp", "maxFilesPerTrigger", "skipChangeCommits")
READING_NAMES = ("path", *OF_BATCHES, *OF_STREAMS)
ELSEWHERE = {
    "ignoreDeletes": "set skipChangeCommits, which passes over versions that remove rows",
    "ignoreChanges": "set skipChangeCommits, which passes over versions that change rows",
    "maxBytesPerTrigger": "batches are bounded by maxFilesPerTrigger",
    "readChangeFeed": "feeds of changes are read by Delta's own jar",
    "readChangeData": "feeds of changes are read by Delta's own jar",
    "maxRecordsPerFile": "files are bounded by targetFileSize",
    "replaceWhere": "an overwrite replaces the whole table",
    "partitionOverwriteMode": "an overwrite replaces the whole table",
}
"""Options of Delta's own format, and what there is here."""


def reading_options(given: Mapping[str, str], *, streaming: bool) -> ReadingOptions:
    """The options of a reader, as Spark hands them over."""
    lower = {name.lower(): text for name, text in given.items()}
    _refuse_unknown(lower, READING_NAMES)
    if streaming and (of_batches := _given(lower, OF_BATCHES)):
        raise OptionError(f"{of_batches[0]} is for batch reads: a stream has startingVersion")
    for names in (OF_BATCHES, OF_STREAMS[:2]):
        if len(_given(lower, names)) > 1:
            raise OptionError(
                f"{' and '.join(names)} are two ways to say one thing: set one of them"
            )
    most = lower.get("maxfilespertrigger")
    return ReadingOptions(
        path=_path(lower.get("path")),
        version=_version("versionAsOf", lower),
        timestamp=lower.get("timestampasof"),
        starting_version=_starting_version(lower),
        starting_timestamp=lower.get("startingtimestamp"),
        max_files_per_trigger=None if most is None else _number("maxFilesPerTrigger", most, 1),
        skips_changes=_truth("skipChangeCommits", lower.get("skipchangecommits", "false")),
        storage=_storage(given),
    )


def _given(lower: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [name for name in names if name.lower() in lower]


def _starting_version(lower: Mapping[str, str]) -> int | None:
    text = lower.get("startingversion", "")
    if text.lower() == LATEST:
        return NEWEST
    if text and not text.isdecimal():
        raise OptionError(f"startingVersion is a whole number from 0 on, or {LATEST}: not {text!r}")
    return _version("startingVersion", lower)


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
    for name in _given(lower, tuple(ELSEWHERE)):
        raise OptionError(f"{name} is no option here: {ELSEWHERE[name]}")
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
    return given.removeprefix("file://").removeprefix("file:").rstrip("/") or "/"


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
