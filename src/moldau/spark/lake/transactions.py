"""Files become part of a Delta table, once, in one step.

A Delta table is what its log holds: the files that were added and not removed. Adding is one new
file in the log, made only if it does not exist yet, so a reader sees all rows of a batch or none.
With the files the log notes the writer (`application`) and which of its writes it is (`version`).
That makes a batch that comes again harmless:

    version noted already   its files are removed again, nothing is written
    not noted               files and note go into the log together

Two writers of the same application at one time cannot both pass: the log's conflict check looks at
the note. The loser of a race reads the log anew and decides again.

New columns go into the log in a step of their own before the rows: alone they change no row, and
a second attempt finds them there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from deltalake.transaction import AddAction, create_table_with_add_actions

from moldau.platform.ports.clock import Clock
from moldau.platform.quick_dataclass import dataclass
from moldau.spark.lake.errors import LostRaceError, SchemaError, TableError, cause_of
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.parts import Part
from moldau.spark.lake.schemas import delta_schema, grown
from moldau.spark.lake.store import Store

__all__ = ["DeltaLog", "Write", "is_noted", "live_files", "open_table"]

ATTEMPTS_MAX = 20
"""Each attempt that fails means that another one's succeeded, or that the log cannot be had."""
EXISTS = "already exists"
UNKNOWN_SCHEME = "Unknown scheme"


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """What one batch adds."""

    parts: Sequence[Part]
    schema: pa.Schema
    overwrite: bool = False
    """Whether the rows that are there go away with the same step."""
    application: str | None = None
    version: int = 0


def open_table(path: str, storage: dict[str, str]) -> DeltaTable | None:
    """The table as it is now; None where there is none."""
    try:
        return DeltaTable(path, storage_options=storage or None)
    except TableNotFoundError as missing:
        if UNKNOWN_SCHEME in str(missing):
            scheme = path.partition("://")[0]
            raise TableError(
                f"no kind of store has addresses that begin with {scheme}://: give a folder of this"
                " machine, or an address such as s3://BUCKET/PREFIX"
            ) from missing
        return None
    except (DeltaError, OSError) as error:
        raise TableError(f"the table {path} cannot be opened: {cause_of(error)}") from error


class DeltaLog:
    """The log of one table, as a writer needs it."""

    def __init__(self, options: LakeOptions, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._storage = dict(options.storage)

    def __repr__(self) -> str:
        return f"<DeltaLog {self._options.path}>"

    def commit(self, write: Write) -> bool:
        """Whether the rows were added now; if they were there already, the files go away again."""
        for _ in range(ATTEMPTS_MAX):
            table = open_table(self._options.path, self._storage)
            if table is not None and is_noted(table, write.application, write.version):
                self.remove_unknown([part.path for part in write.parts])
                return False
            try:
                self._add(table, write)
            except CommitFailedError:
                continue
            except (DeltaError, OSError) as error:
                if table is None and EXISTS in str(error):
                    continue
                raise TableError(
                    f"the table {self._options.path} takes no rows: {cause_of(error)}"
                ) from error
            return True
        raise LostRaceError(
            f"the table {self._options.path} was changed by others {ATTEMPTS_MAX} times in a row;"
            " let fewer queries write to it"
        )

    def remove_unknown(self, paths: Sequence[str]) -> None:
        """Remove those files that are no part of the table."""
        table = open_table(self._options.path, self._storage)
        known = set(live_files(table)) if table is not None else set()
        store = Store(self._options.path, self._storage)
        store.remove(path for path in paths if path not in known)

    def _add(self, table: DeltaTable | None, write: Write) -> None:
        if table is None:
            self._create(write)
            return
        self._refuse_other_partitions(table)
        missing = grown(
            pa.schema(table.schema()), write.schema, may_grow=self._options.merge_schema
        )
        if len(missing):
            table.alter.add_columns(delta_schema(missing).fields)
        table.create_write_transaction(
            [*self._actions(write)],
            "overwrite" if write.overwrite else "append",
            table.schema(),
            list(self._options.partition_by),
            commit_properties=_noting(write),
        )

    def _create(self, write: Write) -> None:
        create_table_with_add_actions(
            self._options.path,
            delta_schema(write.schema),
            self._actions(write),
            mode="error",
            partition_by=list(self._options.partition_by),
            storage_options=self._storage or None,
            commit_properties=_noting(write),
        )

    def _actions(self, write: Write) -> list[AddAction]:
        now_ms = self._clock.now_ms()
        names = self._options.partition_by
        return [
            AddAction(
                path=part.path,
                size=part.size,
                partition_values=dict(zip(names, part.values, strict=True)),
                modification_time=now_ms,
                data_change=True,
                stats=part.statistics,
            )
            for part in write.parts
        ]

    def _refuse_other_partitions(self, table: DeltaTable) -> None:
        there, wanted = table.metadata().partition_columns, list(self._options.partition_by)
        if there != wanted:
            raise SchemaError(
                f"the table {self._options.path} is partitioned by {', '.join(there) or 'nothing'}"
                f" and not by {', '.join(wanted) or 'nothing'}: set partitionBy to what it is, or"
                " write to another table"
            )


def is_noted(table: DeltaTable, application: str | None, version: int) -> bool:
    """Whether this write of the application is a part of the table."""
    if application is None:
        return False
    noted = table.transaction_version(application)
    return noted is not None and noted >= version


def live_files(table: DeltaTable) -> list[str]:
    """The paths of the table's files, from its root."""
    actions: Any = pa.table(table.get_add_actions())
    return [str(path) for path in actions.column("path").to_pylist()]


def _noting(write: Write) -> CommitProperties | None:
    if write.application is None:
        return None
    return CommitProperties(app_transactions=[Transaction(write.application, write.version)])
