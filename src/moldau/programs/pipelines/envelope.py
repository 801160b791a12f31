"""One record of Debezium: a change of a row, with its place in the source's own log.

    c u r     the row is so now: created, updated, or read by a snapshot
    d         the row is gone; behind it comes a tombstone, for compaction
    t         the table was emptied
    m         a message of the application, about no row
    begin end the metadata of a transaction, from the topic of transactions

A record may carry its schema (`{"schema": …, "payload": …}`) or not. The place is the position in
the source's log and the number within the transaction, as text of one width, so that places sort as
they happened. Records may come in any order and twice: the place decides which is the later one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["COLUMNS", "Change", "Unfit", "decoded"]

Fields = Mapping[str, Any]
COLUMNS = (
    "table string, id string, place string, op string, row string, transaction string, at_ms bigint"
)
ROW_OPS = ("c", "u", "r", "d")
OPS = (*ROW_OPS, "t", "m")
STATUSES = {"BEGIN": "begin", "END": "end"}
POSITIONS = ("lsn", "pos", "scn", "change_lsn", "sequence_number")
"""Where connectors put the position: PostgreSQL, MySQL, Oracle, SQL Server and others."""
DETAIL_LENGTH_MAX = 200


class Change(NamedTuple):
    """The change of one row."""

    table: str
    id: str
    """The row's key, as JSON with sorted names; empty where a record is about no row."""
    place: str
    op: str
    row: str
    """The row after the change as JSON, of a deleted one what it was before."""
    transaction: str
    at_ms: int


class Unfit(NamedTuple):
    """Why a record is no change."""

    reason: str
    detail: str


def decoded(key: bytes | None, value: bytes | None) -> Change | Unfit:
    """The change that a record holds."""
    if value is None:
        return Change("", _text(_payload(key) or {}), "", "tombstone", "", "", 0)
    found = _payload(value)
    if found is None:
        return Unfit("unparsable", value[:DETAIL_LENGTH_MAX].decode(errors="replace"))
    if found.get("status") in STATUSES:
        return _boundary(found)
    if found.get("op") not in OPS:
        return Unfit("incomplete", f"its op is {found.get('op')!r}")
    return _change(_payload(key) or {}, found)


def _change(key: Fields, found: Fields) -> Change | Unfit:
    op, source = found["op"], found.get("source") or {}
    row = found.get("before" if op == "d" else "after") or {}
    if op == "m":
        return Change("", "", "", op, _text(found.get("message") or {}), "", 0)
    table, position = source.get("table"), _position(source)
    if not table or position is None:
        return Unfit("incomplete", "its source has no table or no position")
    if op in ROW_OPS and not key:
        return Unfit("incomplete", f"a row of {table} has no key")
    if op in ROW_OPS and op != "d" and not row:
        return Unfit("incomplete", f"an {op} of {table} has no row after it")
    transaction = found.get("transaction") or {}
    order = int(transaction.get("total_order") or 0)
    return Change(
        table=str(table),
        id=_text(key) if op != "t" else "",
        place=f"{position:020d}-{order:08d}",
        op=op,
        row=_text(row),
        transaction=str(transaction.get("id") or ""),
        at_ms=int(source.get("ts_ms") or found.get("ts_ms") or 0),
    )


def _boundary(found: Fields) -> Change:
    op = STATUSES[found["status"]]
    fields = {"events": found.get("event_count") or 0}
    at_ms = int(found.get("ts_ms") or 0)
    return Change("", "", "", op, _text(fields), str(found.get("id") or ""), at_ms)


def _payload(value: bytes | None) -> Fields | None:
    """The object itself, out of its schema if it is in one."""
    try:
        found = json.loads(value or b"")
    except ValueError:
        return None
    if isinstance(found, dict) and "payload" in found and "schema" in found:
        found = found["payload"]
    return found if isinstance(found, dict) else None


def _position(source: Fields) -> int | None:
    given = next((str(source[name]) for name in POSITIONS if source.get(name) is not None), "")
    return int(given) if given.isdecimal() else None


def _text(fields: Fields) -> str:
    return json.dumps(fields, sort_keys=True, ensure_ascii=False) if fields else ""
