"""The format `moldau-delta` as a stream: a table as it grows.

A stream begins with all rows of the newest version, or with what the version of `startingVersion`
or the first one at or after `startingTimestamp` has added, and then takes what later versions add.
Files that were only written anew (a compaction) add nothing. A version that removes or changes rows
ends the stream with a sentence, unless `skipChangeCommits` is set: then all of that version is
passed over.

Its offsets are `{"version": 7}`: all up to version 7 was read. With `maxFilesPerTrigger` a batch
may end within a version: `{"version": 7, "files": 2}` is all before version 7 and two of the files
that it has added, and with `"whole": true` two of all the files that the table had at version 7,
which is how a first batch may end. Files are counted in an order that does not change.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import unquote

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxFiles,
    SupportsTriggerAvailableNow,
)

from moldau.spark.lake.errors import TableError
from moldau.spark.lake.options import NEWEST
from moldau.spark.lake.reading import (
    DataFile,
    TableFiles,
    files_of,
    log_file,
    moment_ns,
    opened_table,
)
from moldau.spark.lake.store import Store

__all__ = ["DeltaStream"]

NOTHING_YET = -1
STARTING_TIMESTAMP = "startingTimestamp"
Offset = dict[str, int | bool]


class _Files(NamedTuple):
    """Files of one version that are read together, and which of them are still to be read."""

    version: int
    is_whole: bool
    """All that the table had then, and not only what the version has added."""
    files: list[DataFile]
    begun: int

    def up_to(self, count: int) -> Offset:
        """Where a batch ends that reads as many of them in all."""
        if count >= len(self.files):
            return {"version": self.version}
        whole: Offset = {"whole": True} if self.is_whole else {}
        return {"version": self.version, "files": count, **whole}


class DeltaStream(TableFiles, DataSourceStreamReader, SupportsTriggerAvailableNow):
    """For `spark.readStream`."""

    _target: int | None = None
    """The last version that is read, where a query ends."""

    def getDefaultReadLimit(self) -> ReadLimit:
        """What `latestOffset` gets unless the trigger asks for everything."""
        most = self._options.max_files_per_trigger
        return ReadAllAvailable() if most is None else ReadMaxFiles(most)

    def prepareForTriggerAvailableNow(self) -> None:
        """What comes from now on is left to the next run."""
        self._target = self._newest()

    def initialOffset(self) -> Offset:
        """Nothing is read yet, or all that was before the version to start from."""
        starting, timestamp = self._options.starting_version, self._options.starting_timestamp
        if timestamp is not None:
            starting = self._version_at(moment_ns(timestamp, STARTING_TIMESTAMP))
        elif starting == NEWEST:
            starting = self._newest() + 1
        return {"version": NOTHING_YET if starting is None else starting - 1}

    def _version_at(self, time_ns: int) -> int:
        """The first version that was made at this time or later; the next one where none was."""
        store = Store(self._options.path, self._options.storage)
        versions = range(self._newest() + 1)
        return bisect_left(versions, time_ns, key=lambda at: store.modified_ns(log_file(at)))

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """Where the next batch ends."""
        newest = self._newest()
        if not isinstance(limit, ReadMaxFiles):
            return {"version": newest} if start["version"] <= newest else start
        reached, left = start, limit.max_files
        for found in self._behind(start, newest):
            count = min(left, len(found.files) - found.begun)
            if not left:
                break
            reached, left = found.up_to(found.begun + count), left - count
        return reached

    def reportLatestOffset(self) -> Offset:
        """How far the table goes, for the query's progress."""
        return {"version": self._newest()}

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """A task for each file that has come since; at first for each that is there."""
        return [
            file
            for found in self._behind(start, end["version"])
            for file in found.files[found.begun : self._last(found, end)]
        ]

    def _last(self, found: _Files, end: Offset) -> int | None:
        return end.get("files") if found.version == end["version"] else None

    def _newest(self) -> int:
        return opened_table(self._options).version() if self._target is None else self._target

    def _behind(self, start: Offset, newest: int) -> Iterator[_Files]:
        """What was not read, version by version."""
        version, begun = start["version"], start.get("files")
        is_first = version == NOTHING_YET and not self._options.begins_at_a_version
        if is_first or start.get("whole"):
            at = newest if is_first else version
            yield _Files(at, True, self._all_of(at), begun or 0)
            version = at
        elif begun is not None:
            yield _Files(version, False, self._added(version), begun)
        for later in range(version + 1, newest + 1):
            yield _Files(later, False, self._added(later), 0)

    def _all_of(self, version: int) -> list[DataFile]:
        """The files that the table had at this version."""
        at = replace(self._options, version=version)
        return sorted(files_of(opened_table(at)), key=lambda file: file.path)

    def _added(self, version: int) -> list[DataFile]:
        """The files with rows that this version has added."""
        actions = [*self._actions(version)]
        is_changed = any(_changes_data(action.get("remove")) for action in actions)
        if is_changed and self._options.skips_changes:
            return []
        if is_changed:
            raise TableError(
                f"version {version} of {self._options.path} removes or changes rows, and a stream"
                " has only new ones: set skipChangeCommits to pass it over, or read the table whole"
            )
        added = [action["add"] for action in actions if _changes_data(action.get("add"))]
        return [
            DataFile(unquote(each["path"]), tuple((each.get("partitionValues") or {}).items()))
            for each in added
        ]

    def _actions(self, version: int) -> Iterator[dict[str, Any]]:
        store = Store(self._options.path, self._options.storage)
        try:
            with store.open_input(log_file(version)) as file:
                lines = file.read().splitlines()
        except FileNotFoundError as error:
            raise TableError(
                f"the log of {self._options.path} has no version {version} any more: start the"
                " query anew, with a new checkpoint"
            ) from error
        return (json.loads(line) for line in lines if line.strip())


def _changes_data(action: dict[str, Any] | None) -> bool:
    """Whether there is such an action, and it is not that of a compaction."""
    return action is not None and bool(action.get("dataChange", True))
