"""Few large files instead of many small ones, and no files that are not needed.

A stream leaves a file for each task and batch. `compact` writes them together into larger ones: for
readers nothing changes but the speed, and what readers hold open stays until `vacuum` removes files
that the table has not needed for a while, and those that a killed task left behind.
"""

from __future__ import annotations

from collections.abc import Mapping

from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError, DeltaError
from pyarrow import fs

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.errors import OptionError
from moldau.spark.lake.errors import LostRaceError, TableError, cause_of
from moldau.spark.lake.options import FILE_SIZE
from moldau.spark.lake.transactions import open_table

__all__ = ["Compacted", "compact", "vacuum"]

RETENTION_HOURS = 168
"""A week, as in Delta itself: longer than any reader or writer should take."""
RETENTION_HOURS_MAX = 100 * 366 * 24
"""A century; the library's own clock ends before its numbers do."""
FILE_SIZE_MAX = 2**40
"""1 TiB: no reader of Parquet should open more at once."""
ATTEMPTS_MAX = 5


@dataclass(frozen=True, slots=True)
class Compacted:
    """How many files went and came."""

    removed: int
    added: int


def compact(
    path: str, *, storage: Mapping[str, str] | None = None, file_size: int = FILE_SIZE
) -> Compacted:
    """Write small files together; rows stay as they are."""
    _ensure_within("file_size", file_size, 1, FILE_SIZE_MAX)
    for _ in range(ATTEMPTS_MAX):
        try:
            done = _existing(path, storage).optimize.compact(target_size=file_size)
        except CommitFailedError:
            continue
        except (DeltaError, OSError) as error:
            raise TableError(f"the table {path} cannot be compacted: {cause_of(error)}") from error
        return Compacted(done["numFilesRemoved"], done["numFilesAdded"])
    raise LostRaceError(f"the table {path} changed under {ATTEMPTS_MAX} compactions: try later")


def vacuum(
    path: str,
    *,
    storage: Mapping[str, str] | None = None,
    retention_hours: int = RETENTION_HOURS,
    dry_run: bool = False,
) -> list[str]:
    """Remove files that the table has not needed for so many hours; their paths.

    Less than a week is taken at the caller's word: readers and writers that began longer ago than
    that may lose a file they still want.
    """
    _ensure_within("retention_hours", retention_hours, 0, RETENTION_HOURS_MAX)
    try:
        return _existing(path, storage).vacuum(
            retention_hours, dry_run=dry_run, enforce_retention_duration=False, full=True
        )
    except (DeltaError, OSError) as error:
        raise TableError(f"the table {path} cannot be vacuumed: {cause_of(error)}") from error


def _ensure_within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise OptionError(f"{name} is a whole number from {least} to {most}, and not {value}")


def _existing(path: str, storage: Mapping[str, str] | None) -> DeltaTable:
    here = None if "://" in path else fs.LocalFileSystem().get_file_info(path).type
    if here == fs.FileType.File:
        raise TableError(f"{path} is a file, and a Delta table is a folder: give that folder")
    table = open_table(path, dict(storage or {}))
    if table is None:
        inside = _tables_in(path) if here == fs.FileType.Directory else []
        hint = f", but inside are {', '.join(inside)}: give one of these" if inside else ""
        raise TableError(f"there is no Delta table at {path}{hint}")
    return table


def _tables_in(folder: str) -> list[str]:
    """The folders of tables right inside; the lake may have been given for one of them."""
    files = fs.LocalFileSystem()
    found = files.get_file_info(fs.FileSelector(folder))
    folders = sorted(each.path for each in found if each.type == fs.FileType.Directory)
    logs = files.get_file_info([f"{each}/_delta_log" for each in folders])
    pairs = zip(folders, logs, strict=True)
    return [each for each, log in pairs if log.type == fs.FileType.Directory]
