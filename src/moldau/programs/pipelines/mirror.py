"""From changes of rows to the rows themselves: as they are now, and as they were at any time.

The history of a key is all its changes by their place. Where one ends the next begins, whenever it
came; so the same changes in any order, and any number of times, give the same history, and the
mirror is what is current in it:

    history   a row for each change: since when and until when it was so (SCD 2)
    mirror    a row for each key that is there now (SCD 1)

An emptied table (`t`) ends all versions before it, of those keys too whose changes come later.

Columns are those of the rows, by the type of the first value that came. A column that comes later
is added. A value that does not fit is null there, and is kept as JSON in `_misfits`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from moldau.programs.pipelines.envelope import Change

__all__ = ["EMPTIED", "changed_rows", "columns_of_rows", "history_of", "mirror_of", "table_of"]

Row = dict[str, Any]
Columns = dict[str, pa.DataType]
EMPTIED = ""
"""The key under which a history has the times at which its table was emptied."""
TIME = pa.timestamp("us", "UTC")
OWN: Columns = {
    "_key": pa.string(),
    "_place": pa.string(),
    "_op": pa.string(),
    "_transaction": pa.string(),
    "_from": TIME,
    "_to": TIME,
    "_is_current": pa.bool_(),
    "_misfits": pa.string(),
}
ENDS = ("d", "t")
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
"""A larger number is kept as text."""


def columns_of_rows(rows: Iterable[Row], known: Columns) -> Columns:
    """The columns that are known, and those that these rows bring."""
    columns = dict(known)
    for row in rows:
        for name, value in row.items():
            if value is not None and name not in columns:
                columns[name] = _type_of(value)
    return columns


def _type_of(value: object) -> pa.DataType:
    match value:
        case bool():
            return pa.bool_()
        case int() if INT64_MIN <= value <= INT64_MAX:
            return pa.int64()
        case float():
            return pa.float64()
        case _:
            return pa.string()


def changed_rows(changes: Iterable[Change], columns: Columns) -> list[Row]:
    """Changes as rows of the history, with what does not fit kept aside."""
    return [_changed_row(change, columns) for change in changes]


def _changed_row(change: Change, columns: Columns) -> Row:
    fields = json.loads(change.row) if change.row and change.op not in ENDS else {}
    fitted = {name: _fitted(fields.get(name), kind) for name, kind in columns.items()}
    misfits = {
        name: value
        for name, value in fields.items()
        if value is not None and fitted.get(name) is None
    }
    return {
        **fitted,
        "_key": change.id or EMPTIED,
        "_place": change.place,
        "_op": change.op,
        "_transaction": change.transaction,
        "_from": np.datetime64(change.at_ms, "ms").item(),
        "_misfits": json.dumps(misfits, sort_keys=True) if misfits else None,
    }


def _fitted(value: Any, kind: pa.DataType) -> Any:  # noqa: ANN401 - a field of JSON
    if value is None or (pa.types.is_string(kind) and isinstance(value, str)):
        return value
    if pa.types.is_string(kind):
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    if pa.types.is_floating(kind) and _type_of(value) == pa.int64():
        return float(value)
    return value if _type_of(value) == kind else None


def history_of(rows: Iterable[Row]) -> list[Row]:
    """The same changes, each once, with until when they were so."""
    by_key: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by_key[row["_key"]].setdefault(row["_place"], row)
    emptied = by_key.pop(EMPTIED, {})
    found = [{**row, "_to": row["_from"], "_is_current": False} for row in emptied.values()]
    for versions in by_key.values():
        found += _ended(versions, emptied)
    return found


def _ended(versions: Mapping[str, Row], emptied: Mapping[str, Row]) -> list[Row]:
    """The versions of one key, each up to the next one or to the emptying of the table."""
    ordered = sorted({**emptied, **versions}.items())
    followers = [row for _, row in ordered[1:]]
    found = []
    for (place, row), follower in zip(ordered, [*followers, None], strict=True):
        if place in versions:
            is_end = row["_op"] in ENDS
            until = row["_from"] if is_end else follower and follower["_from"]
            found.append({**row, "_to": until, "_is_current": until is None})
    return found


def mirror_of(history: Iterable[Row], columns: Columns) -> list[Row]:
    """For each key its current row, or that it is gone, as `_is_gone`."""
    names = [*columns, "_key", "_place", "_misfits"]
    found: dict[str, Row] = {}
    for row in history:
        if row["_key"] != EMPTIED and (row["_is_current"] or row["_key"] not in found):
            kept = {name: row.get(name) for name in names}
            found[row["_key"]] = {**kept, "_is_gone": not row["_is_current"]}
    return list(found.values())


def table_of(rows: list[Row], columns: Columns) -> pa.Table:
    """Rows as Arrow has them, every column with its type."""
    kinds = {**columns, **OWN, "_is_gone": pa.bool_()}
    names = [name for name in kinds if any(name in row for row in rows)]
    return pa.Table.from_pylist(rows, pa.schema([(name, kinds[name]) for name in names]))
