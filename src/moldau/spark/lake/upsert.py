"""Few rows, from memory: added, added up, or in the place of those with the same keys.

This is how a pipeline keeps a small table of results. A batch brings its own sums, and one step of
the table's log adds them up and notes the batch, so that a batch which comes again adds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError

from moldau.platform.ports.clock import Clock
from moldau.spark.lake.delta import write_parts
from moldau.spark.lake.errors import LostRaceError, TableError, cause_of
from moldau.spark.lake.options import LakeOptions
from moldau.spark.lake.schemas import relaxed
from moldau.spark.lake.transactions import ATTEMPTS_MAX, DeltaLog, Write, is_noted, open_table

__all__ = ["add_up", "append", "replace"]


def append(options: LakeOptions, rows: pa.Table, version: int, clock: Clock) -> bool:
    """Whether the batch was added now; no task of Spark is started for it."""
    schema = relaxed(rows.schema)
    write = Write(
        parts=write_parts(options, schema, iter(rows.to_batches())),
        schema=schema,
        application=options.application,
        version=version,
    )
    return DeltaLog(options, clock).commit(write)


def add_up(
    options: LakeOptions, rows: pa.Table, keys: Sequence[str], version: int, clock: Clock
) -> bool:
    """Whether the batch was added now: every column that is no key is a sum."""
    assert options.application is not None, "sums without a name would be added twice"
    for _ in range(ATTEMPTS_MAX):
        table = open_table(options.path, dict(options.storage))
        if table is None:
            return append(options, rows, version, clock)
        if is_noted(table, options.application, version):
            return False
        try:
            _merge(table, rows, keys, Transaction(options.application, version))
        except CommitFailedError:
            continue
        except (DeltaError, OSError) as error:
            raise TableError(
                f"the table {options.path} takes no sums: {cause_of(error)}"
            ) from error
        return True
    raise _lost(options)


def replace(
    options: LakeOptions, rows: pa.Table, keys: Sequence[str], clock: Clock, gone: str = ""
) -> None:
    """Rows take the place of those with the same keys; where `gone` is true there is none then.

    New columns become columns of the table. To do it again changes nothing.
    """
    if not rows.num_rows:
        return
    for _ in range(ATTEMPTS_MAX):
        table = open_table(options.path, dict(options.storage))
        try:
            if table is None:
                kept = rows.filter(pc.invert(rows[gone])).drop_columns([gone]) if gone else rows
                append(options, kept, 0, clock)
            else:
                _replace(table, rows, keys, gone)
        except CommitFailedError:
            continue
        except (DeltaError, OSError) as error:
            raise TableError(
                f"the table {options.path} takes no rows: {cause_of(error)}"
            ) from error
        return
    raise _lost(options)


def _lost(options: LakeOptions) -> LostRaceError:
    return LostRaceError(
        f"the table {options.path} was changed by others {ATTEMPTS_MAX} times in a row: let fewer"
        " queries write to it"
    )


def _replace(table: DeltaTable, rows: pa.Table, keys: Sequence[str], gone: str) -> None:
    whole = {f"`{name}`": f"source.`{name}`" for name in rows.column_names if name != gone}
    merging = table.merge(
        rows.cast(relaxed(rows.schema)),
        _same(keys),
        source_alias="source",
        target_alias="target",
        merge_schema=True,
    )
    if gone:
        merging = merging.when_matched_delete(f"source.`{gone}`")
    merging = merging.when_matched_update(whole)
    merging.when_not_matched_insert(whole, f"NOT source.`{gone}`" if gone else None).execute()


def _same(keys: Sequence[str]) -> str:
    return " AND ".join(f"(target.`{key}` IS NOT DISTINCT FROM source.`{key}`)" for key in keys)


def _merge(table: DeltaTable, rows: pa.Table, keys: Sequence[str], note: Transaction) -> None:
    sums = [name for name in rows.column_names if name not in keys]
    added = {name: f"target.`{name}` + source.`{name}`" for name in sums}
    (
        table.merge(
            rows.cast(relaxed(rows.schema)),
            _same(keys),
            source_alias="source",
            target_alias="target",
            commit_properties=CommitProperties(app_transactions=[note]),
        )
        .when_matched_update(added)
        .when_not_matched_insert_all()
        .execute()
    )
