"""Few large files instead of many small ones, and no files that nobody needs.

A stream leaves a file for each task and batch. `compact` writes them together into larger ones: for
readers nothing changes but the speed, and what readers hold open stays until `vacuum` removes files
that the table has not needed for a while, and those that a killed task left behind.
"""

from __future__ import annotations

from collections.abc import Mapping

from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError, DeltaError

from moldau.quick_dataclass import dataclass
from moldau.spark.lake.errors import LostRaceError, TableError
from moldau.spark.lake.options import FILE_SIZE
from moldau.spark.lake.transactions import open_table

__all__ = ["Compacted", "compact", "vacuum"]

RETENTION_HOURS = 168
"""A week, as in Delta itself: longer than any reader or writer should take."""
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
    for _ in range(ATTEMPTS_MAX):
        try:
            done = _existing(path, storage).optimize.compact(target_size=file_size)
        except CommitFailedError:
            continue
        except (DeltaError, OSError) as error:
            raise TableError(f"the table {path} cannot be compacted: {error}") from error
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
    try:
        return _existing(path, storage).vacuum(
            retention_hours, dry_run=dry_run, enforce_retention_duration=False, full=True
        )
    except (DeltaError, OSError) as error:
        raise TableError(f"the table {path} cannot be vacuumed: {error}") from error


def _existing(path: str, storage: Mapping[str, str] | None) -> DeltaTable:
    table = open_table(path, dict(storage or {}))
    if table is None:
        raise TableError(f"there is no Delta table at {path}")
    return table
